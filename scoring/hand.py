"""A hand as a value: melds, concealed tiles, the winning tile and the circumstances of the win.

Any tiles make a `Hand`, also ones that cannot occur at a table (a mis-read photo, say): see
`scoring.legality`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.tiles import FLOWERS, HONOR_NAMES, UNIT

WINDS = ("E", "S", "W", "N")
FLOWER_ORDER = {name: place for place, name in enumerate((*FLOWERS, *HONOR_NAMES))}  # honours: in fuzhou


class MeldKind(StrEnum):
    CHOW = "chow"
    PUNG = "pung"
    MELDED_KONG = "melded-kong"
    ADDED_KONG = "added-kong"
    CONCEALED_KONG = "concealed-kong"

    @property
    def is_kong(self) -> bool:
        return self not in (MeldKind.CHOW, MeldKind.PUNG)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table.

    `source` is the digit of the notation: for a chow which of its tiles was claimed (1-3, counted from the
    lowest), for a pung or kong from whom (1 left, 2 across, 3 right). 0 is "not said" for a chow or pung and
    the only value for a concealed kong; a claimed kong always has a source (the notation tells it from a
    concealed one by that), 1 where nobody said.
    """

    kind: MeldKind
    tiles: tuple[str, ...]
    source: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for a name that is no tile and for a source outside 0-3."""
        if self.source not in (0, 1, 2, 3):
            raise ValueError(
                f"{self.source} is not the source of a meld: use 1, 2 or 3, or 0 where nobody said."
            )
        if self.kind is MeldKind.CONCEALED_KONG:
            object.__setattr__(self, "source", 0)
        elif self.kind.is_kong:
            object.__setattr__(self, "source", self.source or 1)
        object.__setattr__(self, "tiles", _in_order(self.tiles, UNIT))


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at the moment of winning. Concealed tiles and flowers are kept in tile order, so equal hands
    compare equal.

    `concealed` does not hold the winning tile. `last_copy`: the other three tiles of the winning kind lie
    open (和绝张). `last_tile`: won on the wall's last tile, or on the discard after it. `kong`: won on the
    tile that replaced a kong, or by robbing one. `flowers` names them; `unnamed_flowers` counts those of
    which only the number is known.
    """

    melds: tuple[Meld, ...]
    concealed: tuple[str, ...]
    winning: str
    prevalent: str = "E"
    seat: str = "E"
    self_drawn: bool = False
    last_copy: bool = False
    last_tile: bool = False
    kong: bool = False
    flowers: tuple[str, ...] = ()
    unnamed_flowers: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for a name that is no tile, for a wind that is none, for flowers both named and
        counted."""
        _in_order((self.winning,), UNIT)
        if self.prevalent not in WINDS or self.seat not in WINDS:
            raise ValueError(f"'{self.prevalent}' and '{self.seat}' must be winds: use E, S, W or N.")
        if self.unnamed_flowers < 0 or (self.flowers and self.unnamed_flowers):
            raise ValueError("Flowers are either named or counted: give the names, or a number from 0 up.")
        object.__setattr__(self, "melds", tuple(self.melds))
        object.__setattr__(self, "concealed", _in_order(self.concealed, UNIT))
        object.__setattr__(self, "flowers", _in_order(self.flowers, FLOWER_ORDER))

    @property
    def flower_count(self) -> int:
        return len(self.flowers) + self.unnamed_flowers

    @property
    def sets(self) -> int | None:
        """How many sets besides the pair its number of tiles allows (4, or 5 at sixteen-tile tables); None if
        it fits none."""
        sets, spare = divmod(len(self.concealed) + 1 + 3 * len(self.melds) - 2, 3)
        return sets if spare == 0 and sets >= 0 else None

    def __str__(self) -> str:
        from scoring.notation import format_hand

        return format_hand(self)


def _in_order(tiles: Iterable[str], order: Mapping[str, int]) -> tuple[str, ...]:
    try:
        return tuple(sorted(tiles, key=order.__getitem__))
    except KeyError as unknown:
        raise ValueError(
            f"{unknown} is not a tile here: use 1m-9m, 1p-9p, 1s-9s, E S W N, C F P; flowers a-h."
        ) from None
