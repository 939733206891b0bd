"""From a layout to a hand that can be scored, and what had to be assumed on the way."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.hand import Hand, Meld, MeldKind
from scoring.notation import format_hand
from scoring.result import Score
from scoring.tiles import INDEX, UNIT
from vision.circumstances import Circumstances
from vision.elements import FACE_DOWN, UNNAMED, Group, Layout, Tile
from vision.remark import Remark

Scorer = Callable[[Hand], Score]

_KINDS = {
    "chow": MeldKind.CHOW,
    "pung": MeldKind.PUNG,
    "kong": MeldKind.MELDED_KONG,
    "concealed-kong": MeldKind.CONCEALED_KONG,
}
# A meld's tile turned from its neighbours by this much (degrees) lies sideways: the claimed one.
_SIDEWAYS = (60.0, 120.0)
_WINDS = ("seat", "round")


@dataclass(frozen=True)
class LaidHand:
    """A layout as a hand.

    hand: None when a tile of it has no name or there is no hand; `warnings` say which.
    score: by the scorer, None without hand or scorer.
    assumed: what neither the photo shows nor the caller said, as in the contract.
    by_winning_tile: total for each tile that may have been the winning one; empty when that is known.
    """

    hand: Hand | None
    score: Score | None = None
    assumed: dict[str, Any] = field(default_factory=dict)
    by_winning_tile: dict[str, int] = field(default_factory=dict)
    warnings: tuple[Remark, ...] = ()

    @property
    def text(self) -> str | None:
        """GB notation."""
        return None if self.hand is None else format_hand(self.hand)


@dataclass(frozen=True)
class Parts:
    """The tiles of a hand by where they lie. apart: the winning tile where it lies apart. Flowers are named,
    or counted where only their number is known."""

    melds: tuple[Meld, ...] = ()
    concealed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    flowers: tuple[str, ...] = ()
    unnamed_flowers: int = 0


def to_hand(layout: Layout, circumstances: Circumstances, scorer: Scorer | None = None) -> LaidHand:
    """Make the hand of a layout: see `settle`."""
    tiles = {tile.id: tile for tile in layout.tiles}
    groups = [group for group in layout.groups if group.kind in _KINDS]
    melds = [_meld(group, [tiles[member] for member in group.tiles]) for group in groups]
    concealed, apart, flowers = (
        tuple(tiles[member].tile for member in _members(layout, kind))
        for kind in ("concealed", "winning", "flowers")
    )
    unnamed_flowers = len(flowers) if UNNAMED in flowers else 0  # the notation names all or counts all
    parts = Parts(
        melds=tuple(meld for meld in melds if meld is not None),
        concealed=concealed,
        apart=apart,
        flowers=() if unnamed_flowers else flowers,
        unnamed_flowers=unnamed_flowers,
    )
    held = parts.concealed + parts.apart
    unnamed = [name for name in held if name not in UNIT]
    if held and (unnamed or None in melds):
        hidden = FACE_DOWN in unnamed or not unnamed
        return LaidHand(None, warnings=(Remark("face-down" if hidden else "unnamed"),))
    laid = settle(parts, circumstances, scorer)
    if laid.hand is not None and any(group.kind == "kong" for group in groups):
        laid.assumed["kongs"] = "melded"  # a concealed one is turned up at the end as well
    return laid


def settle(parts: Parts, circumstances: Circumstances, scorer: Scorer | None = None) -> LaidHand:
    """Make a hand of named tiles.

    The winning tile is the one the caller named, else the one apart, else the rightmost if the others lie
    sorted and it alone is out of order, so that it was put there last; else the photo tells nothing, every
    concealed tile is as likely as any other, and the one that scores most is assumed (the rightmost of
    equals). `by_winning_tile` has the totals of all unless it was named or lies apart. A hand one tile short
    gets the tile that the caller named.
    """
    held = parts.concealed + parts.apart
    if not held:
        return LaidHand(None)
    unread: str | None = None
    assumed: dict[str, Any] = {}
    said = circumstances.winning
    if said is not None:
        if len(held) % 3 == 1:  # melds take three each; a whole hand leaves the pair
            held = (*held, said)
        elif said not in held:
            unread, said = said, None
    winning = said or (parts.apart[0] if parts.apart else None)
    base = Hand(
        melds=parts.melds,
        concealed=tuple(_without(held, winning or held[-1])),
        winning=winning or held[-1],
        prevalent=circumstances.round or "E",
        seat=circumstances.seat or "E",
        self_drawn=bool(circumstances.self_drawn),
        last_copy=circumstances.last_copy,
        last_tile=circumstances.last_tile,
        kong=circumstances.kong,
        flowers=parts.flowers,
        unnamed_flowers=parts.unnamed_flowers,
    )
    hand, score, totals = base, scorer(base) if scorer else None, dict[str, int]()
    if winning is None:
        hand, score, totals = _likeliest(base, held, scorer, score)
        if score is None or score.wins:  # else there is none
            assumed["winning"] = hand.winning
    if circumstances.self_drawn is None:
        assumed["self_drawn"] = False
    assumed.update({name: "E" for name in _WINDS if getattr(circumstances, name) is None})
    warnings = () if unread is None else (Remark("winning-not-read", name=unread, instead=hand.winning),)
    return LaidHand(hand, score, assumed, totals, warnings)


def _likeliest(
    base: Hand, held: Sequence[str], scorer: Scorer | None, score: Score | None
) -> tuple[Hand, Score | None, dict[str, int]]:
    """The hand with the likeliest winning tile; totals of all that could have been it.

    base, score: with the rightmost of `held`.
    """
    if scorer is None or score is None or not score.wins:
        return base, score, {}  # which tile came last does not make a hand win
    best, best_score = base, score
    put_last = _sorted(held[:-1]) and not _sorted(held)
    totals: dict[str, int] = {}
    for name in dict.fromkeys(reversed(held)):
        hand = replace(base, concealed=tuple(_without(held, name)), winning=name)
        answer = scorer(hand)
        if answer.wins:
            totals[name] = answer.total
            if answer.total > best_score.total and not put_last:
                best, best_score = hand, answer
    return best, best_score, dict(sorted(totals.items(), key=lambda item: INDEX[item[0]]))


def _sorted(names: Sequence[str]) -> bool:
    """Whether the tiles lie suit by suit (and honour by honour), all numbers rising or all falling."""
    suits = [name[-1] for name in names]
    together = len(list(itertools.groupby(suits))) == len(set(suits))
    pairs = [(left, right) for left, right in itertools.pairwise(names) if left[-1] == right[-1]]
    return together and (all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs))


def _members(layout: Layout, kind: str) -> list[int]:
    return [member for group in layout.groups if group.kind == kind for member in group.tiles]


def _without(names: Sequence[str], one: str) -> list[str]:
    """The names less one (the last) copy."""
    left = list(names)
    del left[len(left) - 1 - left[::-1].index(one)]
    return left


def _meld(group: Group, tiles: Sequence[Tile]) -> Meld | None:
    """The meld, its source from a tile that lies sideways; None when it lies wholly face down."""
    names = [tile.tile for tile in tiles]
    kind = _KINDS[group.kind]
    if kind is MeldKind.CONCEALED_KONG:
        shown = [name for name in names if name != FACE_DOWN]
        return Meld(kind, (shown[0],) * 4) if shown else None
    claimed = _sideways(tiles)
    if claimed is None:
        return Meld(kind, tuple(names))
    if kind is MeldKind.CHOW:
        return Meld(kind, tuple(names), sorted(names).index(names[claimed]) + 1)
    return Meld(kind, tuple(names), 1 if claimed == 0 else 3 if claimed == len(names) - 1 else 2)


def _sideways(tiles: Sequence[Tile]) -> int | None:
    """Which tile lies across all others, if one does; of three or more no two can."""
    angles = []
    for tile in tiles:
        (x1, y1), (x2, y2) = tile.quad[0], tile.quad[1]
        angles.append(math.degrees(math.atan2(y2 - y1, x2 - x1)))
    for position, angle in enumerate(angles):
        others = [other for k, other in enumerate(angles) if k != position]
        turns = [(angle - other) % 180 for other in others]
        if all(_SIDEWAYS[0] < turn < _SIDEWAYS[1] for turn in turns):
            return position
    return None
