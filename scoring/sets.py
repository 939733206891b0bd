"""The sets of a reading by the names of their tiles."""

from __future__ import annotations

from functools import lru_cache

from scoring.reading import Facts, Reading, Shape
from scoring.result import Sets
from scoring.tiles import (
    BAMBOO,
    CHARACTERS,
    CHOW_TILES,
    DOTS,
    KIND_OF,
    KNITTED_STRAIGHTS,
    ONES,
    lowest,
    unpack,
)

_KEPT = 1 << 14  # answers remembered, at most; about half a kilobyte each
PUNG_TILES = {unit: (name,) * 3 for unit, name in KIND_OF.items()}
KONG_TILES = {unit: (name,) * 4 for unit, name in KIND_OF.items()}
_STRAIGHT_SETS = {
    straight: tuple([tuple(unpack(straight & suit)) for suit in (CHARACTERS, DOTS, BAMBOO)])
    for straight in KNITTED_STRAIGHTS
}
_PAIR_TILES = {unit: (name,) * 2 for unit, name in KIND_OF.items()}


@lru_cache(maxsize=_KEPT)
def chow_sets(chows: int) -> Sets:
    """A multiset of chows, in tile order."""
    found = []
    while chows:
        unit = lowest(chows)
        found.append(CHOW_TILES[unit])
        chows -= unit
    return tuple(found)


def pung_sets(pungs: int, kongs: int) -> Sets:
    """A set of pungs, in tile order; those among `kongs` with four tiles."""
    found = []
    while pungs:
        unit = pungs & -pungs
        found.append(KONG_TILES[unit] if kongs & unit else PUNG_TILES[unit])
        pungs ^= unit
    return tuple(found)


def pungs_within(reading: Reading, mask: int) -> Sets:
    """The pungs and kongs of the kinds that a mask covers."""
    return pung_sets(reading.pungs & mask, reading.facts.kongs)


def every_set(reading: Reading) -> Sets:
    """All sets, then the pair; the pairs of seven pairs; all tiles as one group where nothing belongs
    together."""
    if reading.shape is Shape.SETS:
        pungs = pung_sets(reading.pungs, reading.facts.kongs)
        return (*straight_sets(reading), *chow_sets(reading.chows), *pungs, _PAIR_TILES[reading.pair])
    tiles = tuple(unpack(reading.facts.concealed))
    return tuple([(tile, tile) for tile in tiles[::2]]) if reading.shape is Shape.PAIRS else (tiles,)


def straight_sets(reading: Reading) -> Sets:
    """The three parts of a knitted straight, or nothing."""
    return _STRAIGHT_SETS[reading.straight] if reading.straight else ()


def pair_set(reading: Reading) -> Sets:
    return (_PAIR_TILES[reading.pair],)


def kong_sets(reading: Reading, concealed: bool | None = None) -> Sets:
    """The kongs: all, or the concealed, or the claimed ones."""
    facts = reading.facts
    kongs = facts.kongs
    if concealed is not None:
        kongs = facts.hidden_kongs if concealed else kongs ^ facts.hidden_kongs
    return pung_sets(kongs, kongs)


def concealed_pung_sets(reading: Reading) -> Sets:
    """The concealed pungs and kongs; a pung finished by a discard is not one."""
    return pung_sets(reading.concealed_pungs, reading.facts.kongs)


def winning_tile(reading: Reading) -> Sets:
    return ((reading.facts.hand.winning,),)


def fours(reading: Reading) -> Sets:
    """The kinds of which the hand holds four that are not a kong."""
    hogs = four_of_a_kind(reading.facts)
    return pung_sets(hogs, hogs)


def four_of_a_kind(facts: Facts) -> int:
    """The units of the kinds with four tiles that are not declared a kong."""
    return facts.tiles >> 2 & ONES ^ facts.kongs
