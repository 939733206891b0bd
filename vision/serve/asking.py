"""From what a caller asks to how the hand is scored: rules, editions, events, options, house rules."""

from __future__ import annotations

from collections.abc import Mapping
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
    """How the table counts, as plain values that can be sent to a worker. Called with a hand it scores it.

    house: house rules, with the keys of their file; they go before `rules`.
    """

    rules: str = "mcr"
    edition: str | None = None
    house: Mapping[str, Any] | None = None
    events: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def chosen(self) -> FanRules:
        """The rule set, all that is asked of it checked. Raises scoring.RulesError."""
        rules = house_rules({"name": "house", **self.house}) if self.house is not None else rule_set(self.rules)
        rules.check(self.edition, self.events, self.options)
        return rules

    def __call__(self, hand: Hand) -> Score:
        return scoring.score(hand, self.chosen(), self.edition, events=self.events, **self.options)
