"""Which tile is which when their counts are known: the likeliest assignment, and how far it is from another.

A photo of a whole set shows each face as often as the set holds it, so an unclear tile is settled by the
clear ones: what is left over is what it must be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import FLOWERS, INDEX, TILES
from vision.elements import FloatArray

Array = NDArray[np.float64]

NO_FACE = len(TILES)
"""The column of beliefs for what is no legible face; assigned to finds that are none of the tiles."""
FLOOR = 1e-4
"""No name is ever less likely than this: the namer may be wrong and sure about a set that it has not seen."""

EACH_ONCE: Mapping[str, int] = dict.fromkeys(TILES, 1)
WHOLE_SET: Mapping[str, int] = {tile: 1 if tile in FLOWERS else 4 for tile in TILES}
_EACH_ONCE_SIZES = range(30, 51)
"""Finds on a photo of every face once: 34 without flowers, 42 with them, some missed, some of no tile."""
_WHOLE_SET_SIZES = range(128, 161)
"""136 or 144, likewise."""


@dataclass(frozen=True)
class Assigned:
    """tiles: (N,) index into `scoring.TILES`, or NO_FACE. margins: (N,) by how much (natural log-odds) the
    likeliest assignment beats the likeliest one that gives this find another name; inf where there is none.
    seconds: (N,) the name that it gets in that other one."""

    tiles: NDArray[np.int64]
    margins: Array
    seconds: NDArray[np.int64]


def counts_by_size(finds: int) -> Mapping[str, int] | None:
    """How often each face lies on a photo of `finds` tiles, if the number says so."""
    if finds in _EACH_ONCE_SIZES:
        return EACH_ONCE
    return WHOLE_SET if finds in _WHOLE_SET_SIZES else None


def assign(
    beliefs: FloatArray, counts: Mapping[str, int], fixed: Mapping[int, int] | None = None
) -> Assigned:
    """The likeliest assignment of N finds to faces, none used more often than `counts` says.

    beliefs: (N, 43) rows sum to 1. fixed: finds whose tile (or NO_FACE) is known; those count too.
    """
    fixed = fixed or {}
    slots = [INDEX[tile] for tile, count in counts.items() for _ in range(count)]
    for tile in fixed.values():
        if tile != NO_FACE and list(fixed.values()).count(tile) > slots.count(tile):
            slots.append(tile)  # the person knows better how many there are
    columns = np.array([*slots, *[NO_FACE] * len(beliefs)], np.int64)
    costs = -np.log(np.maximum(np.asarray(beliefs, np.float64), FLOOR))[:, columns]
    barred = 1e3  # dearer than any way round it, and finite for the arithmetic
    for find, tile in fixed.items():
        costs[find] = np.where(columns == tile, 0.0, barred)
    chosen, reduced, prices = cheapest(costs)
    tiles = columns[chosen]
    margins, seconds = runners_up(chosen, reduced, prices, columns)
    margins[list(fixed)] = np.inf
    return Assigned(tiles, margins, seconds)


def cheapest(costs: Array) -> tuple[NDArray[np.int64], Array, Array]:
    """The column of each row in the cheapest assignment, the reduced costs, and what each column is worth.

    costs: (N, M) with M >= N. Reduced costs (N, M) are 0 on the assignment and at least 0 elsewhere. Worths
    (M,) are 0 for a column that stays free. The shortest augmenting path method of Jonker and Volgenant,
    O(N^2 M).
    """
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1)
    for start in range(rows):
        distance, before = np.full(columns, np.inf), np.full(columns, -1)
        done = np.zeros(columns, bool)
        row, reach, column = start, 0.0, -1
        while True:
            through = reach + costs[row] - row_price[row] - column_price
            shorter = ~done & (through < distance)
            distance[shorter], before[shorter] = through[shorter], column
            column = int(np.where(done, np.inf, distance).argmin())
            reach = float(distance[column])
            done[column] = True
            if owner[column] < 0:
                break
            row = int(owner[column])
        gain = np.where(done, reach - distance, 0.0)
        taken = done & (owner >= 0)
        row_price[owner[taken]] += gain[taken]
        row_price[start] += reach
        column_price[done] -= gain[done]
        while before[column] >= 0:
            owner[column] = owner[before[column]]
            column = int(before[column])
        owner[column] = start
    chosen = np.full(rows, -1)
    held = np.flatnonzero(owner >= 0)
    chosen[owner[held]] = held
    return chosen, np.maximum(costs - row_price[:, None] - column_price, 0.0), -column_price


def runners_up(
    chosen: NDArray[np.int64], reduced: Array, worths: Array, columns: NDArray[np.int64]
) -> tuple[Array, NDArray[np.int64]]:
    """For each row what the cheapest assignment with another name for it costs more, and that name.

    chosen, reduced, worths: as `cheapest` gives them. columns: (M,) the name of each column.

    Row r may take a free column, or one that row s holds if s can go elsewhere: a walk along reduced costs
    that ends at the column that r gave up or at a free one.
    """
    rows = len(chosen)
    step = reduced[:, chosen]  # row takes the column of another row
    free = np.setdiff1d(np.arange(reduced.shape[1]), chosen)
    # One further node stands for every free column: who takes one leaves another row's column free, at its
    # worth.
    walk = np.full((rows + 1, rows + 1), np.inf)
    walk[:rows, :rows] = step
    walk[:rows, rows] = reduced[:, free].min(axis=1) if len(free) else np.inf
    walk[rows, :rows] = worths[chosen]
    walk[rows, rows] = 0.0
    for middle in range(rows + 1):
        walk = np.minimum(walk, walk[:, middle, None] + walk[middle])
    to_row = walk[:rows, :rows]
    total = np.full(reduced.shape, np.inf)
    total[:, chosen] = step + to_row.T
    if len(free):
        total[:, free] = reduced[:, free] + walk[rows, :rows, None]
    total[columns[None, :] == columns[chosen][:, None]] = np.inf
    best = total.argmin(axis=1)
    return total[np.arange(rows), best], columns[best]
