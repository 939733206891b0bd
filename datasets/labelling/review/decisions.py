"""A person's decisions: saved, taken back, done again. Each is on disk when its function returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from datasets.labelling.manifest import Manifest, StaleError
from datasets.labelling.records import Box, Image, State
from datasets.labelling.schema import LAST_STANDING, LAST_UNDONE
from vision.elements import Quad

SAME_PLACE = 0.05
"""Pixels by which a corner may differ and still be where it was: the page rounds to a tenth."""
SMALLEST = 4.0
"""Square pixels of the smallest box: less is a slip of the hand."""

_UNDO_OR_REDO = {"undo": LAST_STANDING, "redo": LAST_UNDONE}


@dataclass(frozen=True)
class Drawn:
    """A box as the page sends it. was: its position in the version that the page had, None for a new one."""

    tile: str
    quad: Quad
    was: int | None = None


@dataclass(frozen=True)
class Step:
    """A decision that can be taken back or done again."""

    decision: int
    image: int
    source: str


def save(
    manifest: Manifest,
    image: int,
    version: int,
    *,
    state: State | None = None,
    boxes: Sequence[Drawn] | None = None,
) -> Image:
    """Keep a state, boxes or both; what is so already makes no decision, so that a request may be repeated.

    Raises KeyError for an unknown image, StaleError when it is not at that version and differs from what is
    to be kept, ValueError for a box that cannot be.
    """
    with manifest.transaction():
        now = manifest.image(image)
        before = manifest.boxes(image)
        if boxes is not None:
            _check(now, boxes)
        same_boxes = boxes is None or _are(boxes, before)
        if same_boxes and state in {None, now.state}:
            return now
        if version != now.version:
            raise StaleError(f"{now.source} was changed elsewhere; look at it again and repeat what you did.")
        after = None if same_boxes or boxes is None else [_box(drawn, before) for drawn in boxes]
        return manifest.decide(image, version, state=state, boxes=after)


def rename(manifest: Manifest, image: int, version: int, position: int, tile: str | None) -> Image:
    """Name one box, or take it away (None). Raises as `save` does, ValueError for a position without box."""
    with manifest.transaction():
        boxes, now = manifest.boxes(image), manifest.image(image)
        if position < len(boxes) and boxes[position].tile == tile:
            return now
        if version != now.version:
            raise StaleError(f"{now.source} was changed elsewhere; look at it again and repeat what you did.")
        if not 0 <= position < len(boxes):
            raise ValueError(f"There is no box {position} in this picture; load the page again.")
        drawn = [
            Drawn(box.tile if place != position or tile is None else tile, box.quad, place)
            for place, box in enumerate(boxes)
            if tile is not None or place != position
        ]
        return save(manifest, image, version, boxes=drawn)


def next_step(manifest: Manifest, action: Literal["undo", "redo"]) -> Step | None:
    """What an undo would take back, or a redo do again."""
    row = manifest.connection.execute(_UNDO_OR_REDO[action], {"image": None}).fetchone()
    return None if row is None else Step(row[0], row[1], manifest.image(row[1]).source)


def step(manifest: Manifest, action: Literal["undo", "redo"], decision: int) -> Image:
    """Undo or redo, if that decision is what the person saw to be next; once, however often it is asked.

    Raises StaleError when something else was decided since.
    """
    with manifest.transaction() as connection:
        waiting = next_step(manifest, action)
        if waiting is not None and waiting.decision == decision:
            done = manifest.undo() if action == "undo" else manifest.redo()
            assert done is not None  # it is what `next_step` saw, in the same transaction
            return done
        last = connection.execute(
            "SELECT action, refers, image FROM decisions ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if last is not None and last[:2] == (action, decision):
            return manifest.image(last[2])
        raise StaleError(f"Something else was decided since; {action} again if you still want to.")


def _check(image: Image, boxes: Sequence[Drawn]) -> None:
    width, height = image.width or 0, image.height or 0
    for drawn in boxes:
        x, y = (sum(corner[axis] for corner in drawn.quad) / 4 for axis in (0, 1))
        if not (0 <= x <= width and 0 <= y <= height):
            raise ValueError(f"The box of {drawn.tile} lies outside the picture; move it back.")
        if not _area(drawn.quad) >= SMALLEST:  # negative for one that is mirrored
            raise ValueError(f"The box of {drawn.tile} is too small or turned inside out; draw it again.")
    places = [drawn.was for drawn in boxes if drawn.was is not None]
    if len(set(places)) < len(places):
        raise ValueError("Two boxes claim to have been the same one; load the page again.")


def _area(quad: Quad) -> float:
    """Square pixels within, positive when the corners run clockwise on the picture."""
    pairs = zip(quad, (*quad[1:], quad[0]), strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


def _are(boxes: Sequence[Drawn], before: Sequence[Box]) -> bool:
    return len(boxes) == len(before) and all(
        drawn.tile == box.tile and _same_place(drawn.quad, box.quad)
        for drawn, box in zip(boxes, before, strict=True)
    )


def _same_place(one: Quad, other: Quad) -> bool:
    return all(math.dist(a, b) <= SAME_PLACE * math.sqrt(2) for a, b in zip(one, other, strict=True))


def _box(drawn: Drawn, before: Sequence[Box]) -> Box:
    """The box to keep: the model's own where nothing differs, else a person's, with the former name among the
    alternatives."""
    if drawn.was is None:
        return Box(drawn.tile, drawn.quad, origin="human")
    if not 0 <= drawn.was < len(before):
        raise ValueError(f"There was no box {drawn.was} in this picture; load the page again.")
    box = before[drawn.was]
    if _same_place(drawn.quad, box.quad):
        if drawn.tile == box.tile:
            return box
        drawn = replace(drawn, quad=box.quad)
    others = tuple(other for other in box.alternatives if other[0] not in {drawn.tile, box.tile})
    if drawn.tile != box.tile:
        others = ((box.tile, box.confidence), *others)
    return Box(drawn.tile, drawn.quad, 1.0, 1.0, others, "human")
