"""What a manifest holds, as values: images, boxes, decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scoring.tiles import TILES
from vision.elements import FACE_DOWN, UNNAMED, Quad

NAMES = frozenset((*TILES, FACE_DOWN, UNNAMED))
"""What a box may be called: the 42 tiles, `B` for a back, `?` for one that cannot be read."""

State = Literal["pending", "new", "reviewed", "rejected", "failed"]
"""`pending`: registered and not read yet. `new`: labelled by the models. `reviewed` and `rejected`: a person
said so. `failed`: could not be read, the reason is beside it."""
Origin = Literal["model", "human"]
Action = Literal["edit", "undo", "redo"]


@dataclass(frozen=True)
class Box:
    """One tile of an image.

    quad: face corners, pixels of the upright picture, from the face's own top-left, clockwise.
    confidence: 0..1, the lesser of the locator's for the box and the namer's for the name; 1 where a person
        drew or named it. margin: how far the namer's first name is before its second, 0..1.
    alternatives: other names with their probability, likeliest first.

    Raises ValueError for a name that is none of NAMES or a number that is no number.
    """

    tile: str
    quad: Quad
    confidence: float = 1.0
    margin: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()
    origin: Origin = "model"

    def __post_init__(self) -> None:
        if self.tile not in NAMES:
            raise ValueError(f"{self.tile!r} is no tile: write 1m to 9s, E S W N, C F P, a to h, B or ?.")
        numbers = (self.confidence, self.margin, *(value for corner in self.quad for value in corner))
        if not all(abs(value) < float("inf") for value in numbers):
            raise ValueError(f"A box of {self.tile} has a corner or a confidence that is no number.")

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 of the upright box around the quad."""
        xs, ys = [x for x, _ in self.quad], [y for _, y in self.quad]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True)
class Models:
    """The models that made a label: name and SHA-256 of each one's weights."""

    locator: str
    locator_sha256: str
    namer: str
    namer_sha256: str


@dataclass(frozen=True)
class Listed:
    """An image that is to be labelled.

    source: as given by the user, what messages and exports cite. picture: path by which to open it.
    name: unique and safe as a file name on every system, without suffix. group: its folder or video.
    frame: number of the frame where `picture` is a video, else None.
    """

    source: str
    picture: str
    name: str
    group: str
    frame: int | None = None


@dataclass(frozen=True)
class Labelled:
    """What labelling found in one image. size: (width, height) of the upright picture, pixels.

    sha256: of the file (of the pixels, for a frame of a video). phash: 64 bits, 16 hexadecimal digits.
    """

    sha256: str
    phash: str
    size: tuple[int, int]
    boxes: tuple[Box, ...]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Image:
    """One row of the table `images`.

    picture: path by which to open it; `frame` of it, where it is a video.
    lowest_confidence, lowest_margin: the least of its boxes; None without boxes.
    duplicate_group: id of the first image that looks the same, None where none does.
    version: grows with every change, so that two writers do not overwrite each other unseen.
    created, updated: UTC, ISO 8601.
    """

    id: int
    source: str
    picture: str
    frame: int | None
    name: str
    sha256: str | None
    phash: str | None
    width: int | None
    height: int | None
    state: State
    reason: str | None
    flags: tuple[str, ...]
    lowest_confidence: float | None
    lowest_margin: float | None
    duplicate_group: int | None
    source_group: str
    split: str | None
    version: int
    created: str
    updated: str


@dataclass(frozen=True)
class Decision:
    """One row of the append-only table `decisions`: what a person did to an image, with both states.

    refers: the decision that an undo or redo takes back or does again.
    """

    id: int
    image: int
    action: Action
    refers: int | None
    at: str
