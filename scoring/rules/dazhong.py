"""`dazhong` (大众): the Chinese Official table with wild tiles, and the fans that an online table starred."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from itertools import pairwise

from scoring.combinations import SetKey
from scoring.fans import FactsFan, Fan, FlowerFan, ReadingFan, SetsFan
from scoring.hand import Hand
from scoring.options import DEALER, Option
from scoring.reading import Facts, Reading
from scoring.result import Sets
from scoring.rules.extras import (
    BRING_258,
    PLANTS,
    SEASONS,
    also_dropping,
    declared,
    extra,
    four_flowers,
    ready,
    two_five_eight_pair,
    won_by,
)
from scoring.rules.mcr import RULES as OFFICIAL
from scoring.rules.mcr.pungs import winds
from scoring.rules.wild_rules import WildRules
from scoring.sets import every_set, pair_set, pung_sets
from scoring.tiles import KINDS, TERMINALS, UNIT

SOURCE = "Popular online table with wild tiles (四方大发财 168, 混杠 88)"
SEATS = "ESWN"
BRING = {
    **BRING_258,
    "清幺九": "幺九头",
    "三色三节高": "混三节",
    "三色三步高": "混三步",
}
"""Official fans that leave out a starred one."""


def rising(suits: int) -> Callable[[Sequence[SetKey]], bool]:
    """Ranks rising by one, in so many suits."""

    def when(sets: Sequence[SetKey]) -> bool:
        ranks = sorted(rank for _, rank in sets)
        steps = all(after == before + 1 for before, after in pairwise(ranks))
        return steps and len({suit for suit, _ in sets}) == suits

    return when


def two_suit_straight(sets: Sequence[SetKey]) -> bool:
    """123, 456 and 789, two of them in one suit."""
    return len({suit for suit, _ in sets}) == 2 and {rank for _, rank in sets} == {0, 3, 6}


def four_winds_and_fortune(reading: Reading) -> bool:
    return winds(reading) == 4 and reading.pair == UNIT["F"]


def wild_unit(facts: Facts) -> int:
    """The unit of the kind named wild, 0 if none is."""
    return UNIT.get(facts.situation.text("wild") or "", 0)


def has_wild_kong(facts: Facts) -> bool:
    return bool(facts.hidden_kongs & wild_unit(facts))


def without_wild(facts: Facts) -> bool:
    """A wild kind is named, and the hand holds none of it."""
    return bool(wild_unit(facts)) and not facts.wild and not has_wild_kong(facts)


def own_flowers(hand: Hand) -> tuple[str, ...]:
    """The flowers of the seat's own number."""
    place = SEATS.index(hand.seat)
    return tuple(flower for flower in (SEASONS[place], PLANTS[place]) if flower in hand.flowers)


def own_flower_count(hand: Hand) -> int:
    return 2 if hand.unnamed_flowers == len(SEASONS + PLANTS) else len(own_flowers(hand))


def wild_kong(reading: Reading) -> Sets:
    unit = wild_unit(reading.facts)
    return pung_sets(unit, unit)


star = partial(extra, source=SOURCE)
chows = partial(extra, SetsFan, of_chows=True, source=SOURCE)
pungs = partial(extra, SetsFan, of_chows=False, source=SOURCE)

EXTRAS: tuple[Fan, ...] = (
    star(
        ReadingFan,
        201,
        "四方大发财",
        "Four Winds and Fortune",
        168,
        drops="大四喜 三风刻 碰碰和 圈风刻 门风刻 幺九刻 字一色 混幺九 全带幺 缺一门",
        when=four_winds_and_fortune,
        named_pungs=lambda reading: reading.pungs,
        shows=every_set,
    ),
    won_by("heavenly-hand", 202, 168, SOURCE),
    won_by("earthly-hand", 203, 158, SOURCE),
    won_by("humanly-hand", 204, 108, SOURCE),
    star(FactsFan, 205, "混杠", "Kong of Wild Tiles", 88, drops="暗杠", when=has_wild_kong, shows=wild_kong),
    declared("天听", "Heavenly Ready", ["heavenly-ready"], 206, 32, SOURCE, drops="立直"),
    pungs(207, "混四节", "Four Mixed Shifted Pungs", 6, drops="混三节", size=4, when=rising(3)),
    chows(208, "混四步", "Four Mixed Shifted Chows", 4, drops="混三步", size=4, when=rising(3)),
    pungs(209, "混三节", "Two-Suited Shifted Pungs", 4, size=3, when=rising(2)),
    chows(210, "混三步", "Two-Suited Shifted Chows", 2, size=3, when=rising(2)),
    star(FactsFan, 211, "无混", "No Wild Tile", 2, when=without_wild),
    chows(212, "混龙", "Two-Suited Straight", 2, drops="连六 老少副", size=3, when=two_suit_straight),
    ready("立直", "Declared Ready", 213, SOURCE),
    two_five_eight_pair(214, SOURCE),
    star(
        ReadingFan,
        215,
        "幺九头",
        "Pair of Terminals",
        1,
        when=lambda reading: reading.pair & TERMINALS != 0,
        shows=pair_set,
    ),
    star(
        FlowerFan,
        216,
        "季花",
        "Flower of the Seat",
        1,
        when=own_flower_count,
        shown=lambda hand: tuple((flower,) for flower in own_flowers(hand)),
    ),
    four_flowers(PLANTS, 217, "梅兰竹菊", "Four Plants", 1, SOURCE),
    four_flowers(SEASONS, 218, "春夏秋冬", "Four Seasons", 1, SOURCE),
)

WILD = Option(
    name="wild",
    default=None,
    takes=KINDS,
    about="the kind that is wild (混): each such tile in the concealed part takes the kind that scores most",
    about_zh="混牌：手中每张混牌当作使总分最高的牌",
)

RULES = WildRules(
    **{field.name: getattr(OFFICIAL, field.name) for field in fields(OFFICIAL) if field.init}
    | {
        "name": "dazhong",
        "english": "Popular, with wild tiles",
        "chinese": "大众麻将（带混）",
        "fans": {edition: (*also_dropping(fans, BRING), *EXTRAS) for edition, fans in OFFICIAL.fans.items()},
        "default_edition": "1998",
        "events": ("heavenly-hand", "earthly-hand", "humanly-hand", "heavenly-ready", "ready"),
        "options": (*OFFICIAL.options, DEALER, WILD),
        "texts": ("mcr", "extras", "dazhong"),
        "summary": "Chinese Official fans at their values (kongs as in 1998), starred fans of an online "
        "table, and one kind of tile that is wild.",
        "summary_zh": "国标番种（杠按1998版）加网络桌星号番种；可指定一种牌为混。",
    }
)
