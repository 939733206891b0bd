"""鸡平胡: the highest hand, bonuses up to 爆和, payment and responsibility."""

from __future__ import annotations

import pytest

from scoring import score

# hand, 番, 分, the fans that stand
ANSWERS = (
    ("[456p,1]111789s22m66s6s|ES0000|0", 0, 1, "鸡和"),
    ("123m456p789s22m567s|EE0000|0", 1, 2, "平和"),
    ("123m456p789sEE567s|EE0000|0", 1, 2, "平和"),  # any pair
    ("[456p,1]111789s22m66s6s|ES1000|0", 1, 2, "鸡和 自摸"),
    ("[333p,1][111s,1]22m777p66s6s|ES0000|0", 2, 4, "碰碰和"),
    ("[123m,1]456789m77mWW7m|EE0000|0", 2, 4, "混一色"),
    ("[EEE,1]456p789s22m567s|EE1000|0", 3, 8, "鸡和 自摸 门风刻 圈风刻"),
    ("[EEE,1][CCC,1]789s22m567s|EE1000|0", 3, 8, "鸡和 自摸 门风刻 圈风刻"),  # a fourth does not fit
    ("[CCC,1][FFF,1]111m222p3s3s|EE0000|0", 3, 8, "碰碰和 箭刻"),
    ("123456789m22m34m5m|EE1000|0", 4, 16, "清一色"),
    ("[CCC,1]111m444m77mSSS|ES1000|0", 4, 16, "混碰"),
    ("[111m,1]222m444m77m666m|EE0000|0", 5, 32, "清碰"),
    ("[111m,1]999pCCCEEE11p|ES0000|0", 5, 32, "混幺九"),
    ("[CCC,1]FFFPP123m45p6p|EE0000|0", 5, 32, "小三元"),
    ("[EEE,1]SSSWWWNN45p6p|EE0000|0", 5, 32, "小四喜"),
    ("[EEE,1]SSSWWWNNCCC|EE0000|0", 6, 64, "字一色"),
    ("[111s,1][999s,1][999m,1]11m99p1m", 6, 64, "清幺九"),
    ("[CCC,1][FFF,1]PPP567m5s5s", 6, 64, "大三元"),
    ("[EEE,1][WWW,1]55mSSSNNN", 6, 64, "大四喜"),
    ("1112345678999m1m", 6, 64, "九莲宝灯"),
    ("19m19s19pESWNCFPN", 6, 64, "十三幺"),
    ("[1111s,1]456789s22m67s8s|ES1001|0", 3, 8, "杠上开花"),
    ("456p111678s22m78s9s|ES0001|0", 3, 8, "抢杠和"),
    ("456p111789s22m67s8s|ES1010|0", 3, 8, "海底捞月"),
)


@pytest.mark.parametrize(("hand", "fan", "points", "names"), ANSWERS)
def test_hand(hand: str, fan: int, points: int, names: str) -> None:
    answer = score(hand, "jipinghu")
    assert (answer.fan, answer.total) == (fan, points)
    assert {found.name for found in answer.fans} == set(names.split())
    assert sum(found.points * found.count for found in answer.fans) == fan


@pytest.mark.parametrize("event", ["天和", "地和", "人和"])
def test_first_round(event: str) -> None:
    flags = {"天和": "EE1000", "地和": "ES1000", "人和": "ES0000"}[event]
    hand = f"123m456p789s22m56s7s|{flags}|0"
    answer = score(hand, "jipinghu", events=[event])
    assert (answer.fan, answer.total, answer.fans[0].name) == (6, 64, event)
    assert score(hand, "jipinghu", events=[event], first_round_fan=4).total == 16


def test_three_winners_are_raised_to_three_fan() -> None:
    hand = "[456p,1]111789s22m66s6s|ES0000|0"
    answer = score(hand, "jipinghu", events=["一炮三响"])
    assert (answer.fan, answer.total, answer.settlement.others) == (3, 8, (-8, 0, 0))
    assert score(hand.replace("ES0000", "ES1000"), "jipinghu", events=["一炮三响"]).problems


def test_kongs_count_where_the_option_says_so() -> None:
    hand = "[1111s,1][3333p]789m22m56s7s|ES0000|0"
    assert score(hand, "jipinghu").fan == 0
    answer = score(hand, "jipinghu", kong_fan=1)
    assert answer.fan == 2
    assert {(fan.name, fan.count) for fan in answer.fans} == {("鸡和", 1), ("杠", 2)}


@pytest.mark.parametrize("hand", ["77m113366s4477pEE|EN0000|0", "14m25s369pESWNFPC", "147m258s369p123p55s"])
def test_no_pairs_and_nothing_knitted(hand: str) -> None:
    answer = score(hand, "jipinghu")
    assert not answer.wins
    assert [problem.code for problem in answer.problems] == ["not-winning"]


def test_what_is_above_the_cap_is_told() -> None:
    answer = score("[EEE,1][CCC,1]789s22m56s7s|EE1000|0", "jipinghu")
    assert [note.rule[:2] for note in answer.excluded if note.name == "箭刻"] == ["爆和"]
    assert score("[EEE,1][CCC,1]789s22m56s7s|EE1000|0", "jipinghu", cap=4).total == 16


PAYMENTS = (
    # A discard: the discarder alone. Self-drawn: each of three.
    ("123m456p789s22m56s7s|EE0000|0", {"discarder": "W"}, {"E": 2, "S": 0, "W": -2, "N": 0}),
    ("123m456p789s22m56s7s|EE1000|0", {}, {"E": 12, "S": -4, "W": -4, "N": -4}),
    # The robbed player pays for all three.
    ("456p111678s22m78s9s|ES0001|0", {"discarder": "E"}, {"S": 24, "E": -24, "W": 0, "N": 0}),
    # Responsibility: twelve tiles on the table, the third dragon pung, the fourth wind pung, a fed kong.
    (
        "[123m,1][345p,1][789s,1][567s,1]2m2m|EE1000|0",
        {"responsible": "S"},
        {"E": 12, "S": -12, "W": 0, "N": 0},
    ),
    ("[CCC,1][FFF,1][PPP,1]567m5s5s|EW1000|0", {"responsible": "E"}, {"W": 192, "E": -192, "S": 0, "N": 0}),
    (
        "[EEE,1][SSS,2][WWW,3][NNN,1]5s5s|EN1000|0",
        {"responsible": "W"},
        {"N": 192, "W": -192, "E": 0, "S": 0},
    ),
    ("[1111s,1]456789s22m67s8s|ES1001|0", {"responsible": "E"}, {"S": 24, "E": -24, "W": 0, "N": 0}),
)


@pytest.mark.parametrize(("hand", "options", "table"), PAYMENTS)
def test_payment(hand: str, options: dict[str, str], table: dict[str, int]) -> None:
    answer = score(hand, "jipinghu", **options)
    assert answer.problems == ()
    assert {payment.seat: payment.amount for payment in answer.payments} == table


@pytest.mark.parametrize(
    "hand",
    [
        "[123m,1][345p,1]789567s2m2m2m|EE1000|0",
        "[123m,1][345p,1][789s,1]56722s|EE1000|0",  # nine tiles are not twelve
        "[123m,1][345p,1][789s,1][567s,1]2m2m|EE0000|0",  # a discard
        "[123m,1][345p,1][789s,1][567s,1]2m2m|ES1000|0",  # the winner herself
        "[1111s,5]456789s22m67s8s|EE1001|0",  # a kong that nobody fed
    ],
)
def test_nobody_is_responsible(hand: str) -> None:
    answer = score(hand, "jipinghu", responsible="S")
    assert "responsibility-contradicted" in [problem.code for problem in answer.problems]
