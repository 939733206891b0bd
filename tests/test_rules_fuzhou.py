"""`fuzhou`: flowers, gold, and who pays what."""

from __future__ import annotations

import pytest

from scoring import parse_hand, score
from scoring.result import Score
from scoring.rules import fuzhou
from scoring.rules.base import rule_set


def codes(answer: Score) -> list[str]:
    return [problem.code for problem in answer.problems]


# hand, options, flowers, fan, total, names of fans
ANSWERS = (
    # A discard f, self-drawn 2f, of ordinary hands.
    ("123m456p789s22m56s7s|EE0000|a", {}, 1, 0, 1, ""),
    ("123m456p789s22m56s7s|EE1000|aEC", {}, 3, 0, 6, ""),
    ("[1111s,1]456p789s22m56s7s|EE0000|0", {}, 1, 0, 1, ""),
    ("[1111s]456p789s22m56s7s|EE0000|0", {}, 2, 0, 2, ""),
    ("123m456p789s22m56s7s|EE0000|EEEE", {}, 6, 0, 6, ""),  # four equal flowers: 2 more
    ("123m456p789s22m56s7s|EE0000|abcd", {}, 6, 0, 6, ""),  # a family: 2 more
    ("123m456p789s22m56s7s|EE0000|abcefgh", {}, 9, 0, 9, ""),
    ("123m456p789s22m56s7s|EE0000|a", {"stake": 5}, 1, 0, 5, ""),
    ("123m456p789s22m56s7s|EE1000|a", {"streak": 2}, 3, 0, 6, ""),
    # Special hands: 2f + n.
    ("123m456p789s22m56s7s|EE0000|0", {}, 0, 30, 30, "平胡"),
    ("123m456p789s22m56s7s|EE0000|0", {"streak": 1}, 1, 30, 32, "平胡"),
    ("123m456p789s1147s1p|EE0000|0", {"gold": "1p"}, 0, 0, 0, None),
    ("123m456p789s22m56s1p|EE1000|a", {"gold": "1p"}, 1, 0, 2, ""),
    ("123m456p789s11p56s7s|EE1000|a", {"gold": "1p"}, 1, 60, 62, "金雀"),
    ("123m456p789s11p56s7s|EE1000|0", {"gold": "1p"}, 0, 70, 70, "金雀 无花加番"),
    ("123m456p78s11p56s7s1p|EE1000|a", {"gold": "1p"}, 1, 60, 62, "金雀"),
    ("147m258p369s11p24s1p|EE1000|ab", {"gold": "1p"}, 2, 40, 44, "三金倒"),
    ("147m258p369s11p24s1p|EE1000|0", {"gold": "1p"}, 0, 50, 50, "三金倒 无花加番"),
)


@pytest.mark.parametrize(("hand", "options", "flowers", "fan", "total", "names"), ANSWERS)
def test_hand(hand: str, options: dict, flowers: int, fan: int, total: int, names: str | None) -> None:
    answer = score(hand, "fuzhou", **options)
    if names is None:
        assert not answer.wins
        return
    assert answer.problems == ()
    assert (answer.flowers, answer.fan, answer.total) == (flowers, fan, total)
    assert [found.name for found in answer.fans] == names.split()


def test_robbing_the_gold() -> None:
    hand = "123m456p789s22m56s7s|EE1000|a"
    answer = score(hand, "fuzhou", events=["抢金"])
    assert (answer.fan, answer.total) == (30, 32)
    assert score(hand[:-1] + "0", "fuzhou", events=["robbing-gold"]).total == 40
    assert codes(score("[123m,1]456p789s22m56s7s|EE1000|a", "fuzhou", events=["抢金"])) == [
        "event-contradicted"
    ]


def test_five_sets() -> None:
    hand = "123m456p789s22m567s78p9p|EE0000|a"
    assert codes(score(hand, "fuzhou")) == ["wrong-tile-count"]
    answer = score(hand, "fuzhou", sets=5)
    assert (answer.wins, answer.total) == (True, 1)
    assert score("123m456p789s22m56s78p9p1m|EE1000|a", "fuzhou", sets="5", gold="1m").wins


def test_winds_and_dragons_are_no_part_of_the_hand() -> None:
    assert codes(score("123m456p789sEE56s7s|EE0000|a", "fuzhou")) == ["flower-in-hand"]
    assert codes(score("123m456p789s22m56s7s|EE0000|EEEEE", "fuzhou")) == ["repeated-flower"]
    assert rule_set("fuzhou").problems(parse_hand("123m456p789s22m56s7s|EE0000|EEEE")) == []


def test_gold() -> None:
    answer = score("123m456p789s22m56s1p|EE1000|a", "fuzhou", gold="1p")
    assert answer.stands_for in [(("1p", "4s"),), (("1p", "7s"),)]
    assert answer.named is not None
    assert answer.named.winning == answer.stands_for[0][1]
    melded = score("[111p,1]123m456p22m56s7s|EE0000|a", "fuzhou", gold="1p")
    assert codes(melded) == ["wild-in-meld"]
    assert "too-many-gold" in codes(score("1111p23m456p22m56s7s|EE0000|a", "fuzhou", gold="1p"))


def test_a_wait_on_any_tile_wins_by_self_draw_only() -> None:
    hand = "123m456p789s567s1p2m|EE{}000|a"
    assert codes(score(hand.format(0), "fuzhou", gold="1p")) == ["any-tile-wait"]
    assert score(hand.format(1), "fuzhou", gold="1p").total == 2
    assert score("123m456p789s22m56s7s|EE0000|a", "fuzhou", gold="1p").wins


@pytest.mark.parametrize("pung", ["333m", "[333m,1]"])
def test_gold_may_be_the_fifth_of_a_kind(pung: str) -> None:
    hand = f"{pung}456p789s123s1p{{}}m|EE{{}}000|a"
    answer = score(hand.format(3, 1), "fuzhou", gold="1p")
    assert (answer.total, answer.stands_for) == (2, (("1p", "3m"),))
    # So the wait is for any tile, whichever comes.
    for winning in (3, 5):
        assert codes(score(hand.format(winning, 0), "fuzhou", gold="1p")) == ["any-tile-wait"]


def test_a_wait_on_all_that_can_still_come() -> None:
    """Nobody draws a fifth 3m; gold is paired with whatever else comes."""
    hand = "3333m45m456p789s1p9s|EE{}000|a"
    assert codes(score(hand.format(0), "fuzhou", gold="1p")) == ["any-tile-wait"]
    assert score(hand.format(1), "fuzhou", gold="1p").wins


def test_gold_is_no_fifth_tile_where_it_need_not_be() -> None:
    answer = score("3334m456p789s22s1p2m|EE1000|a", "fuzhou", gold="1p")
    assert answer.wins and answer.named is not None
    assert score(answer.named, "fuzhou").wins


def test_the_golden_pair_beside_gold_as_a_fifth() -> None:
    answer = score("222m444p6p7777p88p6p|EE1000|0", "fuzhou", gold="2m")
    assert [fan.name for fan in answer.fans] == ["金雀", "无花加番"]
    assert answer.total == 70


PAYMENTS = (
    ("123m456p789s22m56s7s|EE0000|ab", {"discarder": "W"}, {"E": 2, "S": 0, "W": -2, "N": 0}),
    ("123m456p789s22m56s7s|EE1000|ab", {}, {"E": 12, "S": -4, "W": -4, "N": -4}),
    ("123m456p789s22m56s7s|EE0000|0", {"discarder": "S"}, {"E": 90, "S": -30, "W": -30, "N": -30}),
    # The dealer stayed and wins: everybody pays it; another wins: the dealer alone does.
    ("123m456p789s22m56s7s|EE1000|a", {"streak": 2}, {"E": 18, "S": -6, "W": -6, "N": -6}),
    ("123m456p789s22m56s7s|ES1000|a", {"streak": 2}, {"S": 10, "E": -6, "W": -2, "N": -2}),
    ("123m456p789s22m56s7s|ES0000|a", {"streak": 2, "discarder": "E"}, {"S": 3, "E": -3, "W": 0, "N": 0}),
    ("123m456p789s22m56s7s|ES0000|a", {"streak": 2, "discarder": "W"}, {"S": 3, "E": -2, "W": -1, "N": 0}),
    (
        "123m456p789s22m56s7s|ES0000|0",
        {"streak": 1, "discarder": "W"},
        {"S": 92, "E": -32, "W": -30, "N": -30},
    ),
)


@pytest.mark.parametrize(("hand", "options", "table"), PAYMENTS)
def test_payment(hand: str, options: dict, table: dict[str, int]) -> None:
    answer = score(hand, "fuzhou", **options)
    assert {payment.seat: payment.amount for payment in answer.payments} == table


def test_every_fan_is_tested() -> None:
    scored = set().union(*((names or "").split() for *_, names in ANSWERS))
    assert scored | {"抢金"} == {fan.name for fan in (*fuzhou.SPECIAL, fuzhou.NO_FLOWER)}
