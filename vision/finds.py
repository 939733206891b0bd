"""What one look at a photo tells of where its tiles lie, before any hand is laid out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.elements import FloatArray, Located, Named
from vision.evidence import distinct, weigh
from vision.rows import Array, Rows, find_rows

# A find is a tile rather than none.
_REAL = 0.5


@dataclass(frozen=True)
class Finds:
    """Finds that can be tiles, each once.

    quads: (N, 4, 2) pixels. turns: (N, 4) belief in each corner as the face's own top-left. rows: of all of
    them. real: (N,) those that are tiles with a face, rather than prints, keys or backs.
    """

    quads: FloatArray
    turns: Array
    rows: Rows
    real: NDArray[np.bool_]

    def real_rows(self) -> tuple[FloatArray, Array, Rows]:
        """Quads, turns and rows of the real ones alone: keys and prints lie in rows of their own."""
        if self.real.all():
            return self.quads, self.turns, self.rows
        quads, turns = self.quads[self.real], self.turns[self.real]
        return quads, turns, _rows(quads, turns)


def finds_of(located: Located, named: Named) -> Finds | None:
    """The finds of one look; None where nothing real is among them."""
    index = distinct(located, named)
    if not index:
        return None
    quads, turns = located.quads[index], np.asarray(named.turns, dtype=np.float64)[index]
    rows = _rows(quads, turns)
    found = Located(quads, located.backs[index], located.scores[index])
    told = Named(named.faces[index], named.turns[index])
    real = weigh(found, told, [part.tiles for part in rows.parts]).real > _REAL
    return Finds(quads, turns, rows, real) if real.any() else None


def _rows(quads: FloatArray, turns: Array) -> Rows:
    return find_rows(quads, turns[:, 0] + turns[:, 2])
