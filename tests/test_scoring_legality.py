"""Hands that cannot be: every reason at once, and none for hands that can."""

from __future__ import annotations

import pytest
from benchmarks.winning_hands import winning_hands

from scoring import Hand, Meld, MeldKind, parse_hand, problems, score


def codes(text: str) -> list[str]:
    return [problem.code for problem in problems(parse_hand(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123456789m123p1s", ["wrong-tile-count"]),  # 13 tiles
        ("123456789m123p111s", ["wrong-tile-count"]),  # 15
        ("[1111m]234567m55p", ["wrong-tile-count"]),
        ("[123m,1]" * 5 + "11p", ["too-many-melds", "five-of-a-kind"] + ["five-of-a-kind"] * 2),
        ("11111m234567m555s", ["five-of-a-kind"]),
        ("[111m,1]1123m456p7788s", ["five-of-a-kind"]),
        ("11111111m234567m", ["five-of-a-kind"]),  # eight: more than a packed digit holds
        ("[1111m][1111m,1][1111m,2][1111m,3]11m", ["five-of-a-kind"]),
        ("[ESW,1]123456789m11p", ["not-a-chow"]),
        ("[124m,1]123456789m11p", ["not-a-chow"]),
        ("[789m1p,1]123456789m11p", ["not-a-kong"]),
        ("[89m1p,1]123456789m11p", ["not-a-chow"]),
        ("123456789m123p5p5p|EE0100", ["last-copy-contradicted"]),
        ("123456789m123p5p5p|EE1001", ["no-kong"]),
        ("[111p,1]123456789m5p5p|EE1001", ["no-kong"]),
        ("[1111p,5]123456789m5p5p|EE1001", []),
        ("123456789m123p5p5p|EE0001", ["robbed-kong-contradicted"]),
        ("123456789m2355p1p|EE0101", []),
        ("123456789m2355p1p|EE0011", ["two-wall-end-claims"]),
        ("123456789m2355p1p|EE0000|aab", ["repeated-flower"]),
        ("123456789m2355p1p|EE0000|9", ["too-many-flowers"]),
        ("123456789m2355p1p|EE0000|aE", ["not-a-flower"]),
        (
            "[ESW,1]111112344m5m|EE0011|aa",
            ["wrong-tile-count", "five-of-a-kind", "not-a-chow", "two-wall-end-claims", "repeated-flower"],
        ),
        (
            "123456789m123p5p5p|EE0111",
            ["last-copy-contradicted", "robbed-kong-contradicted", "two-wall-end-claims"],
        ),
    ],
)
def test_every_reason_at_once(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_only_the_tile_that_there_are_five_of_is_named() -> None:
    (problem,) = problems(parse_hand("[111p,1]11p2222s3334s5s"))
    assert problem.message == "1p appears 5 times; a set of tiles has four of it."


def test_a_meld_is_held_to_its_kind() -> None:
    hand = Hand(
        (Meld(MeldKind.PUNG, ("1m", "2m", "3m"), 1),), ("4m",) * 3 + ("5m",) * 3 + ("6m",) * 3 + ("E",), "E"
    )
    assert [problem.code for problem in problems(hand)] == ["not-a-pung"]


def test_messages_are_single_sentences() -> None:
    for problem in problems(parse_hand("[ESW,1][1112m]111112344m5m|EE0111|aaE")):
        assert problem.message.endswith(".")
        assert "\n" not in problem.message


def test_legal_hands_have_no_problem() -> None:
    assert not [hand for hand in winning_hands(seed=5, count=300) if problems(hand)]


def test_five_set_hands_are_legal_where_five_sets_are_played() -> None:
    hand = parse_hand("[123m,1]456m789m111p22233s")
    assert hand.sets == 5
    assert not problems(hand, sets=5)
    assert [problem.code for problem in problems(hand)] == ["wrong-tile-count"]


def test_fuzhou_flowers_are_a_matter_of_the_rules() -> None:
    hand = parse_hand("123456789m2355p1p|EE0000|aEE")
    allowed = {**dict.fromkeys("abcdefgh", 1), **dict.fromkeys("ESWNCFP", 4)}
    assert not problems(hand, flowers=allowed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123456789m123p5p7p", ["not-winning"]),
        ("123456789m123p5s7s|EE0011", ["two-wall-end-claims", "not-winning"]),
        ("11111m234567m55s5s", ["five-of-a-kind"]),
        ("123m", ["wrong-tile-count"]),
    ],
)
def test_score_of_a_hand_that_does_not_win_says_why(text: str, expected: list[str]) -> None:
    answer = score(text)
    assert (answer.wins, answer.legal, answer.total, answer.fans) == (False, False, 0, ())
    assert answer.settlement.winner == 0
    assert [problem.code for problem in answer.problems] == expected
    assert answer.verdict == "not a winning hand"
