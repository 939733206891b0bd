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
class Score:
    """The score of one hand under one edition of one rule set.

    `total` counts flowers, `minimum` is asked of the points without them: `wins` is whether the tiles win at
    all, `legal` whether they also reach the minimum. Nothing is paid where it is not. `problems` says why a
    hand does not win, every reason at once.
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

    @property
    def verdict(self) -> str:
        """One phrase for people."""
        if not self.wins:
            return "not a winning hand"
        return "a legal win" if self.legal else f"below {self.minimum}: not a legal win"

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; `Score.from_dict` reads it back."""
        return {
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
        )
