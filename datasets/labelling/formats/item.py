"""What every format is given: one labelled picture after the other, as often as it asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from datasets.labelling.classes import Classes
from vision.elements import Quad


@dataclass(frozen=True)
class Label:
    """A tile with a class. quad: as in records.Box, clipped to the picture. human: a person drew or named
    it."""

    number: int
    name: str
    quad: Quad
    confidence: float
    human: bool

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 of the upright box around the quad, pixels."""
        xs, ys = [x for x, _ in self.quad], [y for _, y in self.quad]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def area(self) -> float:
        """Of the quad, square pixels."""
        points = zip(self.quad, (*self.quad[1:], self.quad[0]), strict=True)
        return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in points)) / 2

    @property
    def turn(self) -> float | None:
        """Degrees clockwise by which a rectangle is turned about its first corner; None for no rectangle."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.quad
        slack = 0.02 * max(math.dist((ax, ay), (cx, cy)), 50.0)
        parallel = math.dist((bx - ax, by - ay), (cx - dx, cy - dy)) <= slack
        square = abs(math.dist((ax, ay), (cx, cy)) - math.dist((bx, by), (dx, dy))) <= slack
        return math.degrees(math.atan2(by - ay, bx - ax)) if parallel and square else None


@dataclass(frozen=True)
class Item:
    """One picture of an export. file: its name in it. width, height: pixels of that file.

    path: where the finished picture lies now. reviewed: a person has accepted the labels. model: what made
    the others.
    """

    id: int
    file: str
    path: Path
    width: int
    height: int
    split: str
    labels: tuple[Label, ...]
    reviewed: bool
    model: str

    @property
    def stem(self) -> str:
        """The name without suffix."""
        return Path(self.file).stem


Items = Callable[[], Iterator[Item]]
Writer = Callable[[Path, Items, Classes], None]


def clipped(quad: Quad, width: int, height: int) -> Quad:
    """The quad with its corners moved into the picture."""
    a, b, c, d = ((min(max(x, 0.0), float(width)), min(max(y, 0.0), float(height))) for x, y in quad)
    return a, b, c, d
