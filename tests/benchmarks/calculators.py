"""Other projects' calculators, and the same hands as they take them. Functions here raise ImportError."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from winning_hands import for_pymahjonggb, riichi_tiles

from scoring import Hand, MeldKind, score

Call = dict[str, Any]


def pymahjonggb() -> Callable[[Call], object]:
    """PyMahjongGB's list of fans for the arguments that `for_pymahjonggb` gives."""
    from MahjongGB import MahjongFanCalculator

    return lambda call: MahjongFanCalculator(**call)


def pymahjonggb_calls(hands: Iterable[Hand]) -> list[Call]:
    """The hands as PyMahjongGB takes them."""
    return [for_pymahjonggb(hand) for hand in hands]


def totals_that_differ(hands: Sequence[Hand], calls: Sequence[Call]) -> list[tuple[Hand, int, int]]:
    """Hands with another total than PyMahjongGB's: the hand, ours and theirs."""
    from MahjongGB import MahjongFanCalculator

    found = []
    for hand, call in zip(hands, calls, strict=True):
        ours, theirs = score(hand).total, sum(points for points, _ in MahjongFanCalculator(**call))
        if ours != theirs:
            found.append((hand, ours, theirs))
    return found


def riichi() -> Callable[[Call], object]:
    """The riichi package `mahjong`'s list of yaku for the arguments that `riichi_calls` gives."""
    from mahjong.hand_calculating.hand import HandCalculator

    calculator = HandCalculator()
    return lambda call: calculator.estimate_hand_value(**call)


def riichi_calls(hands: Iterable[Hand]) -> list[Call]:
    """Those of the hands that `mahjong` can read, as riichi hands: it knows no knitted ones, no flowers."""
    from mahjong.hand_calculating.hand import HandCalculator

    calculator = HandCalculator()
    readable = (None, HandCalculator.ERR_NO_YAKU)
    calls = map(_riichi_call, hands)
    return [call for call in calls if calculator.estimate_hand_value(**call).error in readable]


def _riichi_call(hand: Hand) -> Call:
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    kinds = {MeldKind.CHOW: Meld.CHI, MeldKind.PUNG: Meld.PON}
    all_tiles = [*hand.concealed, *(tile for meld in hand.melds for tile in meld.tiles), hand.winning]
    numbers = list(riichi_tiles(all_tiles))
    by_kind: dict[int, list[int]] = {}
    for number in numbers:
        by_kind.setdefault(number // 4, []).append(number)
    winning = by_kind[next(riichi_tiles([hand.winning])) // 4].pop()
    melds = [
        Meld(
            meld_type=kinds.get(meld.kind, Meld.KAN),
            tiles=[by_kind[number // 4].pop() for number in riichi_tiles(meld.tiles)],
            opened=meld.kind is not MeldKind.CONCEALED_KONG,
        )
        for meld in hand.melds
    ]
    return {
        "tiles": numbers,
        "win_tile": winning,
        "melds": melds,
        "config": HandConfig(is_tsumo=hand.self_drawn),
    }
