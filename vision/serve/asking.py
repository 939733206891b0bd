"""From what a caller asks to how the hand is scored: rules, editions, events, options, house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import scoring
from scoring.hand import Hand
from scoring.house import house_rules
from scoring.result import Score
from scoring.rules.base import rule_set
from scoring.rules.fan_rules import FanRules


@dataclass(frozen=True)
class Asked:
    """How the table counts, as plain values that can be sent to a worker.

    house: house rules, with the keys of their file; they go before `rules`.
    """

    rules: str = "mcr"
    edition: str | None = None
    house: Mapping[str, Any] | None = None
    events: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def wild(self) -> str | None:
        """The kind that is wild, by whichever name the rules give it."""
        wild = self.options.get("wild") or self.options.get("gold")
        return wild if isinstance(wild, str) else None

    def chosen(self) -> FanRules:
        """The rule set, all that is asked of it checked. Raises scoring.RulesError."""
        house = self.house
        rules = rule_set(self.rules) if house is None else house_rules({"name": "house", **house})
        rules.check(self.edition, self.events, self.options)
        return rules

    def scorer(self) -> Callable[[Hand], Score]:
        """How the table scores a hand. Raises scoring.RulesError."""
        rules = self.chosen()

        def table(hand: Hand) -> Score:
            return scoring.score(hand, rules, self.edition, events=self.events, **self.options)

        return table
