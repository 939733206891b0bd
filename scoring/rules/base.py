"""How the rule sets are found, and the one call that scores a hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module

from scoring.hand import Hand
from scoring.notation import parse_hand
from scoring.result import Score
from scoring.rules.fan_rules import FanRules
from scoring.rules.fan_rules import RulesError as RulesError

RuleSet = FanRules
"""What every rule set is: see there."""

_MODULES: Mapping[str, str] = {
    "mcr": "scoring.rules.mcr",
    "mcr-plus": "scoring.rules.mcr_plus",
    "dazhong": "scoring.rules.dazhong",
    "fuzhou": "scoring.rules.fuzhou",
    "jipinghu": "scoring.rules.jipinghu",
}
RULE_SETS = tuple(_MODULES)
"""The names of the rule sets."""


@cache
def rule_set(name: str) -> FanRules:
    """The rule set of a name; its module is imported when first asked for. Raises RulesError for an unknown
    name."""
    if name not in _MODULES:
        raise RulesError(f"There are no rules named '{name}': use one of {', '.join(RULE_SETS)}.")
    rules: FanRules = import_module(_MODULES[name]).RULES
    return rules


def score(
    hand: Hand | str,
    rules: str | FanRules = "mcr",
    edition: str | None = None,
    *,
    events: Collection[str] = (),
    **options: object,
) -> Score:
    """Score a hand, given as a value or in GB notation.

    A hand that cannot be or does not win is an answer too (`wins` False, `problems` say why), and so is one
    below the minimum (`legal` False). `rules`: a name, or rules of a house (`scoring.house`). `edition`: of
    the rule set, its default if None. `events` and `options`: see `hupai rules NAME`. Raises NotationError
    for text that is no hand, RulesError for rules, an edition, an event or an option that there is none of.

    >>> answer = score("12789m33s234999p3m|EE1000|0")
    >>> answer.total, [(fan.name, fan.points) for fan in answer.fans]
    (8, [('不求人', 4), ('老少副', 1), ('幺九刻', 1), ('无字', 1), ('边张', 1)])
    >>> score("[123m,1][345m,1]56s678pWW7s").settlement
    Settlement(winner=32, others=(-16, -8, -8))
    """
    chosen = rule_set(rules) if isinstance(rules, str) else rules
    edition = chosen.edition(edition)
    situation = chosen.situation(events, options)
    return chosen.score(parse_hand(hand) if isinstance(hand, str) else hand, edition, situation)
