"""The hands of the Cantonese table and the bonuses of small ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from scoring.fans import FactsFan, Fan, KindsFan, ReadingFan, TilesFan
from scoring.reading import Facts, Reading, Shape
from scoring.rules.mcr.circumstances import NINE_GATES
from scoring.rules.mcr.pungs import dragons, winds
from scoring.rules.mcr.tiles import half_flush
from scoring.sets import kong_sets, pair_set, pungs_within, winning_tile
from scoring.tiles import BAMBOO, CHARACTERS, DOTS, DRAGONS, HONORS, ORPHANS, TERMINALS, WINDS

F = TypeVar("F", bound=Fan)

SOURCE = "Cantonese table 鸡平胡"


def all_pungs(reading: Reading) -> bool:
    return reading.shape is Shape.SETS and not reading.chows


def is_one_suit(tiles: int) -> bool:
    return any(not tiles & ~suit for suit in (CHARACTERS, DOTS, BAMBOO))


def pattern(kind: type[F], number: int, name: str, english: str, points: int, **details: Any) -> F:
    return kind(number=number, name=name, english=english, points=points, source=SOURCE, **details)


def event(name: str) -> Callable[[Facts], bool]:
    return lambda facts: name in facts.events


def pungs_of(tiles: Callable[[int], bool]) -> Callable[[Reading], bool]:
    return lambda reading: all_pungs(reading) and tiles(reading.facts.tiles)


FIRST_ROUND_FAN = 6  # 番 of 天和, 地和 and 人和 where a table says nothing else
first_round = partial(pattern, points=FIRST_ROUND_FAN, shows=winning_tile)
BOTH_SHAPES = frozenset({Shape.SETS, Shape.ORPHANS})

HANDS: tuple[Fan, ...] = (
    pattern(KindsFan, 1, "字一色", "All Honors", 6, within=(HONORS,)),
    pattern(KindsFan, 2, "清幺九", "All Terminals", 6, within=(TERMINALS,)),
    pattern(
        ReadingFan,
        3,
        "大三元",
        "Big Three Dragons",
        6,
        when=lambda reading: dragons(reading) == 3,
        shows=lambda reading: pungs_within(reading, DRAGONS),
    ),
    pattern(
        ReadingFan,
        4,
        "大四喜",
        "Big Four Winds",
        6,
        when=lambda reading: winds(reading) == 4,
        shows=lambda reading: pungs_within(reading, WINDS),
    ),
    pattern(FactsFan, 5, "九莲宝灯", "Nine Gates", 6, when=lambda facts: facts.rest in NINE_GATES),
    pattern(
        ReadingFan, 6, "十三幺", "Thirteen Orphans", 6, shapes=frozenset({Shape.ORPHANS}), when=lambda _: True
    ),
    first_round(FactsFan, 7, "天和", "Heavenly Hand", when=event("heavenly-hand")),
    first_round(FactsFan, 8, "地和", "Earthly Hand", when=event("earthly-hand")),
    first_round(FactsFan, 9, "人和", "Humanly Hand", when=event("humanly-hand")),
    pattern(ReadingFan, 10, "清碰", "Pure All Pungs", 5, when=pungs_of(is_one_suit)),
    pattern(KindsFan, 11, "混幺九", "All Terminals and Honors", 5, within=(ORPHANS,)),
    pattern(
        ReadingFan,
        12,
        "小三元",
        "Little Three Dragons",
        5,
        when=lambda reading: dragons(reading) == 2 and reading.pair & DRAGONS != 0,
        shows=lambda reading: pungs_within(reading, DRAGONS) + pair_set(reading),
    ),
    pattern(
        ReadingFan,
        13,
        "小四喜",
        "Little Four Winds",
        5,
        when=lambda reading: winds(reading) == 3 and reading.pair & WINDS != 0,
        shows=lambda reading: pungs_within(reading, WINDS) + pair_set(reading),
    ),
    pattern(KindsFan, 14, "清一色", "Full Flush", 4, within=(CHARACTERS, DOTS, BAMBOO)),
    pattern(ReadingFan, 15, "混碰", "Mixed All Pungs", 4, when=pungs_of(half_flush)),
    pattern(
        FactsFan,
        16,
        "杠上开花",
        "Out with Replacement Tile",
        3,
        when=lambda facts: facts.on_kong and facts.self_drawn,
        shows=winning_tile,
    ),
    pattern(
        FactsFan,
        17,
        "抢杠和",
        "Robbing the Kong",
        3,
        when=lambda facts: facts.on_kong and not facts.self_drawn,
        shows=winning_tile,
    ),
    pattern(
        FactsFan,
        18,
        "海底捞月",
        "Last Tile Draw",
        3,
        when=lambda facts: facts.last_tile and facts.self_drawn,
        shows=winning_tile,
    ),
    pattern(
        FactsFan,
        19,
        "一炮三响",
        "Three Winners on One Discard",
        3,
        when=event("three-winners"),
        shows=winning_tile,
    ),
    pattern(ReadingFan, 20, "碰碰和", "All Pungs", 2, when=all_pungs),
    pattern(TilesFan, 21, "混一色", "Half Flush", 2, when=half_flush),
    pattern(ReadingFan, 22, "平和", "All Chows", 1, when=lambda reading: not reading.pungs),
    pattern(ReadingFan, 23, "鸡和", "Chicken Hand", 0, shapes=BOTH_SHAPES, when=lambda _: True),
)
"""The hands, of which the highest counts. 杠上开花 and its like are of three 番: they raise smaller ones."""

BONUSES: tuple[Fan, ...] = (
    pattern(FactsFan, 31, "自摸", "Self-Drawn", 1, when=lambda facts: facts.self_drawn, shows=winning_tile),
    pattern(
        ReadingFan,
        32,
        "门风刻",
        "Seat Wind",
        1,
        when=lambda reading: reading.pungs & reading.facts.seat != 0,
        shows=lambda reading: pungs_within(reading, reading.facts.seat),
    ),
    pattern(
        ReadingFan,
        33,
        "圈风刻",
        "Prevalent Wind",
        1,
        when=lambda reading: reading.pungs & reading.facts.prevalent != 0,
        shows=lambda reading: pungs_within(reading, reading.facts.prevalent),
    ),
    pattern(
        ReadingFan,
        34,
        "箭刻",
        "Dragon Pung",
        1,
        when=dragons,
        shows=lambda reading: pungs_within(reading, DRAGONS),
    ),
    pattern(
        FactsFan,
        35,
        "杠",
        "Kong",
        1,
        shows=kong_sets,
        when=lambda facts: facts.kongs.bit_count() * facts.situation.number("kong_fan"),
    ),
)
BONUS_NAMES = frozenset(fan.name for fan in BONUSES)
FIRST_ROUND_NAMES = ("天和", "地和", "人和")
