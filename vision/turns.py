"""Quarter turns: a photo taken from the side or from across is looked at the way its hand lies."""

from __future__ import annotations

import cv2
import numpy as np

from vision.codecs import Pixels
from vision.elements import FloatArray, Located, Named
from vision.evidence import distinct
from vision.rows import find_rows
from vision.upright import upright_odds

_ROTATIONS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
# Log-odds that a hand stands otherwise than the photo, from which it is worth a second look: one turned tile
# more than upright ones.
_WORTH_TURNING = 1.0


def quarter_turns(located: Located, named: Named) -> int:
    """By how many quarter turns clockwise the photo must be turned for its hand to stand upright, 0 to 3."""
    index = distinct(located, named)
    if not index:
        return 0
    quads, turns = located.quads[index], np.asarray(named.turns, dtype=np.float64)[index]
    rows = find_rows(quads, turns[:, 0] + turns[:, 2])
    odds = upright_odds(rows, quads, turns)
    up = rows.heights[list(rows.largest.tiles)].mean(axis=0) * (1 if odds >= 0 else -1)
    quarter = round(float(np.degrees(np.arctan2(-up[0], -up[1]))) / 90) % 4
    return quarter if quarter % 2 or abs(odds) >= _WORTH_TURNING else 0


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
