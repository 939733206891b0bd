"""One tile away: what `scoring.exchanges` offers wins, and what wins it offers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from scoring import exchanges, parse_hand, rule_set, score, shortfall
from scoring.tiles import KINDS


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("123456m789p11s23s9s", [("9s", ("1s", "4s")), ("1s", ("9s",))]),
        ("[123m,1][456m,1]789p11s2s3s", [(None, ("1s", "4s"))]),
        (
            "19m19p19sESWNCF1m2m",
            [
                ("2m", ("P",)),
            ],
        ),
        ("123456m789p11s2s4s", [(None, ("3s",))]),
        ("135m246p579sESWNC", []),
        ("1m", []),
        ("1m2m3m4m", []),
    ],
)
def test_worked_examples(text: str, answer: list[tuple[str | None, tuple[str, ...]]]) -> None:
    assert [(exchange.replaced, exchange.by) for exchange in exchanges(parse_hand(text), score)] == answer


def test_exchanges_are_all_that_win_and_nothing_else() -> None:
    hand = parse_hand("[123m,1]456789p11s23s9s")
    held = (*hand.concealed, hand.winning)
    expected = set()
    for tile in set(held):
        rest = list(held)
        rest.remove(tile)
        for kind in KINDS:
            if kind != tile and score(replace(hand, concealed=tuple(rest), winning=kind)).wins:
                expected.add((tile, kind))
    found = {(exchange.replaced, kind) for exchange in exchanges(hand, score) for kind in exchange.by}
    assert expected
    assert found == expected


def test_the_rules_decide_what_wins() -> None:
    pairs = parse_hand("1133557799m11p2p3s")
    assert [exchange.replaced for exchange in exchanges(pairs, score)] == ["3s", "2p"]
    assert exchanges(pairs, partial(score, rules="jipinghu")) == []  # no seven pairs there


def test_a_wild_tile_in_the_hand() -> None:
    hand = parse_hand("[123m,1][456m,1]9m789p11s5s6p")
    table = partial(score, rules="dazhong", wild="5s")
    (exchange,) = exchanges(hand, table, "5s")
    assert exchange.replaced == "6p"
    assert set(exchange.by) == {"7m", "8m", "9m", "1s", "5s"}


@pytest.mark.parametrize(
    ("text", "short"),
    [("[123m,1]234m456p99s567s", 6), ("[123m,1]234m456p99s567s|EE0000|abc", 6), ("1m", 0)],
)
def test_points_below_the_minimum(text: str, short: int) -> None:
    assert shortfall(score(text), rule_set("mcr")) == short


def test_a_legal_hand_lacks_nothing() -> None:
    assert shortfall(score("12789m33s234999p3m|EE1000|0"), rule_set("mcr")) == 0
