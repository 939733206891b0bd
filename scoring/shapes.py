"""Winning shapes besides sets and a pair, and what a photo reader asks: do these tiles win, and what do they
wait for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.splits import hand_splits
from scoring.tiles import ALL, KINDS, KNITTED_STRAIGHTS, ONES, ORPHANS, SUITED, UNIT, pack, tile_count

_ORPHAN_ONES = ONES & ORPHANS
_STRAIGHT_TILES = 9
COPIES = 4
HAND_TILES = 14
HAND_SIZES = (HAND_TILES, 17)  # four sets and a pair, and the five sets and a pair of the sixteen-tile tables


def kinds_in(packed: int) -> int:
    """One unit for each kind that is present."""
    return (packed | packed >> 1 | packed >> 2) & ONES


def is_seven_pairs(concealed: int) -> bool:
    """Fourteen tiles in pairs; four equal tiles are two pairs."""
    return not concealed & ONES and tile_count(concealed) == HAND_TILES


def is_thirteen_orphans(concealed: int) -> bool:
    """Each terminal and honour, and one of them twice."""
    return kinds_in(concealed) == _ORPHAN_ONES and tile_count(concealed) == HAND_TILES


def is_honors_and_knitted(concealed: int) -> bool:
    """Fourteen different tiles: honours, and of the suits only tiles of one knitted straight."""
    if concealed & (ALL ^ ONES) or concealed.bit_count() != HAND_TILES:
        return False
    suited = concealed & SUITED
    return any(suited | straight == straight for straight in KNITTED_STRAIGHTS)


def knitted_straight(concealed: int) -> int:
    """The knitted straight that the tiles hold, or 0."""
    kinds = kinds_in(concealed)
    if (kinds & SUITED).bit_count() < _STRAIGHT_TILES:
        return 0
    for straight in KNITTED_STRAIGHTS:
        if kinds & straight == straight:
            return straight
    return 0


def pairs_wait(concealed: int) -> int:
    """The unit that makes thirteen tiles into seven pairs, or 0."""
    odd = concealed & ONES
    return odd if odd and not odd & (odd - 1) and tile_count(concealed) == HAND_TILES - 1 else 0


def is_winning(concealed: int, melds: int, total: int = HAND_TILES) -> bool:
    """Whether packed concealed tiles and melds make any winning shape; `total` counts three tiles for each
    meld."""
    if hand_splits(concealed):
        return True
    if total != HAND_TILES:
        return False
    straight = knitted_straight(concealed)
    if straight and hand_splits(concealed - straight):
        return True
    return not melds and (
        is_seven_pairs(concealed) or is_thirteen_orphans(concealed) or is_honors_and_knitted(concealed)
    )


def winning_shape(counts: Sequence[int], melds: int = 0) -> bool:
    """Whether concealed tiles (counts of the 34 kinds in tile order, winning tile included) and `melds` melds
    win.

    Four sets and a pair, or five (17 tiles); with 14 tiles also a knitted straight with a set and a pair, and
    with no meld seven pairs, thirteen orphans, honours and knitted tiles. Raises ValueError if `counts` is
    not 34 long.

    >>> winning_shape([3, 1, 1, 1, 1, 1, 1, 1, 3] + [0] * 25)
    False
    >>> winning_shape([3, 1, 1, 1, 2, 1, 1, 1, 3] + [0] * 25)
    True
    """
    if len(counts) != len(KINDS):
        raise ValueError(f"counts has {len(counts)} entries: give one for each of the 34 kinds.")
    total = sum(counts) + 3 * melds
    if total not in HAND_SIZES or min(counts) < 0 or max(counts) > COPIES:
        return False
    return is_winning(sum(count << 3 * kind for kind, count in enumerate(counts)), melds, total)


def waits(tiles: Iterable[str], melds: int = 0) -> tuple[str, ...]:
    """The kinds that complete concealed tiles (winning tile missing) and `melds` melds, in tile order.

    A kind of which all four copies are among `tiles` is no wait. Raises ValueError for a name that is no tile
    of the 34 kinds.

    >>> waits(["2m", "3m", "5p", "5p"], melds=3)
    ('1m', '4m')
    """
    held = list(tiles)
    for tile in held:
        if tile not in UNIT:
            raise ValueError(f"'{tile}' is not a tile here: use 1m-9m, 1p-9p, 1s-9s, E S W N, C F P.")
    total = len(held) + 1 + 3 * melds
    if total not in HAND_SIZES or max(map(held.count, held), default=0) > COPIES:
        return ()
    packed = pack(held)
    return tuple(
        tile for tile in KINDS if held.count(tile) < COPIES and is_winning(packed + UNIT[tile], melds, total)
    )
