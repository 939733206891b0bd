"""The Chinese Official rule set."""

from __future__ import annotations

from scoring.options import DISCARDER, NO_CAP, base_option, minimum_option
from scoring.rules.adding import AddingRules
from scoring.rules.mcr.circumstances import CHICKEN_HAND, FLOWER_TILES
from scoring.rules.mcr.editions import DEFAULT_EDITION, EDITIONS, TOLD_FIRST
from scoring.rules.mcr.pungs import ORPHAN_PUNG

RULES = AddingRules(
    name="mcr",
    english="Chinese Official",
    chinese="国标麻将",
    fans={edition: (*fans, FLOWER_TILES) for edition, fans in EDITIONS.items()},
    default_edition=DEFAULT_EDITION,
    options=(minimum_option(8), base_option(8), NO_CAP, DISCARDER),
    texts=("mcr",),
    worthless=CHICKEN_HAND.name,
    unnamed_pung=ORPHAN_PUNG,
    told_first=TOLD_FIRST,
    summary="Fans add up; a win needs 8 points before flowers. Editions: 2025 (today's referees), 1998 "
    "(without 明暗杠), green-book (World Mahjong Organization).",
    summary_zh="番种相加，8分起和（花牌不计）。版本：2025（现行裁判口径）、1998（无明暗杠）、green-book（世界麻将组织绿皮书）。",
)
"""`mcr`. Editions: `2025` (today's referees), `1998` (without 明暗杠), `green-book` (World Mahjong
Organization)."""
