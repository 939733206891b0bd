"""Rules whose fans add up and that know wild tiles: each takes the kind that makes the total highest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scoring.hand import Hand, MeldKind
from scoring.legality import Problem, denies_tiles
from scoring.reading import Facts
from scoring.result import Score
from scoring.rules.adding import AddingRules, Found
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


@dataclass(frozen=True, kw_only=True, eq=False)
class WildRules(AddingRules):
    """Rules with an option `wild`. A naming gives each concealed wild tile a kind; the total is the highest
    among the namings that are possible hands, none of them with five tiles of a kind. Which tile was the last
    of its kind, or was added to a kong, is a matter of the tiles themselves, whatever a wild one stands for.
    """

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
        problems = self.problems_of(facts)
        if problems:
            return Found(facts, None, problems)
        best = _best_naming(facts, wild, table)
        if best is None:
            return Found(facts, None, [])
        added, winning = best
        named = Facts(named_hand(hand, wild, added, KIND_OF[winning]), situation, count)
        return Found(named, table.best(named), [])

    def shapeless(self, found: Found) -> list[Problem]:
        facts = found.facts
        wild = facts.situation.text("wild")
        if wild is None or not facts.wild:
            return super().shapeless(found)
        return [] if denies_tiles(found.problems) or any(_namings(facts, wild)) else [NO_NAMING]

    def contradicted(self, facts: Facts) -> list[Problem]:
        found = super().contradicted(facts)
        hand = facts.hand
        wild = facts.situation.text("wild")
        if wild == hand.winning and facts.on_kong and not facts.self_drawn:
            message = (
                f"A kong of the wild tile {wild} is claimed to be robbed, but no meld can be made of it."
            )
            found.append(Problem("robbed-kong-contradicted", message))
        for meld in hand.melds if wild else ():
            if wild in meld.tiles and meld.kind is not MeldKind.CONCEALED_KONG:
                message = f"A meld holds the wild tile {wild}; only a concealed kong of four (混杠) may."
                found.append(Problem("wild-in-meld", message))
        return found


def _best_naming(facts: Facts, wild: str, table: FanTable) -> tuple[int, int] | None:
    """The tiles that the wild ones become and the unit of the winning tile; None if no naming wins."""
    tiles = without_wild(facts.hand, wild)
    best: tuple[int, int] | None = None
    most = -1
    for added in sorted(_namings(facts, wild), reverse=True):
        for winning in units_of(added) if facts.hand.winning == wild else (facts.winning,):
            outcome = table.best(facts.naming(tiles + added, winning))
            if outcome is not None and outcome.points > most:
                best, most = (added, winning), outcome.points
    return best


def _namings(facts: Facts, wild: str) -> Iterator[int]:
    """The tiles that the wild ones can become in a winning hand, with no kind five times."""
    tiles = without_wild(facts.hand, wild)
    melded = facts.tiles - facts.concealed
    for added in completing(tiles, facts.wild, len(facts.hand.melds)):
        if not above_four(melded + tiles + added):
            yield added


NO_NAMING = Problem(
    "not-winning",
    "Whatever the wild tiles stand for, the tiles make no winning hand of at most four of a kind.",
)
