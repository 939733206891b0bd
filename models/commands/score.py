"""`hupai score`: hands in GB notation in; fans and payment out."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from models.commands.options import (
    Choices,
    Dealer,
    Discarder,
    Edition,
    Events,
    Gold,
    Responsible,
    Rules,
    Streak,
    Wild,
    scorer,
)
from models.commands.output import complain, console, print_json

if TYPE_CHECKING:
    from scoring import Hand, Score


def score(
    hand: Annotated[
        str,
        typer.Argument(
            metavar="HAND", help="A hand, for instance '[456s,1]22m5s5s|EE1000|a', or - for hands on stdin."
        ),
    ],
    rules: Rules = "mcr",
    edition: Edition = None,
    event: Events = None,
    wild: Wild = None,
    gold: Gold = None,
    dealer: Dealer = False,
    streak: Streak = None,
    discarder: Discarder = None,
    responsible: Responsible = None,
    option: Choices = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object a hand.")] = False,
) -> None:
    """Score a hand."""
    table = scorer(rules, edition, event, wild, gold, dealer, streak, discarder, responsible, option)
    lost = False
    for place, text in _hands(hand):
        answer = _answer(text, table)
        if json_ or hand == "-":
            print_json(answer)
        elif answer["wins"]:
            from vision.table import NARROWEST, print_score

            print_score(answer, console(NARROWEST))
        for problem in answer["problems"]:
            complain(f"{place}{problem['message']}")
        lost = lost or not answer["wins"]
    raise typer.Exit(1 if lost else 0)


def _hands(hand: str) -> Iterator[tuple[str, str]]:
    """Where each hand stands, for messages, and its text.

    Only lines of no characters at all are left out: what is blank to one program is none to the next, and
    answers are paired with lines.
    """
    if hand != "-":
        yield "", hand
        return
    for number, line in enumerate(sys.stdin.buffer, 1):
        if number == 1:  # as editors and shells of Windows begin a text
            line = line.removeprefix(BOM_UTF8)
        if line.rstrip(b"\r\n"):
            yield f"line {number}: ", line.decode("utf-8", errors="replace").strip()


def _answer(text: str, table: Callable[[Hand | str], Score]) -> dict[str, Any]:
    """The contract's object; text that is no hand gets the least of one, so that lines stay paired."""
    from scoring import NotationError, Problem

    try:
        return table(text).to_dict()
    except NotationError as error:
        problem = Problem("notation", str(error))
        return {
            "hand": text, "total": 0, "wins": False, "legal": False, "fans": [], "excluded": [],
            "problems": [problem.to_dict()],
        }  # fmt: skip
