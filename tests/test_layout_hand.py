"""From a layout to a hand in notation: the winning tile, melds' sources, what is assumed."""

from __future__ import annotations

import pytest
from layout_scene import tiles

import scoring
from vision.circumstances import Circumstances
from vision.elements import Group, GroupKind, Layout, Quad, Tile
from vision.hand import to_hand


def layout(*rows: tuple[GroupKind, str], sideways: frozenset[int] = frozenset()) -> Layout:
    """Groups of tiles; ids count through them. `sideways`: ids of tiles that lie across."""
    laid, found, number = [], [], 0
    for kind, text in rows:
        members = []
        for name in tiles(text):
            quad: Quad = ((0, 0), (3, 0), (3, 4), (0, 4))
            if number in sideways:
                quad = ((4, 0), (4, 3), (0, 3), (0, 0))
            laid.append(Tile(number, name, 0.99, quad))
            members.append(number)
            number += 1
        found.append(Group(kind, tuple(members)))
    return Layout(tuple(laid), tuple(found), ("complete",))


def test_the_tile_apart_is_the_winning_one() -> None:
    made = to_hand(
        layout(("concealed", "123m678s234p66s57m"), ("winning", "6m")), Circumstances(), scoring.score
    )
    assert made.hand == scoring.parse_hand("12357m234p66678s6m|EE0000|0")
    assert made.by_winning_tile == {}
    assert made.assumed == {"self_drawn": False, "seat": "E", "round": "E"}


def test_without_a_tile_apart_the_best_scoring_one_is_assumed() -> None:
    made = to_hand(layout(("concealed", "333m555sPPWWW888p")), Circumstances(seat="S"), scoring.score)
    assert made.assumed == {"winning": "P", "self_drawn": False, "round": "E"}
    assert made.score is not None
    assert made.by_winning_tile["P"] == made.score.total == max(made.by_winning_tile.values())
    assert made.by_winning_tile["3m"] == scoring.score("33m555sPPWWW888p3m|ES0000|0").total


def test_a_tile_put_to_a_sorted_row_is_the_winning_one() -> None:
    made = to_hand(layout(("concealed", "33m555s888pPPWWW3m")), Circumstances(), scoring.score)
    assert made.assumed["winning"] == "3m"
    assert made.score is not None
    assert made.by_winning_tile["3m"] == made.score.total
    assert len(made.by_winning_tile) == 5


@pytest.mark.parametrize("row", ["123m456p789s22s123m", "123m456p789s22s33s3s", "987s654p321mEECCC"])
def test_a_row_that_says_nothing_of_the_winning_tile_scores_most(row: str) -> None:
    made = to_hand(layout(("concealed", row)), Circumstances(), scoring.score)
    assert made.score is not None
    assert made.score.total == max(made.by_winning_tile.values())


def test_what_the_caller_says_is_used() -> None:
    said = Circumstances(
        seat="W", round="S", winning="3m", self_drawn=True, last_copy=True, last_tile=True, kong=True
    )
    made = to_hand(layout(("concealed", "234m123p789s456mEE"), ("flowers", "ea")), said, scoring.score)
    assert made.hand == scoring.parse_hand("24456m123p789sEE3m|SW1111|ae")
    assert made.assumed == {}


def test_a_winning_tile_that_is_not_in_the_picture_completes_the_hand() -> None:
    made = to_hand(layout(("concealed", "23m123p789s456mEE")), Circumstances(winning="4m"), scoring.score)
    assert made.hand == scoring.parse_hand("23456m123p789sEE4m|EE0000|0")
    assert made.score is not None
    assert made.score.wins


@pytest.mark.parametrize(
    ("held", "said", "written"),
    [
        ("23mEE", "4m", "23mEE4m"),  # seven held and two melds: one short, so it is added
        ("23mEE", "3m", "23mEE3m"),  # also where the picture shows one like it
        ("234mEE", "3m", "24mEE3m"),  # a whole hand: it is one of those seen
    ],
)
def test_whether_the_named_tile_is_in_the_picture_beside_melds(held: str, said: str, written: str) -> None:
    rows = (("chow", "567s"), ("kong", "CCCC"), ("concealed", f"555p{held}"))
    made = to_hand(layout(*rows), Circumstances(winning=said))
    assert made.hand == scoring.parse_hand(f"[567s][CCCC,1]555p{written}|EE0000|0")
    assert made.warnings == ()


def test_a_winning_tile_that_the_hand_has_not_is_pointed_out() -> None:
    made = to_hand(layout(("concealed", "234m123p789s456mEE")), Circumstances(winning="9p"))
    assert [warning.code for warning in made.warnings] == ["winning-not-read"]
    assert made.hand is not None
    assert dict(made.warnings[0].values) == {"name": "9p", "instead": made.hand.winning}


@pytest.mark.parametrize(
    ("kind", "text", "sideways", "written"),
    [
        ("chow", "879m", None, "[789m]"),
        ("chow", "879m", 0, "[789m,2]"),
        ("chow", "879m", 2, "[789m,3]"),
        ("pung", "CCC", 0, "[CCC,1]"),
        ("pung", "CCC", 1, "[CCC,2]"),
        ("pung", "CCC", 2, "[CCC,3]"),
        ("kong", "CCCC", None, "[CCCC,1]"),
        ("kong", "CCCC", 3, "[CCCC,3]"),
        ("concealed-kong", "BCCB", None, "[CCCC]"),
    ],
)
def test_melds_as_they_lie(kind: GroupKind, text: str, sideways: int | None, written: str) -> None:
    across = frozenset() if sideways is None else frozenset({sideways})
    made = to_hand(
        layout((kind, text), ("concealed", "123p789s456sE"), ("winning", "E"), sideways=across),
        Circumstances(),
    )
    assert made.hand == scoring.parse_hand(f"{written}123p456789sEE|EE0000|0")
    assert made.assumed.get("kongs") == ("melded" if kind == "kong" else None)


@pytest.mark.parametrize(
    "rows", [[("concealed", "123m?")], [("concealed", "55m"), ("concealed-kong", "BBBB")]]
)
def test_a_tile_without_a_name_makes_no_hand(rows: list[tuple[GroupKind, str]]) -> None:
    made = to_hand(layout(*rows), Circumstances(), scoring.score)
    assert (made.hand, made.score) == (None, None)
    assert len(made.warnings) == 1


def test_no_hand_in_the_picture() -> None:
    made = to_hand(layout(("other", "123m")), Circumstances(), scoring.score)
    assert (made.text, made.score, made.warnings) == (None, None, ())


def test_a_hand_that_does_not_win_is_scored_with_its_problems() -> None:
    made = to_hand(layout(("concealed", "123456789mE")), Circumstances(), scoring.score)
    assert made.score is not None
    assert [problem.code for problem in made.score.problems] == ["wrong-tile-count"]
    assert "winning" not in made.assumed


def test_flowers_are_counted_where_one_of_them_cannot_be_named() -> None:
    rows = (("concealed", "234m123p789s456mEE"), ("flowers", "a?"))
    made = to_hand(layout(*rows), Circumstances(), scoring.score)
    named = to_hand(layout(rows[0], ("flowers", "ae")), Circumstances(), scoring.score)
    assert (made.text or "").endswith("|2")
    assert made.score is not None and named.score is not None
    assert made.score.total == named.score.total
