"""What a person should look at in a reading, one sentence each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.elements import UNNAMED, FloatArray, GroupKind, Tile
from vision.melds import DROPPED
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
) -> tuple[str, ...]:
    """What a person should look at, one sentence each."""
    ours = {ids[tile] for kind, members in groups if kind != "other" for tile in members}
    flowers = {ids[tile] for kind, members in groups if kind == "flowers" for tile in members}
    found = []
    for tile in tiles:
        if tile.id not in ours:
            continue
        close = [name for name, p in tile.alternatives if p >= _CLOSE and name != UNNAMED]
        if tile.tile == UNNAMED and tile.id in flowers:
            found.append(f"Tile {tile.id} is a flower; which one cannot be told.")
        elif tile.tile == UNNAMED:
            guess = " or ".join(name for name, _ in tile.alternatives if name != UNNAMED)
            found.append(f"Tile {tile.id} is not legible" + (f": perhaps {guess}." if guess else "."))
        elif tile.changed_from == UNNAMED:
            found.append(f"Tile {tile.id} is hardly legible; {tile.tile} is what fits the hand.")
        elif close:
            found.append(f"Check tile {tile.id}: {' or '.join([tile.tile, *close])}.")
    position = {identity: k for k, identity in enumerate(ids)}
    unsure = [
        identity
        for identity, k in position.items()
        if shares.get(k, {}).get(DROPPED, 0.0) >= _CLOSE and identity in ours
    ]
    found += [f"Find {identity} may be no tile at all." for identity in unsure]
    for kind, members in groups:
        if kind == "concealed" and any(_HOLE[0] < gap < _HOLE[1] for gap in rows.gaps(members)):
            found.append("There is a hole of one tile in the concealed row: a tile may have been missed.")
    width, height = photo_size
    cut = [
        identity
        for identity in ours
        if bool(np.any(quads[position[identity]] < 1))
        or bool(np.any(quads[position[identity]] > (width - 1, height - 1)))
    ]
    if cut:
        found.append("A tile of the hand is cut by the edge of the photo.")
    return tuple(found)


def told_of(hand: dict[int, str], rival: dict[int, str], ids: Sequence[int]) -> str:
    """The sentence that says how a hand almost as likely differs."""
    gained = [f"{rival[tile]} (tile {ids[tile]})" for tile in rival if tile not in hand]
    lost = [f"{hand[tile]} (tile {ids[tile]})" for tile in hand if tile not in rival]
    parts = [f"with {', '.join(gained)}"] if gained else []
    parts += [f"without {', '.join(lost)}"] if lost else []
    return f"The hand may also be meant {' and '.join(parts)}."
