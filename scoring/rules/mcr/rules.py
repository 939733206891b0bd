"""The Chinese Official rule set: from a hand to fans, total and payment."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from scoring.explain import explain
from scoring.hand import Hand
from scoring.legality import Problem, facts_problems, not_winning
from scoring.reading import Facts
from scoring.result import NOTHING_PAID, Score, ScoredFan, Settlement
from scoring.rules.base import refuse_events, refuse_options
from scoring.rules.mcr.circumstances import FLOWER_TILES
from scoring.rules.mcr.editions import DEFAULT_EDITION, EDITIONS, fan_table

MINIMUM = 8  # points before flowers (起和)
BASE = 8  # each player pays this to the winner (底分)


class ChineseOfficial:
    """`mcr`. Editions: `2025` (today's referees), `1998` (without 明暗杠), `green-book` (World Mahjong
    Organization)."""

    name = "mcr"
    editions = tuple(EDITIONS)
    default_edition = DEFAULT_EDITION

    def problems(self, hand: Hand) -> list[Problem]:
        return facts_problems(Facts(hand))

    def score(
        self, hand: Hand, edition: str, events: Collection[str], options: Mapping[str, object]
    ) -> Score:
        if events or options:
            refuse_events(self.name, events)
            refuse_options(self.name, options)
        facts = Facts(hand, events)
        found = facts_problems(facts)
        table = fan_table(edition)
        outcome = None if found else table.best(facts)
        if outcome is None:
            found += not_winning(facts, found)
            return Score(hand, self.name, edition, 0, MINIMUM, wins=False, legal=False, problems=tuple(found))
        fans, excluded = explain(table, outcome)
        flowers = hand.flower_count
        if flowers:
            tiles = tuple([(flower,) for flower in hand.flowers])
            fans.append(
                ScoredFan(FLOWER_TILES.name, FLOWER_TILES.english, FLOWER_TILES.points, flowers, tiles)
            )
        total = outcome.points + flowers * FLOWER_TILES.points
        legal = outcome.points >= MINIMUM
        return Score(
            hand,
            self.name,
            edition,
            total,
            MINIMUM,
            wins=True,
            legal=legal,
            fans=tuple(fans),
            excluded=tuple(excluded),
            settlement=settle(total, hand.self_drawn) if legal else NOTHING_PAID,
        )


def settle(total: int, self_drawn: bool) -> Settlement:
    """Self-drawn, each of three pays base and total; on a discard the discarder does (named first) and the
    two others pay the base."""
    if self_drawn:
        return Settlement(3 * (BASE + total), (-(BASE + total),) * 3)
    return Settlement(3 * BASE + total, (-(BASE + total), -BASE, -BASE))


RULES = ChineseOfficial()
