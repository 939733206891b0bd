"""Chinese Official fans of the melds, the kongs and the way the hand was won, however its tiles are read."""

from __future__ import annotations

from functools import partial

from scoring.fans import FactsFan, Fan, FlowerFan
from scoring.reading import Facts
from scoring.rules.mcr.building import concealed_by_nature, official
from scoring.sets import four_of_a_kind, fours, kong_sets, winning_tile
from scoring.tiles import SUITS, TERMINALS, lowest, pack

NINE_GATES = frozenset(pack(rank + suit for rank in "1112345678999") for suit in SUITS)
"""The thirteen tiles that wait for every tile of their suit."""


def has_kongs(facts: Facts) -> bool:
    return facts.kongs != 0


def is_rare_win(facts: Facts) -> bool:
    return facts.last_tile or facts.on_kong


def melded_kongs(facts: Facts) -> int:
    return (facts.kongs ^ facts.hidden_kongs).bit_count()


def hidden_kongs(facts: Facts) -> int:
    return facts.hidden_kongs.bit_count()


def last_of_its_kind(facts: Facts) -> bool:
    """Claimed, or seen: the winner's own melds show the other three."""
    return facts.last_copy or (facts.tiles - facts.concealed) & 7 * facts.winning == 3 * facts.winning


table = partial(official, FactsFan)

FANS = (
    table(
        4,
        "九莲宝灯",
        "Nine Gates",
        88,
        drops="清一色 缺一门 无字",
        settled=concealed_by_nature(),
        when=lambda facts: facts.rest in NINE_GATES,
        # 111 and 999 are the gates; only a second pung among them, won on 2, 5 or 8, scores (2025 edition).
        named_pungs=lambda reading: lowest(reading.pungs & TERMINALS),
    ),
    table(
        5,
        "四杠",
        "Four Kongs",
        88,
        drops="三杠 双暗杠 双明杠 明暗杠 暗杠 明杠 碰碰和 单钓将",
        needs=has_kongs,
        when=lambda facts: facts.kongs.bit_count() == 4,
        shows=kong_sets,
    ),
    table(
        17,
        "三杠",
        "Three Kongs",
        32,
        drops="双暗杠 双明杠 明暗杠 暗杠 明杠",
        needs=has_kongs,
        when=lambda facts: facts.kongs.bit_count() >= 3,
        shows=kong_sets,
    ),
    table(
        44,
        "妙手回春",
        "Last Tile Draw",
        8,
        drops="自摸",
        needs=is_rare_win,
        when=lambda facts: facts.last_tile and facts.self_drawn,
        shows=winning_tile,
    ),
    table(
        45,
        "海底捞月",
        "Last Tile Claim",
        8,
        needs=is_rare_win,
        when=lambda facts: facts.last_tile and not facts.self_drawn,
        shows=winning_tile,
    ),
    table(
        46,
        "杠上开花",
        "Out with Replacement Tile",
        8,
        drops="自摸",
        needs=is_rare_win,
        when=lambda facts: facts.on_kong and facts.self_drawn,
        shows=winning_tile,
    ),
    table(
        47,
        "抢杠和",
        "Robbing the Kong",
        8,
        drops="和绝张",
        needs=is_rare_win,
        when=lambda facts: facts.on_kong and not facts.self_drawn,
        shows=winning_tile,
    ),
    table(
        52,
        "全求人",
        "Melded Hand",
        6,
        drops="单钓将",
        when=lambda facts: facts.exposed == 4 and not facts.self_drawn,
    ),
    table(
        53,
        "双暗杠",
        "Two Concealed Kongs",
        6,
        drops="暗杠 双暗刻",
        needs=has_kongs,
        when=lambda facts: hidden_kongs(facts) >= 2,
        shows=lambda reading: kong_sets(reading, concealed=True),
    ),
    table(
        56,
        "不求人",
        "Fully Concealed Hand",
        4,
        drops="自摸",
        when=lambda facts: facts.self_drawn and not facts.exposed,
    ),
    table(
        57,
        "双明杠",
        "Two Melded Kongs",
        4,
        drops="明杠",
        needs=has_kongs,
        when=lambda facts: melded_kongs(facts) >= 2,
        shows=lambda reading: kong_sets(reading, concealed=False),
    ),
    table(58, "和绝张", "Last Tile", 4, when=last_of_its_kind, shows=winning_tile),
    table(
        62,
        "门前清",
        "Concealed Hand",
        2,
        when=lambda facts: not facts.self_drawn and not facts.exposed,
    ),
    table(
        64,
        "四归一",
        "Tile Hog",
        2,
        when=lambda facts: four_of_a_kind(facts).bit_count(),
        shows=fours,
    ),
    table(
        67,
        "暗杠",
        "Concealed Kong",
        2,
        needs=has_kongs,
        when=hidden_kongs,
        shows=lambda reading: kong_sets(reading, concealed=True),
    ),
    table(
        74,
        "明杠",
        "Melded Kong",
        1,
        needs=has_kongs,
        when=melded_kongs,
        shows=lambda reading: kong_sets(reading, concealed=False),
    ),
    table(80, "自摸", "Self-Drawn", 1, when=lambda facts: facts.self_drawn, shows=winning_tile),
)

MELDED_AND_CONCEALED_KONG = FactsFan(
    number=82,
    name="明暗杠",
    english="Melded and Concealed Kong",
    points=5,
    source="2025 edition of the Chinese Official rules",
    drops=dict.fromkeys(("暗杠", "明杠"), "不重复: 明暗杠 counts both kongs"),
    needs=has_kongs,
    when=lambda facts: bool(facts.hidden_kongs and facts.kongs != facts.hidden_kongs),
    shows=kong_sets,
)

CHICKEN_HAND = official(Fan, 43, "无番和", "Chicken Hand", 8, shows=lambda _: ())
FLOWER_TILES = official(FlowerFan, 81, "花牌", "Flower Tiles", 1, when=lambda hand: hand.flower_count)
