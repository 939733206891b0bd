"""A closer look: at small tiles the locator looks again, at their part of the photo alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import registry
from vision.codecs import Pixels
from vision.elements import FloatArray, Located, Named
from vision.evidence import distinct, weigh
from vision.rows import edges, find_rows

SMALL = 24.0
"""Median width of tiles, in pixels of the locator's input, below which a closer look pays.

Of 18 annotated photos laid on a grey picture 1.5 times as large (tiles of 24 to 33 pixels) 97.7 % of the
tiles are found without one, of the photos as they are 99 %. More in `tests/benchmarks/bench_invariance.py`.
"""
# What is kept around the tiles that were found, in tile widths: a row that was missed altogether lies within.
_AROUND = 5.0
# A closer look must show tiles larger by this much to be worth its time.
_LARGER = 1.25
_REAL = 0.5


@dataclass(frozen=True)
class Window:
    """A part of a picture, pixels: left, top, right, bottom."""

    left: int
    top: int
    right: int
    bottom: int

    def of(self, pixels: Pixels) -> Pixels:
        """The part's pixels."""
        return np.ascontiguousarray(pixels[self.top : self.bottom, self.left : self.right])

    def holds(self, points: FloatArray) -> NDArray[np.bool_]:
        """(N,) whether (N, 2) points lie in it."""
        inside = (points >= (self.left, self.top)) & (points < (self.right, self.bottom))
        return np.asarray(inside.all(axis=1))


def closer(located: Located, named: Named, size: tuple[int, int]) -> Window | None:
    """The part of the photo to look at again, or None where that would not help.

    size: width and height of the photo that the finds are in, pixels.
    """
    index = distinct(located, named)
    if not index:
        return None
    quads, turns = located.quads[index], np.asarray(named.turns, dtype=np.float64)[index]
    rows = find_rows(quads, turns[:, 0] + turns[:, 2])
    found = Located(quads, located.backs[index], located.scores[index])
    evidence = weigh(
        found, Named(named.faces[index], named.turns[index]), [part.tiles for part in rows.parts]
    )
    tiles = quads[evidence.real > _REAL]
    if not len(tiles):
        return None
    width = tile_width(tiles)
    longest = max(size)
    if width * registry.entry("locator").input_size / longest >= SMALL:
        return None
    corners = tiles.reshape(-1, 2)
    low = np.maximum(np.floor(corners.min(axis=0) - _AROUND * width), 0).astype(int)
    high = np.minimum(np.ceil(corners.max(axis=0) + _AROUND * width), size).astype(int)
    window = Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    return window if _LARGER * float((high - low).max()) <= longest else None


def with_part(whole: Located, part: Located, window: Window) -> Located:
    """The finds of the whole picture, those in the window replaced by the ones of the closer look at it."""
    outside = ~window.holds(whole.quads.mean(axis=1))
    shift = np.array([window.left, window.top], np.float32)
    return Located(
        np.concatenate([part.quads + shift, whole.quads[outside]]),
        np.concatenate([part.backs, whole.backs[outside]]),
        np.concatenate([part.scores, whole.scores[outside]]),
    )


def tile_width(quads: FloatArray) -> float:
    """Median of the shorter edges of (N, 4, 2) quads, pixels."""
    first, second = (np.linalg.norm(edge, axis=1) for edge in edges(np.asarray(quads, np.float64)))
    return float(np.median(np.minimum(first, second)))
