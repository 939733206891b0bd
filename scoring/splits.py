"""Taking tiles apart into sets and a pair, one group (a suit, or the honours) at a time.

A group is a packed multiset in its own place (see `scoring.tiles`), so the parts of a hand are slices of one
integer and the answers are sums of units. A hand has few different groups over a session of play; both
functions keep what they found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from scoring.tiles import CHOW, CHOW_TILES, GROUPS, ONES, SUIT_BITS, lowest, tile_count

_KEPT = 1 << 16  # groups remembered, at most; about 200 bytes each


Split = tuple[int, int, int]
"""Chows, pungs and pair by the units of their tiles: a multiset of first tiles, a set of tiles, one unit or
0."""

NO_TILES: Split = (0, 0, 0)


@lru_cache(maxsize=_KEPT)
def group_splits(group: int) -> tuple[Split, ...]:
    """Every way to take one group apart into sets, with one pair where its size leaves two tiles over; () if
    there is none.

    >>> for chows, pungs, _ in group_splits(0o333):  # 111222333m
    ...     print(f"{chows:o} {pungs:o}")
    0 111
    3 0
    """
    spare = tile_count(group) % 3
    return () if spare == 1 else tuple(dict.fromkeys(_take(group, spare == 2)))


def _take(group: int, needs_pair: bool) -> Iterator[Split]:
    """All splits, some of them twice where a kind has five tiles; of the lowest tile first a pung, then a
    chow, then the pair."""
    if not group:
        if not needs_pair:
            yield NO_TILES
        return
    unit = lowest(group)
    held = group // unit & 7
    if held >= 3:
        for chows, pungs, pair in _take(group - 3 * unit, needs_pair):
            yield chows, pungs + unit, pair
    if unit in CHOW_TILES and group & 7 * unit << 3 and group & 7 * unit << 6:
        for chows, pungs, pair in _take(group - CHOW * unit, needs_pair):
            yield chows + unit, pungs, pair
    if held >= 2 and needs_pair:
        for chows, pungs, _ in _take(group - 2 * unit, False):
            yield chows, pungs, unit


@lru_cache(maxsize=_KEPT)
def group_waits(group: int) -> int:
    """The units that complete one group (not empty), also those of which all four copies are in it ("by
    form")."""
    first = ((group & -group).bit_length() - 1) // SUIT_BITS * SUIT_BITS
    units = (1 << position for position in range(first, min(first + SUIT_BITS, ONES.bit_length()), 3))
    return sum(unit for unit in units if group_splits(group + unit))


def hand_splits(concealed: int) -> list[Split]:
    """Every way to take the concealed tiles apart into sets and exactly one pair; [] if there is none."""
    found = [NO_TILES]
    for suit in GROUPS:
        group = concealed & suit
        if group:
            splits = group_splits(group)
            found = [
                (chows + more_chows, pungs + more_pungs, pair + more_pair)
                for chows, pungs, pair in found
                for more_chows, more_pungs, more_pair in splits
            ]
    # In every split of a group its pair is there or is not: the first tells for all.
    return found if found and found[0][2].bit_count() == 1 else []


def hand_waits(concealed: int) -> int:
    """The units that complete sets and exactly one pair, by form; 0 if there is none."""
    groups = [concealed & suit for suit in GROUPS if concealed & suit]
    unfinished = 0
    pairs = 0
    for group in groups:
        splits = group_splits(group)
        if not splits:
            if unfinished:
                return 0
            unfinished = group
        elif splits[0][2]:
            pairs += 1
    if unfinished:
        return group_waits(unfinished) if pairs <= 1 else 0
    # All are finished, two of them with a pair: one of the two takes another tile, and its pair with it
    # becomes a set.
    return sum(map(group_waits, groups)) if pairs == 2 else 0
