"""Circumstances that no photo shows: by name in both languages, and refused where the hand denies them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import models.cli
from scoring import RulesError, score
from scoring.rules.base import RULE_SETS, rule_set
from scoring.situation import EVENTS

WIN = "123m456p789s22m56s7s"
MELDED = "[123m,1]456p789s22m56s7s"
KONG = "[1111m]456p789s22m56s7s"

# rules, hand, events, options: what is said and cannot be
CONTRADICTIONS = (
    ("mcr-plus", f"{WIN}|EE0000|0", ["天和"], {}),  # on a discard
    ("mcr-plus", f"{WIN}|ES1000|0", ["天和"], {}),  # not the dealer
    ("mcr-plus", f"{KONG}|EE1000|0", ["天和"], {}),  # after a concealed kong
    ("mcr-plus", f"{WIN}|EE1010|0", ["天和"], {}),  # the wall's last tile in the first round
    ("mcr-plus", "123m456p789s22m46s5s|EE1100|0", ["天和"], {}),
    ("mcr-plus", f"{WIN}|EE1000|0", ["地和"], {}),  # the dealer
    ("mcr-plus", f"{WIN}|ES0000|0", ["地和"], {}),
    ("mcr-plus", f"{MELDED}|ES1000|0", ["地和"], {}),
    ("mcr-plus", "123m456p789s22m46s5s|EW1100|0", ["地和"], {}),  # two players have discarded
    ("mcr-plus", f"{WIN}|ES1000|0", ["人和"], {}),
    ("mcr-plus", f"{KONG}|ES0000|0", ["人和"], {}),
    ("mcr-plus", f"{MELDED}|ES0000|0", ["报听"], {}),
    ("mcr-plus", f"{MELDED}|ES0000|0", ["天听"], {}),
    ("mcr-plus", f"{MELDED}|ES0000|0", ["地听"], {}),
    ("mcr-plus", f"{MELDED}|ES0000|0", ["双报听"], {}),
    ("mcr-plus", f"{WIN}|EE1000|0", ["天和", "报听"], {}),
    ("mcr-plus", f"{WIN}|ES1000|0", ["地和", "人和"], {}),
    ("mcr-plus", f"{WIN}|ES1000|0", ["地和", "地听"], {}),
    ("mcr-plus", f"{WIN}|ES0000|0", ["天听", "地听"], {}),
    ("dazhong", f"{MELDED}|ES0000|0", ["立直"], {}),
    ("dazhong", f"{WIN}|ES0000|0", ["天和"], {}),
    ("fuzhou", f"{MELDED}|ES1000|0", ["抢金"], {}),
    ("jipinghu", f"{WIN}|ES1000|0", ["一炮三响"], {}),
    ("jipinghu", f"{WIN}|ES1000|0", [], {"dealer": True}),
    ("mcr-plus", f"{WIN}|EE1000|0", [], {"dealer": False}),
    ("mcr", f"{WIN}|EE1000|0", [], {"discarder": "S"}),
    ("mcr", f"{WIN}|EE0000|0", [], {"discarder": "E"}),
)


@pytest.mark.parametrize(("rules", "hand", "events", "options"), CONTRADICTIONS)
def test_contradictions_are_refused_with_the_reason(
    rules: str, hand: str, events: list[str], options: dict
) -> None:
    assert score(hand, rules).wins
    answer = score(hand, rules, events=events, **options)
    assert (answer.wins, answer.legal, answer.total, answer.fans) == (False, False, 0, ())
    assert {problem.code.rpartition("-")[2] for problem in answer.problems} == {"contradicted"}
    assert all(problem.message.endswith(".") for problem in answer.problems)


def test_the_last_copy_on_the_first_draw_of_north() -> None:
    """East, South and West have discarded the other three."""
    answer = score("123m456p789s22m46s5s|EN1100|0", "mcr-plus", events=["地和"])
    assert {"地和", "和绝张"} <= {fan.name for fan in answer.fans}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_an_event_has_the_same_effect_by_each_of_its_names(event) -> None:
    knowing = [name for name in RULE_SETS if event.name in rule_set(name).events]
    assert knowing
    for rules in knowing:
        for hand in (f"{WIN}|EE1000|0", f"{WIN}|ES1000|0", f"{WIN}|ES0000|0"):
            names = (event.name, *event.chinese, event.english, event.name.upper())
            totals = {score(hand, rules, events=[name]).total for name in names}
            assert len(totals) == 1


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        ("mcr", {"events": ["天和"]}, "mcr has no event '天和': use none"),
        ("mcr-plus", {"events": ["抢金"]}, "no event '抢金'"),
        ("dazhong", {"wild": "a"}, "'a' is no wild"),
        ("dazhong", {"gold": "5m"}, "no option 'gold'"),
        ("fuzhou", {"gold": "E"}, "'E' is no gold"),
        ("fuzhou", {"streak": -1}, "'-1' is no streak"),
        ("fuzhou", {"stake": 0}, "stake cannot be 0"),
        ("fuzhou", {"sets": 6}, "'6' is no sets: use 4, 5"),
        ("jipinghu", {"responsible": "X"}, "'X' is no responsible"),
        ("mcr-plus", {"dealer": "perhaps"}, "use true or false"),
    ],
)
def test_what_rules_do_not_know_is_wrong_usage(rules: str, options: dict, message: str) -> None:
    with pytest.raises(RulesError) as refused:
        score(f"{WIN}|EE1000|0", rules, **options)
    assert message in str(refused.value)


def run(*arguments: str):
    return CliRunner().invoke(models.cli.app, list(arguments))


COMMANDS = (
    ([f"{WIN}|EE1000|0", "--rules", "mcr-plus", "--event", "天和", "--dealer"], 99),
    ([f"{WIN}|EE1000|0", "--rules", "mcr-plus", "--event", "heavenly-hand"], 99),
    ([f"{WIN}|EE0000|0", "--rules", "dazhong", "--wild", "C", "--event", "立直"], 17),
    (["123m456p789s22m56s1p|EE1000|a", "--rules", "fuzhou", "--gold", "1p", "--streak", "2"], 6),
    (["[1111s,1]22m78m456p789s9m|EE0000|0", "--rules", "jipinghu", "--option", "kong-fan=2"], 4),
    ([f"{WIN}|EE0000|0", "--option", "minimum=20"], 12),
)


@pytest.mark.parametrize(("arguments", "total"), COMMANDS)
def test_the_command_takes_them(arguments: list[str], total: int) -> None:
    done = run("score", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["total"] == total


def test_the_command_tells_wild_tiles_flowers_and_seats() -> None:
    told = run("score", "123m456p789s22m56sC|EE1000|0", "--rules", "dazhong", "--wild", "C").stdout
    assert "wild: C stands for 4s" in told
    assert "seats: E winner" in told
    assert "flowers 花: 1" in run("score", f"{WIN}|EE0000|a", "--rules", "fuzhou").stdout
    assert "fan 番: 1" in run("score", f"{WIN}|EE0000|0", "--rules", "jipinghu").stdout


def test_the_command_refuses_a_contradiction_and_a_wrong_option() -> None:
    denied = run("score", f"{WIN}|EE0000|0", "--rules", "mcr-plus", "--event", "天和")
    assert denied.exit_code == 1
    assert "on a discard" in denied.stderr
    assert run("score", WIN, "--option", "minimum").exit_code == 2
    assert run("score", WIN, "--rules", "fuzhou", "--option", "stake=none").exit_code == 2
    assert run("score", WIN, "--discarder", "Q").exit_code == 2
    for wrong in (
        ["--rules", "fuzhou", "--gold", "E"],
        ["--rules", "mcr-plus", "--event", "抢金"],
        ["--streak", "1"],
    ):
        assert run("read", "hand.jpg", *wrong).exit_code == 2
