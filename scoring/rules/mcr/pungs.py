"""Chinese Official fans of pungs and kongs that a reading shows: which they are, and how many are
concealed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scoring.fans import ReadingFan
from scoring.reading import Reading
from scoring.result import Sets
from scoring.rules.mcr.building import concealed_by_nature, official
from scoring.sets import concealed_pung_sets, pair_set, pungs_within
from scoring.tiles import DRAGONS, ORPHANS, WINDS, others, ranks

ORPHAN_PUNG = "幺九刻"
NOT_EVEN = others(ranks("2468"))


def has_pungs(reading: Reading) -> bool:
    return reading.pungs != 0


def has_wind_pungs(reading: Reading) -> bool:
    return reading.pungs & WINDS != 0


def has_dragon_pungs(reading: Reading) -> bool:
    return reading.pungs & DRAGONS != 0


def has_concealed_pungs(reading: Reading) -> bool:
    """Two or more."""
    return reading.concealed_pungs.bit_count() >= 2


def winds(reading: Reading) -> int:
    return (reading.pungs & WINDS).bit_count()


def dragons(reading: Reading) -> int:
    return (reading.pungs & DRAGONS).bit_count()


def concealed(count: int) -> Callable[[Reading], bool]:
    """At least so many concealed pungs and kongs."""
    return lambda reading: reading.concealed_pungs.bit_count() >= count


def all_even_pungs(reading: Reading) -> bool:
    """Pungs and a pair of 2, 4, 6, 8."""
    return not (reading.chows or (reading.pungs | reading.pair | reading.straight) & NOT_EVEN)


def wind_pungs(reading: Reading) -> Sets:
    return pungs_within(reading, WINDS)


def dragon_pungs(reading: Reading) -> Sets:
    return pungs_within(reading, DRAGONS)


pungs = partial(official, ReadingFan, needs=has_pungs)
of_winds = partial(official, ReadingFan, needs=has_wind_pungs, named_pungs=lambda _: WINDS)
of_dragons = partial(official, ReadingFan, needs=has_dragon_pungs, named_pungs=lambda _: DRAGONS)
own_wind = partial(official, ReadingFan, needs=has_wind_pungs)
concealed_pungs = partial(official, ReadingFan, needs=has_concealed_pungs, shows=concealed_pung_sets)

FANS = (
    of_winds(
        1,
        "大四喜",
        "Big Four Winds",
        88,
        drops="三风刻 碰碰和 圈风刻 门风刻 幺九刻",
        when=lambda reading: winds(reading) == 4,
        shows=wind_pungs,
    ),
    of_dragons(
        2,
        "大三元",
        "Big Three Dragons",
        88,
        drops="双箭刻 箭刻",
        when=lambda reading: dragons(reading) == 3,
        shows=dragon_pungs,
    ),
    of_winds(
        9,
        "小四喜",
        "Little Four Winds",
        64,
        drops="三风刻",
        when=lambda reading: winds(reading) == 3 and reading.pair & WINDS != 0,
        shows=lambda reading: wind_pungs(reading) + pair_set(reading),
    ),
    of_dragons(
        10,
        "小三元",
        "Little Three Dragons",
        64,
        drops="双箭刻 箭刻",
        when=lambda reading: dragons(reading) == 2 and reading.pair & DRAGONS != 0,
        shows=lambda reading: dragon_pungs(reading) + pair_set(reading),
    ),
    concealed_pungs(
        12,
        "四暗刻",
        "Four Concealed Pungs",
        64,
        drops="三暗刻 双暗刻 碰碰和",
        settled=concealed_by_nature(),
        when=concealed(4),
    ),
    pungs(21, "全双刻", "All Even Pungs", 24, drops="碰碰和 断幺 无字", when=all_even_pungs),
    concealed_pungs(33, "三暗刻", "Three Concealed Pungs", 16, drops="双暗刻", when=concealed(3)),
    of_winds(
        38,
        "三风刻",
        "Big Three Winds",
        12,
        when=lambda reading: winds(reading) >= 3,
        shows=wind_pungs,
    ),
    pungs(48, "碰碰和", "All Pungs", 6, when=lambda reading: reading.pungs.bit_count() == 4),
    of_dragons(
        54,
        "双箭刻",
        "Two Dragon Pungs",
        6,
        drops="箭刻",
        when=lambda reading: dragons(reading) >= 2,
        shows=dragon_pungs,
    ),
    of_dragons(59, "箭刻", "Dragon Pung", 2, when=dragons, shows=dragon_pungs),
    own_wind(
        60,
        "圈风刻",
        "Prevalent Wind",
        2,
        when=lambda reading: reading.pungs & reading.facts.prevalent != 0,
        named_pungs=lambda reading: reading.facts.prevalent,
        shows=lambda reading: pungs_within(reading, reading.facts.prevalent),
    ),
    own_wind(
        61,
        "门风刻",
        "Seat Wind",
        2,
        when=lambda reading: reading.pungs & reading.facts.seat != 0,
        named_pungs=lambda reading: reading.facts.seat,
        shows=lambda reading: pungs_within(reading, reading.facts.seat),
    ),
    concealed_pungs(66, "双暗刻", "Two Concealed Pungs", 2, when=concealed(2)),
    pungs(
        73,
        ORPHAN_PUNG,
        "Pung of Terminals or Honors",
        1,
        when=lambda reading: (reading.pungs & ORPHANS).bit_count(),
    ),
)
