"""A closer look: small or leaning tiles are looked for again, in their part of the photo set upright."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import registry
from vision.codecs import Pixels
from vision.elements import FloatArray, Located, Named
from vision.finds import finds_of
from vision.locator import PADDING
from vision.rows import edges

SMALL = 24.0
"""Median width of tiles, in pixels of the locator's input, below which a closer look pays.

Of 18 annotated photos laid on a grey picture 1.5 times as large (tiles of 24 to 33 pixels) 97.7 % of the
tiles are found without one, of the photos as they are 99 %. More in `tests/benchmarks/bench_invariance.py`.
"""
TILTED = 5.0
"""Degrees by which the largest row leans, from which the tiles are looked at again along the row: the locator
has seen leaning rows less often.

Of 80 annotated photos as they are and turned by 15 degrees either way, of 240 hands 218 are right with 3.5,
220 with 5, 217 with 7 and 212 with 10.
"""
# What is kept around the tiles that were found, in tile widths: a row that was missed altogether lies within.
_AROUND = 5.0
# A leaning row is looked at again to be seen well rather than to find more of it: with 1.5 to 3, 217 to 220
# of those 240 hands are right, with 3.5 to 5 210 to 213.
_AROUND_LEANING = 3.0
_LEAST_AROUND = 1.0
# A closer look must show tiles larger by this much to be worth its time.
_LARGER = 1.25
# Tiles that say which way a row leans.
_ROW = 3


@dataclass(frozen=True)
class View:
    """A rectangle in a picture, pixels: its middle, width and height, its lean in degrees, clockwise."""

    middle: tuple[float, float]
    size: tuple[int, int]
    lean: float

    def of(self, pixels: Pixels) -> tuple[Pixels, FloatArray]:
        """The rectangle's pixels set upright, no more than the locator takes, and the (2, 3) matrix that
        brings its points back to the picture."""
        scale = min(1.0, registry.entry("locator").input_size / max(self.size))
        less = min(1.0, 2 * scale)  # what is left of the pixels after averaging, so that nothing aliases
        height, width = pixels.shape[:2]
        less_size = (round(less * width), round(less * height))
        small = pixels if less == 1.0 else cv2.resize(pixels, less_size, interpolation=cv2.INTER_AREA)
        size = (round(self.size[0] * scale), round(self.size[1] * scale))
        cos, sin = np.cos(np.radians(self.lean)) / scale, np.sin(np.radians(self.lean)) / scale
        back = np.array([[cos, -sin, self.middle[0]], [sin, cos, self.middle[1]]])
        back[:, 2] -= back[:, :2] @ (size[0] / 2, size[1] / 2)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        grey = (PADDING,) * 3
        seen = cv2.warpAffine(small, back * (small.shape[1] / width), size, flags=how, borderValue=grey)
        return np.asarray(seen, np.uint8), back.astype(np.float32)

    def holds(self, points: FloatArray) -> NDArray[np.bool_]:
        """(N,) whether (N, 2) points lie in it."""
        away = np.abs((points - self.middle) @ _turn(self.lean))
        return np.asarray((away <= np.array(self.size) / 2).all(axis=1))


def closer(located: Located, named: Named, size: tuple[int, int]) -> View | None:
    """The part of the photo to look at again, or None where that would not help.

    size: width and height of the photo that the finds are in, pixels.
    """
    finds = finds_of(located, named)
    if finds is None:
        return None
    tiles, rows = finds.quads[finds.real], finds.rows
    width = tile_width(tiles)
    along = rows.widths[list(rows.largest.tiles)].mean(axis=0)
    lean = float((np.degrees(np.arctan2(along[1], along[0])) + 90) % 180 - 90)
    lean = lean if TILTED < abs(lean) < 90 - TILTED and len(rows.largest.tiles) > _ROW else 0.0
    turned = tiles.reshape(-1, 2) @ _turn(lean)
    low, high = turned.min(axis=0), turned.max(axis=0)
    most = (_AROUND_LEANING if lean else _AROUND) * width
    around = np.clip((max(size) - (high - low)) / 2, _LEAST_AROUND * width, most)
    low, high = low - around, high + around
    if not lean:
        low, high = np.maximum(low, 0), np.minimum(high, size)
        small = width * registry.entry("locator").input_size < SMALL * max(size)
        if not small or _LARGER * float((high - low).max()) > max(size):
            return None
    x, y = _turn(lean) @ ((low + high) / 2)
    return View((float(x), float(y)), (int(high[0] - low[0]), int(high[1] - low[1])), lean)


def with_part(whole: Located, part: Located, view: View, back: FloatArray) -> Located:
    """The finds of the whole picture, those in the view replaced by the ones of the closer look at it.

    back: (2, 3), from the view's pixels to the picture's.
    """
    outside = ~view.holds(whole.quads.mean(axis=1))
    quads = part.quads @ back[:, :2].T + back[:, 2]
    return Located(
        np.concatenate([quads, whole.quads[outside]]).astype(np.float32),
        np.concatenate([part.backs, whole.backs[outside]]),
        np.concatenate([part.scores, whole.scores[outside]]),
    )


def _turn(degrees: float) -> FloatArray:
    """(2, 2): times a row vector it turns the picture's axes into those that lean; times a column, back."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)


def tile_width(quads: FloatArray) -> float:
    """Median of the shorter edges of (N, 4, 2) quads, pixels."""
    first, second = (np.linalg.norm(edge, axis=1) for edge in edges(np.asarray(quads, np.float64)))
    return float(np.median(np.minimum(first, second)))
