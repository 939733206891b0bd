"""How an evening advances: prevalent wind, seats, dealer, by what was played so far."""

from __future__ import annotations

from collections.abc import Sequence
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
"""Whether the dealer deals again. Chinese Official rules: never; Fuzhou: after an own win and after a draw (both
in the rules' texts). The texts of the other two do not say it: custom, and a table may choose otherwise."""

PLAYERS = 4
_ROUNDS = 4


@dataclass(frozen=True)
class Turn:
    """The hand to be played next. number counts hands from 1; dealings counts changes of dealer from 0;
    dealer is a place in the list of names; seats are the players' winds by place."""

    number: int
    dealings: int
    streak: int
    seating: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def round(self) -> str:
        return WINDS[min(self.dealings // PLAYERS, _ROUNDS - 1)]

    @property
    def seats(self) -> tuple[str, ...]:
        """A player at seat s (0 deals first in a round) is East when s dealings of the round have passed."""
        passed = self.dealings % PLAYERS
        return tuple(WINDS[(seat - passed) % PLAYERS] for seat in self.seating)

    @property
    def dealer(self) -> int:
        return self.seats.index("E")

    @property
    def over(self) -> bool:
        return self.dealings >= PLAYERS * _ROUNDS


FIRST = Turn(1, 0, 0)


def after(turn: Turn, winners: Sequence[int], stays: DealerStays, seat_change: bool) -> Turn:
    """The turn after one hand. winners: places of those who won, none for a draw."""
    keeps = (turn.dealer in winners and stays != "never") or (not winners and stays == "on-win-or-draw")
    if keeps:
        return replace(turn, number=turn.number + 1, streak=turn.streak + 1)
    dealings = turn.dealings + 1
    seating = turn.seating
    if seat_change and dealings % PLAYERS == 0 and dealings < PLAYERS * _ROUNDS:
        places = _SEATS_BY_ROUND[dealings // PLAYERS]
        seating = tuple(places)
    return Turn(turn.number + 1, dealings, 0, seating)


_SEATS_BY_ROUND = ((0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 0, 1), (2, 3, 1, 0))
