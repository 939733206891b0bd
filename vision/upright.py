"""Which way up faces lie: the row settles what the namer alone cannot tell on a symmetric face."""

from __future__ import annotations

import numpy as np

from vision.elements import FloatArray
from vision.rows import Array, Rows, edges

# Tiles of a row lie side by side; a tile turned sideways (claimed, or won) is rare, one upside down is not.
_UPRIGHT = np.log(0.78)
_UPSIDE_DOWN = np.log(0.2)
_SIDEWAYS = np.log(0.01)
# A tile broader than its neighbours lies on its side.
_ACROSS_ITS_SHAPE = np.log(0.05)
# Tiles that make a row.
_ROW = 3
# Turns that the namer finds impossible are not, quite.
_LEAST_TURN = 0.01


def upright_odds(rows: Rows, quads: FloatArray, turns: Array) -> float:
    """Log-odds that faces stand upright as `rows.heights` points, and not the other way round.

    Tiles that lie in rows count; where there are none, all do.
    """
    members = [tile for part in rows.parts if len(part.tiles) >= _ROW for tile in part.tiles]
    ways = _alignment(rows, quads)
    up, down = (turns * (ways > 0.7)).sum(axis=1), (turns * (ways < -0.7)).sum(axis=1)
    right = np.exp(_UPRIGHT) * up + np.exp(_UPSIDE_DOWN) * down + _LEAST_TURN
    wrong = np.exp(_UPSIDE_DOWN) * up + np.exp(_UPRIGHT) * down + _LEAST_TURN
    odds = np.log(right / wrong)
    return float(odds[members].sum() if members else odds.sum())


def first_corners(rows: Rows, quads: FloatArray, turns: Array) -> list[int]:
    """For each tile the corner of its quad that is the face's own top-left."""
    ways = _alignment(rows, quads)
    prior = np.where(ways > 0.7, _UPRIGHT, np.where(ways < -0.7, _UPSIDE_DOWN, _SIDEWAYS))
    loose = [tile for part in rows.parts if len(part.tiles) == 1 for tile in part.tiles]
    prior[loose] = np.where(ways[loose] > 0, _UPRIGHT, _UPSIDE_DOWN)
    broad = rows.sideways
    prior[broad] = np.where(np.abs(ways[broad]) > 0.7, _ACROSS_ITS_SHAPE, 0.0)
    return [int(k) for k in (np.log(np.maximum(turns, 1e-4)) + prior).argmax(axis=1)]


def _alignment(rows: Rows, quads: FloatArray) -> Array:
    """(N, 4) cosine between the face's upright, were its top-left at corner k, and the row's."""
    first, second = edges(np.asarray(quads, dtype=np.float64))
    uprights = np.stack([-second, first, second, -first], axis=1)
    uprights /= np.maximum(np.linalg.norm(uprights, axis=2, keepdims=True), 1e-9)
    heights = rows.heights / np.maximum(np.linalg.norm(rows.heights, axis=1, keepdims=True), 1e-9)
    return np.asarray((uprights * heights[:, None]).sum(axis=2))
