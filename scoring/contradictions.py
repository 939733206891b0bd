"""What a caller says of a win that the hand contradicts, each with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from scoring.legality import Problem
from scoring.reading import Facts
from scoring.situation import EVENTS, READY, Situation
from scoring.tiles import UNIT

Objection = tuple[Callable[[Facts], bool], str]

EAST = UNIT["E"]
NORTH = UNIT["N"]
"""Draws fourth: the three before may have discarded the same tile."""


def is_dealer(facts: Facts) -> bool:
    """East deals; `problems_of` refuses an option `dealer` that says otherwise."""
    return facts.seat == EAST


_ON_A_DISCARD: Objection = (
    lambda facts: not facts.self_drawn,
    "is won on the winner's own draw, not on a discard",
)
_SELF_DRAWN: Objection = (lambda facts: facts.self_drawn, "is won on a discard, not on the winner's own draw")
_MELDS: Objection = (
    lambda facts: bool(facts.hand.melds),
    "allows no call and no kong before it, but the hand has melds",
)
_KONG: Objection = (lambda facts: facts.on_kong, "allows no kong before it, but a kong event is claimed")
_LAST_TILE: Objection = (
    lambda facts: facts.last_tile,
    "comes in the first round, but the wall's last tile is claimed",
)
_LAST_COPY: Objection = (
    lambda facts: facts.last_copy and facts.seat != NORTH,
    "comes before three tiles of a kind can lie open, but the last copy is claimed",
)
_EXPOSED: Objection = (
    lambda facts: facts.exposed > 0,
    "needs a concealed hand, but the hand has exposed melds",
)
_DEALER: Objection = (is_dealer, "is for the others than the dealer, but the seat is East, who deals")
_NO_DEALER: Objection = (
    lambda facts: not is_dealer(facts),
    "is the dealer's alone (East), but the seat is another",
)

_FIRST_ROUND = (_MELDS, _KONG, _LAST_TILE)
_OBJECTIONS: Mapping[str, Sequence[Objection]] = {
    "heavenly-hand": (_ON_A_DISCARD, _NO_DEALER, *_FIRST_ROUND, _LAST_COPY),
    "earthly-hand": (_ON_A_DISCARD, _DEALER, *_FIRST_ROUND, _LAST_COPY),
    "humanly-hand": (_SELF_DRAWN, *_FIRST_ROUND),
    "heavenly-ready": (_EXPOSED,),
    "earthly-ready": (_EXPOSED,),
    "ready": (_EXPOSED,),
    "double-ready": (_EXPOSED,),
    "robbing-gold": (_EXPOSED, _LAST_TILE),
    "three-winners": ((lambda facts: facts.self_drawn, "is of a discard, but the hand is self-drawn"),),
}


def contradictions(facts: Facts) -> list[Problem]:
    """What the events and options claim and the hand denies; [] if nothing."""
    situation = facts.situation
    found = [
        Problem("event-contradicted", f"{_title(event)} {reason}.")
        for event in sorted(situation.events)
        for wrong, reason in _OBJECTIONS[event]
        if wrong(facts)
    ]
    return found + _clashes(situation.events) + _seats(facts, situation)


def _clashes(events: frozenset[str]) -> list[Problem]:
    found = []
    if "heavenly-hand" in events and events & READY:
        found.append(
            Problem(
                "events-contradicted",
                "天和 (heavenly-hand) wins on the deal, before anything can be declared.",
            )
        )
    for first, second in _PAIRS:
        if first in events and second in events:
            message = f"{_title(first)} and {_title(second)} exclude each other."
            found.append(Problem("events-contradicted", message))
    return found


_PAIRS = (
    ("heavenly-hand", "earthly-hand"),
    ("heavenly-hand", "humanly-hand"),
    ("earthly-hand", "humanly-hand"),
    ("earthly-hand", "earthly-ready"),
    ("heavenly-ready", "earthly-ready"),
)


def _seats(facts: Facts, situation: Situation) -> list[Problem]:
    found = []
    hand = facts.hand
    dealer = situation.options.get("dealer")
    if dealer is not None and bool(dealer) != is_dealer(facts):
        says = "the dealer" if dealer else "another than the dealer"
        message = f"The winner is said to be {says}, but the seat wind is {hand.seat}; East deals."
        found.append(Problem("dealer-contradicted", message))
    discarder = situation.text("discarder")
    if discarder is not None and hand.self_drawn:
        found.append(Problem("discarder-contradicted", "A discarder is named, but the hand is self-drawn."))
    elif discarder == hand.seat:
        message = f"The winner sits {hand.seat} and cannot be the discarder as well."
        found.append(Problem("discarder-contradicted", message))
    return found


_TITLES = {event.name: f"{event.chinese[0]} ({event.name})" for event in EVENTS}


def _title(event: str) -> str:
    return _TITLES[event]
