"""Rows of the manifest's tables as the records that they hold, and back."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from datasets.labelling.records import Box, Image

IMAGE = (
    "id, source, picture, frame, name, sha256, phash, width, height, state, reason, flags, "
    "lowest_confidence, lowest_margin, duplicate_group, source_group, split, version, created, updated"
)
BOX = "tile, confidence, margin, x1, y1, x2, y2, x3, y3, x4, y4, alternatives, origin"


def image_of(row: tuple[Any, ...]) -> Image:
    """Raises ValueError for values of another type, which SQLite would hold in any column."""
    image = Image(*row)
    if any(not isinstance(value, int | None) for value in (image.id, image.frame, image.width, image.height)):
        raise ValueError(f"image {image.id} has a number that is none")
    return replace(image, flags=tuple(str(flag) for flag in json.loads(row[11])))


def box_of(row: tuple[Any, ...]) -> Box:
    """Raises ValueError or TypeError for values that are none."""
    tile, confidence, margin, x1, y1, x2, y2, x3, y3, x4, y4, alternatives, origin = row
    others = tuple((name, share) for name, share in json.loads(alternatives))
    return Box(tile, ((x1, y1), (x2, y2), (x3, y3), (x4, y4)), confidence, margin, others, origin)


def box_json(box: Box) -> dict[str, Any]:
    """A box as decisions keep it."""
    return asdict(box)


def box_from(item: dict[str, Any]) -> Box:
    """What `box_json` made of a box. Raises KeyError, ValueError or TypeError for what it did not make."""
    a, b, c, d = ((float(x), float(y)) for x, y in item["quad"])
    others = tuple((str(name), float(share)) for name, share in item["alternatives"])
    return Box(item["tile"], (a, b, c, d), item["confidence"], item["margin"], others, item["origin"])


def as_json(value: Any) -> str:
    """As the columns of JSON hold it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def timestamp() -> str:
    """Now, as the columns of times hold it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
