"""Chinese Official fans that look at all tiles of the hand, however they are read."""

from __future__ import annotations

from collections.abc import Callable

from scoring.fans import TilesFan
from scoring.rules.mcr.building import official
from scoring.tiles import (
    BAMBOO,
    CHARACTERS,
    DOTS,
    DRAGONS,
    HONORS,
    ORPHANS,
    SUITED,
    TERMINALS,
    WINDS,
    mask,
    others,
    ranks,
)

GREEN = mask(["2s", "3s", "4s", "6s", "8s", "F"])
REVERSIBLE = mask([*(f"{rank}p" for rank in "1234589"), *(f"{rank}s" for rank in "245689"), "P"])


def only(*masks: int) -> Callable[[int], bool]:
    """All tiles lie within one of the masks."""
    if len(masks) == 1:
        outside = others(masks[0])
        return lambda tiles: not tiles & outside
    outsides = [others(kinds) for kinds in masks]
    return lambda tiles: 0 in [tiles & outside for outside in outsides]


def half_flush(tiles: int) -> bool:
    """One suit and honours, both present."""
    return bool(tiles & HONORS and tiles & SUITED) and one_suit_at_most(tiles)


def all_types(tiles: int) -> bool:
    """Three suits, winds and dragons, all present."""
    return bool(tiles & CHARACTERS and tiles & DOTS and tiles & BAMBOO and tiles & WINDS and tiles & DRAGONS)


def voided_suit(tiles: int) -> bool:
    """At least one suit is missing; the fans of one suit drop it."""
    return not (tiles & CHARACTERS and tiles & DOTS and tiles & BAMBOO)


full_flush = only(CHARACTERS, DOTS, BAMBOO)
one_suit_at_most = only(CHARACTERS | HONORS, DOTS | HONORS, BAMBOO | HONORS)

FANS = (
    official(TilesFan, 3, "绿一色", "All Green", 88, drops="混一色 缺一门", when=only(GREEN)),
    official(
        TilesFan,
        8,
        "清幺九",
        "All Terminals",
        64,
        drops="混幺九 碰碰和 全带幺 幺九刻 无字",
        settled={"双同刻": "不重复: fan 8 清幺九 不计双同刻; 三同刻 stands (2025 edition)"},
        when=only(TERMINALS),
    ),
    official(
        TilesFan,
        11,
        "字一色",
        "All Honors",
        64,
        drops="混幺九 碰碰和 全带幺 幺九刻 缺一门",
        when=only(HONORS),
    ),
    official(
        TilesFan,
        18,
        "混幺九",
        "All Terminals and Honors",
        32,
        drops="碰碰和 全带幺 幺九刻",
        when=only(ORPHANS),
    ),
    official(TilesFan, 22, "清一色", "Full Flush", 24, drops="无字 缺一门", when=full_flush),
    official(TilesFan, 25, "全大", "Upper Tiles", 24, drops="大于五 无字", when=only(ranks("789"))),
    official(TilesFan, 26, "全中", "Middle Tiles", 24, drops="断幺 无字", when=only(ranks("456"))),
    official(TilesFan, 27, "全小", "Lower Tiles", 24, drops="小于五 无字", when=only(ranks("123"))),
    official(TilesFan, 36, "大于五", "Upper Four", 12, drops="无字", when=only(ranks("6789"))),
    official(TilesFan, 37, "小于五", "Lower Four", 12, drops="无字", when=only(ranks("1234"))),
    official(TilesFan, 40, "推不倒", "Reversible Tiles", 8, drops="缺一门", when=only(REVERSIBLE)),
    official(TilesFan, 49, "混一色", "Half Flush", 6, drops="缺一门", when=half_flush),
    official(TilesFan, 51, "五门齐", "All Types", 6, when=all_types),
    official(TilesFan, 68, "断幺", "All Simples", 2, drops="无字", when=only(ranks("2345678"))),
    official(TilesFan, 75, "缺一门", "One Voided Suit", 1, when=voided_suit),
    official(TilesFan, 76, "无字", "No Honors", 1, when=only(SUITED)),
)
