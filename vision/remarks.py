"""What a person should look at in a reading, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.elements import UNNAMED, FloatArray, GroupKind, Tile
from vision.melds import DROPPED
from vision.remark import Remark
from vision.rows import Rows

# A name or a find this likely to be otherwise is worth a look by a person.
_CLOSE = 0.15
# A hole in the concealed row that a tile would fill.
_HOLE = (0.8, 1.4)


def warnings_of(
    groups: Sequence[tuple[GroupKind, tuple[int, ...]]],
    tiles: Sequence[Tile],
    shares: dict[int, dict[str, float]],
    ids: Sequence[int],
    rows: Rows,
    quads: FloatArray,
    photo_size: tuple[int, int],
) -> tuple[Remark, ...]:
    """What a person should look at."""
    ours = {ids[tile] for kind, members in groups if kind != "other" for tile in members}
    flowers = {ids[tile] for kind, members in groups if kind == "flowers" for tile in members}
    found = []
    for tile in tiles:
        if tile.id not in ours:
            continue
        close = [name for name, p in tile.alternatives if p >= _CLOSE and name != UNNAMED]
        if tile.tile == UNNAMED and tile.id in flowers:
            found.append(Remark("flower-unclear", tile=tile.id))
        elif tile.tile == UNNAMED:
            guesses = tuple(name for name, _ in tile.alternatives if name != UNNAMED)
            found.append(
                Remark("not-legible-perhaps", tile=tile.id, names=guesses)
                if guesses
                else Remark("not-legible", tile=tile.id)
            )
        elif tile.changed_from == UNNAMED:
            found.append(Remark("hardly-legible", tile=tile.id, name=tile.tile))
        elif close:
            found.append(Remark("check", tile=tile.id, names=(tile.tile, *close)))
    position = {identity: k for k, identity in enumerate(ids)}
    unsure = [
        identity
        for identity, k in position.items()
        if shares.get(k, {}).get(DROPPED, 0.0) >= _CLOSE and identity in ours
    ]
    found += [Remark("perhaps-no-tile", tile=identity) for identity in unsure]
    for kind, members in groups:
        if kind == "concealed" and any(_HOLE[0] < gap < _HOLE[1] for gap in rows.gaps(members)):
            found.append(Remark("hole"))
    width, height = photo_size
    cut = [
        identity
        for identity in ours
        if bool(np.any(quads[position[identity]] < 1))
        or bool(np.any(quads[position[identity]] > (width - 1, height - 1)))
    ]
    if cut:
        found.append(Remark("cut"))
    return tuple(found)


def told_of(hand: dict[int, str], rival: dict[int, str], ids: Sequence[int]) -> Remark:
    """How a hand almost as likely differs."""
    gained = tuple((rival[tile], ids[tile]) for tile in rival if tile not in hand)
    lost = tuple((hand[tile], ids[tile]) for tile in hand if tile not in rival)
    if gained and lost:
        return Remark("rival", gained=gained, lost=lost)
    return Remark("rival-more", gained=gained) if gained else Remark("rival-less", lost=lost)
