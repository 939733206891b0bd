"""What the locator and the namer say of each tile, as the log-probabilities that the decoder adds up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import TILES
from vision import priors
from vision.elements import FACE_DOWN, UNNAMED, Located, Named
from vision.melds import DROPPED, FIRST_FLOWER, Array, Choice, Node
from vision.rows import edges

FACES = len(TILES)
# Names of a tile looked at one by one: the best, down to this far below it.
_CHOICES = 6
_WORST = -9.0
# Two finds of one tile: centres closer than this part of a tile.
_SAME_TILE = 0.4
# Belief in a find, and in its being none, is never less.
_LEAST = 1e-6
# What a quadrilateral must be to be a tile: no edge shorter, no corner farther out (pixels), no flatter (its
# area against the product of its edges).
_SHORTEST = 1.0
_FARTHEST = 1e6
_FLATTEST = 0.1


@dataclass(frozen=True)
class Evidence:
    """Per tile, N of them.

    logs: (N, 42) log-probability of each face. illegible: (N,) of a tile whose face cannot be read.
    nothing: (N,) of a find that is no tile. All three together, none below its floor.
    scores: (N,) the locator's confidence.
    backs: (N,) face-down tiles.
    faces: (N, 43) the namer's own probabilities.
    first_flower: the faces from this one on are flowers at this table.
    """

    logs: Array
    illegible: Array
    nothing: Array
    scores: Array
    backs: NDArray[np.bool_]
    faces: Array
    first_flower: int = FIRST_FLOWER

    @cached_property
    def base(self) -> Array:
        """(N,) log-probability of the best that can be said of a tile by itself; 0 for a back."""
        best = np.maximum(self.logs.max(axis=1), np.maximum(self.illegible, self.nothing))
        return np.where(self.backs, 0.0, best)

    @cached_property
    def real(self) -> Array:
        """(N,) how surely a find is a tile with a face: found with confidence, and one name stands out."""
        legible = np.exp(self.logs.max(axis=1))
        whole = legible + np.exp(self.illegible) + np.exp(self.nothing)
        return np.asarray(np.where(self.backs, 0.0, legible / whole))

    @cached_property
    def best_names(self) -> tuple[str, ...]:
        """The likeliest reading of each tile by itself: a face, `?` or `B`."""
        names = [*TILES, UNNAMED]
        best = [names[k] for k in self.faces.argmax(axis=1)]
        return tuple(FACE_DOWN if back else name for back, name in zip(self.backs, best, strict=True))

    def best_name(self, tile: int) -> str:
        """`best_names` of one tile."""
        return self.best_names[tile]

    def flower(self, tile: int) -> float:
        """The probability that a find is a flower, whichever."""
        return float(self.real[tile] * self.faces[tile, self.first_flower : FACES].sum())

    def is_flower(self, tile: int) -> bool:
        """Whether the tile by itself looks like a flower."""
        return self.best_name(tile) in TILES[self.first_flower :]

    def node(self, tile: int, apart: bool = False) -> Node:
        """What a concealed tile may be: faces, a flower, `?`, or nothing (a false find)."""
        if self.backs[tile]:
            return Node((tile,), (Choice((FACE_DOWN,), priors.CONCEALED_FACE_DOWN, "concealed"),))
        logs = self.logs[tile]
        best = np.argsort(-logs, kind="stable")[:_CHOICES]
        choices = [
            Choice(
                (TILES[k],),
                float(logs[k]),
                "flowers" if k >= self.first_flower else "winning" if apart else "concealed",
            )
            for k in best
            if logs[k] > logs[best[0]] + _WORST
        ]
        if apart:  # what is not legible does not win
            return Node((tile,), tuple(choices))
        choices.append(Choice((UNNAMED,), float(self.illegible[tile]), "concealed"))
        choices.append(Choice((DROPPED,), float(self.nothing[tile]) + priors.NOTHING_IN_ROW, "other"))
        return Node((tile,), tuple(sorted(choices, key=lambda choice: -choice.log)))


def weigh(
    located: Located, named: Named, parts: Iterable[Sequence[int]], first_flower: int = FIRST_FLOWER
) -> Evidence:
    """Turn the stages' probabilities into log-probabilities with a floor (`priors.NAME_FLOOR`).

    parts: finds that lie side by side: prints and keys come in rows as tiles do.
    first_flower: see `Evidence`.
    """
    faces = np.asarray(named.faces, dtype=np.float64).reshape(-1, FACES + 1)
    backs = np.asarray(located.backs, dtype=bool)
    clear = np.where(backs, 0.0, faces[:, :FACES].max(axis=1))
    found = np.clip(_found(located, clear) * (1 - _printed(clear, backs, parts)), _LEAST, 1 - _LEAST)
    floored = (1 - priors.NAME_FLOOR) * faces + priors.NAME_FLOOR / (FACES + 1)
    logs = np.log(floored * found[:, None])
    # where no face stands out there is none, more often than not
    mistaken = 1 - (1 - priors.FACES_ON_NOTHING) * floored[:, :FACES].max(axis=1)
    return Evidence(
        logs=logs[:, :FACES],
        illegible=logs[:, FACES],
        nothing=np.log((1 - found) * mistaken),
        scores=np.asarray(located.scores, dtype=np.float64),
        backs=backs,
        faces=faces,
        first_flower=first_flower,
    )


def _found(located: Located, legible: Array) -> Array:
    """(N,) probability that a find is a tile, by the locator's confidence beside that in the nearest tiles.

    legible: (N,) how far each find looks like a face.
    """
    odds = _score_odds(located)
    typical = typical_odds(located, legible)
    belief = 1 / (1 + np.exp(-priors.SCORE_SLOPE * (odds - typical - priors.SCORE_HALF)))
    return np.asarray(np.clip(belief, _LEAST, 1 - _LEAST))


def typical_odds(located: Located, legible: Array) -> float:
    """The locator's log-odds of the photo's nearest tiles: the upper quartile by area and legibility."""
    odds = _score_odds(located)
    order = np.argsort(odds, kind="stable")
    weight = np.cumsum((_areas(located.quads) * legible)[order])
    return float(odds[order[np.searchsorted(weight, priors.TYPICAL_SCORE * weight[-1])]])


def _score_odds(located: Located) -> Array:
    scores = np.clip(np.asarray(located.scores, dtype=np.float64), 0.01, 0.99)
    return np.asarray(np.log(scores / (1 - scores)))


def _printed(clear: Array, backs: NDArray[np.bool_], parts: Iterable[Sequence[int]]) -> Array:
    """(N,) probability that a find is one of a row of prints, keys or the like, by how unclear all are.

    clear: (N,) the likeliest face's probability. parts: finds side by side.
    """
    sure = np.clip(clear, 0.01, 0.9999)
    odds = priors.UNCLEAR_HALF - priors.UNCLEAR_SLOPE * np.log(sure / (1 - sure))
    odds = np.clip(odds, -priors.UNCLEAR_MOST, priors.UNCLEAR_MOST)
    odds = np.where(clear >= priors.CLEAR, np.minimum(odds, priors.CLEAR_LEAST), odds)
    odds = np.where(backs, 0.0, odds)
    printed = np.zeros(len(clear))
    for part in parts:
        members = list(part)
        printed[members] = 1 / (1 + np.exp(-priors.PRINTED - odds[members].sum()))
    return printed


def distinct(located: Located, named: Named) -> list[int]:
    """The finds that can be tiles, less those that lie on a better find of the same tile, in their order.

    A tile is a quadrilateral of some size, and all that is said of it is a number.
    """
    quads = np.asarray(located.quads, dtype=np.float64).reshape(-1, 4, 2)
    sound = np.isfinite(quads).all(axis=(1, 2)) & (np.abs(quads) < _FARTHEST).all(axis=(1, 2))
    sound &= np.isfinite(named.faces).all(axis=1) & np.isfinite(named.turns).all(axis=1)
    sound &= np.isfinite(located.scores)
    quads = np.where(sound[:, None, None], quads, 0.0)
    first, second = (np.linalg.norm(edge, axis=1) for edge in edges(quads))
    areas = _areas(quads)
    sound &= (first > _SHORTEST) & (second > _SHORTEST) & (areas > _FLATTEST * first * second)
    centres, sizes = quads.mean(axis=1), np.sqrt(areas)
    apart = np.linalg.norm(centres[:, None] - centres[None, :], axis=2)
    same = apart <= _SAME_TILE * np.minimum(sizes[:, None], sizes[None, :])
    kept: list[int] = []
    for tile in np.argsort(-np.where(sound, located.scores, 0.0), kind="stable"):
        if sound[tile] and not same[tile, kept].any():
            kept.append(int(tile))
    return sorted(kept)


def _areas(quads: NDArray[np.floating]) -> Array:
    """(N,) areas of (N, 4, 2) quads, above 0."""
    corners = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    diagonals = corners[:, [2, 3]] - corners[:, [0, 1]]
    areas = np.abs(diagonals[:, 0, 0] * diagonals[:, 1, 1] - diagonals[:, 0, 1] * diagonals[:, 1, 0]) / 2
    return np.asarray(np.maximum(areas, 1e-6))
