"""From the settled reading to the element tree: tiles with alternatives, groups, status and warnings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.shapes import is_winning, pairs_wait
from scoring.splits import hand_waits
from scoring.tiles import KINDS, TILES, UNIT
from vision.arrange import Arrangement
from vision.decode import MARGIN, Outcome
from vision.elements import FACE_DOWN, UNNAMED, FloatArray, Group, GroupKind, Layout, Tile, as_quad
from vision.evidence import FACES, Evidence
from vision.melds import DROPPED, FIRST_FLOWER, FLOWERS
from vision.remarks import told_of, warnings_of
from vision.rows import Rows

_MELDS: tuple[GroupKind, ...] = ("chow", "pung", "kong", "concealed-kong")
# Alternatives shown: at most this many, none less likely.
_SHOWN = 3
_LEAST_SHOWN = 0.004
# A flower is named when one name is this likely, and only counted below, if it is as surely a flower. Of 82
# flowers on the annotated photos one is below and right; of the 5 below 0.7 four are right.
_TOLD = 0.4
_FLOWER = 0.9
_REAL = 0.5  # of a tile that is not this hand's, to be shown


@dataclass(frozen=True)
class Settled:
    """An arrangement, the tiles of each node that was decoded, and its readings, best first.

    rival: tiles and names of a hand of other tiles that is almost as likely.
    """

    arrangement: Arrangement
    nodes: tuple[tuple[int, ...], ...]
    outcomes: tuple[Outcome, ...]
    rival: dict[int, str] | None = None

    @property
    def total(self) -> float:
        """Log-odds of the best reading."""
        return self.outcomes[0].total

    @property
    def hand(self) -> dict[int, str]:
        """The tiles of the hand with their names, as the best reading has them."""
        return {
            tile: name
            for members, choice in zip(self.nodes, self.outcomes[0].choices, strict=True)
            for tile, name in zip(members, choice.names, strict=True)
            if choice.kind != "other" and name != DROPPED
        }


def assemble(
    settled: Settled,
    rows: Rows,
    evidence: Evidence,
    quads: FloatArray,
    ids: Sequence[int],
    photo_size: tuple[int, int],
    said: str | None = None,
) -> Layout:
    """Build the layout. quads: (N, 4, 2) from each face's own top-left. ids: (N,) what to call each tile.

    said: the winning tile, when the caller named it.
    """
    names, kinds = _chosen(settled, evidence)
    groups = _groups(settled, names, kinds, said)
    shares = _shares(settled)
    tiles = []
    for tile in sorted(names, key=lambda tile: ids[tile]):
        own = evidence.best_name(tile)
        confidence, alternatives = _alternatives(tile, names[tile], shares.get(tile), evidence)
        unsure = names[tile] in FLOWERS and kinds[tile] == "flowers" and confidence < _TOLD
        if unsure and evidence.faces[tile, FIRST_FLOWER:FACES].sum() > _FLOWER:
            names[tile], confidence, alternatives = _some_flower(tile, evidence)
        changed = own if own not in (names[tile], FACE_DOWN) and names[tile] != UNNAMED else None
        tiles.append(Tile(ids[tile], names[tile], confidence, as_quad(quads[tile]), alternatives, changed))
    renamed = tuple(Group(kind, tuple(ids[tile] for tile in members)) for kind, members in groups)
    status = _status(groups, names)
    warnings = warnings_of(groups, tiles, shares, ids, rows, quads, photo_size)
    if settled.rival is not None:
        warnings = (*warnings, told_of(settled.hand, settled.rival, ids))
    return Layout(tuple(tiles), renamed, status, warnings)


def _chosen(settled: Settled, evidence: Evidence) -> tuple[dict[int, str], dict[int, GroupKind]]:
    """Name and kind of each tile that is one."""
    names: dict[int, str] = {}
    kinds: dict[int, GroupKind] = {}
    for members, choice in zip(settled.nodes, settled.outcomes[0].choices, strict=True):
        for tile, name in zip(members, choice.names, strict=True):
            if name != DROPPED and (name != FACE_DOWN or choice.kind != "other"):
                names[tile], kinds[tile] = name, choice.kind
    # A find that is neither this hand's nor surely a legible tile is not worth a box, nor is a wall of backs.
    for tile in settled.arrangement.other:
        name = evidence.best_name(tile)
        if name not in (FACE_DOWN, UNNAMED) and evidence.real[tile] > _REAL:
            names[tile], kinds[tile] = name, "other"
    if not names:  # but where all there is lies face down, that is what is to be said
        names = {tile: FACE_DOWN for tile in settled.arrangement.other if evidence.backs[tile]}
    return names, kinds


def _groups(
    settled: Settled, names: dict[int, str], kinds: dict[int, GroupKind], said: str | None
) -> list[tuple[GroupKind, tuple[int, ...]]]:
    concealed = [
        tile for row in settled.arrangement.concealed for tile in row if kinds.get(tile) == "concealed"
    ]
    winning = [tile for tile in kinds if kinds[tile] == "winning"]
    if said is not None and not winning:
        winning = [tile for tile in concealed if names[tile] == said][-1:]
        concealed = [tile for tile in concealed if tile not in winning]
    groups: list[tuple[GroupKind, tuple[int, ...]]] = [("concealed", tuple(concealed))]
    for members, choice in zip(settled.nodes, settled.outcomes[0].choices, strict=True):
        if choice.kind in _MELDS:
            groups.append((choice.kind, members))
    groups.append(("flowers", tuple(tile for tile in kinds if kinds[tile] == "flowers")))
    groups.append(("winning", tuple(winning)))
    groups.append(("other", tuple(tile for tile in kinds if kinds[tile] == "other")))
    return [(kind, members) for kind, members in groups if members]


def _shares(settled: Settled) -> dict[int, dict[str, float]]:
    """For each decoded tile the probability of each of its names among the readings found."""
    best = settled.outcomes[0].total
    weights = [math.exp(outcome.total - best) for outcome in settled.outcomes]
    whole = sum(weights)
    shares: dict[int, dict[str, float]] = {}
    for outcome, weight in zip(settled.outcomes, weights, strict=True):
        for members, choice in zip(settled.nodes, outcome.choices, strict=True):
            for tile, name in zip(members, choice.names, strict=True):
                share = shares.setdefault(tile, {})
                share[name] = share.get(name, 0.0) + weight / whole
    return shares


def _alternatives(
    tile: int, name: str, share: dict[str, float] | None, evidence: Evidence
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Confidence in the chosen name, and the other names worth showing.

    Names that no kept reading holds are at least `MARGIN` less likely than the best reading.
    """
    if name == FACE_DOWN:
        return float(evidence.scores[tile]), ()
    own = {TILES[k]: float(evidence.faces[tile, k]) for k in range(FACES)}
    own[UNNAMED] = float(evidence.faces[tile, FACES])
    if share is None:
        odds = own
    else:
        reference = max(own.get(name, 0.0), 1e-3)
        odds = {other: math.exp(-MARGIN) * min(p / reference, 1.0) for other, p in own.items()}
        odds.update({other: p for other, p in share.items() if other != DROPPED})
    whole = sum(odds.values())
    ranked = sorted(
        ((other, p / whole) for other, p in odds.items() if other != name), key=lambda item: -item[1]
    )
    shown = tuple((other, p) for other, p in ranked[:_SHOWN] if p >= _LEAST_SHOWN)
    return odds[name] / whole, shown


def _some_flower(tile: int, evidence: Evidence) -> tuple[str, float, tuple[tuple[str, float], ...]]:
    """A flower, whichever: its name, how sure that is, and the likeliest flowers."""
    shares = evidence.faces[tile, FIRST_FLOWER:FACES]
    best = np.argsort(-shares, kind="stable")[:_SHOWN]
    return UNNAMED, float(shares.sum()), tuple((TILES[FIRST_FLOWER + k], float(shares[k])) for k in best)


def _status(groups: Sequence[tuple[GroupKind, tuple[int, ...]]], names: dict[int, str]) -> tuple[str, ...]:
    """The contract's codes: `complete` alone for a winning hand of 14, or every reason why it is none."""
    if not names:
        return ("no-tiles",)
    if all(name == FACE_DOWN for name in names.values()):
        return ("all-face-down",)
    members = {kind: [t for k, tiles in groups if k == kind for t in tiles] for kind, _ in groups}
    hand = [names[tile] for tile in members.get("concealed", []) + members.get("winning", [])]
    melds = sum(kind in _MELDS for kind, _ in groups)
    if not hand and not melds:
        return ("not-a-hand",)
    size = len(hand) + 3 * melds
    found = ["five-sets"] if size in (16, 17) else []
    legible = all(name in UNIT for name in hand)
    packed = sum(UNIT[name] for name in hand) if legible else 0
    impossible = _impossible([names[tile] for kind, tiles in groups if kind != "other" for tile in tiles])
    if not legible:
        found.append("unnamed-tiles")
    if size in (14, 17):
        wins = legible and not impossible and is_winning(packed, melds, size)
        found.append("complete" if wins else "not-winning")
    elif size > 17 or size == 15:
        found.append("too-many")
    else:
        found.append("too-few")
        if size in (13, 16) and legible and (hand_waits(packed) or (not melds and pairs_wait(packed))):
            found.append("waiting")
    return (*found, *impossible)


def _impossible(names: Sequence[str]) -> list[str]:
    """What no set of tiles holds."""
    counts = Counter(names)
    found = []
    if any(count > 4 for name, count in counts.items() if name in KINDS):
        found.append("five-of-a-kind")
    if any(count > 1 for name, count in counts.items() if name in FLOWERS):
        found.append("repeated-flower")
    return found
