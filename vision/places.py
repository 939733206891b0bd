"""Where the parts of rows lie, as seen from the row taken for the concealed tiles."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from scoring.tiles import UNIT
from vision import priors
from vision.evidence import Evidence
from vision.rows import MAX_DIRECTION, Part, Rows

# Tiles of the main row, to either side of the nearest, that say how it runs there.
_BESIDE = 2


@dataclass(frozen=True)
class Seen:
    """A part as seen from the main row.

    beyond: how far past the main row's ends, in widths. across: in heights, positive behind.
    apart: the same, but past the ends of all that continues the main row.
    same_line: it continues the main row. alike: log-odds of its size.
    close: so near that it would be odd if it were not of this hand.
    next_to: where a winning tile is put, around the row or on the player's side of it.
    aligned: it runs along the main row's near end. real: the probability that it holds a legible tile.
    legible_single: it is one tile that could win.
    """

    beyond: float
    apart: float
    across: float
    same_line: bool
    alike: float
    close: bool
    next_to: bool
    aligned: bool
    real: float
    legible_single: bool


@dataclass(frozen=True)
class Crowd:
    """How many parts lie around, as far as they are real: close to the main row, single tiles next to it,
    and single tiles at all."""

    close: float
    next_to: float
    singles: float


def see(part: Part, main: Part, rows: Rows, evidence: Evidence) -> Seen:
    """Where a part lies as seen from the main row."""
    beyond, across = rows.offset(main.tiles, part.tiles)
    apart = beyond
    if part.line == main.line:
        line = [tile for one in rows.parts if one.line == main.line for tile in one.tiles]
        apart, _ = rows.offset([tile for tile in line if tile not in part.tiles], part.tiles)
    tiles = list(part.tiles)
    growth = math.log(float(rows.sizes[tiles].mean() / rows.sizes[list(main.tiles)].mean()))
    growth = max(abs(growth) - priors.CHANGE_PER_HEIGHT * abs(across), 0.0)
    middle = rows.centres[tiles].mean(axis=0)
    close = abs(across) < priors.ROW_REACH and apart < 3 and growth < 2 * priors.SIZE_SPREAD
    away = rows.centres[list(main.tiles)] - middle
    nearest = int((away * away).sum(axis=1).argmin())
    beside = list(main.tiles[max(nearest - _BESIDE + 1, 0) : nearest + _BESIDE])
    turned = rows.tilts[tiles] - np.median(rows.tilts[beside])  # a row laid by hand is bent
    return Seen(
        beyond=beyond,
        apart=apart,
        across=across,
        same_line=part.line == main.line,
        alike=-0.5 * (growth / priors.SIZE_SPREAD) ** 2,
        close=close,
        next_to=(close and abs(across) < 2.2 and beyond < 2) or (-3 < across < 0.5 and beyond < 6),
        aligned=float(abs(turned).max()) < MAX_DIRECTION,
        real=float(evidence.real[tiles].max()),
        legible_single=len(tiles) == 1
        and evidence.best_name(tiles[0]) in UNIT
        and not evidence.is_flower(tiles[0]),
    )


def crowd_of(seen: Collection[Seen]) -> Crowd:
    """Count what lies around."""
    return Crowd(
        close=sum(one.real for one in seen if one.close),
        next_to=sum(one.real for one in seen if one.legible_single and one.next_to),
        singles=sum(one.real for one in seen if one.legible_single),
    )
