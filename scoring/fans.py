"""A fan as data: its names, points, a small condition, and which other fans it leaves out under which
rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.hand import Hand
from scoring.reading import Reading, Shape
from scoring.result import Sets

Condition = Callable[[Any], int]
"""How often a fan occurs (False or 0: not at all), asked of what its kind of fan looks at."""


def always(_: object) -> bool:
    """The condition of a fan that belongs to no family."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fan:
    """A fan. `drops` maps the name of each fan that is not counted beside this one to the rule that says so.

    `named_pungs` gives the pungs that this fan is scored for and that therefore score no 幺九刻 (packed
    units). `shows` gives the tiles that made the fan; the default is every set of the hand. `number` is the
    place in the rule set's own list, `source` says where the definition stands.
    """

    number: int
    name: str
    english: str
    points: int
    source: str
    drops: Mapping[str, str] = field(default_factory=dict)
    named_pungs: Callable[[Reading], int] | None = None
    shows: Callable[[Reading], Sets] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KindsFan(Fan):
    """A fan of hands of which all tiles, however they are read, lie within one of some masks of kinds."""

    within: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TilesFan(Fan):
    """A fan of all tiles of the hand, however they are read: `when` sees the packed multiset."""

    when: Callable[[int], bool]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FactsFan(Fan):
    """A fan of the melds and circumstances, however the hand is read: `when` sees the `Facts`.

    `needs` is a condition that a family of fans shares; it is asked once for all of them.
    """

    when: Condition
    needs: Condition = always


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InstantFan(FactsFan):
    """A fan that wins at once, whatever the other tiles are."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlowerFan(Fan):
    """A fan of the flowers alone, counted after the hand: it neither helps over the minimum nor makes a
    worthless hand (无番和) worth something. `when` sees the `Hand`; `shown` gives the flowers that made it.
    """

    when: Callable[[Hand], int]
    shown: Callable[[Hand], Sets] = lambda hand: tuple([(flower,) for flower in hand.flowers])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadingFan(Fan):
    """A fan of one reading, asked only of readings of the given `shapes`; `needs` as in `FactsFan`."""

    when: Condition
    needs: Condition = always
    shapes: frozenset[Shape] = frozenset({Shape.SETS})


def in_order(fans: Iterable[Fan]) -> tuple[Fan, ...]:
    """Fans in scoring order: those of most points first, equal ones as in the rule set's list, but each after
    all that drop it."""
    waiting = sorted(fans, key=lambda fan: (-fan.points, fan.number))
    placed: list[Fan] = []

    def place(fan: Fan) -> None:
        if fan not in placed:
            for other in waiting:
                if fan.name in other.drops:
                    place(other)
            placed.append(fan)

    for fan in waiting:
        place(fan)
    return tuple(placed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetsFan(Fan):
    """A fan of `size` chows, or of `size` suited pungs.

    `when` sees that many (suit, rank) pairs, both counted from 0, a chow by its first tile, in tile order. It
    may ask whether suits are the same, not which they are. Several such fans at once are held to the
    account-once rule: see `scoring.combinations`.
    """

    size: int
    of_chows: bool
    when: Callable[[Any], int]
