"""Ultralytics YOLO: `class x y w h` a line, or `class x1 y1 … x4 y4` for rotated boxes; shares of sides."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from datasets.labelling.classes import Classes
from datasets.labelling.files import link
from datasets.labelling.formats.item import Item, Items, Label
from datasets.labelling.splits import SPLITS


def write_yolo(root: Path, items: Items, classes: Classes) -> None:
    """Upright boxes."""
    _write(root, items, classes, _upright)


def write_yolo_obb(root: Path, items: Items, classes: Classes) -> None:
    """Rotated boxes: corners from the face's own top-left, clockwise."""
    _write(root, items, classes, _corners)


def _write(root: Path, items: Items, classes: Classes, line: Callable[[Label, Item], str]) -> None:
    used = set()
    for item in items():
        used.add(item.split)
        link(item.path, root / "images" / item.split / item.file)
        text = root / "labels" / item.split / f"{item.stem}.txt"
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_text("".join(f"{line(label, item)}\n" for label in item.labels), encoding="utf-8")
    # Ultralytics wants a val; where everything came from one picture there is none but train.
    folders: dict[str, str] = {split: split for split in SPLITS if split in used}
    for needed in ("train", "val"):
        folders.setdefault(needed, "train")
    names = "".join(
        f"  {number}: {json.dumps(name, ensure_ascii=False)}\n" for number, name in enumerate(classes.names)
    )
    splits = "".join(f"{split}: images/{folder}\n" for split, folder in folders.items())
    # No `path`: Ultralytics then takes the folder that data.yaml lies in; `.` would be the working directory.
    (root / "data.yaml").write_text(f"{splits}names:\n{names}", encoding="utf-8")


def _upright(label: Label, item: Item) -> str:
    x1, y1, x2, y2 = label.bounds
    return _row(
        label.number,
        ((x1 + x2) / 2 / item.width, (y1 + y2) / 2 / item.height),
        ((x2 - x1) / item.width, (y2 - y1) / item.height),
    )


def _corners(label: Label, item: Item) -> str:
    return _row(label.number, *((x / item.width, y / item.height) for x, y in label.quad))


def _row(number: int, *pairs: tuple[float, float]) -> str:
    return " ".join([str(number), *(f"{value:.6f}" for pair in pairs for value in pair)])
