"""Chinese Official fans that combine two to four chows, or two to four suited pungs.

Sets are (suit, rank) pairs in tile order, ranks counted from 0, a chow by its first tile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from scoring.combinations import SetKey
from scoring.fans import SetsFan
from scoring.rules.mcr.building import official

Sets = Sequence[SetKey]


def equal(sets: Sets) -> bool:
    """The same set several times."""
    return len(set(sets)) == 1


def pure(*steps: int) -> Callable[[Sets], bool]:
    """One suit, the ranks rising evenly by one of the steps."""
    return lambda sets: len({suit for suit, _ in sets}) == 1 and _even_step(sets) in steps


def mixed(step: int) -> Callable[[Sets], bool]:
    """Each set in another suit, the ranks rising evenly by the step (0: equal) in any order of suits."""
    return lambda sets: len({suit for suit, _ in sets}) == len(sets) and _even_step(sets) == step


def straight(suits: int) -> Callable[[Sets], bool]:
    """123, 456 and 789 in so many suits."""
    return lambda sets: len({suit for suit, _ in sets}) == suits and {rank for _, rank in sets} == {0, 3, 6}


def terminal_chows(sets: Sets) -> bool:
    """123 and 789 of one suit."""
    return sets[0][0] == sets[1][0] and sets[0][1] == 0 and sets[1][1] == 6


def _even_step(sets: Sets) -> int | None:
    ranks = sorted(rank for _, rank in sets)
    steps = {after - before for before, after in pairwise(ranks)}
    return steps.pop() if len(steps) == 1 else None


chows = partial(official, SetsFan, of_chows=True)
pungs = partial(official, SetsFan, of_chows=False)

FANS = (
    chows(14, "一色四同顺", "Quadruple Chow", 48, drops="一色三同顺 一般高 四归一", size=4, when=equal),
    pungs(15, "一色四节高", "Four Pure Shifted Pungs", 48, drops="一色三节高 碰碰和", size=4, when=pure(1)),
    chows(
        16,
        "一色四步高",
        "Four Pure Shifted Chows",
        32,
        drops="一色三步高 连六 老少副",
        size=4,
        when=pure(1, 2),
    ),
    chows(23, "一色三同顺", "Pure Triple Chow", 24, drops="一般高", size=3, when=equal),
    pungs(24, "一色三节高", "Pure Shifted Pungs", 24, size=3, when=pure(1)),
    chows(28, "清龙", "Pure Straight", 16, drops="连六 老少副", size=3, when=straight(1)),
    chows(30, "一色三步高", "Pure Shifted Chows", 16, size=3, when=pure(1, 2)),
    pungs(32, "三同刻", "Triple Pung", 16, drops="双同刻", size=3, when=mixed(0)),
    chows(39, "花龙", "Mixed Straight", 8, size=3, when=straight(3)),
    chows(41, "三色三同顺", "Mixed Triple Chow", 8, drops="喜相逢", size=3, when=mixed(0)),
    pungs(42, "三色三节高", "Mixed Shifted Pungs", 8, size=3, when=mixed(1)),
    chows(50, "三色三步高", "Mixed Shifted Chows", 6, size=3, when=mixed(1)),
    pungs(65, "双同刻", "Double Pung", 2, size=2, when=mixed(0)),
    chows(69, "一般高", "Pure Double Chow", 1, size=2, when=equal),
    chows(70, "喜相逢", "Mixed Double Chow", 1, size=2, when=mixed(0)),
    chows(71, "连六", "Short Straight", 1, size=2, when=pure(3)),
    chows(72, "老少副", "Two Terminal Chows", 1, size=2, when=terminal_chows),
)
