"""`mcr-plus`: the Chinese Official table with an online table's fans of luck, declarations and flowers."""

from __future__ import annotations

from dataclasses import replace

from scoring.fans import Fan, InstantFan, TilesFan
from scoring.options import DEALER
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
from scoring.tiles import CHARACTERS, UNIT

SOURCE = "Online table with announcements and flower fans (天和 88, 满江红 32, 报听 2)"
RED_DRAGONS = 7 * UNIT["C"]


def characters_and_red(tiles: int) -> bool:
    """Characters and red dragons, both present, nothing else."""
    return bool(tiles & CHARACTERS and tiles & RED_DRAGONS) and not tiles & ~(CHARACTERS | RED_DRAGONS)


EXTRAS: tuple[Fan, ...] = (
    won_by("heavenly-hand", 101, 88, SOURCE),
    won_by("earthly-hand", 102, 64, SOURCE),
    won_by("humanly-hand", 103, 48, SOURCE),
    extra(
        TilesFan,
        104,
        "满江红",
        "All Red River",
        32,
        drops="混一色 缺一门",
        source=SOURCE,
        when=characters_and_red,
    ),
    extra(
        InstantFan,
        105,
        "八花聚顶",
        "Eight Flowers",
        32,
        drops="梅兰竹菊 春夏秋冬",
        source=SOURCE,
        when=lambda facts: facts.hand.flower_count == len(SEASONS + PLANTS),
        shows=lambda reading: (reading.facts.hand.flowers,),
    ),
    declared("天听", "Heavenly Ready", ["heavenly-ready"], 106, 32, SOURCE, drops="报听"),
    declared("地听", "Earthly Ready", ["earthly-ready"], 107, 16, SOURCE, drops="报听"),
    four_flowers(PLANTS, 108, "梅兰竹菊", "Four Plants", 4, SOURCE),
    four_flowers(SEASONS, 109, "春夏秋冬", "Four Seasons", 4, SOURCE),
    ready("报听", "Declared Ready", 110, SOURCE),
    declared("双报听", "Won within a Round of Declaring", ["double-ready"], 111, 2, SOURCE),
    two_five_eight_pair(112, SOURCE),
)

RULES = replace(
    OFFICIAL,
    name="mcr-plus",
    english="Chinese Official with luck and flowers",
    chinese="国标加番（网络桌）",
    fans={edition: (*also_dropping(fans, BRING_258), *EXTRAS) for edition, fans in OFFICIAL.fans.items()},
    default_edition="1998",
    events=(
        "heavenly-hand",
        "earthly-hand",
        "humanly-hand",
        "heavenly-ready",
        "earthly-ready",
        "ready",
        "double-ready",
    ),
    options=(*OFFICIAL.options, DEALER),
    texts=("mcr", "extras"),
    summary="Chinese Official fans at their values (kongs as in 1998) and an online table's fans of luck, "
    "declarations and flowers.",
    summary_zh="国标番种（杠按1998版），另加网络桌的天地人和、报听与花牌番种。",
)
