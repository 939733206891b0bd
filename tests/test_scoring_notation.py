"""GB notation: reading, printing, the fixed point between them, and what is said about text that is no
hand."""

from __future__ import annotations

import pytest
from benchmarks.winning_hands import winning_hands
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import Hand, Meld, MeldKind, NotationError, format_hand, parse_hand
from scoring.tiles import FLOWERS, KINDS

KIND = st.sampled_from(KINDS)


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Any three tiles as a chow or pung, any four as a kong; also ones that no rules allow."""
    kind = draw(st.sampled_from(MeldKind))
    size = 4 if kind.is_kong else 3
    if kind is MeldKind.CHOW:
        tiles = draw(st.lists(KIND, min_size=3, max_size=3).filter(lambda tiles: len(set(tiles)) > 1))
    elif kind is MeldKind.PUNG:
        tiles = [draw(KIND)] * 3
    else:
        tiles = draw(st.lists(KIND, min_size=size, max_size=size))
    return Meld(kind, tuple(tiles), draw(st.integers(0, 3)))


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Any hand at all: up to five melds, up to seventeen concealed tiles, any circumstances."""
    named = draw(st.booleans())
    return Hand(
        tuple(draw(st.lists(melds(), max_size=5))),
        tuple(draw(st.lists(KIND, max_size=16))),
        draw(KIND),
        draw(st.sampled_from("ESWN")),
        draw(st.sampled_from("ESWN")),
        *(draw(st.booleans()) for _ in range(4)),
        flowers=tuple(draw(st.lists(st.sampled_from((*FLOWERS, *KINDS[27:])), max_size=12))) if named else (),
        unnamed_flowers=0 if named else draw(st.integers(0, 36)),
    )


@settings(deadline=None)
@given(hands())
def test_printing_and_parsing_gives_the_same_hand(hand: Hand) -> None:
    text = format_hand(hand)
    assert parse_hand(text) == hand
    assert str(parse_hand(text)) == text


def test_round_trip_of_winning_hands() -> None:
    for hand in winning_hands(seed=4, count=200):
        assert parse_hand(str(hand)) == hand


@pytest.mark.parametrize(
    "text",
    [
        "[456s,1][333s,1][CCCC,2][PPPP]22m5s5s|EE1000|abf",
        "12789m33s234999p3m|EE1000|0",
        "[1111s,5][2222m,6][3333p,7]4s44p4s|NE0101|4",
        "[567m][888p]234m55sEE5s|SW0000|aEC",
        "[ESW,2][1m3s2p]EE|EE0011|aab",
    ],
)
def test_canonical_text_is_printed_as_it_was(text: str) -> None:
    assert str(parse_hand(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("345s3p55p5567p[7777s,1]4p", "[7777s,1]345s3555567p4p|EE0000|0"),
        ("345s[777m,3]345m55567p|NE1010|cba", "[777m,3]345m345s5556p7p|NE1010|abc"),
        ("a5sghWSW[3333m,6]78m2s5s|EE0000|dc", "[3333m,6]78m25sSWW5s|EE0000|acdgh"),
        (" 19m19s19p ESWNCFP 1s ", "19m19s19pESWNCFP1s|EE0000|0"),
        ("[645s,2]1m", "[456s,2]1m|EE0000|0"),
        ("1m|SW", "1m|SW0000|0"),
    ],
)
def test_loose_text_is_read(text: str, canonical: str) -> None:
    assert str(parse_hand(text)) == canonical


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("[123m,1]", 8),
        ("12x", 0),
        ("1m2B", 2),
        ("1mB", 2),
        ("1m?", 2),
        ("0m", 0),
        ("12", 0),
        ("1z", 0),
        ("[12m,1]33m", 0),
        ("[12345m]3m", 0),
        ("[]3m", 0),
        ("[abc]3m", 0),
        ("[123m,4]3m", 6),
        ("[123m,5]3m", 6),
        ("[1111m,4]3m", 7),
        ("[123m,]3m", 6),
        ("[123m,11]3m", 6),
        ("[123m3m", 0),
        ("123m]3m", 4),
        ("3m|N1011|a", 3),
        ("3m|EE10|a", 3),
        ("3m|EE10001|a", 3),
        ("3m||a", 3),
        ("3m|EE2000|a", 3),
        ("3m|EE0000|abz", 12),
        ("3m|EE0000|123", 10),
        ("a3m|EE0000|2", 11),
        ("3m|EE0000|a|b", 11),
        ("3m|EE0000|0|", 11),
    ],
)
def test_bad_text_is_refused_where_it_goes_wrong(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_hand(text)
    message = str(caught.value)
    assert caught.value.position == position
    assert message.endswith(f"{caught.value.remedy}.")
    assert "\n" not in message


@settings(deadline=None)
@given(st.text(alphabet="123456789mpsESWNCFPabcdefgh[],|01?B ", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        hand = parse_hand(text)
    except NotationError:
        return
    assert parse_hand(str(hand)) == hand


def test_values_that_are_no_hand_are_refused() -> None:
    with pytest.raises(ValueError, match="'9z' is not a tile"):
        Hand((), ("9z",), "1m")
    with pytest.raises(ValueError, match="'a' is not a tile"):
        Hand((), ("1m",), "a")
    with pytest.raises(ValueError, match="must be winds"):
        Hand((), ("1m",), "1m", prevalent="C")
    with pytest.raises(ValueError, match="either named or counted"):
        Hand((), ("1m",), "1m", flowers=("a",), unnamed_flowers=1)
    with pytest.raises(ValueError, match="source of a meld"):
        Meld(MeldKind.PUNG, ("1m", "1m", "1m"), 4)


def test_order_of_tiles_makes_no_difference_to_a_hand() -> None:
    assert parse_hand("[312m,1]54p1s1s") == parse_hand("[123m,1]45p1s1s")


@pytest.mark.parametrize(
    ("text", "sets"), [("12m", 0), ("12345m", 1), ("123m", None), ("[123m,1]" * 5 + "11m", 5)]
)
def test_number_of_sets(text: str, sets: int | None) -> None:
    assert parse_hand(text).sets == sets
