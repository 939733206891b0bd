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
# Cosine from which a face lies as the row does.
_ALONG = 0.7
# Turns that the namer finds impossible are not, quite.
_LEAST_TURN = 0.01


def upright_odds(rows: Rows, quads: FloatArray, turns: Array) -> Array:
    """How likely faces stand upright as `rows.heights` points turned clockwise by 0 to 3 quarter turns.

    (4,) log-likelihoods. Tiles that lie in rows count; where there are none, all do.
    """
    members = [tile for part in rows.parts if len(part.tiles) >= _ROW for tile in part.tiles]
    ways, across = _alignment(rows, quads)
    seen = [ways > _ALONG, across > _ALONG, ways < -_ALONG, across < -_ALONG]
    belief = np.stack([(turns * way).sum(axis=1) for way in seen], axis=1)
    likely = np.exp(_UPRIGHT) * belief + np.exp(_UPSIDE_DOWN) * np.roll(belief, 2, axis=1) + _LEAST_TURN
    odds = np.log(likely)
    return np.asarray((odds[members] if members else odds).sum(axis=0))


def first_corners(rows: Rows, quads: FloatArray, turns: Array) -> list[int]:
    """For each tile the corner of its quad that is the face's own top-left."""
    ways, _ = _alignment(rows, quads)
    prior = np.where(ways > _ALONG, _UPRIGHT, np.where(ways < -_ALONG, _UPSIDE_DOWN, _SIDEWAYS))
    loose = [tile for part in rows.parts if len(part.tiles) == 1 for tile in part.tiles]
    prior[loose] = np.where(ways[loose] > 0, _UPRIGHT, _UPSIDE_DOWN)
    broad = rows.sideways
    prior[broad] = np.where(np.abs(ways[broad]) > _ALONG, _ACROSS_ITS_SHAPE, 0.0)
    return [int(k) for k in (np.log(np.maximum(turns, 1e-4)) + prior).argmax(axis=1)]


def _alignment(rows: Rows, quads: FloatArray) -> tuple[Array, Array]:
    """(N, 4) twice: cosine between the face's upright, were its top-left at corner k, and the row's; and that
    turned clockwise by a quarter turn."""
    first, second = edges(np.asarray(quads, dtype=np.float64))
    uprights = np.stack([-second, first, second, -first], axis=1)
    uprights /= np.maximum(np.linalg.norm(uprights, axis=2, keepdims=True), 1e-9)
    heights = rows.heights / np.maximum(np.linalg.norm(rows.heights, axis=1, keepdims=True), 1e-9)
    across = np.stack([-heights[:, 1], heights[:, 0]], axis=1)
    return (uprights * heights[:, None]).sum(axis=2), (uprights * across[:, None]).sum(axis=2)
