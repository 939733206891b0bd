"""The rule sets in words: every fan of every rule set has a hand that scores it and a near miss, one tile
away, that does not; the pages and the command say what the engine does."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

import models.cli
from scoring import Hand, score
from scoring.catalogue import PAGES, Entry, draw, entries, page
from scoring.rules.base import RULE_SETS, rule_set

EDITIONS = [(name, edition) for name in RULE_SETS for edition in rule_set(name).editions]
TABLE = [(name, edition, entry) for name, edition in EDITIONS for entry in entries(rule_set(name), edition)]
SIZES = {"mcr": 82, "mcr-plus": 93, "dazhong": 99, "fuzhou": 5, "jipinghu": 28}


def tiles_apart(hand: Hand, other: Hand) -> int:
    """How many tiles must be replaced, added or taken away (whichever is more) to make one hand the other."""

    def tiles(one: Hand) -> Counter[str]:
        melded = [tile for meld in one.melds for tile in meld.tiles]
        return Counter([*one.concealed, one.winning, *melded, *one.flowers])

    return max((tiles(hand) - tiles(other)).total(), (tiles(other) - tiles(hand)).total())


def told(name: str, edition: str, entry: Entry) -> str:
    return f"{name}-{edition}-{entry.fan.name}"


@pytest.mark.parametrize(
    ("name", "edition", "entry"), TABLE, ids=[told(name, edition, entry) for name, edition, entry in TABLE]
)
def test_a_hand_scores_it_and_a_near_miss_does_not(name: str, edition: str, entry: Entry) -> None:
    said = {"events": entry.events, **entry.options}
    answer = score(entry.hand, name, edition, **said)
    found = {fan.name: fan.points for fan in answer.fans}
    assert answer.problems == ()
    assert found[entry.fan.name] == entry.fan.points
    missed = score(entry.near, name, edition, **said)
    assert entry.fan.name not in {fan.name for fan in missed.fans}
    assert {problem.code for problem in missed.problems} <= {"not-winning"}
    assert tiles_apart(entry.hand, entry.near) == 1
    circumstances = ("seat", "prevalent", "self_drawn", "last_copy", "last_tile", "kong")
    assert all(getattr(entry.hand, flag) == getattr(entry.near, flag) for flag in circumstances)


def test_the_table_covers_every_fan() -> None:
    for name in RULE_SETS:
        rules = rule_set(name)
        assert {fan.name for fan in rules.fans[rules.default_edition]} == {
            entry.fan.name for entry in entries(rules)
        }
        assert len(entries(rules)) == SIZES[name]


def test_what_is_excluded_is_not_counted() -> None:
    for name, edition, entry in TABLE:
        answer = score(entry.hand, name, edition, events=entry.events, **entry.options)
        assert not set(entry.excludes) & {fan.name for fan in answer.fans}


@pytest.mark.parametrize("name", RULE_SETS)
def test_pages_are_in_step(name: str) -> None:
    written = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert written == page(rule_set(name)), "run: python -m scoring.catalogue"


def run(*arguments: str):
    return CliRunner().invoke(models.cli.app, ["rules", *arguments])


def test_the_command_lists_the_rule_sets() -> None:
    done = run()
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(RULE_SETS)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_command_prints_each_fan(name: str) -> None:
    rules = rule_set(name)
    both, english, chinese = (run(name, "--language", language).stdout for language in ("both", "en", "zh"))
    for entry in entries(rules):
        assert f"{entry.fan.name} {entry.fan.english}" in both
        assert entry.fan.english in english
        assert entry.fan.name in chinese
        assert draw(entry.hand)[:4] in both
    objects = [json.loads(line) for line in run(name, "--json").stdout.splitlines()]
    assert [found["name"] for found in objects] == [entry.fan.name for entry in entries(rules)]
    assert run(name, "--markdown").stdout == page(rules)


def test_the_command_refuses_what_there_is_none_of() -> None:
    for arguments in (["riichi"], ["mcr", "--language", "fr"], ["mcr", "--edition", "1900"], ["none.toml"]):
        assert run(*arguments).exit_code == 2


def test_house_rules_are_told_too(tmp_path) -> None:
    (tmp_path / "club.toml").write_text(
        'start = "mcr"\noff = ["七对"]\n[points]\n"清龙" = 20\n', encoding="utf-8"
    )
    told = [json.loads(line) for line in run(str(tmp_path / "club.toml"), "--json").stdout.splitlines()]
    points = {fan["name"]: fan["points"] for fan in told}
    assert points["清龙"] == 20
    assert "七对" not in points
