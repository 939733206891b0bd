"""A row of melds and flowers, split into its likeliest melds.

Gaps rarely say where a meld begins; the tiles do.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import TILES
from vision import priors
from vision.elements import FACE_DOWN, GroupKind

Array = NDArray[np.float64]

DROPPED = ""
"""The name, in a choice only, of what the locator found and is no tile of this hand."""
FIRST_FLOWER = 34
FIRST_HONOUR = 27
FLOWERS = frozenset(TILES[FIRST_FLOWER:])
_SUIT_STARTS = (0, 9, 18)
_CHOW_STARTS = tuple(start + number for start in _SUIT_STARTS for number in range(7))
# (126, 3) the faces of every chow in every order, and (126,) how likely it is among the groups of a row.
_CHOWS = np.array(
    [[first + step for step in order] for first in _CHOW_STARTS for order in priors.CHOW_ORDERS]
)
_CHOW_LOG = np.array([priors.CHOW + log for _ in _CHOW_STARTS for log in priors.CHOW_ORDERS.values()])
_PER_WINDOW = 5
_SEGMENTATIONS = 6
_KONGS = 5  # in a hand at most


@dataclass(frozen=True)
class Choice:
    """One way to name a node's tiles: `names` as long as the node, `log` its log-odds, `kind` its group."""

    names: tuple[str, ...]
    log: float
    kind: GroupKind


@dataclass(frozen=True)
class Node:
    """Neighbouring tiles named together, best choice first."""

    tiles: tuple[int, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Segmentation:
    """A row cut into nodes. `log` is the best choices' sum, relative to tiles that could be anything."""

    nodes: tuple[Node, ...]
    log: float
    melds: int
    strays: int


def segment(
    tiles: Sequence[int],
    logs: Array,
    backs: NDArray[np.bool_],
    gaps: Sequence[float],
    nothing: Array | None = None,
    first_flower: int = FIRST_FLOWER,
) -> list[Segmentation]:
    """The likeliest ways to cut a row into melds, kongs and flowers, best first.

    tiles: in the order they lie. logs: (N, 42) log-probabilities of the faces of all tiles of the photo.
    backs: (N,) face-down tiles. gaps: between neighbours, in tile widths, one fewer than tiles.
    nothing: (N,) log-probability of a false find; None where there are none.
    first_flower: the faces from this one on are flowers at this table and make no melds.
    """
    row = list(tiles)
    paths: list[list[tuple[float, int, int, tuple[Node, ...]]]] = [[(0.0, 0, 0, ())]]
    none = np.full(len(logs), -np.inf) if nothing is None else nothing
    windows = {
        (i, n): _window(row[i : i + n], logs, backs, none, gaps[i : i + n - 1], first_flower)
        for n in (1, 3, 4)
        for i in range(len(row) - n + 1)
    }
    for end in range(1, len(row) + 1):
        found = []
        for length in (1, 3, 4):
            node = windows.get((end - length, length)) if end >= length else None
            if node is None:
                continue
            best = node.choices[0]
            stray, meld = int(best.kind == "other"), int(length > 1)
            found += [
                (log + best.log, melds + meld, strays + stray, (*nodes, node))
                for log, melds, strays, nodes in paths[end - length]
            ]
        found.sort(key=lambda path: -path[0])
        paths.append(found[:_SEGMENTATIONS])
    return [Segmentation(nodes, log, melds, strays) for log, melds, strays, nodes in paths[-1]]


def _window(
    tiles: list[int],
    logs: Array,
    backs: NDArray[np.bool_],
    nothing: Array,
    gaps: Sequence[float],
    first_flower: int,
) -> Node | None:
    """The choices for these tiles as one group, or None when they cannot be one."""
    down = int(backs[tiles].sum())
    if len(tiles) == 1:
        choices = _single(logs[tiles[0]], bool(down), float(nothing[tiles[0]]), first_flower)
    elif len(tiles) == 3:
        choices = [] if down else _chows(logs[tiles])
        choices += [] if down else _pungs(logs[tiles, :first_flower], "pung", priors.PUNG)
    elif down:
        choices = _concealed_kong(tiles, logs[:, :first_flower], backs)
    else:
        choices = _pungs(logs[tiles, :first_flower], "kong", priors.KONG)
    if not choices:
        return None
    apart = priors.GAP_IN_MELD * sum(max(gap, 0.0) for gap in gaps)
    base = priors.ANY_TILE * (len(tiles) - down)  # a back has no face that could be anything
    ranked = sorted((Choice(c.names, c.log - base + apart, c.kind) for c in choices), key=lambda c: -c.log)
    return Node(tuple(tiles), tuple(ranked[:_PER_WINDOW]))


def _single(logs: Array, down: bool, nothing: float, first_flower: int) -> list[Choice]:
    if down:
        return [Choice((FACE_DOWN,), priors.STRAY, "other")]
    flowers = [
        Choice((TILES[k],), float(logs[k]) + priors.FLOWER, "flowers")
        for k in range(first_flower, len(TILES))
    ]
    best = int(logs.argmax())
    stray = Choice((TILES[best],), float(logs[best]) + priors.ANY_TILE + priors.STRAY, "other")
    false = Choice((DROPPED,), nothing + priors.ANY_TILE + priors.NOTHING_IN_ROW, "other")
    return [*flowers, stray, false]


def _pungs(logs: Array, kind: GroupKind, prior: float) -> list[Choice]:
    """All tiles alike. logs: (n, faces that make melds)."""
    totals = logs.sum(axis=0) + prior
    return [
        Choice((TILES[k],) * len(logs), float(totals[k]), kind)
        for k in np.argsort(-totals, kind="stable")[:_PER_WINDOW]
    ]


def _chows(logs: Array) -> list[Choice]:
    totals = logs[np.arange(3), _CHOWS].sum(axis=1) + _CHOW_LOG
    best = np.argsort(-totals, kind="stable")[:_PER_WINDOW]
    return [Choice(tuple(TILES[int(k)] for k in _CHOWS[b]), float(totals[b]), "chow") for b in best]


def _concealed_kong(tiles: list[int], logs: Array, backs: NDArray[np.bool_]) -> list[Choice]:
    """Four alike of which some lie face down; with none face up there is no telling which."""
    up = [tile for tile in tiles if not backs[tile]]
    if not up:
        return [Choice((FACE_DOWN,) * 4, priors.CONCEALED_KONG, "concealed-kong")]
    totals = logs[up].sum(axis=0) + priors.CONCEALED_KONG + priors.ANY_TILE
    return [
        Choice(
            tuple(FACE_DOWN if backs[tile] else TILES[k] for tile in tiles),
            float(totals[k]),
            "concealed-kong",
        )
        for k in np.argsort(-totals, kind="stable")[:_PER_WINDOW]
    ]


def quads_of_a_kind(
    tiles: Sequence[int], logs: Array, worst: float, first_flower: int = FIRST_FLOWER
) -> list[int]:
    """Where in the row four neighbours may be a kong: start positions, none overlapping, best first.

    worst: the log-probability that may be lost to the tiles' own best names. first_flower: see `segment`.
    """
    row = list(tiles)
    found = []
    for start in range(len(row) - 3):
        part = logs[row[start : start + 4]]
        loss = float(part[:, :first_flower].sum(axis=0).max() - part.max(axis=1).sum())
        if loss > worst:
            found.append((loss, start))
    chosen: list[int] = []
    for _, start in sorted(found, reverse=True):
        if len(chosen) < _KONGS and all(abs(start - other) >= 4 for other in chosen):
            chosen.append(start)
    return chosen


def subsets(starts: Sequence[int]) -> list[tuple[int, ...]]:
    """Every selection of the kongs found in a row, the empty one first."""
    return [
        chosen for size in range(len(starts) + 1) for chosen in itertools.combinations(sorted(starts), size)
    ]
