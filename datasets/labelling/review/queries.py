"""Paged lists of images and of boxes, most doubtful first, and the counts beside them."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from datasets.labelling.manifest import Manifest
from datasets.labelling.review.doubt import DOUBTFUL

Show = Literal["new", "reviewed", "rejected", "failed", "any"]


@dataclass(frozen=True)
class Filters:
    """Which images are wanted. None: whatever it is."""

    show: Show = "new"
    doubtful: bool = False
    flag: str | None = None
    tile: str | None = None
    split: str | None = None

    def where(self) -> tuple[str, dict[str, Any]]:
        """Conditions on `images i` joined with `review_queue q`, and their values."""
        conditions = ["i.state <> 'pending'" if self.show == "any" else "i.state = :show"]
        if self.doubtful:
            conditions.append("q.rank < :limit")
        if self.flag is not None:
            conditions.append("EXISTS (SELECT 1 FROM json_each(i.flags) f WHERE f.value = :flag)")
        if self.tile is not None:
            conditions.append("EXISTS (SELECT 1 FROM boxes t WHERE t.tile = :tile AND t.image = i.id)")
        if self.split is not None:
            conditions.append("i.split = :split")
        values = {
            "show": self.show, "limit": DOUBTFUL, "flag": self.flag, "tile": self.tile, "split": self.split,
        }  # fmt: skip
        return " AND ".join(conditions), values


@dataclass(frozen=True)
class Row:
    """An image as the queue lists it."""

    id: int
    source: str
    state: str
    flags: tuple[str, ...]
    version: int
    doubtful: bool


@dataclass(frozen=True)
class Crop:
    """A box as the wall shows it. version: of its image."""

    image: int
    position: int
    tile: str
    confidence: float
    origin: str
    version: int
    source: str


@dataclass(frozen=True)
class Page:
    """Some rows. after: what to ask the next page with, None on the last one."""

    rows: tuple[Row, ...] | tuple[Crop, ...]
    after: str | None


@dataclass(frozen=True)
class Progress:
    """doubtful: images that the models doubted, decided or not; left: those of them that nobody decided."""

    doubtful: int
    left: int


def image_page(manifest: Manifest, filters: Filters, after: str | None, limit: int) -> Page:
    """Images, most doubtful first. Raises ValueError for an `after` that no page gave."""
    where, values = filters.where()
    rank, last = _cursor(after, 2, (-math.inf, 0.0))
    rows = manifest.connection.execute(
        "SELECT q.rank, i.id, i.source, i.state, i.flags, i.version "
        # CROSS: along the queue's index, whatever SQLite would guess, and no further than the page needs.
        "FROM review_queue q CROSS JOIN images i ON i.id = q.image "
        f"WHERE (q.rank, q.image) > (:rank, :last) AND {where} ORDER BY q.rank, q.image LIMIT :rows",
        {**values, "rank": rank, "last": last, "rows": limit + 1},
    ).fetchall()
    shown = tuple(
        Row(image, source, state, tuple(json.loads(flags)), version, place < DOUBTFUL)
        for place, image, source, state, flags, version in rows[:limit]
    )
    more = len(rows) > limit
    return Page(shown, f"{rows[limit - 1][0]!r},{rows[limit - 1][1]}" if more else None)


def wall_page(manifest: Manifest, filters: Filters, tile: str, after: str | None, limit: int) -> Page:
    """Boxes of that name in images that pass, least sure first. Raises ValueError as `image_page` does."""
    where, values = filters.where()
    confidence, image, position = _cursor(after, 3, (-1.0, 0.0, -1.0))
    rows = manifest.connection.execute(
        "SELECT b.image, b.position, b.tile, b.confidence, b.origin, i.version, i.source "
        "FROM boxes b JOIN images i ON i.id = b.image JOIN review_queue q ON q.image = i.id "
        "WHERE b.tile = :wall AND (b.confidence, b.image, b.position) > (:confidence, :image, :position) "
        f"AND {where} ORDER BY b.confidence, b.image, b.position LIMIT :rows",
        {
            **values, "wall": tile, "confidence": confidence, "image": image, "position": position,
            "rows": limit + 1,
        },
    ).fetchall()  # fmt: skip
    crops = tuple(Crop(*row) for row in rows[:limit])
    last = crops[-1] if len(rows) > limit else None
    return Page(crops, None if last is None else f"{last.confidence!r},{last.image},{last.position}")


def count_images(manifest: Manifest, filters: Filters) -> int:
    """How many images pass."""
    where, values = filters.where()
    query = f"SELECT count(*) FROM review_queue q JOIN images i ON i.id = q.image WHERE {where}"
    (number,) = manifest.connection.execute(query, values).fetchone()
    return int(number)


def progress(manifest: Manifest) -> Progress:
    """How far the review is."""
    left, *decided = (
        count_images(manifest, Filters(show, doubtful=True)) for show in ("new", "reviewed", "rejected")
    )
    return Progress(left + sum(decided), left)


def choices(manifest: Manifest) -> dict[str, dict[str, int]]:
    """What can be filtered by, each with its number of images (of boxes, for the names)."""
    queries = {
        "states": "SELECT state, count(*) FROM images WHERE state <> 'pending' GROUP BY state",
        "flags": "SELECT f.value, count(*) FROM images i, json_each(i.flags) f GROUP BY f.value ORDER BY 1",
        "splits": "SELECT split, count(*) FROM images WHERE split IS NOT NULL GROUP BY split ORDER BY split",
        "tiles": "SELECT tile, count(*) FROM boxes GROUP BY tile",
    }
    return {what: dict(manifest.connection.execute(query).fetchall()) for what, query in queries.items()}


def _cursor(after: str | None, parts: int, start: tuple[float, ...]) -> tuple[float, ...]:
    if after is None:
        return start
    values: tuple[float, ...] = ()
    with suppress(ValueError):
        values = tuple(float(value) for value in after.split(","))
    if len(values) != parts:
        raise ValueError(f"'{after}' is no place in the list; load the page again.")
    return values
