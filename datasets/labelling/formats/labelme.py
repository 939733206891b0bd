"""LabelMe: one JSON file beside each picture, every tile a polygon of four corners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items

_VERSION = "5.5.0"
"""Of LabelMe whose file format this is."""


def write_labelme(root: Path, items: Items, classes: Classes) -> None:
    """A folder a split; `labels.txt` is what `labelme --labels` takes."""
    for item in items():
        link(item.path, root / item.split / item.file)
        text = json.dumps(_content(item), ensure_ascii=False, indent=2)
        (root / item.split / f"{item.stem}.json").write_text(f"{text}\n", encoding="utf-8")
    (root / "labels.txt").write_text("".join(f"{name}\n" for name in classes.names), encoding="utf-8")


def _content(item: Item) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "flags": {"reviewed": item.reviewed},
        "shapes": [
            {
                "label": label.name,
                "points": [[round(x, 2), round(y, 2)] for x, y in label.quad],
                "group_id": None,
                "description": "" if label.human else f"confidence {label.confidence:.3f}",
                "shape_type": "polygon",
                "flags": {},
                "mask": None,
            }
            for label in item.labels
        ],
        "imagePath": item.file,
        "imageData": None,
        "imageHeight": item.height,
        "imageWidth": item.width,
    }
