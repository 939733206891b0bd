"""Combining sets into fans under the account-once rule.

The principles (Chinese Official rules, scoring principles 2 to 5): sets once combined are not taken apart and
combined again (不拆移); a set is not used twice for the same fan (不得相同); the higher is taken
(就高不就低); a set not yet combined may be combined once with one that is (套算一次). Seen as a graph, every
fan ties its sets together and no fan may tie sets that are tied already: the fans of a hand make a forest.
All such combinations are tried; the one of most points is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from scoring.fans import SetsFan

SetKey = tuple[int, int]
"""(suit 0-2, rank less one 0-8) of a pung's tile or a chow's first tile."""

_GROUPS_KEPT = 1 << 15  # groups of sets remembered, at most; there are 12 649 of up to four chows

NOT_TAKEN_APART = "不拆移: sets once combined are not taken apart and combined again"
ACCOUNT_ONCE = "套算一次: a set may be combined once with one that is combined already"
NOT_IDENTICAL = "不得相同: a set is not used twice for the same fan"


class Use(NamedTuple):
    """One fan made by some of the sets: by their places, and by the same places as the bits of a mask."""

    fan: SetsFan
    places: tuple[int, ...]
    mask: int


Uses = tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A use that the tiles show and that a chosen fan stands in the way of."""

    use: Use
    by: SetsFan
    rule: str


@dataclass(frozen=True, slots=True)
class Combination:
    """The uses of most points among those allowed together, and the rest."""

    chosen: Uses
    refused: tuple[Refused, ...]


NO_COMBINATION = Combination((), ())


class Combiner:
    """Finds the best combination for fans that look at the same kind of sets."""

    def __init__(self, fans: Sequence[SetsFan]) -> None:
        sizes = sorted({fan.size for fan in fans}, reverse=True)
        self._of_size = {size: [fan for fan in fans if fan.size == size] for size in sizes}
        self._order = {fan.name: place for place, fan in enumerate(fans)}
        self._fitting = lru_cache(maxsize=_GROUPS_KEPT)(self._fits)

    def best(self, sets: Sequence[SetKey]) -> Combination:
        """The allowed combination of most points for up to five sets in tile order; of equal ones that with
        the earlier fans."""
        candidates = [
            Use(fan, places, mask)
            for size in self._of_size
            for (places, mask), group in zip(_places(len(sets), size), combinations(sets, size), strict=True)
            for fan in self._fitting(group)
        ]
        if not candidates:
            return NO_COMBINATION
        candidates.sort(key=lambda use: self._order[use.fan.name])
        chosen = max(_allowed(candidates, ()), key=_points)
        refused = [
            Refused(use, *obstacle)
            for use in candidates
            if use not in chosen and (obstacle := _obstacle(use, chosen)) is not None
        ]
        return Combination(chosen, tuple(refused))

    def _fits(self, sets: tuple[SetKey, ...]) -> tuple[SetsFan, ...]:
        """The fans that exactly these sets make."""
        return tuple([fan for fan in self._of_size[len(sets)] if fan.when(sets)])


@cache
def _places(count: int, size: int) -> list[tuple[tuple[int, ...], int]]:
    """The ways to choose so many of the places, each also as the bits of a mask."""
    return [(places, sum(1 << place for place in places)) for places in combinations(range(count), size)]


def _points(uses: Uses) -> int:
    return sum([use.fan.points for use in uses])


def _allowed(candidates: Sequence[Use], chosen: Uses) -> Iterator[Uses]:
    """Every allowed combination that begins with `chosen`, those with the earlier candidates first."""
    for index, use in enumerate(candidates):
        if _obstacle(use, chosen) is None:
            yield from _allowed(candidates[index + 1 :], (*chosen, use))
    yield chosen


def _obstacle(use: Use, chosen: Uses) -> tuple[SetsFan, str] | None:
    """The chosen fan, and the rule, that forbid one more use; None if it is allowed."""
    for other in chosen:
        shared = use.mask & other.mask
        if shared and other.fan is use.fan:
            return other.fan, NOT_IDENTICAL
        if shared & (shared - 1):
            return other.fan, other.fan.drops.get(use.fan.name, NOT_TAKEN_APART)
    if len(chosen) < 2:
        return None  # one use is a tree by itself
    for tree in _trees(chosen):
        shared = use.mask & tree
        if shared & (shared - 1):
            return next(other.fan for other in reversed(chosen) if not other.mask & ~tree), ACCOUNT_ONCE
    return None


def _trees(chosen: Uses) -> list[int]:
    """The masks of the places that the chosen uses tie together."""
    trees: list[int] = []
    for use in chosen:
        joined = use.mask
        apart = []
        for tree in trees:
            if tree & joined:
                joined |= tree
            else:
                apart.append(tree)
        trees = [*apart, joined]
    return trees
