"""The options by which `hupai score` and `hupai read` say how a table plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scoring import Hand, Score

Rules = Annotated[str, typer.Option(help="Rule set; mcr is Chinese Official.")]
Edition = Annotated[str | None, typer.Option(help="Edition of the rules: 2025, 1998 or green-book for mcr.")]
Events = Annotated[
    list[str] | None, typer.Option("--event", help="A special event that the rules know; may be repeated.")
]
Wild = Annotated[str | None, typer.Option(help="The wild tile, where the rules have one.")]
Gold = Annotated[str | None, typer.Option(help="The gold tile, where the rules have one.")]
Dealer = Annotated[bool, typer.Option("--dealer", help="The winner is the dealer, where that counts.")]
Streak = Annotated[int | None, typer.Option(help="How often the dealer has stayed, where that counts.")]

# A rule set says itself which options it knows; asked about any hand, it refuses the others.
_ANY_HAND = "123456789m12355p"


def scorer(
    rules: str,
    edition: str | None,
    events: Sequence[str] | None,
    wild: str | None,
    gold: str | None,
    dealer: bool,
    streak: int | None,
) -> Callable[[Hand | str], Score]:
    """How this table scores a hand. Raises typer.BadParameter for what its rules do not know."""
    from scoring import RulesError, score

    given = {"wild": wild, "gold": gold, "dealer": dealer or None, "streak": streak}
    options: dict[str, object] = {name: value for name, value in given.items() if value is not None}

    def table(hand: Hand | str) -> Score:
        return score(hand, rules, edition, events=tuple(events or ()), **options)

    try:
        table(_ANY_HAND)
    except RulesError as error:
        raise typer.BadParameter(str(error)) from error
    return table
