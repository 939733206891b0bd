"""The answer to "what is this hand worth": fans that stand, fans left out and why, and the payment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.hand import Hand
from scoring.legality import Problem
from scoring.notation import parse_hand

Sets = tuple[tuple[str, ...], ...]
"""Sets, pairs or single tiles as tuples of tile names."""


class ScoredFan(NamedTuple):
    """A fan that stands, `count` times, and the tiles that made it."""

    name: str
    english: str
    points: int
    count: int  # type: ignore[assignment]  # tuples have a method of that name
    tiles: Sets

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "english": self.english,
            "points": self.points,
            "count": self.count,
            "tiles": [list(group) for group in self.tiles],
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A fan that the tiles show and that is not counted: because of which fan, under which rule."""

    name: str
    by: str
    rule: str

    def to_dict(self) -> dict[str, str]:
        return {"name": self.name, "by": self.by, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the winner receives and each other player pays (negative); on a discard the discarder comes
    first."""

    winner: int
    others: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"winner": self.winner, "others": list(self.others)}


NOTHING_PAID = Settlement(0, (0, 0, 0))


@dataclass(frozen=True, slots=True)
class Payment:
    """One line of the table of the four seats. `seat` is None where it was not said who gave the winning
    tile; `role` is winner, discarder, liable (pays for all three), dealer or other; `amount` is received
    (positive) or paid."""

    seat: str | None
    role: str
    amount: int

    def to_dict(self) -> dict[str, Any]:
        return {"seat": self.seat, "role": self.role, "amount": self.amount}


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one hand under one edition of one rule set.

    `total` counts flowers, `minimum` is asked of the points without them: `wins` is whether the tiles win at
    all, `legal` whether they also reach the minimum. Nothing is paid where it is not. `problems` says why a
    hand does not win, every reason at once.

    `payments` is the settlement as a table of the four seats. `fan` (番) and `flowers` are told by rules that
    pay by them. `stands_for` gives the kind that each wild tile takes, `named` the hand with those kinds in
    their places.
    """

    hand: Hand
    rules: str
    edition: str
    total: int
    minimum: int
    wins: bool
    legal: bool
    fans: tuple[ScoredFan, ...] = ()
    excluded: tuple[LeftOut, ...] = ()
    settlement: Settlement = NOTHING_PAID
    problems: tuple[Problem, ...] = ()
    payments: tuple[Payment, ...] = ()
    fan: int | None = None
    flowers: int | None = None
    stands_for: tuple[tuple[str, str], ...] = ()
    named: Hand | None = None

    @property
    def verdict(self) -> str:
        """One phrase for people."""
        if not self.wins:
            return "not a winning hand"
        return "a legal win" if self.legal else f"below {self.minimum}: not a legal win"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; `Score.from_dict` reads it back."""
        told: dict[str, Any] = {
            "hand": str(self.hand),
            "rules": self.rules,
            "edition": self.edition,
            "total": self.total,
            "minimum": self.minimum,
            "wins": self.wins,
            "legal": self.legal,
            "verdict": self.verdict,
            "fans": [fan.to_dict() for fan in self.fans],
            "excluded": [left_out.to_dict() for left_out in self.excluded],
            "settlement": self.settlement.to_dict(),
            "problems": [problem.to_dict() for problem in self.problems],
        }
        if self.payments:
            told["payments"] = [payment.to_dict() for payment in self.payments]
        if self.fan is not None:
            told["fan"] = self.fan
        if self.flowers is not None:
            told["flowers"] = self.flowers
        if self.named is not None:
            told["stands_for"] = [list(pair) for pair in self.stands_for]
            told["named"] = str(self.named)
        return told

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Score:
        """Read `to_dict` back. Raises KeyError if a field is missing."""
        return cls(
            parse_hand(data["hand"]),
            **{name: data[name] for name in ("rules", "edition", "total", "minimum", "wins", "legal")},
            fans=tuple(
                ScoredFan(**{**fan, "tiles": tuple(tuple(group) for group in fan["tiles"])})
                for fan in data["fans"]
            ),
            excluded=tuple(LeftOut(**left_out) for left_out in data["excluded"]),
            settlement=Settlement(data["settlement"]["winner"], tuple(data["settlement"]["others"])),
            problems=tuple(Problem(**problem) for problem in data["problems"]),
            payments=tuple(Payment(**payment) for payment in data.get("payments", ())),
            fan=data.get("fan"),
            flowers=data.get("flowers"),
            stands_for=tuple((wild, kind) for wild, kind in data.get("stands_for", ())),
            named=parse_hand(data["named"]) if "named" in data else None,
        )
