"""Taking tiles apart into sets and a pair, one group (a suit, or the honours) at a time.

A group is a packed multiset in its own place (see `scoring.tiles`), so the parts of a hand are slices of one
integer and the answers are sums of units. A hand has few different groups over a session of play; both
functions keep what they found.
"""

from __future__ import annotations

from functools import lru_cache

from scoring.tiles import CHOW, GROUPS, SUIT_BITS, lowest, tile_count

_KEPT = 1 << 16  # groups remembered, at most; about 200 bytes each

_HONORS_START = 3 * SUIT_BITS
_SUIT = (1 << SUIT_BITS) - 1

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
    if spare == 1:
        return ()
    start = _start(group)
    found = take_apart(group >> start, start < _HONORS_START, spare == 2)
    return tuple([(chows << start, pungs << start, pair << start) for chows, pungs, pair in found])


@lru_cache(maxsize=_KEPT)
def group_waits(group: int) -> int:
    """The units that complete one group (not empty), by form: also a kind of which it holds all four
    copies."""
    spare = (tile_count(group) + 1) % 3
    if spare == 1:
        return 0
    start = _start(group)
    return _waits(group >> start, start < _HONORS_START, spare == 2) << start


def _start(group: int) -> int:
    """The position of the first kind of the suit, or of the honours, that a group belongs to."""
    return ((group & -group).bit_length() - 1) // SUIT_BITS * SUIT_BITS


# Below, tiles lie at position 0 whatever their suit, so that suits share what was found.


@lru_cache(maxsize=_KEPT)
def _waits(tiles: int, suited: bool, needs_pair: bool) -> int:
    """The units that complete the tiles: the lowest tile lies in a set or pair that is there, or in the one
    that is completed."""
    if not tiles:
        return 0
    unit = lowest(tiles)
    held = tiles // unit & 7
    second = bool(suited and tiles & 7 * unit << 3)
    third = bool(suited and tiles & 7 * unit << 6)
    found = 0
    if held >= 3:
        found |= _waits(tiles - 3 * unit, suited, needs_pair)
    if second and third:
        found |= _waits(tiles - CHOW * unit, suited, needs_pair)
    if held >= 2:
        rest = tiles - 2 * unit
        if needs_pair:
            found |= _waits(rest, suited, False)
        if take_apart(rest, suited, needs_pair):
            found |= unit
    if needs_pair and take_apart(tiles - unit, suited, False):
        found |= unit
    if second and take_apart(tiles - unit - (unit << 3), suited, needs_pair):
        found |= unit >> 3 | unit << 6 & _SUIT
    if third and take_apart(tiles - unit - (unit << 6), suited, needs_pair):
        found |= unit << 3
    return found


@lru_cache(maxsize=_KEPT)
def take_apart(tiles: int, suited: bool, needs_pair: bool) -> tuple[Split, ...]:
    """All splits; of the lowest tile first a pung, then a chow, then the pair."""
    if not tiles:
        return () if needs_pair else (NO_TILES,)
    unit = lowest(tiles)
    held = tiles // unit & 7
    found: list[Split] = []
    if held >= 3:
        rest = take_apart(tiles - 3 * unit, suited, needs_pair)
        found += [(chows, pungs + unit, pair) for chows, pungs, pair in rest]
    if suited and tiles & 7 * unit << 3 and tiles & 7 * unit << 6:
        rest = take_apart(tiles - CHOW * unit, suited, needs_pair)
        found += [(chows + unit, pungs, pair) for chows, pungs, pair in rest]
    if held >= 2 and needs_pair:
        rest = take_apart(tiles - 2 * unit, suited, False)
        found += [(chows, pungs, unit) for chows, pungs, _ in rest]
    return tuple(dict.fromkeys(found))  # of five equal tiles pung and pair are found twice


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
