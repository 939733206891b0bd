"""Label Studio tasks: the models' labels as predictions with scores, accepted ones as annotations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as Xml

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items, Label
from datasets.labelling.formats.jsonstream import write_array

_PREFIX = "/data/local-files/?d=labelstudio/images/"
"""Where Label Studio serves local files from, seen from the folder above `labelstudio`."""


def write_labelstudio(root: Path, items: Items, classes: Classes) -> None:
    """`tasks.json` to import and `config.xml`, the labelling interface it is for."""
    for item in items():
        link(item.path, root / "images" / item.file)
    root.mkdir(parents=True, exist_ok=True)
    with (root / "tasks.json").open("w", encoding="utf-8") as stream:
        write_array(stream, _tasks(items))
        stream.write("\n")
    tree = Xml.ElementTree(_config(classes))
    Xml.indent(tree)
    tree.write(root / "config.xml", encoding="utf-8")


def _config(classes: Classes) -> Xml.Element:
    view = Xml.Element("View")
    Xml.SubElement(view, "Image", name="image", value="$image", zoom="true")
    for kind in ("RectangleLabels", "PolygonLabels"):
        labels = Xml.SubElement(view, kind, name=_control(kind), toName="image")
        for name in classes.names:
            Xml.SubElement(labels, "Label", value=name)
    return view


def _tasks(items: Items) -> Iterator[dict[str, Any]]:
    for item in items():
        results = [_result(item, label, place) for place, label in enumerate(item.labels)]
        task: dict[str, Any] = {
            "id": item.id,
            "data": {"image": _PREFIX + quote(item.file), "split": item.split},
            "annotations": [],
            "predictions": [],
        }
        if item.reviewed:
            task["annotations"].append({"result": results, "was_cancelled": False, "ground_truth": False})
        else:
            score = min((label.confidence for label in item.labels), default=0.0)
            task["predictions"].append({"model_version": item.model, "score": score, "result": results})
        yield task


def _result(item: Item, label: Label, place: int) -> dict[str, Any]:
    """A turned rectangle where the quad is one, a polygon otherwise; per cent of width and height."""
    (x, y), turn = label.quad[0], label.turn
    if turn is None:
        kind = "polygonlabels"
        points = [[_share(a, item.width), _share(b, item.height)] for a, b in label.quad]
        value: dict[str, Any] = {"points": points, "closed": True}
    else:
        kind = "rectanglelabels"
        (bx, by), (dx, dy) = label.quad[1], label.quad[3]
        value = {
            "x": _share(x, item.width),
            "y": _share(y, item.height),
            "width": _share(math.dist((x, y), (bx, by)), item.width),
            "height": _share(math.dist((x, y), (dx, dy)), item.height),
            "rotation": round(turn % 360, 4),
        }
    result = {
        "id": f"{item.id}-{place}",
        "type": kind,
        "from_name": _control(kind),
        "to_name": "image",
        "original_width": item.width,
        "original_height": item.height,
        "image_rotation": 0,
        "value": {**value, kind: [label.name]},
    }
    return result if item.reviewed else {**result, "score": label.confidence}


def _share(value: float, of: int) -> float:
    """In per cent."""
    return round(100 * value / of, 5)


def _control(kind: str) -> str:
    return "polygon" if kind.lower().startswith("polygon") else "rectangle"
