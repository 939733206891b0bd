"""Wild tiles: the kinds that they can take so that a hand wins.

A completion is a packed multiset (see `scoring.tiles`) of the tiles that the wild ones become. Suits are
completed one at a time and put together, as in `scoring.splits`; of a kind a hand holds no more than four,
except where a caller allows a wild tile to be the fifth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement

from scoring.hand import Hand
from scoring.shapes import HAND_TILES, kinds_in
from scoring.splits import take_apart
from scoring.tiles import (
    GROUPS,
    HONORS,
    KNITTED_STRAIGHTS,
    ONES,
    ORPHANS,
    SUIT_BITS,
    UNIT,
    tile_count,
    unpack,
)

_KEPT = 1 << 14  # suits remembered, at most; a few kilobytes each at the worst
MOST_WILD = 4

_ADDED = {
    kinds: [
        tuple(
            sum(added)
            for added in combinations_with_replacement([1 << 3 * kind for kind in range(kinds)], size)
        )
        for size in range(MOST_WILD + 1)
    ]
    for kinds in (7, 9)
}
"""Every multiset of up to four honours, or of up to four tiles of a suit, by its size."""


def above_four(tiles: int) -> bool:
    """Whether a packed multiset holds more than four tiles of a kind."""
    fours = tiles & ONES << 2
    return bool(tiles & (fours >> 1 | fours >> 2))


@lru_cache(maxsize=_KEPT)
def suit_completions(tiles: int, suited: bool, wild: int, pair: bool, fifth: bool = False) -> tuple[int, ...]:
    """What so many wild tiles become in one suit, at position 0, to leave sets (and a pair)."""
    return tuple(
        added
        for added in _ADDED[9 if suited else 7][wild]
        if (fifth or not above_four(tiles + added)) and take_apart(tiles + added, suited, pair)
    )


def completions(
    tiles: int,
    wild: int,
    *,
    pair: bool = True,
    groups: Collection[int] = GROUPS,
    fifth: bool = False,
) -> Iterator[int]:
    """Every way for `wild` tiles to complete packed concealed tiles to sets and a pair (`pair` False: to sets
    alone), wild tiles taking kinds of `groups` only.

    `fifth`: also to more than four of a kind, as far as a packed digit holds them: seven.

    >>> from scoring.tiles import pack
    >>> [[*unpack(added)] for added in completions(pack(["1m", "2m", "E"]), 2)]
    [['3m', 'E']]
    """
    places = [(start, tiles >> start & (mask >> start), start < 3 * SUIT_BITS, mask in groups)
              for start, mask in zip(range(0, 4 * SUIT_BITS, SUIT_BITS), GROUPS, strict=True)]  # fmt: skip
    yield from _complete(places, wild, pair, fifth)


def _complete(places: list[tuple[int, int, bool, bool]], wild: int, pair: bool, fifth: bool) -> Iterator[int]:
    if not places:
        if not wild and not pair:
            yield 0
        return
    (start, tiles, suited, takes_wild), rest = places[0], places[1:]
    held = tile_count(tiles)
    for used in range(wild + 1 if takes_wild else 1):
        spare = (held + used) % 3
        if spare == 1 or (spare == 2 and not pair):
            continue
        own = suit_completions(tiles, suited, used, spare == 2, fifth)
        if own:
            for others in _complete(rest, wild - used, pair and spare == 0, fifth):
                for added in own:
                    yield (added << start) + others


def completing(tiles: int, wild: int, melds: int) -> set[int]:
    """Every way for `wild` tiles to complete packed concealed tiles to a winning hand of any shape."""
    found = set(completions(tiles, wild))
    kinds = kinds_in(tiles)
    if melds <= 1:
        for straight in KNITTED_STRAIGHTS:
            missing = straight & ~kinds
            if missing.bit_count() <= wild:
                spare = wild - missing.bit_count()
                found.update(missing + added for added in completions(tiles + missing - straight, spare))
    if not melds:
        found.update(_pairs(tiles, wild))
        found.update(_orphans(tiles, kinds, wild))
        found.update(_knitted(tiles, kinds, wild))
    return found


def _pairs(tiles: int, wild: int) -> Iterator[int]:
    """Seven pairs."""
    odd = tiles & ONES
    pairs, spare = divmod(wild - odd.bit_count(), 2)
    if pairs >= 0 and not spare and tile_count(tiles) + wild == HAND_TILES:
        for units in combinations_with_replacement(UNIT.values(), pairs):
            added = odd + 2 * sum(units)
            if not above_four(tiles + added):
                yield added


def _orphans(tiles: int, kinds: int, wild: int) -> Iterator[int]:
    """Thirteen orphans."""
    missing = ONES & ORPHANS & ~kinds
    twice = tile_count(tiles) - kinds.bit_count()
    if tiles & ~ORPHANS or twice > 1 or missing.bit_count() + 1 - twice != wild:
        return
    if twice:
        yield missing
    else:
        for unit in units_of(ONES & ORPHANS):
            yield missing + unit


def _knitted(tiles: int, kinds: int, wild: int) -> Iterator[int]:
    """Honours and knitted tiles, none of them twice."""
    if tiles != kinds or tile_count(tiles) + wild != HAND_TILES:
        return
    for straight in KNITTED_STRAIGHTS:
        wanted = straight | ONES & HONORS
        if not tiles & ~wanted:
            yield from (sum(units) for units in combinations(units_of(wanted & ~tiles), wild))


def units_of(packed: int) -> list[int]:
    """The units of the kinds in a packed multiset."""
    kinds = kinds_in(packed)
    found = []
    while kinds:
        unit = kinds & -kinds
        found.append(unit)
        kinds ^= unit
    return found


def named_hand(hand: Hand, wild: str, added: int, winning: str | None = None) -> Hand:
    """A hand with its concealed wild tiles replaced by what they stand for, a wild winning tile by
    `winning`."""
    names = list(unpack(added))
    last = hand.winning
    if last == wild:
        last = winning or names[0]
        names.remove(last)
    concealed = [tile for tile in hand.concealed if tile != wild]
    return replace(hand, concealed=(*concealed, *names), winning=last)


def count_wild(hand: Hand, wild: str) -> int:
    """How many wild tiles the concealed part holds, the winning tile included."""
    return hand.concealed.count(wild) + (hand.winning == wild)


def without_wild(hand: Hand, wild: str) -> int:
    """The packed concealed tiles that are not wild, the winning tile included."""
    return sum(UNIT[tile] for tile in (*hand.concealed, hand.winning) if tile != wild)


def stands_for(hand: Hand, wild: str | None, named: Hand | None) -> tuple[tuple[str, str], ...]:
    """The kind that each wild tile takes in the named hand, a wild winning tile last."""
    if wild is None or named is None:
        return ()
    left = list(named.concealed)
    for tile in hand.concealed:
        if tile != wild:
            left.remove(tile)
    kinds = [*left, named.winning] if hand.winning == wild else left
    return tuple((wild, kind) for kind in kinds)
