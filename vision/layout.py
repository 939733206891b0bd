"""Names and layout settled together: from located and named tiles to the hand as it lies on the table."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision import priors
from vision.arrange import Arrangement, arrangements, order_gain
from vision.assemble import Settled, assemble
from vision.decode import Outcome, Rules, decode
from vision.elements import Layout, Located, Named
from vision.evidence import Evidence, distinct, weigh
from vision.melds import FIRST_FLOWER, FIRST_HONOUR, Node
from vision.rows import Rows, find_rows
from vision.upright import first_corners, upright_odds

# Arrangements decoded at most; on the annotated photos the best one is among the first four.
_DECODED = 6
# ... and weighed by their tiles' best names.
_WEIGHED = 40
# A reading with other tiles that is less likely by no more than this (a factor of three) is told.
_RIVAL = 1.1


@dataclass(frozen=True)
class Hints:
    """What the caller said. winning: the winning tile. won: whether what was said implies a win.

    honours_are_flowers: winds and dragons are flowers at this table.
    """

    winning: str | None = None
    won: bool = False
    honours_are_flowers: bool = False


def lay_out(
    located: Located, named: Named, *, photo_size: tuple[int, int], hints: Hints | None = None
) -> Layout:
    """Settle names, groups and orientation under the rules.

    photo_size: width and height of the oriented photo, pixels. Tiles' ids are the indices into `located`;
    finds that turn out to be no tiles are left out. What is wrong with a hand is in `status` and `warnings`.
    """
    hints = hints or Hints()
    index = distinct(located, named)
    if not index:
        return Layout((), (), ("no-tiles",))
    located = Located(located.quads[index], located.backs[index], located.scores[index])
    turns = np.asarray(named.turns, dtype=np.float64)[index]
    rows = find_rows(located.quads, turns[:, 0] + turns[:, 2])
    named = Named(named.faces[index], named.turns[index])
    first_flower = FIRST_HONOUR if hints.honours_are_flowers else FIRST_FLOWER
    evidence = weigh(located, named, [part.tiles for part in rows.parts], first_flower)
    upright, _, upside_down, _ = upright_odds(rows, located.quads, turns)
    if upside_down > upright:
        rows = rows.turned()
    settled = settle(rows, evidence, Rules(win=priors.WINS_SAID if hints.won else priors.WINS))
    corners = first_corners(rows, located.quads, turns)
    quads = _from_corner(located.quads, corners)
    return assemble(settled, rows, evidence, quads, index, photo_size, hints.winning)


def settle(rows: Rows, evidence: Evidence, rules: Rules) -> Settled:
    """The best arrangement with its best readings."""
    node_of = cache(evidence.node)  # the same tiles come up in many arrangements
    ranked: list[tuple[float, int, Arrangement, list[Node], list[bool]]] = []
    for arrangement in arrangements(rows, evidence)[:_WEIGHED]:
        nodes, chained = _nodes(arrangement, evidence, node_of)
        whole = rules.whole_hand([node.choices[0] for node in nodes]) if nodes else 0.0
        ranked.append((arrangement.estimate + whole, len(ranked), arrangement, nodes, chained))
    ranked.sort(reverse=True)
    found: list[Settled] = []
    for _, _, arrangement, nodes, chained in ranked[:_DECODED]:
        reach = max((settled.total for settled in found), default=-math.inf) - _RIVAL
        apart = arrangement.log + float(evidence.base[list(arrangement.other)].sum())
        outcomes = decode(nodes, chained, rules, at_least=reach - apart) if nodes else [Outcome((), 0.0)]
        if outcomes:  # there are for the first arrangement
            totals = tuple(Outcome(outcome.choices, outcome.total + apart) for outcome in outcomes)
            found.append(Settled(arrangement, tuple(node.tiles for node in nodes), totals))
    found.sort(key=lambda settled: -settled.total)
    best = found[0]
    close = [one.hand for one in found if one.total > best.total - _RIVAL]
    rivals = [hand for hand in close if set(hand) != set(best.hand)]
    return replace(best, rival=rivals[0] if rivals else None)


def _nodes(
    arrangement: Arrangement, evidence: Evidence, node_of: Callable[..., Node]
) -> tuple[list[Node], list[bool]]:
    """What is to be named, and for each node whether its place beside the one before it counts."""
    nodes: list[Node] = []
    chained: list[bool] = []
    for row in arrangement.concealed:
        nodes += [node_of(tile) for tile in row]
        chained += [False] + [order_gain(row, evidence) > 0] * (len(row) - 1)
    nodes += arrangement.nodes
    if arrangement.winning is not None:
        nodes.append(node_of(arrangement.winning, apart=True))
    return nodes, chained + [False] * (len(nodes) - len(chained))


def _from_corner(quads: NDArray[np.float32], corners: Sequence[int]) -> NDArray[np.float32]:
    return np.stack([np.roll(quad, -corner, axis=0) for quad, corner in zip(quads, corners, strict=True)])
