"""Who pays whom: the shares of the three others as a table of the four seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from scoring.hand import WINDS, Hand
from scoring.result import Payment, Settlement
from scoring.situation import Situation

_KEPT = 1 << 12  # settlements remembered, at most; about a kilobyte each


@dataclass(frozen=True, slots=True, eq=False)  # `_payers` makes each once: equal ones are the same
class Payer:
    """One of the three others. `seat` is None where the discarder's seat was not said; the dealer is then
    taken to be another than the discarder."""

    seat: str | None
    discarder: bool
    dealer: bool


Payers = tuple[Payer, ...]
Payments = tuple[Settlement, tuple[Payment, ...]]


def pay(
    hand: Hand, situation: Situation, share: Callable[[Payer], int], liable: str | None = None
) -> Payments:
    """The settlement, and the table of the seats: winner, then the discarder, then the others in turn.

    `share` says what one payer owes; `liable` is the seat that pays all three shares, if one does.
    """
    discarder = None if hand.self_drawn else situation.text("discarder")
    payers = _payers(hand.seat, hand.self_drawn, discarder)
    return _settled(hand.seat, payers, tuple([share(payer) for payer in payers]), liable)


@lru_cache(maxsize=_KEPT)
def _settled(winner: str, payers: Payers, shares: tuple[int, ...], liable: str | None) -> Payments:
    total = sum(shares)
    if liable is not None:
        shares = tuple(total if payer.seat == liable else 0 for payer in payers)
    rows = [Payment(winner, "winner", total)]
    for payer, owed in zip(payers, shares, strict=True):
        role = "liable" if liable is not None and payer.seat == liable else _role(payer)
        rows.append(Payment(payer.seat, role, -owed))
    return Settlement(total, tuple(-owed for owed in shares)), tuple(rows)


def _role(payer: Payer) -> str:
    if payer.discarder:
        return "discarder"
    return "dealer" if payer.dealer else "other"


@cache
def _payers(winner: str, self_drawn: bool, discarder: str | None) -> Payers:
    start = WINDS.index(winner)
    others = [WINDS[(start + step) % 4] for step in (1, 2, 3)]
    if self_drawn or discarder is not None:
        others.sort(key=lambda seat: seat != discarder)
        return tuple([Payer(seat, seat == discarder, seat == WINDS[0]) for seat in others])
    return Payer(None, True, False), Payer(None, False, winner != WINDS[0]), Payer(None, False, False)
