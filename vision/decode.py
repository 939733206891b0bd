"""Names settled under the rules: the best few joint readings of a hand whose layout is given.

An A* search over the nodes of the layout, exact as long as its budget lasts: readings come in falling order
of probability, and the search ends when no further one could overtake by what the rules may add.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from scoring.shapes import is_winning, pairs_wait
from scoring.splits import hand_waits
from scoring.tiles import UNIT
from vision import priors
from vision.elements import FACE_DOWN, UNNAMED
from vision.melds import FLOWERS, Choice, Node

_COPIES = dict.fromkeys(UNIT, 4) | dict.fromkeys(FLOWERS, 1)
_MELDS = ("chow", "pung", "kong", "concealed-kong")
# Readings this far below the best are kept for the tiles' alternatives (a factor of 20).
MARGIN = 3.0
# Partial readings looked at per layout: 400 take about 5 ms, and
# 20,000 find no more whole hands right (simulated at 90 % of names right). A clear photo needs a few dozen.
BUDGET = 400
# Partial readings still open when the budget is spent that are completed step by step.
_COMPLETED = 20


@dataclass(frozen=True)
class Outcome:
    """One reading: a choice for each node, and its total log-odds."""

    choices: tuple[Choice, ...]
    total: float


# A reading not yet complete: minus the most it may come to, minus its length, its log-odds so far, the
# numbers of its choices and their names.
_Open = tuple[float, int, float, tuple[int, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Rules:
    """What the decoder may add for a whole hand. win: log-odds of a winning one."""

    win: float

    def most(self) -> float:
        """The most that `whole_hand` can give."""
        return max(math.log(max(priors.HAND_SIZES.values())) + self.win, 0.0)

    def whole_hand(self, choices: Sequence[Choice]) -> float:
        """Log-odds of the hand as a whole: its size, and whether it wins or waits."""
        melds = sum(choice.kind in _MELDS for choice in choices)
        apart = any(choice.kind == "winning" for choice in choices)
        names = [
            choice.names[0]
            for choice in choices
            if choice.kind in ("concealed", "winning") and choice.names[0]
        ]
        size = len(names) + 3 * melds
        total = priors.hand_size(size)
        if size not in (13, 14, 16, 17):
            return total + (priors.WINNING_UNFINISHED if apart else 0.0)
        if UNNAMED in names or FACE_DOWN in names:
            return total
        packed = sum(UNIT[name] for name in names)
        if size in (14, 17):
            wins = is_winning(packed, melds, size) and not _overfull(choices)
            return total + (self.win if wins else 0.0)
        total += priors.WINNING_UNFINISHED if apart else 0.0
        ready = hand_waits(packed) or (not melds and pairs_wait(packed))
        return total + (priors.WAITS if ready else 0.0)


def decode(
    nodes: Sequence[Node],
    chained: Sequence[bool],
    rules: Rules,
    at_least: float = -math.inf,
) -> list[Outcome]:
    """The best readings, best first; none if the best found does not reach `at_least`.

    nodes: at least one, each with at least one choice. chained: for each node, whether it lies beside the
    node before it in a row whose order counts.
    """
    order = [
        _order_matrix(before, node) if chain else None
        for before, node, chain in zip(nodes, nodes[1:], chained[1:], strict=False)
    ]
    ahead = _best_ahead(nodes, order)
    found: dict[tuple[tuple[str, ...], ...], Outcome] = {}

    def keep(path: tuple[int, ...], log: float) -> float:
        choices = tuple(node.choices[k] for node, k in zip(nodes, path, strict=True))
        outcome = Outcome(choices, log + rules.whole_hand(choices))
        found.setdefault(tuple(choice.names for choice in choices), outcome)
        return outcome.total

    def steps(log: float, path: tuple[int, ...], names: tuple[str, ...]) -> list[tuple[float, float, int]]:
        """Each choice of the next node: its bound, its log-odds so far, its number."""
        position = len(path)
        beside = order[position - 1] if position else None
        grown = []
        for k, choice in enumerate(nodes[position].choices):
            step = log + choice.log + _crowding(names, choice.names)
            step += beside[path[-1]][k] if beside else 0.0
            grown.append((step + ahead[position][k], step, k))
        return grown

    best = at_least
    most = rules.most()
    heap: list[_Open] = [(-math.inf, 0, 0.0, (), ())]
    budget = BUDGET
    while heap and budget:
        budget -= 1
        bound, _, log, path, names = heapq.heappop(heap)
        if -bound + most < best - MARGIN:
            heap.clear()
        elif len(path) == len(nodes):
            best = max(best, keep(path, log))
        else:
            for value, step, k in steps(log, path, names):
                if value + most >= best - MARGIN:
                    grown = (*path, k), names + nodes[len(path)].choices[k].names
                    heapq.heappush(heap, (-value, -len(path), step, *grown))
    # Where hardly a tile is clear, the budget may be spent before a single reading is complete.
    for _, _, log, path, names in heapq.nsmallest(_COMPLETED, heap):
        while len(path) < len(nodes):
            _, log, k = max(steps(log, path, names))
            path, names = (*path, k), names + nodes[len(path)].choices[k].names
        keep(path, log)
    ranked = sorted(found.values(), key=lambda outcome: -outcome.total)
    return ranked if ranked and ranked[0].total >= at_least else []


def _overfull(choices: Sequence[Choice]) -> bool:
    """Whether there are more of a tile than a set holds."""
    counts = Counter(name for choice in choices if choice.kind != "other" for name in choice.names)
    return any(count > _COPIES.get(name, count) for name, count in counts.items())


def row_order(names: Sequence[str]) -> float:
    """Log-odds of these neighbours in a sorted row against a random one."""
    return sum(_follows(a, b) for a, b in itertools.pairwise(names))


def _best_ahead(nodes: Sequence[Node], order: Sequence[list[list[float]] | None]) -> list[list[float]]:
    """For each node and choice, the best log-odds of all that follows (an upper bound: crowding left out)."""
    ahead = [[0.0] * len(node.choices) for node in nodes]
    for position in range(len(nodes) - 2, -1, -1):
        steps, after = order[position], nodes[position + 1].choices
        gains = [choice.log + ahead[position + 1][k] for k, choice in enumerate(after)]
        for k in range(len(nodes[position].choices)):
            row = steps[k] if steps else None
            ahead[position][k] = max(gain + (row[j] if row else 0.0) for j, gain in enumerate(gains))
    return ahead


def _order_matrix(before: Node, node: Node) -> list[list[float]]:
    return [[_follows(a.names[-1], b.names[0]) for b in node.choices] for a in before.choices]


@cache
def _follows(left: str, right: str) -> float:
    """Log-odds that `right` lies beside `left` in a sorted row, against a random draw."""
    if left not in UNIT or right not in UNIT:
        return 0.0
    if left == right:
        return priors.FOLLOWS_SAME
    if len(left) == 2 and left[1:] == right[1:]:
        step = int(right[0]) - int(left[0])
        return {1: priors.FOLLOWS_UP, -1: priors.FOLLOWS_DOWN, 2: priors.FOLLOWS_SKIP}.get(
            step, priors.FOLLOWS_OTHER
        )
    return priors.FOLLOWS_OTHER


def _crowding(used: tuple[str, ...], new: tuple[str, ...]) -> float:
    """What copies beyond the four (or the one flower) of a set of tiles cost."""
    total = 0.0
    for name in new if len(new) == 1 else set(new):
        copies = new.count(name)
        over = used.count(name) + copies - _COPIES.get(name, len(used) + copies)
        if over > 0:
            total += priors.FIFTH_COPY * min(over, copies)
    return total
