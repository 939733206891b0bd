"""CVAT for images 1.1: one XML file, every tile a polygon of four corners."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items


def write_cvat(root: Path, items: Items, classes: Classes) -> None:
    """`annotations.xml`, and the pictures to make the task from in `images`."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / "annotations.xml").open("w", encoding="utf-8") as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n')
        names = "".join(
            f"        <label><name>{escape(name)}</name><attributes></attributes></label>\n"
            for name in classes.names
        )
        stream.write(
            f"  <meta>\n    <task>\n      <labels>\n{names}      </labels>\n    </task>\n  </meta>\n"
        )
        for number, item in enumerate(items()):
            link(item.path, root / "images" / item.file)
            stream.write(Xml.tostring(_image(item, number), encoding="unicode") + "\n")
        stream.write("</annotations>\n")


def _image(item: Item, number: int) -> Xml.Element:
    """CVAT numbers the pictures of a task from 0."""
    image = Xml.Element(
        "image", id=str(number), name=item.file, subset=item.split,
        width=str(item.width), height=str(item.height),
    )  # fmt: skip
    for label in item.labels:
        points = ";".join(f"{x:.2f},{y:.2f}" for x, y in label.quad)
        source = "manual" if label.human or item.reviewed else "auto"
        Xml.SubElement(
            image, "polygon", label=label.name, source=source, occluded="0", points=points, z_order="0"
        )
    image.text = "\n  " if item.labels else None
    for shape in image:
        shape.tail = "\n  "
    return image
