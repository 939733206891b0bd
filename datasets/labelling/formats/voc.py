"""Pascal VOC: one XML file a picture, boxes in whole pixels that count from 1 and belong to the box."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Xml

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items, Label


def write_voc(root: Path, items: Items, classes: Classes) -> None:
    """`JPEGImages`, `Annotations` and the lists of the splits in `ImageSets/Main`.

    Class names are in `labels.txt`, and in `labelmap.txt`, by which CVAT and Datumaro know others than VOC's.
    """
    for folder in ("Annotations", "ImageSets/Main"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for item in items():
        link(item.path, root / "JPEGImages" / item.file)
        tree = Xml.ElementTree(_annotation(item))
        Xml.indent(tree)
        tree.write(root / "Annotations" / f"{item.stem}.xml", encoding="utf-8", xml_declaration=True)
        with (root / "ImageSets" / "Main" / f"{item.split}.txt").open("a", encoding="utf-8") as listing:
            listing.write(f"{item.stem}\n")
    (root / "labels.txt").write_text("".join(f"{name}\n" for name in classes.names), encoding="utf-8")
    table = "# label:color_rgb:parts:actions\n" + "".join(f"{name}:::\n" for name in classes.names)
    (root / "labelmap.txt").write_text(table, encoding="utf-8")


def _annotation(item: Item) -> Xml.Element:
    root = Xml.Element("annotation")
    _add(root, "folder", "JPEGImages")
    _add(root, "filename", item.file)
    size = Xml.SubElement(root, "size")
    for name, value in (("width", item.width), ("height", item.height), ("depth", 3)):
        _add(size, name, value)
    _add(root, "segmented", 0)
    for label in item.labels:
        root.append(_object(label, item))
    return root


def _object(label: Label, item: Item) -> Xml.Element:
    x1, y1, x2, y2 = label.bounds
    entry = Xml.Element("object")
    _add(entry, "name", label.name)
    _add(entry, "pose", "Unspecified")
    edge = x1 <= 0 or y1 <= 0 or x2 >= item.width or y2 >= item.height
    _add(entry, "truncated", int(edge))
    _add(entry, "difficult", 0)
    box = Xml.SubElement(entry, "bndbox")
    low_x, low_y = min(round(x1) + 1, item.width), min(round(y1) + 1, item.height)
    for name, value in (
        ("xmin", low_x), ("ymin", low_y), ("xmax", max(round(x2), low_x)), ("ymax", max(round(y2), low_y)),
    ):  # fmt: skip
        _add(box, name, value)
    return entry


def _add(parent: Xml.Element, name: str, value: object) -> None:
    Xml.SubElement(parent, name).text = str(value)
