"""Who pays whom: the shares of the three others as a table of the four seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.hand import WINDS, Hand
from scoring.result import Payment, Settlement
from scoring.situation import Situation


@dataclass(frozen=True, slots=True)
class Payer:
    """One of the three others. `seat` is None where the discarder's seat was not said; the dealer is then
    taken to be another than the discarder."""

    seat: str | None
    discarder: bool
    dealer: bool


Payments = tuple[Settlement, tuple[Payment, ...]]


def pay(
    hand: Hand, situation: Situation, share: Callable[[Payer], int], liable: str | None = None
) -> Payments:
    """The settlement, and the table of the seats: winner, then the discarder, then the others in turn.

    `share` says what one payer owes; `liable` is the seat that pays all three shares, if one does.
    """
    payers = _payers(hand, situation)
    shares = [share(payer) for payer in payers]
    total = sum(shares)
    if liable is not None:
        shares = [total if payer.seat == liable else 0 for payer in payers]
    rows = [Payment(hand.seat, "winner", total)]
    for payer, owed in zip(payers, shares, strict=True):
        role = "liable" if liable is not None and payer.seat == liable else _role(payer)
        rows.append(Payment(payer.seat, role, -owed))
    return Settlement(total, tuple(-owed for owed in shares)), tuple(rows)


def _role(payer: Payer) -> str:
    if payer.discarder:
        return "discarder"
    return "dealer" if payer.dealer else "other"


def _payers(hand: Hand, situation: Situation) -> list[Payer]:
    start = WINDS.index(hand.seat)
    others = [WINDS[(start + step) % 4] for step in (1, 2, 3)]
    discarder = None if hand.self_drawn else situation.text("discarder")
    if hand.self_drawn or discarder is not None:
        others.sort(key=lambda seat: seat != discarder)
        return [Payer(seat, seat == discarder, seat == WINDS[0]) for seat in others]
    return [Payer(None, True, False), Payer(None, False, hand.seat != WINDS[0]), Payer(None, False, False)]
