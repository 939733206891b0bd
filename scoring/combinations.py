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
from itertools import combinations

from scoring.fans import SetsFan

SetKey = tuple[int, int]
"""(suit 0-2, rank 1-9) of a pung's tile or a chow's first tile."""

NOT_TAKEN_APART = "不拆移: sets once combined are not taken apart and combined again"
ACCOUNT_ONCE = "套算一次: a set may be combined once with one that is combined already"
NOT_IDENTICAL = "不得相同: a set is not used twice for the same fan"


@dataclass(frozen=True, slots=True)
class Use:
    """One fan made by some of the sets, given by their places."""

    fan: SetsFan
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A use that the tiles show and that a chosen fan stands in the way of."""

    use: Use
    by: SetsFan
    rule: str


@dataclass(frozen=True, slots=True)
class Combination:
    """The uses of most points among those allowed together, and the rest."""

    chosen: tuple[Use, ...] = ()
    refused: tuple[Refused, ...] = ()


def best_combination(sets: Sequence[SetKey], fans: Sequence[SetsFan]) -> Combination:
    """The allowed combination of most points for up to five sets. Among equal ones that with the earlier fans
    is kept."""
    candidates = [
        Use(fan, places)
        for fan in fans
        for places in combinations(range(len(sets)), fan.size)
        if fan.when([sets[place] for place in places])
    ]
    chosen = max(_allowed(candidates, ()), key=_points, default=())
    refused = tuple(
        Refused(use, *obstacle)
        for use in candidates
        if use not in chosen and (obstacle := _obstacle(use, chosen)) is not None
    )
    return Combination(chosen, refused)


def _points(uses: tuple[Use, ...]) -> int:
    return sum(use.fan.points for use in uses)


def _allowed(candidates: Sequence[Use], chosen: tuple[Use, ...]) -> Iterator[tuple[Use, ...]]:
    """Every allowed combination that begins with `chosen`, those with the earlier candidates first."""
    for index, use in enumerate(candidates):
        if _obstacle(use, chosen) is None:
            yield from _allowed(candidates[index + 1 :], (*chosen, use))
    yield chosen


def _obstacle(use: Use, chosen: tuple[Use, ...]) -> tuple[SetsFan, str] | None:
    """The chosen fan, and the rule, that forbid one more use; None if it is allowed."""
    wanted = set(use.places)
    for other in chosen:
        if len(wanted.intersection(other.places)) > 1:
            return other.fan, _reason(other.fan, use.fan)
    for other in chosen:
        if other.fan is use.fan and wanted.intersection(other.places):
            return other.fan, NOT_IDENTICAL
    for tied in _ties(chosen):
        if len(wanted & tied) > 1:
            return next(
                other.fan for other in reversed(chosen) if tied.issuperset(other.places)
            ), ACCOUNT_ONCE
    return None


def _reason(fan: SetsFan, dropped: SetsFan) -> str:
    """Why `dropped` is not counted for sets that `fan` has combined."""
    return fan.drops.get(dropped.name, NOT_TAKEN_APART)


def _ties(chosen: tuple[Use, ...]) -> list[set[int]]:
    """The places that the chosen uses tie together, one set for each tree of the forest."""
    trees: list[set[int]] = []
    for use in chosen:
        joined = set(use.places)
        apart = []
        for tree in trees:
            if tree & joined:
                joined |= tree
            else:
                apart.append(tree)
        trees = [*apart, joined]
    return trees
