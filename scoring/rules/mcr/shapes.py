"""Chinese Official fans that look at one reading of the hand: its shape, its sets and pair, the wait it
had."""

from __future__ import annotations

from functools import partial

from scoring.fans import ReadingFan
from scoring.reading import Reading, Shape
from scoring.rules.mcr.building import concealed_by_nature, official
from scoring.sets import completed_set, concealed_pung_sets, every_set, pair_set, pungs_within, straight_sets
from scoring.tiles import (
    DRAGONS,
    HONORS,
    ONES,
    ORPHANS,
    SIMPLES,
    SUITED,
    SUITS,
    UNIT,
    WINDS,
    others,
    pack,
    ranks,
)

INNER_CHOWS = others(ranks("17"))  # by their first tiles
CHOWS_WITHOUT_FIVES = others(ranks("345"))
WITHOUT_FIVES = others(ranks("5"))
NOT_EVEN = others(ranks("2468"))

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

ORPHAN_PUNG = "幺九刻"


def has_pungs(reading: Reading) -> bool:
    return reading.pungs != 0


def has_no_pungs(reading: Reading) -> bool:
    return not reading.pungs


def has_honor_pungs(reading: Reading) -> bool:
    return reading.pungs & HONORS != 0


def winds(reading: Reading) -> int:
    return (reading.pungs & WINDS).bit_count()


def dragons(reading: Reading) -> int:
    return (reading.pungs & DRAGONS).bit_count()


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


def all_even_pungs(reading: Reading) -> bool:
    """Pungs and a pair of 2, 4, 6, 8."""
    return not (reading.chows or (reading.pungs | reading.pair | reading.straight) & NOT_EVEN)


def edge_wait(reading: Reading) -> bool:
    """12 waiting for 3, or 89 for 7: what else is the end tile of a chow that nothing but its kind
    completes."""
    unit = reading.facts.winning
    return bool(reading.own_chows & 7 * (unit | unit >> 6)) and reading.sole_wait


def closed_wait(reading: Reading) -> bool:
    """The middle tile of a chow."""
    return bool(reading.own_chows & 7 * (reading.facts.winning >> 3)) and reading.sole_wait


def single_wait(reading: Reading) -> bool:
    """The second tile of the pair, or of a pair of seven."""
    return (reading.pair == reading.facts.winning or reading.shape is Shape.PAIRS) and reading.sole_wait


def one_wait(*others: str) -> dict[str, str]:
    return dict.fromkeys(others, "at most one of 边张, 坎张, 单钓将 is counted (2025 edition)")


shape = partial(official, ReadingFan)
special = concealed_by_nature("单钓将")

FANS = (
    shape(
        1,
        "大四喜",
        "Big Four Winds",
        88,
        drops="三风刻 碰碰和 圈风刻 门风刻 幺九刻",
        needs=has_honor_pungs,
        when=lambda reading: winds(reading) == 4,
        named_pungs=lambda _: WINDS,
        shows=lambda reading: pungs_within(reading, WINDS),
    ),
    shape(
        2,
        "大三元",
        "Big Three Dragons",
        88,
        drops="双箭刻 箭刻",
        needs=has_honor_pungs,
        when=lambda reading: dragons(reading) == 3,
        named_pungs=lambda _: DRAGONS,
        shows=lambda reading: pungs_within(reading, DRAGONS),
    ),
    shape(
        6,
        "连七对",
        "Seven Shifted Pairs",
        88,
        drops="七对 清一色 缺一门 无字",
        settled=special,
        shapes=frozenset({Shape.PAIRS}),
        when=lambda reading: reading.facts.concealed in SHIFTED_PAIRS,
    ),
    shape(
        7,
        "十三幺",
        "Thirteen Orphans",
        88,
        drops="混幺九 五门齐",
        settled=special,
        shapes=frozenset({Shape.ORPHANS}),
        when=lambda _: True,
    ),
    shape(
        9,
        "小四喜",
        "Little Four Winds",
        64,
        drops="三风刻",
        needs=has_honor_pungs,
        when=lambda reading: winds(reading) == 3 and bool(reading.pair & WINDS),
        named_pungs=lambda _: WINDS,
        shows=lambda reading: pungs_within(reading, WINDS) + pair_set(reading),
    ),
    shape(
        10,
        "小三元",
        "Little Three Dragons",
        64,
        drops="双箭刻 箭刻",
        needs=has_honor_pungs,
        when=lambda reading: dragons(reading) == 2 and bool(reading.pair & DRAGONS),
        named_pungs=lambda _: DRAGONS,
        shows=lambda reading: pungs_within(reading, DRAGONS) + pair_set(reading),
    ),
    shape(
        12,
        "四暗刻",
        "Four Concealed Pungs",
        64,
        drops="三暗刻 双暗刻 碰碰和",
        settled=concealed_by_nature(),
        needs=has_pungs,
        when=lambda reading: reading.concealed_pungs.bit_count() == 4,
        shows=concealed_pung_sets,
    ),
    shape(
        13,
        "一色双龙会",
        "Pure Terminal Chows",
        64,
        drops="平和 清一色 一般高 老少副 缺一门 无字",
        needs=has_no_pungs,
        when=lambda reading: (reading.chows, reading.pair) in PURE_TERMINAL_CHOWS,
    ),
    shape(
        19,
        "七对",
        "Seven Pairs",
        24,
        settled=special,
        shapes=frozenset({Shape.PAIRS}),
        when=lambda _: True,
    ),
    shape(
        20,
        "七星不靠",
        "Greater Honors and Knitted Tiles",
        24,
        drops="全不靠 五门齐",
        settled=special,
        shapes=frozenset({Shape.KNITTED}),
        when=greater_knitted,
    ),
    shape(
        21,
        "全双刻",
        "All Even Pungs",
        24,
        drops="碰碰和 断幺 无字",
        needs=has_pungs,
        when=all_even_pungs,
    ),
    shape(
        29,
        "三色双龙会",
        "Three-Suited Terminal Chows",
        16,
        drops="平和 喜相逢 老少副 无字",
        needs=has_no_pungs,
        when=lambda reading: (reading.chows, reading.pair) in THREE_SUITED_TERMINAL_CHOWS,
    ),
    shape(31, "全带五", "All Fives", 16, drops="断幺 无字", when=all_fives),
    shape(
        33,
        "三暗刻",
        "Three Concealed Pungs",
        16,
        drops="双暗刻",
        needs=has_pungs,
        when=lambda reading: reading.concealed_pungs.bit_count() >= 3,
        shows=concealed_pung_sets,
    ),
    shape(
        34,
        "全不靠",
        "Lesser Honors and Knitted Tiles",
        12,
        drops="五门齐",
        settled=special,
        shapes=frozenset({Shape.KNITTED}),
        when=lambda _: True,
    ),
    shape(
        35,
        "组合龙",
        "Knitted Straight",
        12,
        shapes=frozenset({Shape.SETS, Shape.KNITTED}),
        when=lambda reading: reading.straight != 0,
        shows=straight_sets,
    ),
    shape(
        38,
        "三风刻",
        "Big Three Winds",
        12,
        when=lambda reading: winds(reading) >= 3,
        named_pungs=lambda _: WINDS,
        shows=lambda reading: pungs_within(reading, WINDS),
    ),
    shape(48, "碰碰和", "All Pungs", 6, needs=has_pungs, when=lambda reading: reading.pungs.bit_count() == 4),
    shape(
        54,
        "双箭刻",
        "Two Dragon Pungs",
        6,
        drops="箭刻",
        needs=has_honor_pungs,
        when=lambda reading: dragons(reading) >= 2,
        named_pungs=lambda _: DRAGONS,
        shows=lambda reading: pungs_within(reading, DRAGONS),
    ),
    shape(55, "全带幺", "Outside Hand", 4, when=outside_hand),
    shape(
        59,
        "箭刻",
        "Dragon Pung",
        2,
        needs=has_honor_pungs,
        when=dragons,
        named_pungs=lambda _: DRAGONS,
        shows=lambda reading: pungs_within(reading, DRAGONS),
    ),
    shape(
        60,
        "圈风刻",
        "Prevalent Wind",
        2,
        needs=has_honor_pungs,
        when=lambda reading: bool(reading.pungs & reading.facts.prevalent),
        named_pungs=lambda reading: reading.facts.prevalent,
        shows=lambda reading: pungs_within(reading, reading.facts.prevalent),
    ),
    shape(
        61,
        "门风刻",
        "Seat Wind",
        2,
        needs=has_honor_pungs,
        when=lambda reading: bool(reading.pungs & reading.facts.seat),
        named_pungs=lambda reading: reading.facts.seat,
        shows=lambda reading: pungs_within(reading, reading.facts.seat),
    ),
    shape(
        63,
        "平和",
        "All Chows",
        2,
        drops="无字",
        needs=has_no_pungs,
        when=lambda reading: reading.pair & SUITED != 0,
    ),
    shape(
        66,
        "双暗刻",
        "Two Concealed Pungs",
        2,
        when=lambda reading: reading.concealed_pungs.bit_count() >= 2,
        shows=concealed_pung_sets,
    ),
    shape(
        73,
        ORPHAN_PUNG,
        "Pung of Terminals or Honors",
        1,
        needs=has_pungs,
        when=lambda reading: (reading.pungs & ORPHANS).bit_count(),
        shows=lambda reading: pungs_within(reading, ORPHANS),
    ),
    shape(
        77, "边张", "Edge Wait", 1, settled=one_wait("坎张", "单钓将"), when=edge_wait, shows=completed_set
    ),
    shape(78, "坎张", "Closed Wait", 1, settled=one_wait("单钓将"), when=closed_wait, shows=completed_set),
    shape(
        79,
        "单钓将",
        "Single Wait",
        1,
        shapes=frozenset({Shape.SETS, Shape.PAIRS}),
        when=single_wait,
        shows=lambda reading: pair_set(reading) if reading.pair else every_set(reading),
    ),
)
