"""House rules from a file: fans off, other points, minimum, cap, edition, options."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring import RulesError, score
from scoring.catalogue import PAGES
from scoring.house import house_rules, load_rules
from scoring.rules.base import rule_set

PAIRS = "77m113366s4477pEE|EN0000|0"


def test_example_of_the_documentation(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    text = (PAGES / "README.md").read_text(encoding="utf-8")
    path.write_text(text.split("```toml\n")[1].split("```")[0], encoding="utf-8")
    club = load_rules(path)
    assert (club.name, club.chinese, club.editions) == ("club", "本俱乐部", ("2025",))
    answer = score(PAIRS, club)
    assert (answer.rules, answer.edition, answer.total, answer.minimum) == ("club", "2025", 32, 6)
    assert answer.settlement.others == (-36, -4, -4)
    assert score("[NNN,3]77789m11888p7m|EE0000|0", club).legal  # 6 points
    assert score("[CCC,1][PPP,1]5556sFFF4s", club).settlement.others[0] == -(88 + 4)  # 94, capped


def test_a_file_with_the_mark_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('start = "mcr"\nminimum = 6\n', encoding="utf-8-sig")
    assert load_rules(path).nothing_said.number("minimum") == 6


def test_a_fan_switched_off_drops_nothing() -> None:
    flush = "123456789m22m34m5m|EE0000|0"
    club = house_rules({"start": "mcr", "off": ["Full Flush"]})
    names = {fan.name for fan in score(flush, club).fans}
    assert "清一色" not in names
    assert "缺一门" in names


def test_aliases() -> None:
    club = house_rules({"start": "mcr", "off": ["国士无双", "嵌张", "断么"], "points": {"青龙": 20}})
    names = {fan.name: fan.points for fan in club.fans["2025"]}
    assert not {"十三幺", "坎张", "断幺"} & set(names)
    assert names["清龙"] == 20


def test_points_that_turn_the_order_round() -> None:
    club = house_rules({"start": "mcr", "points": {"箭刻": 100, "一般高": 50}})
    assert score("[CCC,1][FFF,1]123m123m55s5s".replace("55s5s", "5s5s"), club).total >= 50


def test_other_rule_sets() -> None:
    assert score("123m456p789s22m56s7s|EE0000|a", house_rules({"start": "fuzhou", "stake": 3})).total == 3
    cantonese = house_rules({"start": "jipinghu", "cap": 2, "off": ["平和"]})
    assert score("123m456p789s22m56s7s|EE0000|0", cantonese).fan == 0
    assert score("[CCC,1][FFF,1]111m222p3s3s|EE0000|0", cantonese).fan == 2


def test_points_and_option_of_the_first_round() -> None:
    """The option counts for all three, but for those that the house gave points of their own."""
    hand, earthly = "123m456p789s22m56s7s|EE1000|0", "123m456p789s22m56s7s|ES1000|0"
    club = house_rules({"start": "jipinghu", "points": {"天和": 5}})
    assert score(hand, club, events=["天和"]).fan == 5
    assert score(earthly, club, events=["地和"]).fan == 6
    assert score(hand, club, events=["天和"], first_round_fan=8).fan == 5
    assert score(earthly, club, events=["地和"], first_round_fan=8).fan == 8
    club = house_rules({"start": "jipinghu", "first_round_fan": 5})
    assert {fan.points for fan in club.fans["standard"] if fan.name in ("天和", "地和", "人和")} == {5}
    assert score(hand, club, events=["天和"]).fan == 5
    assert score(hand, club, events=["天和"], first_round_fan=8).fan == 8


def test_the_rule_set_itself_is_left_alone() -> None:
    house_rules({"start": "mcr", "off": ["七对"], "minimum": 1})
    assert score(PAIRS).total == 24
    assert rule_set("mcr").nothing_said.number("minimum") == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"', "which rule set"),
        ('start = "riichi"', "no rules named 'riichi'"),
        ('start = "mcr"\nedition = "1900"', "no edition '1900'"),
        ('start = "mcr"\noff = ["nothing"]', "no fan 'nothing'"),
        ('start = "mcr"\noff = "七对"', "'off' must be a list"),
        ('start = "mcr"\npoints = 3', "'points' must be a table"),
        ('start = "mcr"\n[points]\n"七对" = -1', "no points"),
        ('start = "mcr"\n[points]\n"七对" = true', "no points"),
        ('start = "mcr"\nstreak = 1', "no option 'streak'"),
        ('start = "mcr"\nminimum = "many"', "no minimum"),
        ("start = 1", "'start' must be a text"),
        ("start = ", "no TOML file"),
    ],
)
def test_a_file_that_is_none(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError) as refused:
        load_rules(path)
    assert message in str(refused.value)
    assert "club.toml" in str(refused.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(RulesError, match="UTF-8"):
        load_rules(tmp_path / "latin.toml")
