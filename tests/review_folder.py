"""A labelled folder of rendered pictures, without models: the sample with its truth, some names put wrong."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Box, Labelled, Listed
from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH

SIDES = (400, 300)
"""The sample at a quarter of its size: tiles of about 24 pixels."""


@dataclass(frozen=True)
class Picture:
    """How one picture is labelled. wrong: position of a box whose name is doubtful and wrong."""

    name: str
    wrong: int | None = None
    margin: float = 0.95
    flags: tuple[str, ...] = ()


PICTURES = (
    Picture("sure"),
    Picture("unsure", wrong=2, margin=0.1),
    Picture("flagged", wrong=0, margin=0.5, flags=("five-of-a-kind",)),
    Picture("less-unsure", wrong=4, margin=0.3),
)
"""Most doubtful first: flagged, unsure, less-unsure; `sure` is not doubtful."""


@cache
def small_sample() -> bytes:
    """The sample as a JPEG of SIDES."""
    data = io.BytesIO()
    with Image.open(SAMPLE_PHOTO) as sample:
        sample.resize(SIDES).save(data, "JPEG", quality=90)
    return data.getvalue()


def true_boxes(width: int = SIDES[0]) -> list[Box]:
    """The sample's tiles on a picture of that width."""
    truth: dict[str, Any] = json.loads(SAMPLE_TRUTH.read_text(encoding="utf-8"))
    scale = width / truth["size"][0]
    boxes = []
    for tile in truth["tiles"]:
        a, b, c, d = ((x * scale, y * scale) for x, y in tile["quad"])
        boxes.append(Box(tile["tile"], (a, b, c, d), 0.99, 0.98))
    return boxes


def labelled_folder(folder: Path, pictures: tuple[Picture, ...] = PICTURES) -> Path:
    """Write the pictures and a manifest that labels them; the folder of the manifest."""
    photos = folder / "photos"
    photos.mkdir(parents=True)
    out = folder / "labels"
    with Manifest.create(out) as manifest, manifest.transaction():
        for number, picture in enumerate(pictures, start=1):
            path = photos / f"{picture.name}.jpg"
            path.write_bytes(small_sample())
            manifest.register([Listed(f"photos/{path.name}", str(path), picture.name, "photos")])
            boxes = true_boxes()
            if picture.wrong is not None:
                right = boxes[picture.wrong]
                name = "9m" if right.tile != "9m" else "8m"
                others = ((right.tile, 0.3), ("7m", 0.05), ("6m", 0.01))
                boxes[picture.wrong] = Box(name, right.quad, 0.4, picture.margin, others)
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            manifest.record(number, Labelled(digest, "0" * 16, SIDES, tuple(boxes), picture.flags))
    return out
