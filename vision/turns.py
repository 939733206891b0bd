"""Quarter turns: a photo taken from the side or from across is looked at the way its hand lies."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.codecs import Pixels
from vision.elements import FloatArray, Located, Named
from vision.finds import finds_of
from vision.rows import Array
from vision.upright import upright_odds

_ROTATIONS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
# Log-odds below which one look does not settle how a hand stands. Of 80 annotated photos, each looked at in
# all four ways, single looks disagree for nine, and one that all together overrule is sure by at most 2.6. As
# taken, 14 are not settled by this: heaps, photos without a hand, and rows of mostly symmetric faces.
_SURE = 4.0
# Log-odds from which a hand does not stand across the way it seems to: a row has 50 and more, a heap may not.
_ACROSS = 12.0


def quarter_odds(located: Located, named: Named) -> Array:
    """How likely the photo must be turned by 0 to 3 quarter turns clockwise for its hand to stand upright.

    (4,) log-likelihoods, by what one look at the photo found. All are 0 where no tile tells.
    """
    finds = finds_of(located, named)
    if finds is None:
        return np.zeros(4)
    quads, turns, rows = finds.real_rows()
    up = rows.heights[list(rows.largest.tiles)].mean(axis=0)
    quarter = round(float(np.degrees(np.arctan2(-up[0], -up[1]))) / 90)
    # Where faces point a quarter turn farther clockwise, the photo must be turned by one less.
    return np.asarray(upright_odds(rows, quads, turns)[(quarter - np.arange(4)) % 4])


def unsettled(odds: Array) -> list[int]:
    """The quarter turns, 0 to 3, by which the photo should be looked at, likeliest first.

    One where the odds of a first look settle it, else two or all.
    """
    best = int(odds.argmax())
    behind = odds[best] - odds
    if np.delete(behind, best).min() >= _SURE:
        return [best]
    if behind[[(best + 1) % 4, (best + 3) % 4]].min() >= _ACROSS:
        return [best, (best + 2) % 4]
    return [(best + quarter) % 4 for quarter in range(4)]


def settled(looks: Mapping[int, Array]) -> int:
    """Of the ways a photo was looked at, the one that all looks together speak for.

    looks: `quarter_odds` of each, by the quarter turns that the photo was turned by.
    """
    total = np.sum([np.roll(odds, turned) for turned, odds in looks.items()], axis=0)
    return max(looks, key=lambda quarter: float(total[quarter]))


def turn(pixels: Pixels, quarter: int) -> Pixels:
    """The picture, turned clockwise by so many quarter turns."""
    return np.asarray(cv2.rotate(pixels, _ROTATIONS[quarter]), np.uint8) if quarter % 4 else pixels


def turn_back(points: FloatArray, quarter: int, size: tuple[int, int]) -> FloatArray:
    """Where (..., 2) points of the turned picture lie in the picture itself, which has this width and height.

    Corners that run clockwise still do.
    """
    width, height = size
    x, y = points[..., 0], points[..., 1]
    moved = {0: (x, y), 1: (y, height - x), 2: (width - x, height - y), 3: (width - y, x)}[quarter % 4]
    return np.stack(moved, axis=-1).astype(np.float32)
