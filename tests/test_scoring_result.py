"""The answer in its JSON form, the payment, and calls that name what there is none of."""

from __future__ import annotations

import json

import pytest

from scoring import RULE_SETS, NotationError, RulesError, parse_hand, rule_set, score


def test_json_form() -> None:
    answer = score("[444s,1]11123s78999s1s|EE1000|a").to_dict()
    assert list(answer) == [
        "hand",
        "rules",
        "edition",
        "total",
        "minimum",
        "wins",
        "legal",
        "verdict",
        "fans",
        "excluded",
        "settlement",
        "problems",
        "payments",
    ]
    assert answer["hand"] == "[444s,1]1112378999s1s|EE1000|a"
    assert answer["fans"][0] == {
        "name": "清一色",
        "english": "Full Flush",
        "points": 24,
        "count": 1,
        "tiles": [
            ["1s", "2s", "3s"],
            ["7s", "8s", "9s"],
            ["1s", "1s", "1s"],
            ["4s", "4s", "4s"],
            ["9s", "9s"],
        ],
    }
    assert answer["fans"][-1] == {
        "name": "花牌",
        "english": "Flower Tiles",
        "points": 1,
        "count": 1,
        "tiles": [["a"]],
    }
    assert {
        "name": "无字",
        "by": "清一色",
        "rule": "不重复: 无字 is not counted beside 清一色 (fan 22)",
    } in answer["excluded"]
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize(
    ("hand", "winner", "others"),
    [
        ("1122445566889p9p|EE1000", 171, [-57, -57, -57]),  # 49 self-drawn: (8 + 49) from each
        ("1122445566889p9p|EE0000", 72, [-56, -8, -8]),  # 48 on a discard: the discarder comes first
        ("1122445566889p9p|EE0000|2", 74, [-58, -8, -8]),
        ("[NNN,3]77789m11888p7m", 0, [0, 0, 0]),  # below the minimum nothing is paid
    ],
)
def test_settlement(hand: str, winner: int, others: list[int]) -> None:
    assert score(hand).to_dict()["settlement"] == {"winner": winner, "others": others}


def test_below_the_minimum_is_an_answer() -> None:
    answer = score("[NNN,3]77789m11888p7m|EE0000|5")
    assert (answer.wins, answer.legal, answer.total) == (
        True,
        False,
        11,
    )  # flowers do not help over the minimum
    assert answer.verdict == "below 8: not a legal win"
    assert answer.problems == ()


def test_rule_sets() -> None:
    assert "mcr" in RULE_SETS
    rules = rule_set("mcr")
    assert rules.editions == ("2025", "1998", "green-book")
    assert rules.problems(parse_hand("1m")) != []
    assert score("12789m33s234999p3m").edition == "2025"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "riichi"}, "no rules named 'riichi'"),
        ({"edition": "2030"}, "no edition '2030'"),
        ({"events": ["heavenly-hand"]}, "no event 'heavenly-hand'"),
        ({"wild": "5m"}, "no option 'wild'"),
    ],
)
def test_calls_that_name_what_there_is_none_of(arguments: dict, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        score("12789m33s234999p3m", **arguments)


def test_text_that_is_no_hand() -> None:
    with pytest.raises(NotationError):
        score("hello")


@pytest.mark.parametrize(
    ("seat", "roles"),
    [("E", ["winner", "discarder", "other", "other"]), ("S", ["winner", "discarder", "dealer", "other"])],
)
def test_roles_where_it_was_not_said_who_gave_the_tile(seat: str, roles: list[str]) -> None:
    answer = score(f"12789m33s234999p3m|E{seat}0000|0", "jipinghu")
    assert [payment.role for payment in answer.payments] == roles
    assert [payment.seat for payment in answer.payments] == [seat, None, None, None]


@pytest.mark.parametrize(
    ("options", "seats", "roles"),
    [
        # The winner, who gave the tile, the others in their turn after the winner.
        ({"discarder": "E"}, "SEWN", ["winner", "discarder", "other", "other"]),
        ({"discarder": "N"}, "SNWE", ["winner", "discarder", "other", "dealer"]),
        ({"discarder": "W"}, "SWNE", ["winner", "discarder", "other", "dealer"]),
    ],
)
def test_the_table_of_payments_begins_with_winner_and_discarder(
    options: dict[str, str], seats: str, roles: list[str]
) -> None:
    answer = score("12789m33s234999p3m|ES0000|0", "jipinghu", **options)
    assert "".join(payment.seat or "?" for payment in answer.payments) == seats
    assert [payment.role for payment in answer.payments] == roles


def test_of_a_hand_that_nobody_gave_a_tile_to_one_may_be_liable() -> None:
    hand = "[CCC,1][FFF,1][PPP,1]567m5s5s|EW1000|0"
    free = score(hand, "jipinghu")
    assert [(p.seat, p.role) for p in free.payments] == [
        ("W", "winner"), ("N", "other"), ("E", "dealer"), ("S", "other"),
    ]  # fmt: skip
    liable = score(hand, "jipinghu", responsible="S")
    assert [(p.seat, p.role, p.amount) for p in liable.payments] == [
        ("W", "winner", 192), ("N", "other", 0), ("E", "dealer", 0), ("S", "liable", -192),
    ]  # fmt: skip
