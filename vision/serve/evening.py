"""How an evening advances: prevalent wind, seats, dealer, by what was played so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from scoring.hand import WINDS

DealerStays = Literal["never", "on-win", "on-win-or-draw"]

DEALER_STAYS: dict[str, DealerStays] = {
    "mcr": "never",
    "mcr-plus": "never",
    "dazhong": "on-win",
    "fuzhou": "on-win-or-draw",
    "jipinghu": "on-win-or-draw",
}
"""Whether the dealer deals again. The Chinese Official rules' text says never, that of Fuzhou after an own
win and after a draw. The texts of the other two are silent: theirs is custom. A table may say otherwise.
Every rule set is here, and house rules go by the one that they start from."""

PLAYERS = 4
DEALS = 16
"""Deals of a game: each player's in each of the four winds."""
_EXCHANGED = ((0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 0, 1), (2, 3, 1, 0))
"""Each player's seat in the four rounds where seats are exchanged as in Chinese Official competitions: after
the East and the West round East with South and West with North; after the South round East to West, West to
South, South to North, North to East."""


@dataclass(frozen=True)
class Turn:
    """The hand to be played next.

    number: counts hands from 1. deals: changes of the dealer so far. streak: how often the dealer has stayed.
    exchanged: whether seats are exchanged after each round.
    """

    number: int = 1
    deals: int = 0
    streak: int = 0
    exchanged: bool = False

    @property
    def over(self) -> bool:
        """Whether the game is at its end; a table may play on."""
        return self.deals >= DEALS

    @property
    def round(self) -> str:
        """The prevalent wind; after the North round East again."""
        return WINDS[self.deals // PLAYERS % PLAYERS]

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' winds: who sits at seat 0 is East first, then who sits at seat 1."""
        places = _EXCHANGED[self.deals // PLAYERS % PLAYERS] if self.exchanged else range(PLAYERS)
        return tuple(WINDS[(place - self.deals) % PLAYERS] for place in places)

    @property
    def dealer(self) -> int:
        """East's place in the list of players."""
        return self.seats.index("E")

    def after(self, winner: int | None, stays: DealerStays) -> Turn:
        """The next turn. winner: a place in the list of players, None for a draw."""
        again = stays == "on-win-or-draw" if winner is None else stays != "never" and winner == self.dealer
        if again:
            return replace(self, number=self.number + 1, streak=self.streak + 1)
        return replace(self, number=self.number + 1, deals=self.deals + 1, streak=0)
