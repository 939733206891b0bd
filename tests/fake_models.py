"""Stand-ins for the trained models: they find and name what a test lays on the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring import TILES
from vision.codecs import Pixels
from vision.elements import FACE_DOWN, FloatArray, Located, Named

WIDTH, HEIGHT = 30, 40


def quads_in_rows(rows: Sequence[Sequence[str]]) -> FloatArray:
    """(N, 4, 2) quads of tiles in rows, the first row nearest to the camera; neighbours touch."""
    quads = []
    for number, row in enumerate(rows):
        top = 60 + (len(rows) - 1 - number) * 2 * HEIGHT
        for column in range(len(row)):
            x = 40 + column * WIDTH
            quads.append([[x, top], [x + WIDTH, top], [x + WIDTH, top + HEIGHT], [x, top + HEIGHT]])
    return np.array(quads, np.float32).reshape(-1, 4, 2)


class FakeLocator:
    """Finds the same rows of tiles in every photo."""

    def __init__(self, *rows: Sequence[str]) -> None:
        self.names = [name for row in rows for name in row]
        self.quads = quads_in_rows(rows)

    def locate(self, pixels: Pixels) -> Located:
        backs = np.array([name == FACE_DOWN for name in self.names], bool)
        return Located(self.quads, backs, np.full(len(self.names), 0.9, np.float32))


class FakeNamer:
    """Names the tiles of a FakeLocator, almost surely; "?" for one that it cannot read."""

    def __init__(self, locator: FakeLocator, belief: float = 0.98) -> None:
        self._names = locator.names
        self._belief = belief

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        faces = np.full((len(quads), len(TILES) + 1), (1 - self._belief) / len(TILES), np.float32)
        for row, name in zip(faces, self._names, strict=True):
            row[TILES.index(name) if name in TILES else len(TILES)] = self._belief
        turns = np.tile(np.array([0.97, 0.01, 0.01, 0.01], np.float32), (len(quads), 1))
        return Named(faces, turns)
