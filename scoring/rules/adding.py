"""Rules whose fans add up, as the Chinese Official ones do: a minimum, a base that everybody pays, flowers
after the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scoring.explain import explain
from scoring.fans import Fan, FlowerFan, InstantFan
from scoring.hand import Hand
from scoring.legality import Problem, not_winning
from scoring.payment import Payer, pay
from scoring.reading import Facts
from scoring.result import NOTHING_PAID, LeftOut, Payment, Score, ScoredFan
from scoring.rules.fan_rules import FanRules
from scoring.situation import Situation
from scoring.table import FanTable, Outcome

THIRTEEN_TILES = 13


class Found(NamedTuple):
    """The hand as it is counted, its best reading (None: it does not win) and what is wrong with it."""

    facts: Facts
    outcome: Outcome | None
    problems: list[Problem]


@dataclass(frozen=True, kw_only=True, eq=False)
class AddingRules(FanRules):
    """Rules whose fans add up. `worthless` names the fan of a hand without any, `unnamed_pung` the one of
    pungs that no other fan is scored for, `told_first` those told of equal readings: see `FanTable`."""

    worthless: str = ""
    unnamed_pung: str = ""
    told_first: tuple[str, ...] = ()

    def compiled(self, fans: tuple[Fan, ...]) -> FanTable:
        return FanTable(fans, self.worthless, self.unnamed_pung, self.told_first)

    def score(self, hand: Hand, edition: str, situation: Situation) -> Score:
        table = self.table(edition)
        found = self.find(hand, situation, table)
        if found.outcome is not None:
            fans, excluded = explain(table, found.outcome)
            return self._answer(found.facts, edition, found.outcome.points, fans, excluded)
        fan = self._instant(found.facts, edition)
        if fan is not None and not _denied(found):
            shown = ScoredFan(fan.name, fan.english, fan.points, 1, (hand.flowers,))
            return self._answer(found.facts, edition, fan.points, [shown], [])
        return self.refused(hand, edition, found.problems + self.shapeless(found))

    def find(self, hand: Hand, situation: Situation, table: FanTable) -> Found:
        """The best way to count a hand."""
        facts = Facts(hand, situation)
        problems = self.problems_of(facts)
        return Found(facts, None if problems else table.best(facts), problems)

    def shapeless(self, found: Found) -> list[Problem]:
        """The problem of tiles that do not win; [] if they do, or cannot be."""
        return not_winning(found.facts, found.problems)

    def _answer(
        self, facts: Facts, edition: str, points: int, fans: list[ScoredFan], excluded: list[LeftOut]
    ) -> Score:
        situation = facts.situation
        hand = facts.hand
        flowers = 0
        if hand.flowers or hand.unnamed_flowers:
            for fan, droppers in self._flower_fans[edition]:
                count = fan.when(hand)
                if count:
                    by = _first_standing(droppers, fans)
                    if by is not None:
                        excluded.append(LeftOut(fan.name, by.name, by.drops[fan.name]))
                    else:
                        fans.append(ScoredFan(fan.name, fan.english, fan.points, count, fan.shown(hand)))
                        flowers += fan.points * count
        total = points + flowers
        minimum = situation.number("minimum")
        legal = points >= minimum
        settlement = NOTHING_PAID
        payments: tuple[Payment, ...] = ()
        if legal:
            cap, base = situation.number("cap"), situation.number("base")
            paid = min(total, cap) if cap else total

            def share(payer: Payer) -> int:
                return base + paid if payer.discarder or hand.self_drawn else base

            settlement, payments = pay(hand, situation, share)
        return Score(
            hand,
            self.name,
            edition,
            total,
            minimum,
            wins=True,
            legal=legal,
            fans=tuple(fans),
            excluded=tuple(excluded),
            settlement=settlement,
            payments=payments,
        )

    @cached_property
    def _flower_fans(self) -> dict[str, list[tuple[FlowerFan, list[Fan]]]]:
        """The fans of flowers by edition, each with the fans of the hand that drop it."""
        return {
            edition: [(fan, _droppers(fan, fans)) for fan in fans if isinstance(fan, FlowerFan)]
            for edition, fans in self.fans.items()
        }

    def _instant(self, facts: Facts, edition: str) -> InstantFan | None:
        instant = (fan for fan in self.fans[edition] if isinstance(fan, InstantFan) and fan.when(facts))
        return next(instant, None)


def _droppers(flower: FlowerFan, fans: Sequence[Fan]) -> list[Fan]:
    return [fan for fan in fans if flower.name in fan.drops and not isinstance(fan, FlowerFan)]


def _first_standing(droppers: Sequence[Fan], fans: Sequence[ScoredFan]) -> Fan | None:
    return next((fan for fan in droppers if any(scored.name == fan.name for scored in fans)), None)


def _denied(found: Found) -> bool:
    """Whether more is wrong than tiles that make no winning hand, or a tile that was not drawn any more."""
    hand = found.facts.hand
    tiles = len(hand.concealed) + 1 + 3 * len(hand.melds)
    waived = {"wrong-tile-count"} if tiles == THIRTEEN_TILES else set()
    return any(problem.code not in waived for problem in found.problems)
