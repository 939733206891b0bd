"""How far a hand is from a legal win: which single tile in another's place would win, how many points are
missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scoring.fans import FlowerFan
from scoring.hand import Hand
from scoring.result import Score
from scoring.rules.fan_rules import FanRules
from scoring.shapes import waits
from scoring.tiles import KINDS


@dataclass(frozen=True, slots=True)
class Exchange:
    """Any kind of `by` in the place of one tile `replaced` makes the hand win. None: the hand is one tile
    short, and any of them completes it."""

    replaced: str | None
    by: tuple[str, ...]


def exchanges(hand: Hand, scorer: Callable[[Hand], Score], wild: str | None = None) -> list[Exchange]:
    """What one tile makes of a hand that does not win; [] if one is not enough.

    The winning tile's exchange comes first. With a wild tile in the hand only the winning tile is exchanged:
    each trial of such a hand costs milliseconds.

    >>> from scoring import parse_hand, score
    >>> exchanges(parse_hand("123456m789p11s23s9s"), score)
    [Exchange(replaced='9s', by=('1s', '4s')), Exchange(replaced='1s', by=('9s',))]
    >>> exchanges(parse_hand("123456m789p11s2s3s"), score)
    [Exchange(replaced=None, by=('1s', '4s'))]
    """
    held = (*hand.concealed, hand.winning)
    if _is_short(hand):
        by = tuple(_winning(hand, held, None, scorer, wild))
        return [Exchange(None, by)] if by else []
    if hand.sets is None:
        return []
    has_wild = wild is not None and wild in held
    tried = (hand.winning,) if has_wild else tuple(dict.fromkeys((hand.winning, *hand.concealed)))
    found = []
    for tile in tried:
        rest = list(held)
        rest.remove(tile)
        by = tuple(kind for kind in _winning(hand, tuple(rest), tile, scorer, wild) if kind != tile)
        if by:
            found.append(Exchange(tile, by))
    return found


def shortfall(score: Score, rules: FanRules) -> int:
    """Points that a winning hand lacks for the minimum, which is asked of it before flowers; 0 if none."""
    flowers = {fan.name for fan in rules.fans[score.edition] if isinstance(fan, FlowerFan)}
    before = score.total - sum(fan.points * fan.count for fan in score.fans if fan.name in flowers)
    return max(0, score.minimum - before) if score.wins and not score.legal else 0


def _is_short(hand: Hand) -> bool:
    """Whether the hand is one tile short of a whole one (13 of 14, a kong counting three)."""
    return (len(hand.concealed) + 1) % 3 == 1


def _winning(
    hand: Hand, rest: tuple[str, ...], replaced: str | None, scorer: Callable[[Hand], Score], wild: str | None
) -> Iterator[str]:
    """The kinds that, added to `rest`, make a hand that wins. The winning tile stays the winning one."""
    kinds = KINDS if wild is not None and wild in rest else waits(rest, len(hand.melds))
    for kind in kinds:
        if replaced is None or replaced == hand.winning:
            whole = replace(hand, concealed=rest, winning=kind)
        else:
            concealed = [*rest, kind]
            concealed.remove(hand.winning)
            whole = replace(hand, concealed=tuple(concealed))
        if scorer(whole).wins:
            yield kind
