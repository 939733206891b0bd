"""Names and layout settled together: from located and named tiles to the hand as it lies on the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import priors
from vision.arrange import Arrangement, arrangements
from vision.assemble import Settled, assemble
from vision.decode import Outcome, Rules, decode, row_order
from vision.elements import Layout, Located, Named
from vision.evidence import Evidence, distinct, weigh
from vision.melds import Node
from vision.rows import Rows, find_rows
from vision.upright import first_corners, seen_upright

# Arrangements decoded at most; on the annotated photos the best one is among the first four.
_DECODED = 8


@dataclass(frozen=True)
class Hints:
    """What the caller said. winning: the winning tile; says_won: whether the hand won (None: not said)."""

    winning: str | None = None
    self_drawn: bool | None = None
    says_won: bool | None = None


def lay_out(
    located: Located, named: Named, *, photo_size: tuple[int, int], hints: Hints | None = None
) -> Layout:
    """Settle names, groups and orientation under the rules.

    photo_size: width and height of the oriented photo, pixels. Tiles' ids are the indices into `located`;
    finds that turn out to be no tiles are left out. What is wrong with a hand is in `status` and `warnings`.
    """
    hints = hints or Hints()
    index = distinct(located)
    if not index:
        return Layout((), (), ("no-tiles",))
    located = Located(located.quads[index], located.backs[index], located.scores[index])
    turns = np.asarray(named.turns, dtype=np.float64)[index]
    evidence = weigh(located, Named(named.faces[index], named.turns[index]))
    rows = find_rows(located.quads, turns[:, 0] + turns[:, 2])
    if not seen_upright(rows, located.quads, turns):
        rows = rows.turned()
    settled = settle(rows, evidence, _rules(hints))
    corners = first_corners(rows, located.quads, turns)
    quads = _from_corner(located.quads, corners)
    return assemble(settled, rows, evidence, quads, index, photo_size, hints.winning)


def settle(rows: Rows, evidence: Evidence, rules: Rules) -> Settled:
    """The best arrangement with its best readings."""
    best: Settled | None = None
    for arrangement in arrangements(rows, evidence)[:_DECODED]:
        reach = -math.inf if best is None else best.outcomes[0].total
        settled = _read(arrangement, evidence, rules, reach)
        if settled.outcomes and settled.outcomes[0].total > reach:
            best = settled
    assert best is not None  # the first arrangement is always read
    return best


def _read(arrangement: Arrangement, evidence: Evidence, rules: Rules, reach: float) -> Settled:
    """The readings of one arrangement, their totals comparable with another's."""
    apart = arrangement.log + float(evidence.base[list(arrangement.other)].sum())
    if not arrangement.concealed and not arrangement.nodes:
        return Settled(arrangement, (), (Outcome((), apart),))
    nodes: list[Node] = []
    chained: list[bool] = []
    order = 0.0
    for row in arrangement.concealed:
        nodes += [evidence.node(tile) for tile in row]
        chained += [False] + [len(row) > 2] * (len(row) - 1)
        order += row_order([evidence.best_name(tile) for tile in row]) if len(row) > 2 else 0.0
    follows = order + math.log(priors.SORTED) > math.log(1 - priors.SORTED)
    apart += math.log(priors.SORTED if follows else 1 - priors.SORTED)
    nodes += arrangement.nodes
    chained += [False] * len(arrangement.nodes)
    if arrangement.winning is not None:
        nodes.append(evidence.node(arrangement.winning, apart=True))
        chained.append(False)
    outcomes = decode(nodes, chained if follows else [False] * len(nodes), rules, at_least=reach - apart)
    totals = tuple(Outcome(outcome.choices, outcome.total + apart) for outcome in outcomes)
    return Settled(arrangement, tuple(node.tiles for node in nodes), totals)


def _rules(hints: Hints) -> Rules:
    if hints.says_won is False:
        return Rules(win=0.0)
    said = bool(hints.says_won) or hints.winning is not None
    return Rules(win=priors.WINS_SAID if said else priors.WINS)


def _from_corner(quads: NDArray[np.float32], corners: Sequence[int]) -> NDArray[np.float32]:
    return np.stack([np.roll(quad, -corner, axis=0) for quad, corner in zip(quads, corners, strict=True)])
