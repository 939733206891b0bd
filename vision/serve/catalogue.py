"""GET /api/rules: what the page draws its form from."""

from __future__ import annotations

from functools import cache
from typing import Any

from scoring.options import Option
from scoring.rules.base import RULE_SETS, rule_set
from scoring.rules.fan_rules import FanRules
from scoring.situation import EVENTS
from vision.serve.evening import DEALER_STAYS, DealerStays


@cache
def rules_answer() -> dict[str, Any]:
    """All rule sets with editions, options, events and the names of their fans."""
    return {"rule_sets": [described(rule_set(name), DEALER_STAYS[name]) for name in RULE_SETS]}


def described(rules: FanRules, dealer_stays: DealerStays) -> dict[str, Any]:
    """The object of `schemas.RuleSet`. dealer_stays: unless a table says otherwise."""
    return {
        "name": rules.name,
        "title": {"en": rules.english, "zh": rules.chinese},
        "summary": {"en": rules.summary, "zh": rules.summary_zh},
        "editions": list(rules.editions),
        "default_edition": rules.default_edition,
        "minimum": rules.nothing_said.number("minimum"),
        "options": [_option(option) for option in rules.options],
        "events": [
            {"name": event.name, "chinese": list(event.chinese), "english": event.english}
            for event in EVENTS
            if event.name in rules.events
        ],
        "fans": {
            edition: [
                {"name": fan.name, "english": fan.english, "points": fan.points}
                for fan in sorted(fans, key=lambda fan: (-fan.points, fan.number))
            ]
            for edition, fans in rules.fans.items()
        },
        "dealer_stays": dealer_stays,
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "kind": "choice" if option.takes else "flag" if option.flag else "number",
        "default": option.default,
        "takes": list(option.takes),
        "lowest": option.lowest,
        "about": {"en": option.about, "zh": option.about_zh},
    }
