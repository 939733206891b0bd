"""Chinese Official fans of the shape of a reading: special hands, what every set has in common, the wait it
had."""

from __future__ import annotations

from functools import partial

from scoring.fans import ReadingFan
from scoring.reading import Reading, Shape
from scoring.result import Sets
from scoring.rules.mcr.building import concealed_by_nature, official
from scoring.sets import every_set, pair_set, straight_sets
from scoring.tiles import CHOW_TILES, HONORS, ONES, SIMPLES, SUITED, SUITS, UNIT, others, pack, ranks

INNER_CHOWS = others(ranks("17"))  # by their first tiles
CHOWS_123 = ranks("1")
CHOWS_789 = ranks("7")
CHOWS_WITHOUT_FIVES = others(ranks("345"))
WITHOUT_FIVES = others(ranks("5"))

SHIFTED_PAIRS = frozenset(
    2 * pack(f"{rank}{suit}" for rank in range(first, first + 7)) for suit in SUITS for first in (1, 2, 3)
)
"""The concealed tiles of seven pairs in a row."""

PURE_TERMINAL_CHOWS = frozenset(
    (2 * (UNIT[f"1{suit}"] + UNIT[f"7{suit}"]), UNIT[f"5{suit}"]) for suit in SUITS
)
THREE_SUITED_TERMINAL_CHOWS = frozenset(
    (sum(UNIT[f"{rank}{suit}"] for suit in SUITS if suit != pair for rank in "17"), UNIT[f"5{pair}"])
    for pair in SUITS
)
"""Chows and pair of the two fans of 123 and 789 twice around a pair of fives."""


def has_no_pungs(reading: Reading) -> bool:
    return not reading.pungs


def greater_knitted(reading: Reading) -> bool:
    """All seven honours among honours and knitted tiles."""
    return reading.facts.concealed & HONORS == HONORS & ONES


def outside_hand(reading: Reading) -> bool:
    """A terminal or honour in every set and in the pair."""
    inner = reading.chows & INNER_CHOWS
    return not (inner or (reading.pungs | reading.pair | reading.straight) & SIMPLES)


def all_fives(reading: Reading) -> bool:
    """A five in every set and in the pair."""
    without = reading.chows & CHOWS_WITHOUT_FIVES
    return not (without or (reading.pungs | reading.pair | reading.straight) & WITHOUT_FIVES)


def edge_wait(reading: Reading) -> bool:
    """The 3 of 123, or the 7 of 789."""
    unit = reading.facts.winning
    edges = 7 * (unit >> 6) & CHOWS_123 | 7 * unit & CHOWS_789
    return reading.own_chows & edges != 0 and reading.sole_wait


def closed_wait(reading: Reading) -> bool:
    """The middle tile of a chow."""
    return reading.own_chows & 7 * (reading.facts.winning >> 3) != 0 and reading.sole_wait


def edge_set(reading: Reading) -> Sets:
    unit = reading.facts.winning
    first = unit >> 6
    return (CHOW_TILES[first if first & CHOWS_123 and reading.own_chows & 7 * first else unit],)


def closed_set(reading: Reading) -> Sets:
    return (CHOW_TILES[reading.facts.winning >> 3],)


def single_wait(reading: Reading) -> bool:
    """The second tile of the pair, or of a pair of seven."""
    return (reading.pair == reading.facts.winning or reading.shape is Shape.PAIRS) and reading.sole_wait


def one_wait(*waits: str) -> dict[str, str]:
    return dict.fromkeys(waits, "at most one of 边张, 坎张, 单钓将 is counted (2025 edition)")


shape = partial(official, ReadingFan)
four_chows = partial(official, ReadingFan, needs=has_no_pungs)
special = partial(official, ReadingFan, settled=concealed_by_nature("单钓将"))
PAIRS = frozenset({Shape.PAIRS})
ORPHANS = frozenset({Shape.ORPHANS})
KNITTED = frozenset({Shape.KNITTED})
SETS = frozenset({Shape.SETS})

FANS = (
    special(
        6,
        "连七对",
        "Seven Shifted Pairs",
        88,
        drops="七对 清一色 缺一门 无字",
        shapes=PAIRS,
        when=lambda reading: reading.facts.concealed in SHIFTED_PAIRS,
    ),
    special(
        7,
        "十三幺",
        "Thirteen Orphans",
        88,
        drops="混幺九 五门齐",
        shapes=ORPHANS,
        when=lambda _: True,
    ),
    four_chows(
        13,
        "一色双龙会",
        "Pure Terminal Chows",
        64,
        drops="平和 清一色 一般高 老少副 缺一门 无字",
        when=lambda reading: (reading.chows, reading.pair) in PURE_TERMINAL_CHOWS,
    ),
    special(19, "七对", "Seven Pairs", 24, shapes=PAIRS, when=lambda _: True),
    special(
        20,
        "七星不靠",
        "Greater Honors and Knitted Tiles",
        24,
        drops="全不靠 五门齐",
        shapes=KNITTED,
        when=greater_knitted,
    ),
    four_chows(
        29,
        "三色双龙会",
        "Three-Suited Terminal Chows",
        16,
        drops="平和 喜相逢 老少副 无字",
        when=lambda reading: (reading.chows, reading.pair) in THREE_SUITED_TERMINAL_CHOWS,
    ),
    shape(31, "全带五", "All Fives", 16, drops="断幺 无字", when=all_fives),
    special(
        34,
        "全不靠",
        "Lesser Honors and Knitted Tiles",
        12,
        drops="五门齐",
        shapes=KNITTED,
        when=lambda _: True,
    ),
    shape(
        35,
        "组合龙",
        "Knitted Straight",
        12,
        shapes=SETS | KNITTED,
        when=lambda reading: reading.straight != 0,
        shows=straight_sets,
    ),
    shape(55, "全带幺", "Outside Hand", 4, when=outside_hand),
    four_chows(
        63,
        "平和",
        "All Chows",
        2,
        drops="无字",
        when=lambda reading: reading.pair & SUITED != 0,
    ),
    shape(
        77,
        "边张",
        "Edge Wait",
        1,
        settled=one_wait("坎张", "单钓将"),
        when=edge_wait,
        shows=edge_set,
    ),
    shape(78, "坎张", "Closed Wait", 1, settled=one_wait("单钓将"), when=closed_wait, shows=closed_set),
    shape(
        79,
        "单钓将",
        "Single Wait",
        1,
        shapes=SETS | PAIRS,
        when=single_wait,
        shows=lambda reading: pair_set(reading) if reading.pair else every_set(reading),
    ),
)
