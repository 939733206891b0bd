"""What all rule sets are made of: fans by edition, events they know, options with defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

from scoring.contradictions import contradictions
from scoring.fans import Fan, FlowerFan, in_order
from scoring.hand import Hand
from scoring.legality import Problem, facts_problems
from scoring.options import DISCARDER, HIGHEST, Option, OptionError
from scoring.reading import Facts
from scoring.result import Score
from scoring.situation import EVENT_NAMES, Situation, Value
from scoring.table import FanTable

TAKE_HIGHEST = "只取最高: only the highest hand counts"


class RulesError(ValueError):
    """A call that names rules, an edition, an event or an option that there is none of."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FanRules(ABC):
    """A rule set as data; a kind of rules says in a subclass how fans make the total and the payment.

    `fans` holds each edition's fans, flowers included. `texts` names the rule sets whose definitions and
    examples describe the fans (the later win), `summary` and `summary_zh` say in a sentence how it counts.
    `honours_are_flowers`: winds and dragons are laid with the flowers. `most_points`: that a fan may count
    under house rules.
    """

    name: str
    english: str
    chinese: str
    fans: Mapping[str, tuple[Fan, ...]]
    default_edition: str
    events: tuple[str, ...] = ()
    options: tuple[Option, ...] = (DISCARDER,)
    texts: tuple[str, ...] = ()
    summary: str = ""
    summary_zh: str = ""
    honours_are_flowers: bool = False
    most_points: int = HIGHEST
    _tables: dict[str, FanTable] = field(default_factory=dict, init=False, repr=False)

    @property
    def editions(self) -> tuple[str, ...]:
        return tuple(self.fans)

    def situation(self, events: Collection[str], options: Mapping[str, object]) -> Situation:
        """What a caller says, checked: events by any of their names, options with defaults filled in. Raises
        RulesError for an event, an option or a value that these rules have none of."""
        if not events and not options:
            return self.nothing_said
        names = []
        for event in events:
            name = EVENT_NAMES.get(event.lower())
            if name is None or name not in self.events:
                known = " or ".join(self.events) or "none"
                raise RulesError(f"{self.name} has no event '{event}': use {known}.")
            names.append(name)
        values = dict(self.nothing_said.options)
        known_options = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known_options:
                known = " or ".join(known_options) or "none"
                raise RulesError(f"{self.name} has no option '{name}': use {known}.")
            try:
                values[name] = known_options[name].read(value)
            except OptionError as error:
                raise RulesError(str(error)) from error
        return Situation(frozenset(names), values)

    def check(self, edition: str | None, events: Collection[str], options: Mapping[str, object]) -> None:
        """Raise RulesError for an edition, an event or an option that these rules have none of."""
        self.edition(edition)
        self.situation(events, options)

    def settled(self) -> Self:
        """The same with what the defaults of options say of fans' points put into the fans."""
        return self

    def edition(self, name: str | None) -> str:
        """An edition's name, the default one for None. Raises RulesError if there is none of that name."""
        if name is None:
            return self.default_edition
        if name not in self.fans:
            known = ", ".join(self.editions)
            raise RulesError(f"{self.name} has no edition '{name}': use one of {known}.")
        return name

    @cached_property
    def nothing_said(self) -> Situation:
        """No event, every option at its default."""
        values: dict[str, Value] = {option.name: option.default for option in self.options}
        return Situation(frozenset(), values)

    def table(self, edition: str) -> FanTable:
        """The fans of an edition, compiled when first asked for."""
        if edition not in self._tables:
            self._tables[edition] = self.compiled(self.fans_of(edition))
        return self._tables[edition]

    def fans_of(self, edition: str) -> tuple[Fan, ...]:
        """The fans of an edition in scoring order, flowers aside."""
        return in_order(fan for fan in self.fans[edition] if not isinstance(fan, FlowerFan))

    def compiled(self, fans: tuple[Fan, ...]) -> FanTable:
        return FanTable(fans)

    def problems(self, hand: Hand) -> list[Problem]:
        """Why the tiles and circumstances cannot occur at a table of these rules; [] if they can."""
        return self.problems_of(Facts(hand, self.nothing_said))

    def problems_of(self, facts: Facts) -> list[Problem]:
        """The same where the facts are known, and what the caller says that the hand contradicts."""
        return facts_problems(facts) + self.contradicted(facts)

    def contradicted(self, facts: Facts) -> list[Problem]:
        return [] if facts.situation is self.nothing_said else contradictions(facts)

    def refused(self, hand: Hand, edition: str, problems: list[Problem]) -> Score:
        """The answer for a hand that does not win."""
        minimum = self.nothing_said.number("minimum")
        return Score(hand, self.name, edition, 0, minimum, wins=False, legal=False, problems=tuple(problems))

    @abstractmethod
    def score(self, hand: Hand, edition: str, situation: Situation) -> Score:
        """Score a hand under one of `editions`."""
