"""The options by which `hupai score` and `hupai read` say how a table plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.commands.output import plain

if TYPE_CHECKING:
    from scoring import Hand, Score
    from scoring.rules.fan_rules import FanRules

Rules = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Rule set (`hupai rules` lists them), or the .toml file of house rules."
    ),
]
Edition = Annotated[
    str | None, typer.Option(metavar="NAME", help="Edition of the rules: 2025, 1998 or green-book for mcr.")
]
Events = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="NAME",
        help="A special event, in English or Chinese (heavenly-hand, 天和); repeatable.",
    ),
]
Wild = Annotated[str | None, typer.Option(metavar="TILE", help="The wild tile, where the rules have one.")]
Gold = Annotated[str | None, typer.Option(metavar="TILE", help="The gold tile, where the rules have one.")]
Dealer = Annotated[bool, typer.Option("--dealer", help="The winner is the dealer, where that counts.")]
Streak = Annotated[
    int | None, typer.Option(metavar="N", help="How often the dealer has stayed, where that counts.")
]
Discarder = Annotated[
    str | None, typer.Option(metavar="WIND", help="The seat that gave the winning tile: E, S, W or N.")
]
Responsible = Annotated[
    str | None,
    typer.Option(metavar="WIND", help="The seat that pays for all three (包), where the rules have that."),
]
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="Another option of the rules, for instance kong_fan=1."
    ),
]


def scorer(
    rules: str,
    edition: str | None,
    events: Sequence[str] | None,
    wild: str | None,
    gold: str | None,
    dealer: bool,
    streak: int | None,
    discarder: str | None = None,
    responsible: str | None = None,
    choices: Sequence[str] | None = None,
) -> Callable[[Hand | str], Score]:
    """How this table scores a hand. Raises typer.BadParameter for what its rules do not know."""
    from scoring import RulesError, score

    given: dict[str, object] = {
        "wild": wild, "gold": gold, "dealer": dealer or None, "streak": streak,
        "discarder": discarder, "responsible": responsible,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    for name, value in _choices(choices or ()):
        if str(options.setdefault(name, value)).lower() != value.lower():
            raise typer.BadParameter(f"{name} is said twice, as {options[name]} and as {value}; say it once.")
    said = tuple(events or ())
    try:
        chosen = named_rules(rules)
        chosen.check(edition, said, options)
    except RulesError as error:
        raise typer.BadParameter(str(error)) from error

    def table(hand: Hand | str) -> Score:
        return score(hand, chosen, edition, events=said, **options)

    return table


def named_rules(rules: str) -> FanRules:
    """A rule set by name, or house rules by the path of their file. Raises scoring.RulesError."""
    from scoring.house import load_rules
    from scoring.rules.base import rule_set

    if not rules.endswith(".toml"):
        return rule_set(rules)
    refuse_endless(Path(rules))
    house = load_rules(rules)
    return replace(house, name=plain(house.name), english=plain(house.english), chinese=plain(house.chinese))


def refuse_endless(rules: Path) -> None:
    """Raises scoring.RulesError for a pipe or device as the file of house rules."""
    from scoring import RulesError
    from vision.paths import may_never_end

    if may_never_end(rules):
        raise RulesError(f"{rules} is a pipe or a device; give a file of house rules.")


def _choices(choices: Sequence[str]) -> Iterator[tuple[str, str]]:
    for choice in choices:
        name, sign, value = choice.partition("=")
        if not sign:
            raise typer.BadParameter(f"'{choice}' is no option: write NAME=VALUE, for instance kong_fan=1.")
        yield name.strip().replace("-", "_"), value.strip()
