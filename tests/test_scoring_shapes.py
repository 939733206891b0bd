"""Winning shapes and waits, against a plain search that shares no code with them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from benchmarks.winning_hands import winning_hands

from scoring import TILES, is_chow, is_kong, is_pung, waits, winning_shape
from scoring.splits import hand_splits, hand_waits
from scoring.tiles import KINDS, KNITTED_STRAIGHTS, UNIT, pack, tile_count, unpack


def counts_of(tiles: list[str]) -> list[int]:
    return [tiles.count(kind) for kind in KINDS]


@cache
def is_sets(tiles: tuple[str, ...]) -> bool:
    """Whether sorted tiles are all chows and pungs."""
    if not tiles:
        return True
    first, rest = tiles[0], list(tiles[1:])
    if rest.count(first) >= 2 and is_sets(tuple(tile for i, tile in enumerate(rest) if i > 1)):
        return True
    if len(first) == 2 and first[0] <= "7":
        for step in (1, 2):
            following = f"{int(first[0]) + step}{first[1]}"
            if following not in rest:
                return False
            rest.remove(following)
        return is_sets(tuple(rest))
    return False


def is_sets_and_pair(tiles: list[str]) -> bool:
    for tile, count in Counter(tiles).items():
        if count >= 2:
            rest = sorted(tiles, key=KINDS.index)
            rest.remove(tile)
            rest.remove(tile)
            if is_sets(tuple(rest)):
                return True
    return False


def random_tiles(random: Random, size: int) -> list[str]:
    kinds = random.choice([KINDS[:9], KINDS[:9], KINDS[:18], KINDS[9:27] + KINDS[31:]])
    return random.sample([kind for kind in kinds for _ in range(4)], size)


def test_forty_two_tiles_in_order() -> None:
    assert len(TILES) == 42
    assert TILES[:9] == tuple(f"{rank}m" for rank in range(1, 10))
    assert TILES[27:] == tuple("ESWNCFPabcdefgh")


@pytest.mark.parametrize("size", [2, 5, 8, 11, 14, 17])
def test_sets_and_pair_as_a_plain_search_finds_them(size: int) -> None:
    random = Random(size)
    for _ in range(300):
        tiles = random_tiles(random, size)
        assert bool(hand_splits(pack(tiles))) == is_sets_and_pair(tiles)


def test_splits_are_the_tiles_taken_apart_and_differ() -> None:
    for hand in winning_hands(seed=6, count=200):
        concealed = pack([*hand.concealed, hand.winning])
        splits = hand_splits(concealed)
        assert len(set(splits)) == len(splits)
        for chows, pungs, pair in splits:
            assert chows + (chows << 3) + (chows << 6) + 3 * pungs + 2 * pair == concealed


def test_waits_by_form_as_a_plain_search_finds_them() -> None:
    random = Random(1)
    for _ in range(200):
        tiles = random_tiles(random, 13)
        expected = [kind for kind in KINDS if is_sets_and_pair([*tiles, kind])]
        assert list(unpack(hand_waits(pack(tiles)))) == expected


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ("1112345678999s", 0, "123456789s"),
        ("2345678999s", 1, "124578s"),
        ("1112346778999s", 0, "578s"),
        ("3344455566667m", 0, "234578m"),
        ("19m19s19pESWNCFP", 0, "19m19p19sESWNCFP"),
        ("19m19s19pESWNNFP", 0, "C"),
        ("22559m11sEESSPP", 0, "9m"),
        ("47m28s369pESWCFP", 0, "1m5sN"),
        ("47m28s369pESWCCP", 0, ""),
        ("23344445m888pWW", 0, "1mW"),  # 4m by form, of which no copy is left
        ("234m345s333pEEEE", 0, ""),
        ("147m258s36p123m55s", 0, "9p"),
        ("147m258s36p55s", 1, "9p"),
        ("E", 4, "E"),
        ("1112345678999s111m", 0, "123456789s"),  # five sets and a pair
        ("1122334455667m", 0, "147m"),
        ("123m", 0, ""),
        ("11111m", 0, ""),
    ],
)
def test_waits(tiles: str, melds: int, expected: str) -> None:
    assert list(waits(names(tiles), melds)) == names(expected)


def names(text: str) -> list[str]:
    """Tile names of plain notation, in order of appearance."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        elif letter in "mps":
            found += [rank + letter for rank in ranks]
            ranks = ""
        else:
            found.append(letter)
    return found


def test_winning_hands_have_a_winning_shape_and_were_waited_for() -> None:
    for hand in winning_hands(seed=7, count=150):
        tiles = [*hand.concealed, hand.winning]
        assert winning_shape(counts_of(tiles), len(hand.melds))
        assert hand.winning in waits(hand.concealed, len(hand.melds))


@pytest.mark.parametrize(
    ("tiles", "melds", "wins"),
    [
        ("123456789m123p55s", 0, True),
        ("123456789m55s", 1, True),
        ("55s", 4, True),
        ("123456789m123789p55s", 0, True),  # five sets
        ("55s", 5, True),
        ("11223344556677m", 0, True),
        ("11113344556677m", 0, True),
        ("19m19s19pESWNCFPP", 0, True),
        ("147m258s369pESWNC", 0, True),
        ("147m258s369p123p55s", 0, True),
        ("147m258s369p55s", 1, True),
        ("147m258s369p55s", 0, False),
        ("11111m234567m55s9s", 0, False),
        ("123456789m123p5s", 0, False),
        ("1122334455667788m5s", 0, False),
    ],
)
def test_winning_shape(tiles: str, melds: int, wins: bool) -> None:
    assert winning_shape(counts_of(names(tiles)), melds) is wins


def test_counts_must_be_of_all_kinds() -> None:
    with pytest.raises(ValueError, match="34 kinds"):
        winning_shape([0] * 33)
    with pytest.raises(ValueError, match="'a' is not a tile"):
        waits(["a"])


def test_sets_by_name() -> None:
    assert is_chow(["7s", "8s", "9s"])
    assert not is_chow(["8s", "9s", "1p"])
    assert not is_chow(["C", "F", "P"])
    assert is_pung(["P"] * 3)
    assert is_kong(["2m"] * 4)
    assert not is_kong(["2m"] * 3)


def test_packing() -> None:
    assert [len(list(unpack(straight))) for straight in KNITTED_STRAIGHTS] == [9] * 6
    tiles = ["1m", "1m", "9s", "P", "P", "P"]
    assert list(unpack(pack(tiles))) == tiles
    assert tile_count(pack(tiles)) == 6
    assert tile_count(pack(["1m"] * 8)) != 8  # a digit overflowed, and it shows
    assert UNIT["1m"] == 1
