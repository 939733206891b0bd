"""What must hold for every hand, on random legal winning ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from benchmarks.winning_hands import winning_hands
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Hand, Score, score
from scoring.rules.mcr.editions import EDITIONS

HANDS = winning_hands(seed=8, count=400)
any_hand = st.sampled_from(HANDS)
CHOW_PAIRS = ("一般高", "喜相逢", "连六", "老少副")  # of equal ones, the first in tile order is told


def relabelled(hand: Hand, names: dict[str, str]) -> Hand:
    """The same hand with other tiles."""

    def rename(tiles: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(tile, tile) for tile in tiles)

    melds = tuple(replace(meld, tiles=rename(meld.tiles)) for meld in hand.melds)
    winning = names.get(hand.winning, hand.winning)
    return replace(hand, melds=melds, concealed=rename(hand.concealed), winning=winning)


def points(answer: Score, *without: str) -> list[tuple[str, int]]:
    return [(fan.name, fan.points * fan.count) for fan in answer.fans if fan.name not in without]


@settings(max_examples=200, deadline=None)
@given(any_hand, st.randoms())
def test_order_of_melds_and_tiles_makes_no_difference(hand: Hand, random) -> None:
    melds, concealed = list(hand.melds), list(hand.concealed)
    random.shuffle(melds)
    random.shuffle(concealed)
    shuffled = replace(hand, melds=tuple(melds), concealed=tuple(concealed))
    assert points(score(shuffled)) == points(score(hand))


@settings(max_examples=200, deadline=None)
@given(any_hand, st.sampled_from(list(permutations("mps"))))
def test_swapping_suits_changes_only_fans_of_a_suit(hand: Hand, suits: tuple[str, ...]) -> None:
    names = {
        f"{rank}{old}": f"{rank}{new}" for rank in range(1, 10) for old, new in zip("mps", suits, strict=True)
    }
    before, after = score(hand), score(relabelled(hand, names))
    standing = {fan.name for fan in (*before.fans, *after.fans)}
    if not standing & {"绿一色", "推不倒", "无番和"}:
        assert after.total == before.total
        assert points(after, *CHOW_PAIRS) == points(before, *CHOW_PAIRS)


@settings(max_examples=200, deadline=None)
@given(any_hand)
def test_counting_ranks_from_nine_changes_only_fans_of_ranks(hand: Hand) -> None:
    names = {f"{rank}{suit}": f"{10 - rank}{suit}" for rank in range(1, 10) for suit in "mps"}
    mirror = {"全大": "全小", "全小": "全大", "大于五": "小于五", "小于五": "大于五"}
    before, after = score(hand), score(relabelled(hand, names))
    if not {fan.name for fan in (*before.fans, *after.fans)} & {"绿一色", "推不倒", "无番和"}:
        assert after.total == before.total
        range_fans = {mirror[fan.name] for fan in before.fans if fan.name in mirror}
        assert range_fans == {fan.name for fan in after.fans if fan.name in mirror}


@pytest.mark.parametrize("edition", EDITIONS)
def test_answers_hold_together(edition: str) -> None:
    for hand in HANDS:
        answer = score(hand, edition=edition)
        flowers = sum(fan.count for fan in answer.fans if fan.name == "花牌")
        assert answer.wins
        assert answer.problems == ()
        assert answer.total == sum(fan.points * fan.count for fan in answer.fans)
        assert flowers == hand.flower_count
        assert answer.legal == (answer.total - flowers >= answer.minimum)
        assert answer.settlement.winner == -sum(answer.settlement.others)
        assert all(fan.count > 0 for fan in answer.fans)
        names = [fan.name for fan in answer.fans]
        assert len(set(names)) == len(names)


def test_answers_survive_json() -> None:
    for hand in HANDS[:100]:
        answer = score(hand)
        assert Score.from_dict(answer.to_dict()) == answer


def test_tiles_of_a_fan_are_tiles_of_the_hand() -> None:
    for hand in HANDS:
        held = [
            *hand.concealed,
            hand.winning,
            *(tile for meld in hand.melds for tile in meld.tiles),
            *hand.flowers,
        ]
        for fan in score(hand).fans:
            for group in fan.tiles:
                assert not [tile for tile in group if group.count(tile) > held.count(tile)]


def test_naming_another_winning_tile_keeps_the_fans_of_the_tiles() -> None:
    # What the tiles alone decide does not depend on which of them came last.
    of_tiles = {"清一色", "混一色", "字一色", "清幺九", "全大", "全中", "全小", "推不倒", "五门齐", "断幺"}
    for hand in HANDS[:150]:
        tiles = (*hand.concealed, hand.winning)
        plain = replace(hand, self_drawn=True, last_copy=False, kong=False)
        seen = set()
        for place, winning in enumerate(tiles):
            rest = (*tiles[:place], *tiles[place + 1 :])
            names = {fan.name for fan in score(replace(plain, concealed=rest, winning=winning)).fans}
            seen.add(frozenset(names & of_tiles) if not names & {"九莲宝灯"} else frozenset())
        assert len(seen - {frozenset()}) <= 1
