"""Taking tiles apart into sets and a pair, one group (a suit, or the honours) at a time.

A group is a packed multiset in its own place (see `scoring.tiles`), so the parts of a hand are slices of one integer and the
answers are sums of units. A hand has few different groups over a session of play; both functions keep what they found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.tiles import CHOW, CHOW_TILES, GROUPS, ONES, SUIT_BITS, lowest, tile_count

_KEPT = 1 << 16  # groups remembered, at most; about 200 bytes each


class Split(NamedTuple):
    """Sets by the units of their tiles: `chows` a multiset of first tiles, `pungs` a set, `pair` one unit or 0."""

    chows: int
    pungs: int
    pair: int


NO_TILES = Split(0, 0, 0)


@lru_cache(maxsize=_KEPT)
def group_splits(group: int) -> tuple[Split, ...]:
    """Every way to take one group apart into sets, with one pair where its size leaves two tiles over; () if there is none.

    >>> for split in group_splits(0o333):  # 111222333m
    ...     print(f"{split.chows:o} {split.pungs:o}")
    0 111
    3 0
    """
    spare = tile_count(group) % 3
    return () if spare == 1 else tuple(dict.fromkeys(_take(group, spare == 2)))


def _take(group: int, needs_pair: bool) -> Iterator[Split]:
    """All splits, some of them twice where a kind has five tiles; of the lowest tile first a pung, then a chow, then the pair."""
    if not group:
        if not needs_pair:
            yield NO_TILES
        return
    unit = lowest(group)
    held = group // unit & 7
    if held >= 3:
        for chows, pungs, pair in _take(group - 3 * unit, needs_pair):
            yield Split(chows, pungs + unit, pair)
    if unit in CHOW_TILES and group & 7 * unit << 3 and group & 7 * unit << 6:
        for chows, pungs, pair in _take(group - CHOW * unit, needs_pair):
            yield Split(chows + unit, pungs, pair)
    if held >= 2 and needs_pair:
        for chows, pungs, _ in _take(group - 2 * unit, False):
            yield Split(chows, pungs, unit)


@lru_cache(maxsize=_KEPT)
def group_waits(group: int) -> int:
    """The units that complete one group (not empty), also those of which all four copies are in it ("by form")."""
    first = ((group & -group).bit_length() - 1) // SUIT_BITS * SUIT_BITS
    units = (1 << position for position in range(first, min(first + SUIT_BITS, ONES.bit_length()), 3))
    return sum(unit for unit in units if group_splits(group + unit))


def hand_splits(concealed: int) -> list[Split]:
    """Every way to take the concealed tiles apart into sets and exactly one pair; [] if there is none."""
    groups = [group_splits(concealed & group) for group in GROUPS if concealed & group]
    if not all(groups) or sum(1 for splits in groups if splits[0].pair) != 1:
        return []
    if len(groups) == 1:
        return list(groups[0])
    return [Split(*map(sum, zip(*parts, strict=True))) for parts in product(*groups)]


def hand_waits(concealed: int) -> int:
    """The units that complete sets and exactly one pair, by form; 0 if there is none."""
    groups = [concealed & group for group in GROUPS if concealed & group]
    splits = [group_splits(group) for group in groups]
    pairs = sum(1 for found in splits if found and found[0].pair)
    unfinished = [group for group, found in zip(groups, splits, strict=True) if not found]
    if not unfinished:  # two pairs: either grows to a pung, or its group takes another tile
        return sum(map(group_waits, groups)) if pairs == 2 else 0
    return group_waits(unfinished[0]) if len(unfinished) == 1 and pairs <= 1 else 0
