"""What must hold under every rule set, on random legal hands."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.winning_hands import winning_hands, with_wild_tiles
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Hand, Score, score
from scoring.house import house_rules
from scoring.rules.base import RULE_SETS, rule_set
from scoring.rules.mcr_plus import EXTRAS
from scoring.tiles import HONOR_NAMES, KINDS

HANDS = winning_hands(seed=31, count=500)
WILD = {count: with_wild_tiles(HANDS, seed=count, wild="5m", count=count) for count in (1, 2, 3)}
any_hand = st.sampled_from(HANDS)
TABLES = [(name, edition) for name in RULE_SETS for edition in rule_set(name).editions]
honors = [tile for tile in HONOR_NAMES for _ in range(4)]


@st.composite
def said(draw: st.DrawFn) -> tuple[str, str, dict[str, object]]:
    """A rule set, an edition, and events and options that it knows."""
    name, edition = draw(st.sampled_from(TABLES))
    rules = rule_set(name)
    options: dict[str, object] = {}
    for option in rules.options:
        if draw(st.booleans()):
            values = st.sampled_from(option.takes) if option.takes else st.integers(option.lowest, 9)
            options[option.name] = draw(st.booleans() if option.flag else values)
    events = draw(st.lists(st.sampled_from(rules.events), max_size=3)) if rules.events else []
    return name, edition, {"events": events, **options}


@settings(max_examples=400, deadline=None)
@given(any_hand, said())
def test_no_rule_set_crashes_on_a_legal_hand(hand: Hand, call: tuple[str, str, dict]) -> None:
    name, edition, options = call
    answer = score(hand, name, edition, **options)
    assert answer.wins == (not answer.problems)
    assert answer.settlement.winner == -sum(answer.settlement.others)
    assert sum(payment.amount for payment in answer.payments) == 0
    assert Score.from_dict(answer.to_dict()) == answer


tiles = st.lists(st.sampled_from([kind for kind in KINDS for _ in range(4)]), min_size=1, max_size=17)


@settings(max_examples=200, deadline=None)
@given(tiles, said())
def test_no_rule_set_crashes_on_any_tiles(names: list[str], call: tuple[str, str, dict]) -> None:
    name, edition, options = call
    answer = score(Hand((), tuple(names[:-1]), names[-1]), name, edition, **options)
    assert answer.wins == (not answer.problems)


@pytest.mark.parametrize(("name", "edition"), TABLES)
def test_answers_hold_together(name: str, edition: str) -> None:
    for hand in HANDS[:150]:
        answer = score(hand, name, edition)
        if answer.wins:
            points = sum(fan.points * fan.count for fan in answer.fans)
            assert points == (answer.total if answer.fan is None else answer.fan)
            assert len({fan.name for fan in answer.fans}) == len(answer.fans)
            seats = [payment.seat for payment in answer.payments]
            assert not answer.legal or (len(seats) == 4 and seats[0] == hand.seat)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from((1, 2, 3)))
def test_a_wild_tile_never_lowers_the_total_against_naming_it(data: st.DataObject, count: int) -> None:
    hand = data.draw(st.sampled_from(WILD[count]))
    wild_kind = "5m"
    best = score(hand, "dazhong", wild=wild_kind)
    named = [
        data.draw(st.sampled_from(KINDS)) if tile == wild_kind else tile
        for tile in (*hand.concealed, hand.winning)
    ]
    plain = replace(hand, concealed=tuple(named[:-1]), winning=named[-1])
    assert best.total >= score(plain, "dazhong").total


@settings(max_examples=60, deadline=None)
@given(any_hand, st.data())
def test_a_tile_made_wild_never_lowers_the_total(hand: Hand, data: st.DataObject) -> None:
    """The same with one naming that is known to win: the hand as it was before a tile became wild."""
    tiles = [*hand.concealed, hand.winning]
    held = [*tiles, *(tile for meld in hand.melds for tile in meld.tiles)]
    if "5m" in held or hand.last_copy or hand.kong:
        return
    for place in data.draw(st.sets(st.integers(0, len(tiles) - 1), min_size=1, max_size=3)):
        tiles[place] = "5m"
    wild = replace(hand, concealed=tuple(tiles[:-1]), winning=tiles[-1])
    answer = score(wild, "dazhong", wild="5m")
    assert answer.total >= score(hand, "dazhong").total
    assert answer.named is not None
    # What is told is what the named hand scores without a wild kind.
    assert score(answer.named, "dazhong").total == answer.total


BARE = house_rules({"start": "mcr-plus", "off": [fan.name for fan in EXTRAS]})


@settings(max_examples=300, deadline=None)
@given(any_hand)
def test_mcr_plus_without_its_extra_fans_is_mcr_of_1998(hand: Hand) -> None:
    answer, official = score(hand, BARE), score(hand, edition="1998")
    assert (answer.total, answer.fans, answer.excluded, answer.payments) == (
        official.total,
        official.fans,
        official.excluded,
        official.payments,
    )


@pytest.mark.parametrize("count", [1, 2, 3])
def test_gold_wins_where_the_tiles_did(count: int) -> None:
    hands = [hand for hand in HANDS if not set(HONOR_NAMES) & {*hand.concealed, hand.winning}]
    for hand in with_wild_tiles(hands, seed=count, wild="9s", count=count)[:40]:
        melded = {tile for meld in hand.melds for tile in meld.tiles}
        before = replace(hand, self_drawn=True)
        answer = score(before, "fuzhou", gold="9s")
        if melded & set(HONOR_NAMES):
            assert not answer.wins
        elif answer.wins and answer.named is not None:
            assert score(replace(answer.named, flowers=("a",)), "fuzhou").wins
