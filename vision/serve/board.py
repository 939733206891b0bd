"""A scoreboard made of what was entered: turns, sums, and the next hand scored as its table plays."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from scoring.rules.fan_rules import FanRules
from vision.serve.asking import Asked
from vision.serve.discards import check, deals
from vision.serve.evening import DEALER_STAYS, PLAYERS, Turn
from vision.serve.hands import NAMED_OPTIONS, asked, score_answer
from vision.serve.problems import ApiError, Language, Sentence
from vision.serve.schemas import ScoreRequest
from vision.serve.store import Stored
from vision.serve.table_schemas import NewTable, TableHand

_TABLES_TO_SAY = (
    "rules",
    "edition",
    "house",
    "seat",
    "round",
    "streak",
    "dealer",
    "discarder",
    "responsible",
)
_FORMULAS = tuple("=+-@\t\r\n＝＋－＠")
"""With which spreadsheets begin a formula (OWASP, CSV Injection)."""


def setup_of(body: NewTable) -> dict[str, Any]:
    """How a table is set up, checked. Raises scoring.RulesError, ApiError."""
    rules = Asked(body.rules, body.edition, body.house, (), body.options).chosen()
    names = [_name(name) for name in body.names]
    if len(set(names)) < PLAYERS:
        raise ApiError(
            422,
            "names",
            Sentence("Give four different names.", "请填写四个不同的名字。"),
        )
    start = (body.house or {}).get("start", body.rules)
    return {
        "names": names,
        "rules": start,
        "edition": rules.edition(body.edition),
        "house": body.house,
        "options": body.options,
        "dealer_stays": body.dealer_stays or DEALER_STAYS[start],
        "seat_change": bool(body.seat_change),
    }


def _name(name: str) -> str:
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not plain:
        raise ApiError(422, "names", Sentence("A player has no name.", "有一位玩家没有名字。"))
    return plain


def turns(stored: Stored) -> Iterator[Turn]:
    """The turn of each entry, then the one to be played next. The deal stays where the dealer is one of
    several winners on one discard."""
    turn = Turn(exchanged=stored.setup["seat_change"])
    for deal in deals(entry.data for entry in stored.entries):
        yield from [turn] * len(deal)
        winners = [entry["winner"] for entry in deal]
        winner = turn.dealer if turn.dealer in winners else winners[0]
        turn = turn.after(winner, stored.setup["dealer_stays"])
    yield turn


def table_answer(stored: Stored) -> dict[str, Any]:
    """The object of `table_schemas.Table`."""
    *played, turn = turns(stored)
    hands = [
        {**entry.data, "turn": _turn(at), "at": entry.at}
        for entry, at in zip(stored.entries, played, strict=True)
    ]
    totals = [sum(hand["amounts"][player] for hand in hands) for player in range(PLAYERS)]
    return {"id": stored.id, **stored.setup, "turn": _turn(turn), "totals": totals, "hands": hands}


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "round": turn.round,
        "seats": list(turn.seats),
        "dealer": turn.dealer,
        "streak": turn.streak,
        "over": turn.over,
    }


DRAW: dict[str, Any] = {
    "kind": "draw", "winner": None, "discarder": None, "hand": None, "total": None, "fans": [],
    "amounts": [0] * PLAYERS, "events": [], "same_discard": False,
}  # fmt: skip


def win(stored: Stored, body: TableHand, language: Language) -> dict[str, Any]:
    """The entry of a hand won at this turn.

    Raises what `score_answer` does, and ApiError for a hand that is no legal win or for players that do not
    fit.
    """
    *played, turn = turns(stored)
    if body.same_discard:
        check(stored.setup["rules"], deals(entry.data for entry in stored.entries), body)
        turn = played[-1]
    request = _request(stored.setup, turn, body)
    answer = score_answer(request, language)
    if not answer["legal"]:
        message = answer["missing"]["message"]
        raise ApiError(422, "not-legal", Sentence(message, message))
    amounts = [0] * PLAYERS
    for payment in answer["payments"]:
        amounts[turn.seats.index(payment["seat"])] = payment["amount"]
    return {
        "kind": "win",
        "winner": body.winner,
        "discarder": body.from_player,
        "hand": answer["hand"],
        "total": answer["total"],
        "fans": answer["fans"],
        "amounts": amounts,
        "events": request.events,
        "same_discard": body.same_discard,
    }


def _request(setup: dict[str, Any], turn: Turn, body: TableHand) -> ScoreRequest:
    """The hand with what the table knows of it."""
    if body.winner in (body.from_player, body.responsible_player):
        raise ApiError(
            422,
            "players",
            Sentence("The winner cannot pay; choose another player.", "和牌者不能付分，请另选一位。"),
        )
    said = {
        name: value
        for name, value in body.model_dump(exclude_unset=True).items()
        if name in ScoreRequest.model_fields and name not in _TABLES_TO_SAY
    }
    for name in ("from_player", "responsible_player"):
        player = getattr(body, name)
        if player is not None:
            said["discarder" if name == "from_player" else "responsible"] = turn.seats[player]
    said |= {
        "rules": setup["rules"],
        "edition": setup["edition"],
        "house": setup["house"],
        "options": {**setup["options"], **body.options},
        "seat": turn.seats[body.winner],
        "round": turn.round,
        "self_drawn": body.from_player is None,
    }
    request = ScoreRequest.model_validate(said)
    rules = asked(request).chosen()
    _keep_to_table(rules, setup["options"], body.options)
    known = {option.name for option in rules.options}
    return request.model_copy(update={"streak": turn.streak}) if "streak" in known else request


def _keep_to_table(rules: FanRules, tables: dict[str, Any], hands: dict[str, Any]) -> None:
    """Raises ApiError for an option of a hand by which it would count otherwise than its table does."""
    kept, asked_for = (rules.situation((), options).options for options in (tables, tables | hands))
    for name, value in asked_for.items():
        if name not in NAMED_OPTIONS and value != kept[name]:
            raise ApiError(
                422,
                "tables-option",
                Sentence(
                    f"This table plays with {name}={kept[name]}; start another table to play otherwise.",
                    f"本桌的“{name}”为{kept[name]}；要改请另开一桌。",
                ),
            )


def csv_of(table: dict[str, Any]) -> str:
    """A table as CSV: a row a hand, the sums last; a cell that a spreadsheet might run is made text."""
    stream = io.StringIO()
    rows = csv.writer(stream)
    names = [_cell(name) for name in table["names"]]
    rows.writerow(["number", "round", "dealer", "winner", "discarder", "hand", "total", "fans", *names, "at"])
    for hand in table["hands"]:
        turn = hand["turn"]
        winner, discarder = ("" if hand[who] is None else names[hand[who]] for who in ("winner", "discarder"))
        fans = " ".join(
            fan["name"] + (f"×{fan['count']}" if fan["count"] > 1 else "") for fan in hand["fans"]
        )
        total = "" if hand["total"] is None else hand["total"]
        shown = [turn["number"], turn["round"], names[turn["dealer"]], winner, discarder]
        shown += [_cell(hand["hand"] or ""), total, _cell(fans), *hand["amounts"], hand["at"]]
        rows.writerow(shown)
    rows.writerow(["", "", "", "", "", "", "", "", *table["totals"], ""])
    return stream.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.lstrip().startswith(_FORMULAS) else text
