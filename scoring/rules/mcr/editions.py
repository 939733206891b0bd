"""The editions of the Chinese Official table: what each changes in the fans of the 2025 edition."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TypeVar

from scoring.fans import FactsFan, Fan, in_order
from scoring.rules.mcr import circumstances, combining, pungs, shapes, tiles
from scoring.rules.mcr.circumstances import hidden_kongs, melded_kongs
from scoring.sets import kong_sets
from scoring.table import FanTable

F = TypeVar("F", bound=Fan)

OF_1998: tuple[Fan, ...] = (
    *tiles.FANS,
    *combining.FANS,
    *shapes.FANS,
    *pungs.FANS,
    *circumstances.FANS,
    circumstances.CHICKEN_HAND,
)
"""The official table of 1998, flowers aside, as today's referees read it; a melded and a concealed kong score
明杠 and 暗杠."""

OF_2025: tuple[Fan, ...] = (*OF_1998, circumstances.MELDED_AND_CONCEALED_KONG)


def green_book(fan: Fan) -> Fan:
    """A fan of 1998 as the World Mahjong Organization's book has it."""
    if fan.name == "双暗杠":
        return replace(fan, points=8)
    if isinstance(fan, FactsFan) and fan.name == "双明杠":  # a melded and a concealed kong score it, and 暗杠
        return replace(
            fan, when=lambda facts: melded_kongs(facts) + min(hidden_kongs(facts), 1) >= 2, shows=kong_sets
        )
    if fan.name == "清幺九":
        return _without_dropping(fan, "双同刻")
    if fan.name == "绿一色":
        return _without_dropping(fan, "混一色")
    return _without_dropping(fan, "不求人")  # what is concealed by nature scores it when self-drawn


def _without_dropping(fan: F, name: str) -> F:
    return replace(fan, drops={dropped: rule for dropped, rule in fan.drops.items() if dropped != name})


EDITIONS: dict[str, tuple[Fan, ...]] = {
    "2025": OF_2025,
    "1998": OF_1998,
    "green-book": tuple(map(green_book, OF_1998)),
}
TOLD_FIRST = ("一色三同顺", "三同刻")  # of equal readings, as players and other calculators name such hands
DEFAULT_EDITION = "2025"


@cache
def fan_table(edition: str) -> FanTable:
    """The fans of an edition in scoring order: those of most points first, equal ones as in the official
    list."""
    worthless = circumstances.CHICKEN_HAND.name
    return FanTable(in_order(EDITIONS[edition]), worthless, pungs.ORPHAN_PUNG, preferred=TOLD_FIRST)
