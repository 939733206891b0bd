"""`dazhong`: the starred fans, and wild tiles."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from benchmarks.winning_hands import winning_hands, with_wild_tiles

from scoring import Hand, parse_hand, score
from scoring.house import house_rules
from scoring.rules.base import RuleSet, rule_set
from scoring.tiles import KINDS, pack
from scoring.wild import named_hand

# hand, options, names that stand, names that do not
ANSWERS = (
    ("[EEE,1][WWW,1]SSSNNFFN", {}, "四方大发财", "大四喜 字一色 碰碰和 圈风刻 幺九刻"),
    ("[EEE,1][WWW,1]SSSNNCCN", {}, "大四喜 字一色", "四方大发财"),
    ("123m456p789s22m13s2s|EE1000|0", {"events": ["天和"]}, "天和", "坎张 不求人 自摸"),
    ("123m456p789s22m13s2s|ES1000|0", {"events": ["地和"]}, "地和 坎张", "不求人 自摸"),
    ("123m456p789s22m13s2s|ES0000|0", {"events": ["人和"]}, "人和 坎张", "门前清"),
    ("[5555m]123m456p78s22p9s|EE0000|0", {"wild": "5m"}, "混杠", "暗杠 无混"),
    ("[5555m]123m456p78s22p9s|EE0000|0", {"wild": "6m"}, "暗杠 无混", "混杠"),
    ("123m456p789s22m56s7s|EE0000|0", {"events": ["天听"]}, "天听 门前清", "立直"),
    ("123m456p789s22m56s7s|EE0000|0", {"events": ["立直"]}, "立直 门前清", "天听"),
    ("[222m,1][333p,1]444p55s88m5s", {}, "混四节 碰碰和", "混三节"),
    ("[222m,1][333p,1]444s66s88m6s", {}, "三色三节高 碰碰和", "混四节 混三节"),
    ("[222m,1][333p,1]44m78988s4m", {}, "混三节", "混四节"),
    ("[234m,1][345p,1]456p56s88m7s", {}, "混四步", "混三步"),
    ("[234m,1][345p,1]45m789s88p6m", {}, "混三步", "混四步"),
    ("[234m,1][345p,1]456s88m11p1p", {}, "三色三步高", "混三步"),
    ("[123m,1][456m,1]789pEE55s5s", {}, "混龙", "连六 喜相逢 花龙"),
    ("[123m,1][456s,1]789pEE55s5s", {}, "花龙", "混龙"),
    ("123m456p789s22m56s7s|EE0000|0", {"wild": "5m"}, "无混", ""),
    ("123m456p789s22m56s7s|EE0000|0", {}, "", "无混"),
    ("123m456p789s55m55s5m|EE0000|0", {"wild": "5m"}, "", "无混"),
    ("123m456p789s22m56s7s|EE0000|0", {}, "二五八将", "幺九头"),
    ("123m456p789s99m56s7s|EE0000|0", {}, "幺九头", "二五八将"),
    ("[111s,1][999s,1][999m,1]11m99p1m", {}, "清幺九", "幺九头"),
    ("123m456p789s22m56s7s|ES0000|bf", {}, "季花", "梅兰竹菊 春夏秋冬"),
    ("123m456p789s22m56s7s|EW0000|bf", {}, "花牌", "季花"),
    ("123m456p789s22m56s7s|EE0000|efgh", {}, "梅兰竹菊 季花", "春夏秋冬"),
    ("123m456p789s22m56s7s|EE0000|abcd", {}, "春夏秋冬 季花", "梅兰竹菊"),
)


@pytest.mark.parametrize(("hand", "options", "stand", "absent"), ANSWERS)
def test_hand(hand: str, options: dict, stand: str, absent: str) -> None:
    answer = score(hand, "dazhong", **options)
    names = {fan.name for fan in answer.fans}
    assert answer.problems == ()
    assert not set(stand.split()) - names
    assert not set(absent.split()) & names
    assert sum(fan.points * fan.count for fan in answer.fans) == answer.total


def test_the_flower_of_the_seat_counts_once_each() -> None:
    fans = {fan.name: fan.count for fan in score("123m456p789s22m56s7s|ES0000|bf", "dazhong").fans}
    assert (fans["季花"], fans["花牌"]) == (2, 2)


WILD = (
    ("112345678mCCC9mC|EE0000|0", "九莲宝灯 清龙"),
    ("2244m66s88pFFCCCC|EE1000|0", "四暗刻"),
    ("147m258s36pESCCCC|EE1000|0", "全不靠 组合龙"),
    ("19m19s19pESWNCCCC|EE1000|0", "十三幺"),
    ("EEESSSWWWNNCCC|EE1000|0", "四方大发财 四暗刻"),
    ("123m456p789s22m56sC|EE0000|0", "花龙 平和"),
)


@pytest.mark.parametrize(("hand", "names"), WILD)
def test_wild_tiles_take_the_kinds_that_score_most(hand: str, names: str) -> None:
    answer = score(hand, "dazhong", wild="C")
    assert not set(names.split()) - {fan.name for fan in answer.fans}
    assert len(answer.stands_for) == hand.split("|")[0].count("C")
    assert answer.hand == parse_hand(hand)
    assert answer.named is not None
    assert answer.named.winning == (
        answer.stands_for[-1][1] if answer.hand.winning == "C" else answer.hand.winning
    )


def highest_by_hand(hand: Hand, wild: str, rules: RuleSet | str = "dazhong") -> int:
    """The total of the best naming, tried one after the other."""
    count = [*hand.concealed, hand.winning].count(wild)
    best = 0
    for names in combinations_with_replacement(KINDS, count):
        for winning in sorted(set(names)) if hand.winning == wild else [None]:
            named = named_hand(hand, wild, pack(names), winning)
            best = max(best, score(named, rules).total)
    return best


CLAIMS = (
    # What a wild tile stands for is no copy of it: the other three may lie open, or in the kong robbed.
    ("123p456p789s456sC3m|EE0001|0", "C", 16, "抢杠和 单钓将"),
    ("123p456p789s456sC3m|EE0100|0", "C", 12, "和绝张 单钓将"),
    ("444m2225888sPPP7s|SS0001|0", "8s", 75, "四暗刻 抢杠和"),
    ("[2222m,7]22s11122233p1s|SE1100|0", "2s", 81, "一色三节高 和绝张"),
    # The last wild tile itself.
    ("555s456p789s66m99pC|EE1100|0", "C", 12, "和绝张"),
)


@pytest.mark.parametrize(("hand", "wild", "total", "names"), CLAIMS)
def test_claims_are_of_the_tiles_themselves(hand: str, wild: str, total: int, names: str) -> None:
    answer = score(hand, "dazhong", "2025", wild=wild)
    assert answer.problems == ()
    assert answer.total == total
    assert set(names.split()) <= {fan.name for fan in answer.fans}


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ("123m456p789s2mCCCC|EE0100|0", "last-copy-contradicted"),
        ("123m456p789s22m5sCC|EE0100|0", "last-copy-contradicted"),
        ("123m456p789s22m5sC5s|EE0100|0", "last-copy-contradicted"),
        ("123m456p789s22m56sC|EE0001|0", "robbed-kong-contradicted"),
    ],
)
def test_claims_that_the_tiles_contradict(hand: str, code: str) -> None:
    """And nothing is said against the shape, which wild tiles complete."""
    assert [problem.code for problem in score(hand, "dazhong", wild="C").problems] == [code]
    shapeless = hand.replace("123m456p", "125m458p")
    answer = score(shapeless, "dazhong", wild="C")
    assert [problem.code for problem in answer.problems] == [code, "not-winning"]


def test_a_house_where_what_drops_others_is_worth_less() -> None:
    """Four concealed pungs at 16 drop more than they bring: another naming, without them, is worth more."""
    club = house_rules({"start": "dazhong", "points": {"四暗刻": 16}})
    hand = parse_hand("112277mEEEWWCCC|SE0010|0")
    answer = score(hand, club, wild="C")
    assert answer.total == highest_by_hand(hand, "C", club) == 43


@pytest.mark.parametrize("count", [1, 2])
def test_every_naming_tried_finds_no_more(count: int) -> None:
    hands = with_wild_tiles(
        winning_hands(seed=41, count=40 if count == 1 else 20), seed=1, wild="5m", count=count
    )
    assert len(hands) >= 3
    for hand in hands:
        answer = score(hand, "dazhong", wild="5m")
        assert answer.total == highest_by_hand(hand, "5m"), str(hand)


def test_wild_tiles_in_melds_are_refused() -> None:
    answer = score("[555m,1]123m456p78s22p9s|EE0000|0", "dazhong", wild="5m")
    assert [problem.code for problem in answer.problems] == ["wild-in-meld"]


def test_wild_tiles_that_do_not_help() -> None:
    answer = score("147m2558s369pESCC|EE0000|0", "dazhong", wild="C")
    assert [problem.code for problem in answer.problems] == ["not-winning"]
    assert "wild" in answer.problems[0].message


def test_no_kind_has_five_tiles() -> None:
    answer = score("[1111m]222333444p4pC|EE0000|0", "dazhong", wild="C")
    assert answer.named is not None
    assert rule_set("dazhong").problems(answer.named) == []
