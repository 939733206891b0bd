"""Several winners on one discard: hands that are entered one after another and are of one turn.

Of the rule sets only the Cantonese table pays several (一炮三响: the discarder pays each). The Chinese
Official rules and Fuzhou name one winner, the first in turn; the others are built on the former.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scoring.rules.base import rule_set
from vision.serve.problems import ApiError, Sentence
from vision.serve.table_schemas import TableHand

THREE_WINNERS = "three-winners"
"""The event that the rules score; a rule set that has it lets several win on one discard."""
_MOST = 3

_ONE_WINNER = Sentence(
    "By these rules one player wins on a discard: the first in turn after the one who discarded.",
    "按此规则一张牌只有一位和牌者：从打牌者起顺序在前的一位。",
)
_NO_DISCARD = Sentence(
    "The hand entered last was not won on a discard; enter this one by itself.",
    "上一副不是点和，请单独记这一副。",
)
_OTHER_DISCARD = Sentence(
    "Winners on one discard name the same discarder, and each player wins once.",
    "同一张牌的和牌者须是同一人点和，每人只能和一次。",
)
_ALL_SAY_SO = Sentence(
    "Three players won on this discard: take back the others and enter all three with 一炮三响.",
    "这张牌三家同和：请撤销前两副，三副都选“一炮三响”再记入。",
)


def deals(entries: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Entries in order, those of one discard together."""
    found: list[list[dict[str, Any]]] = []
    for entry in entries:
        if found and entry.get("same_discard"):
            found[-1].append(entry)
        else:
            found.append([entry])
    return found


def check(rules: str, before: list[list[dict[str, Any]]], body: TableHand) -> None:
    """Whether this hand can be of the discard that those entered last were won on.

    rules: the rule set that the table's rules start from. Raises ApiError.
    """
    if THREE_WINNERS not in rule_set(rules).events:
        raise ApiError(422, "one-winner", _ONE_WINNER)
    if not before or before[-1][-1]["discarder"] is None:
        raise ApiError(422, "no-discard", _NO_DISCARD)
    last = before[-1]
    winners = [entry["winner"] for entry in last]
    if body.from_player != last[0]["discarder"] or body.winner in winners:
        raise ApiError(422, "other-discard", _OTHER_DISCARD)
    said = [THREE_WINNERS in entry.get("events", ()) for entry in last] + [THREE_WINNERS in body.events]
    if len(said) == _MOST and not all(said):
        raise ApiError(422, "three-winners", _ALL_SAY_SO)
