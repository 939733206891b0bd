"""What every rule set offers, and how the rule sets are found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import Protocol

from scoring.hand import Hand
from scoring.legality import Problem
from scoring.notation import parse_hand
from scoring.result import Score


class RulesError(ValueError):
    """A call that names rules, an edition, an event or an option that there is none of."""


class RuleSet(Protocol):
    """One object a rule set; hands, readings and fan tables are shared."""

    name: str
    editions: tuple[str, ...]
    default_edition: str

    def problems(self, hand: Hand) -> list[Problem]:
        """Why the tiles and circumstances cannot occur at a table of these rules; [] if they can."""

    def score(
        self, hand: Hand, edition: str, events: Collection[str], options: Mapping[str, object]
    ) -> Score:
        """Score a hand under one of `editions`. Raises RulesError for an event or option these rules have
        none of."""


_MODULES: Mapping[str, str] = {"mcr": "scoring.rules.mcr"}
RULE_SETS = tuple(_MODULES)
"""The names of the rule sets."""


@cache
def rule_set(name: str) -> RuleSet:
    """The rule set of a name; its module is imported when first asked for. Raises RulesError for an unknown
    name."""
    if name not in _MODULES:
        raise RulesError(f"There are no rules named '{name}': use one of {', '.join(RULE_SETS)}.")
    rules: RuleSet = import_module(_MODULES[name]).RULES
    return rules


def score(
    hand: Hand | str,
    rules: str = "mcr",
    edition: str | None = None,
    *,
    events: Collection[str] = (),
    **options: object,
) -> Score:
    """Score a hand, given as a value or in GB notation.

    A hand that cannot be or does not win is an answer too (`wins` False, `problems` say why), and so is one
    below the minimum (`legal` False). `edition`: of the rule set, its default if None. Raises NotationError
    for text that is no hand, RulesError for rules, an edition, an event or an option that there is none of.

    >>> answer = score("12789m33s234999p3m|EE1000|0")
    >>> answer.total, [(fan.name, fan.points) for fan in answer.fans]
    (8, [('不求人', 4), ('老少副', 1), ('幺九刻', 1), ('无字', 1), ('边张', 1)])
    >>> score("[123m,1][345m,1]56s678pWW7s").settlement
    Settlement(winner=32, others=(-16, -8, -8))
    """
    chosen = rule_set(rules)
    edition = edition or chosen.default_edition
    if edition not in chosen.editions:
        raise RulesError(f"{rules} has no edition '{edition}': use one of {', '.join(chosen.editions)}.")
    return chosen.score(parse_hand(hand) if isinstance(hand, str) else hand, edition, events, options)


def refuse_events(rules: str, events: Collection[str], known: Collection[str] = ()) -> None:
    """Raise RulesError for the first event that a rule set has none of."""
    for event in events:
        if event not in known:
            raise RulesError(f"{rules} has no event '{event}': use {' or '.join(known) or 'none'}.")


def refuse_options(rules: str, options: Mapping[str, object], known: Collection[str] = ()) -> None:
    """Raise RulesError for the first option that a rule set has none of."""
    for option in options:
        if option not in known:
            raise RulesError(f"{rules} has no option '{option}': use {' or '.join(known) or 'none'}.")
