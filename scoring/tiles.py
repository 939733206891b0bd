"""Tile names, and multisets of tiles as one integer.

A multiset of the 34 kinds is packed three bits a kind, 1m lowest: `oct(packed)` reads as the counts, 1m
rightmost. Adding tiles is integer addition, "only these kinds" is one `&`, and a suit is a slice of the
integer that can key a cache. A digit holds at most 7, enough for the fifth copy that a wait "by form" asks
about; `tile_count` tells an overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SUITS = "mps"
TILES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)),
    *"ESWNCFP",
    *"abcdefgh",
)
"""All 42 names in the order used everywhere: characters, dots, bamboo, winds, dragons (red, green, white),
flowers."""

KINDS = TILES[:34]
HONOR_NAMES = KINDS[27:]
FLOWERS = TILES[34:]
INDEX: dict[str, int] = {name: index for index, name in enumerate(TILES)}

UNIT: dict[str, int] = {name: 1 << 3 * index for index, name in enumerate(KINDS)}
"""One tile of each kind, packed."""

SUIT_BITS = 27  # nine kinds of three bits


def pack(tiles: Iterable[str]) -> int:
    """Pack tile names (no flowers).

    >>> oct(pack(["1m", "1m", "3m"]))
    '0o102'
    """
    return sum(UNIT[tile] for tile in tiles)


def unpack(packed: int) -> Iterator[str]:
    """The tile names in a packed multiset, in tile order."""
    while packed:
        unit = lowest(packed)
        yield KIND_OF[unit]
        packed -= unit


def lowest(packed: int) -> int:
    """One tile of the first kind in a packed multiset that is not empty."""
    position = (packed & -packed).bit_length() - 1
    return int(1 << position - position % 3)


def mask(tiles: Iterable[str]) -> int:
    """A mask that covers every copy of the named kinds."""
    return sum(7 * unit for unit in {UNIT[tile] for tile in tiles})


def tile_count(packed: int) -> int:
    """The number of tiles packed; it differs from the number put in when a kind overflowed its digit."""
    return (
        (packed & ONES).bit_count()
        + 2 * (packed & ONES << 1).bit_count()
        + 4 * (packed & ONES << 2).bit_count()
    )


KIND_OF: dict[int, str] = {unit: name for name, unit in UNIT.items()}
ONES = sum(UNIT.values())
ALL = 7 * ONES
CHARACTERS = mask(KINDS[0:9])
DOTS = mask(KINDS[9:18])
BAMBOO = mask(KINDS[18:27])
WINDS = mask("ESWN")
DRAGONS = mask("CFP")
HONORS = WINDS | DRAGONS
SUITED = CHARACTERS | DOTS | BAMBOO
GROUPS = (CHARACTERS, DOTS, BAMBOO, HONORS)


def ranks(wanted: str) -> int:
    """A mask of the given ranks in all three suits, for instance `ranks("19")`."""
    return mask(rank + suit for rank in wanted for suit in SUITS)


def others(kinds: int) -> int:
    """A mask of all kinds that a mask does not cover (a positive number: `&` with one of those is the
    quicker)."""
    return ALL ^ kinds


TERMINALS = ranks("19")
ORPHANS = TERMINALS | HONORS
SIMPLES = ranks("2345678")


def is_chow(tiles: Iterable[str]) -> bool:
    """Three tiles of one suit in a row, in any order.

    >>> is_chow(["3m", "1m", "2m"]), is_chow(["E", "S", "W"]), is_chow(["9m", "1p", "2p"])
    (True, False, False)
    """
    return tuple(sorted(tiles, key=INDEX.__getitem__)) in CHOWS


def is_pung(tiles: Iterable[str]) -> bool:
    """Three equal tiles (not flowers).

    >>> is_pung(["C", "C", "C"]), is_pung(["a", "a", "a"])
    (True, False)
    """
    return tuple(tiles) in PUNGS


def is_kong(tiles: Iterable[str]) -> bool:
    """Four equal tiles (not flowers)."""
    return tuple(tiles) in KONGS


CHOWS: dict[tuple[str, ...], int] = {
    (f"{rank}{suit}", f"{rank + 1}{suit}", f"{rank + 2}{suit}"): UNIT[f"{rank}{suit}"]
    for suit in SUITS
    for rank in range(1, 8)
}
"""The 21 chows; a chow is known by the unit of its first tile, a pung or kong by the unit of its tile."""
PUNGS: dict[tuple[str, ...], int] = {(name,) * 3: unit for name, unit in UNIT.items()}
KONGS: dict[tuple[str, ...], int] = {(name,) * 4: unit for name, unit in UNIT.items()}

CHOW_TILES: dict[int, tuple[str, ...]] = {unit: tiles for tiles, unit in CHOWS.items()}
CHOW = 1 + (1 << 3) + (1 << 6)
"""`unit * CHOW` is the chow that starts at `unit`, `unit * 3` the pung of it."""

KNITTED_STRAIGHTS: tuple[int, ...] = tuple(
    pack(rank + suit for suit, third in zip(suits, ("147", "258", "369"), strict=True) for rank in third)
    for suits in ("mps", "msp", "pms", "psm", "smp", "spm")
)
"""147 of one suit, 258 of another, 369 of the third: six ways."""
