"""COCO instances: one JSON file a split, with boxes, the quads as polygons, and a score a label."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Items
from datasets.labelling.formats.jsonstream import write_array


def write_coco(root: Path, items: Items, classes: Classes) -> None:
    """`annotations/instances_SPLIT.json` and `images/SPLIT/`. Category numbers begin at 1, as COCO's do."""
    splits = {}
    for item in items():
        splits[item.split] = True
        link(item.path, root / "images" / item.split / item.file)
    (root / "annotations").mkdir(parents=True, exist_ok=True)
    categories = [
        {"id": n + 1, "name": name, "supercategory": "tile"} for n, name in enumerate(classes.names)
    ]
    for split in sorted(splits):
        with (root / "annotations" / f"instances_{split}.json").open("w", encoding="utf-8") as stream:
            stream.write('{"images": ')
            write_array(stream, _images(items, split))
            stream.write(',\n"annotations": ')
            write_array(stream, _annotations(items, split))
            stream.write(f',\n"categories": {json.dumps(categories, ensure_ascii=False)}}}\n')


def _images(items: Items, split: str) -> Iterator[dict[str, Any]]:
    for item in items():
        if item.split == split:
            yield {"id": item.id, "file_name": item.file, "width": item.width, "height": item.height}


def _annotations(items: Items, split: str) -> Iterator[dict[str, Any]]:
    number = 0
    for item in items():
        if item.split != split:
            continue
        for label in item.labels:
            number += 1
            x1, y1, x2, y2 = label.bounds
            yield {
                "id": number,
                "image_id": item.id,
                "category_id": label.number + 1,
                "bbox": [round(value, 2) for value in (x1, y1, x2 - x1, y2 - y1)],
                "segmentation": [[round(value, 2) for corner in label.quad for value in corner]],
                "area": round(label.area, 2),
                "iscrowd": 0,
                "score": label.confidence,
            }
