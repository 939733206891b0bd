"""Chinese Official fans that look at all tiles of the hand, however they are read."""

from __future__ import annotations

from functools import partial

from scoring.fans import KindsFan, TilesFan
from scoring.rules.mcr.building import official
from scoring.tiles import (
    BAMBOO,
    CHARACTERS,
    DOTS,
    DRAGONS,
    HONORS,
    ORPHANS,
    SIMPLES,
    SUITED,
    TERMINALS,
    WINDS,
    mask,
    ranks,
)

GREEN = mask(["2s", "3s", "4s", "6s", "8s", "F"])
REVERSIBLE = mask([*(f"{rank}p" for rank in "1234589"), *(f"{rank}s" for rank in "245689"), "P"])
ONE_SUIT = (CHARACTERS, DOTS, BAMBOO)
TWO_SUITS_AND_HONORS = (CHARACTERS | DOTS | HONORS, CHARACTERS | BAMBOO | HONORS, DOTS | BAMBOO | HONORS)


def half_flush(tiles: int) -> bool:
    """One suit and honours, both present."""
    suits = (tiles & CHARACTERS != 0) + (tiles & DOTS != 0) + (tiles & BAMBOO != 0)
    return suits == 1 and tiles & HONORS != 0


def all_types(tiles: int) -> bool:
    """Three suits, winds and dragons, all present."""
    return bool(tiles & CHARACTERS and tiles & DOTS and tiles & BAMBOO and tiles & WINDS and tiles & DRAGONS)


kinds = partial(official, KindsFan)
tiles = partial(official, TilesFan)
NO_DOUBLE_PUNG = {"双同刻": "不重复: 双同刻 is not counted beside 清幺九 (fan 8); 三同刻 is (2025 edition)"}

FANS = (
    kinds(3, "绿一色", "All Green", 88, drops="混一色 缺一门", within=(GREEN,)),
    kinds(
        8,
        "清幺九",
        "All Terminals",
        64,
        drops="混幺九 碰碰和 全带幺 幺九刻 无字",
        settled=NO_DOUBLE_PUNG,
        within=(TERMINALS,),
    ),
    kinds(11, "字一色", "All Honors", 64, drops="混幺九 碰碰和 全带幺 幺九刻 缺一门", within=(HONORS,)),
    kinds(18, "混幺九", "All Terminals and Honors", 32, drops="碰碰和 全带幺 幺九刻", within=(ORPHANS,)),
    kinds(22, "清一色", "Full Flush", 24, drops="无字 缺一门", within=ONE_SUIT),
    kinds(25, "全大", "Upper Tiles", 24, drops="大于五 无字", within=(ranks("789"),)),
    kinds(26, "全中", "Middle Tiles", 24, drops="断幺 无字", within=(ranks("456"),)),
    kinds(27, "全小", "Lower Tiles", 24, drops="小于五 无字", within=(ranks("123"),)),
    kinds(36, "大于五", "Upper Four", 12, drops="无字", within=(ranks("6789"),)),
    kinds(37, "小于五", "Lower Four", 12, drops="无字", within=(ranks("1234"),)),
    kinds(40, "推不倒", "Reversible Tiles", 8, drops="缺一门", within=(REVERSIBLE,)),
    tiles(49, "混一色", "Half Flush", 6, drops="缺一门", when=half_flush),
    tiles(51, "五门齐", "All Types", 6, when=all_types),
    kinds(68, "断幺", "All Simples", 2, drops="无字", within=(SIMPLES,)),
    kinds(75, "缺一门", "One Voided Suit", 1, within=TWO_SUITS_AND_HONORS),
    kinds(76, "无字", "No Honors", 1, within=(SUITED,)),
)
