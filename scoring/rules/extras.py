"""Fans that the online tables add to the official ones: of special events, of the pair, of flowers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from scoring.fans import FactsFan, Fan, FlowerFan, ReadingFan
from scoring.hand import Hand
from scoring.result import Sets
from scoring.sets import pair_set, winning_tile
from scoring.situation import READY
from scoring.tiles import FLOWERS, ranks

F = TypeVar("F", bound=Fan)

SEASONS, PLANTS = FLOWERS[:4], FLOWERS[4:]
TWO_FIVE_EIGHT = ranks("258")
WAITS = "边张 坎张 单钓将"


def implied(by: str, dropped: str) -> dict[str, str]:
    """The rule by which one fan leaves out others that it always brings."""
    rule = "不重复: {} is not counted beside {}, which always brings it"
    return {name: rule.format(name, by) for name in dropped.split()}


def extra(
    kind: type[F], number: int, name: str, english: str, points: int, *, drops: str = "", **details: Any
) -> F:
    """A fan of an online table, `number` its place after the official 82."""
    return kind(
        number=number, name=name, english=english, points=points, drops=implied(name, drops), **details
    )


def won_by(event: str, number: int, points: int, source: str) -> FactsFan:
    """天和, 地和 or 人和: the hand won in the first round."""
    name, english, drops = {
        "heavenly-hand": ("天和", "Heavenly Hand", f"{WAITS} 不求人 自摸"),
        "earthly-hand": ("地和", "Earthly Hand", "不求人 自摸"),
        "humanly-hand": ("人和", "Humanly Hand", "门前清"),
    }[event]
    return extra(
        FactsFan,
        number,
        name,
        english,
        points,
        drops=drops,
        source=source,
        when=lambda facts: event in facts.events,
        shows=winning_tile,
    )


def declared(
    name: str, english: str, events: Collection[str], number: int, points: int, source: str, drops: str = ""
) -> FactsFan:
    """A concealed hand declared ready, by one of the events."""
    wanted = frozenset(events)
    return extra(
        FactsFan,
        number,
        name,
        english,
        points,
        drops=drops,
        source=source,
        when=lambda facts: bool(facts.events and wanted & facts.events),
        shows=lambda _: (),
    )


def ready(name: str, english: str, number: int, source: str) -> FactsFan:
    """报听 or 立直, which each of the declarations brings."""
    return declared(name, english, READY, number, 2, source)


def two_five_eight_pair(number: int, source: str) -> ReadingFan:
    return extra(
        ReadingFan,
        number,
        "二五八将",
        "Pair of 2, 5 or 8",
        1,
        source=source,
        when=lambda reading: reading.pair & TWO_FIVE_EIGHT != 0,
        shows=pair_set,
    )


def four_flowers(
    family: Sequence[str], number: int, name: str, english: str, points: int, source: str
) -> FlowerFan:
    """All four of a family of flowers, besides the point of each."""

    def has_all(hand: Hand) -> bool:
        return hand.unnamed_flowers == len(FLOWERS) or set(family) <= set(hand.flowers)

    def shown(hand: Hand) -> Sets:
        return (tuple(family),) if hand.flowers else ()

    return extra(FlowerFan, number, name, english, points, source=source, when=has_all, shown=shown)


def also_dropping(fans: Sequence[Fan], added: dict[str, str]) -> tuple[Fan, ...]:
    """Fans, some of which leave out more: `added` gives the names, in a row, by the fan that brings them."""
    return tuple(
        replace(fan, drops={**fan.drops, **implied(fan.name, added[fan.name])}) if fan.name in added else fan
        for fan in fans
    )


BRING_258 = dict.fromkeys(("一色双龙会", "三色双龙会", "全带五"), "二五八将")
"""Official fans whose pair is always a five."""
