"""Rules whose fans add up and that know wild tiles: each takes the kind that makes the total highest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.hand import Hand, MeldKind
from scoring.legality import Problem, circumstance_problems
from scoring.reading import Facts
from scoring.result import Score
from scoring.rules.adding import AddingRules, Found
from scoring.rules.mcr.circumstances import NINE_GATES
from scoring.situation import Situation
from scoring.table import FanTable
from scoring.tiles import KIND_OF
from scoring.wild import (
    above_four,
    completing,
    count_wild,
    named_hand,
    stands_for,
    units_of,
    without_wild,
)

WAITS = ("边张", "坎张", "单钓将")
_ASKED_OF_NAMED = {"last-copy-contradicted", "robbed-kong-contradicted"}
"""Problems that depend on what the wild tiles stand for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WildRules(AddingRules):
    """Rules with an option `wild`. A naming gives each concealed wild tile a kind; the total is the highest
    among the namings that are possible hands, none of them with five tiles of a kind."""

    def score(self, hand: Hand, edition: str, situation: Situation) -> Score:
        answer = super().score(hand, edition, situation)
        wild = situation.text("wild")
        if wild is None or not count_wild(hand, wild) or not answer.wins:
            return answer
        named = answer.hand
        return replace(answer, hand=hand, stands_for=stands_for(hand, wild, named), named=named)

    def find(self, hand: Hand, situation: Situation, table: FanTable) -> Found:
        wild = situation.text("wild")
        count = count_wild(hand, wild) if wild else 0
        if wild is None or not count:
            return super().find(hand, situation, table)
        facts = Facts(hand, situation, count)
        problems = [
            problem
            for problem in self.problems_of(facts)
            if hand.winning != wild or problem.code not in _ASKED_OF_NAMED
        ]
        if problems:
            return Found(facts, None, problems)
        best = self._best_naming(facts, wild, table)
        if best is None:
            return Found(facts, None, [NO_NAMING])
        added, winning = best
        named = Facts(named_hand(hand, wild, added, KIND_OF[winning]), situation, count)
        return Found(named, table.best(named), [])

    def contradicted(self, facts: Facts) -> list[Problem]:
        found = super().contradicted(facts)
        wild = facts.situation.text("wild")
        for meld in facts.hand.melds if wild else ():
            if wild in meld.tiles and meld.kind is not MeldKind.CONCEALED_KONG:
                message = f"A meld holds the wild tile {wild}; only a concealed kong of four (混杠) may."
                found.append(Problem("wild-in-meld", message))
        return found

    def _best_naming(self, facts: Facts, wild: str, table: FanTable) -> tuple[int, int] | None:
        """The tiles that the wild ones become and the unit of the winning tile; None if no naming wins."""
        hand = facts.hand
        tiles = without_wild(hand, wild)
        melded = facts.tiles - facts.concealed
        namings = [
            (self._ceiling(facts, tiles + added, table), added)
            for added in completing(tiles, facts.wild, len(hand.melds))
            if not above_four(melded + tiles + added)
        ]
        namings.sort(reverse=True)
        best: tuple[int, int] | None = None
        most = -1
        for ceiling, added in namings:
            if ceiling <= most:
                break
            for winning in units_of(added) if hand.winning == wild else (facts.winning,):
                named = facts.naming(tiles + added, winning)
                if (hand.last_copy or hand.kong) and circumstance_problems(named):
                    continue
                outcome = table.best(named)
                if outcome is not None and outcome.points > most:
                    best, most = (added, winning), outcome.points
        return best

    def _ceiling(self, facts: Facts, concealed: int, table: FanTable) -> int:
        """The most that a naming can be worth, whichever tile won. Counted without a winning tile, so that
        every concealed pung stays concealed; what only a winning tile can show is added."""
        outcome = table.best(facts.naming(concealed, 0))
        points = table.points
        most = max(outcome.points if outcome else 0, points.get(self.worthless, 0))
        if not facts.hand.melds and any(concealed - unit in NINE_GATES for unit in units_of(concealed)):
            most += points.get("九莲宝灯", 0)
        return most + max(points.get(wait, 0) for wait in WAITS)


NO_NAMING = Problem("not-winning", "Whatever the wild tiles stand for, the tiles make no winning hand.")
