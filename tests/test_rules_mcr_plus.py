"""`mcr-plus`: what the online table adds to the Chinese Official fans, and what it leaves out for them."""

from __future__ import annotations

import pytest

from scoring import score

WIN = "123m456p789s22m56s7s"  # 花龙 平和 门前清 or 不求人, 二五八将

# hand, events, names that stand, names that do not
ANSWERS = (
    (f"{WIN}|EE1000|0", "天和", "天和 花龙 平和 二五八将", "不求人 自摸 单钓将 边张 坎张"),
    ("123m456p789s22m13s2s|EE1000|0", "天和", "天和", "坎张"),
    ("123m456p789s22m13s2s|ES1000|0", "地和", "地和 坎张", "不求人 自摸"),
    ("123m456p789s22m13s2s|ES0000|0", "人和", "人和 坎张", "门前清"),
    ("[CCC,1]112233m555m7m7m|EE0000|0", "", "满江红 箭刻", "混一色 缺一门"),
    ("[CCC,1]112233m5557p7p|EE0000|0", "", "箭刻", "满江红"),
    (f"{WIN}|EE0000|0", "天听", "天听 门前清", "报听"),
    (f"{WIN}|EE0000|0", "地听", "地听 门前清", "报听"),
    (f"{WIN}|EE1000|0", "报听", "报听 不求人", "双报听"),
    (f"{WIN}|EE1000|0", "双报听", "报听 双报听", ""),
    (f"{WIN}|EE0000|efgh", "", "梅兰竹菊 花牌", "春夏秋冬"),
    (f"{WIN}|EE0000|abcd", "", "春夏秋冬 花牌", "梅兰竹菊"),
    (f"{WIN}|EE0000|abcdefgh", "", "八花聚顶 花牌 二五八将", "春夏秋冬 梅兰竹菊"),
    (f"{WIN}|EE0000|8", "", "八花聚顶 花牌", "春夏秋冬 梅兰竹菊"),
    ("[NNNN,1][8888p]2223m555s3m|WS0000|0", "", "明杠 暗杠", "明暗杠"),
    ("[123s,1][789s,1][123m,1][789m,1]5p5p", "", "三色双龙会", "二五八将"),  # always brings it
)


@pytest.mark.parametrize(("hand", "event", "stand", "absent"), ANSWERS)
def test_hand(hand: str, event: str, stand: str, absent: str) -> None:
    answer = score(hand, "mcr-plus", events=event.split())
    names = {fan.name for fan in answer.fans}
    assert answer.problems == ()
    assert not set(stand.split()) - names
    assert not set(absent.split()) & names
    assert sum(fan.points * fan.count for fan in answer.fans) == answer.total


def test_eight_flowers_win_whatever_the_other_tiles() -> None:
    for hand in ("13579m2468p1357s9s|EE1000|abcdefgh", "13579m2468p135s9s|EE1000|8"):
        answer = score(hand, "mcr-plus")
        assert (answer.wins, answer.legal, answer.total) == (True, True, 40)
        assert [(fan.name, fan.count) for fan in answer.fans] == [("八花聚顶", 1), ("花牌", 8)]
    assert not score("13579m2468p1357s9s|EE1000|7", "mcr-plus").wins
    assert not score("11111m2468p1357s9s|EE1000|8", "mcr-plus").wins


def test_the_minimum_is_asked_before_flowers() -> None:
    answer = score("[NNN,3]77789m11888p7m|EE0000|abcd", "mcr-plus")
    assert (answer.total, answer.legal) == (14, False)


def test_payment() -> None:
    answer = score("[CCC,1]112233m555m7m7m|ES0000|0", "mcr-plus", discarder="N")
    assert {row.seat: row.amount for row in answer.payments} == {
        "S": 24 + answer.total, "N": -8 - answer.total, "W": -8, "E": -8,
    }  # fmt: skip
