"""CVAT for images 1.1: one XML file, tiles as turned boxes, or polygons where a quad is no rectangle."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items, Label


def write_cvat(root: Path, items: Items, classes: Classes) -> None:
    """`annotations.xml`, and the pictures to make the task from in `images`.

    It is a project's file: that of a task has no subsets, and Datumaro leaves out what has one all the same.
    """
    root.mkdir(parents=True, exist_ok=True)
    with (root / "annotations.xml").open("w", encoding="utf-8") as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n')
        names = "".join(
            f"        <label><name>{escape(name)}</name><attributes></attributes></label>\n"
            for name in classes.names
        )
        splits = sorted({item.split for item in items()})
        tasks = "".join(f"        <task><subset>{escape(split)}</subset></task>\n" for split in splits)
        stream.write(
            f"  <meta>\n    <project>\n      <labels>\n{names}      </labels>\n"
            f"      <tasks>\n{tasks}      </tasks>\n    </project>\n  </meta>\n"
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
        image.append(_shape(label, item))
    image.text = "\n  " if item.labels else None
    for shape in image:
        shape.tail = "\n  "
    return image


def _shape(label: Label, item: Item) -> Xml.Element:
    """CVAT turns a box clockwise about its middle."""
    common = {
        "label": label.name,
        "source": "manual" if label.human or item.reviewed else "auto",
        "occluded": "0",
    }
    if label.turn is None:
        points = ";".join(f"{x:.2f},{y:.2f}" for x, y in label.quad)
        return Xml.Element("polygon", {**common, "points": points, "z_order": "0"})
    a, b, _, d = label.quad
    x, y = (sum(corner[axis] for corner in label.quad) / 4 for axis in (0, 1))
    half_width, half_height = math.dist(a, b) / 2, math.dist(a, d) / 2
    sides = {
        "xtl": f"{x - half_width:.2f}", "ytl": f"{y - half_height:.2f}",
        "xbr": f"{x + half_width:.2f}", "ybr": f"{y + half_height:.2f}",
    }  # fmt: skip
    return Xml.Element("box", {**common, **sides, "rotation": f"{label.turn % 360:.2f}", "z_order": "0"})
