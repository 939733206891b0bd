"""Parts of rows made ready to be told apart: walls cut off, a kong's fourth tile put to its three."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from vision.evidence import Evidence
from vision.rows import Part, Rows

# Backs side by side that may be a kong; longer runs are a wall.
_KONG = 4
# How far the fourth tile of a kong lies from the middle of the three, along (widths) and across (heights).
_FOURTH = (2.7, 1.3)


def without_walls(rows: Rows, evidence: Evidence) -> list[Part]:
    """The rows' parts without runs of backs longer than a kong's four."""
    return [Part(piece, part.line) for part in rows.parts for piece in _pieces(part.tiles, evidence)]


def _pieces(tiles: tuple[int, ...], evidence: Evidence) -> list[tuple[int, ...]]:
    if not evidence.backs[list(tiles)].any():
        return [tiles]
    pieces: list[list[int]] = [[]]
    for down, run in itertools.groupby(tiles, key=lambda tile: bool(evidence.backs[tile])):
        members = list(run)
        if down and len(members) > _KONG:
            pieces.append([])
        else:
            pieces[-1] += members
    return [tuple(piece) for piece in pieces if piece]


def with_fourths(parts: Sequence[Part], rows: Rows, evidence: Evidence) -> list[Part]:
    """The parts, with a fourth tile laid tilted beside three alike, or on top of them, put to the three.

    The longest part is left alone: three alike and one apart may well be a pung and the winning tile.
    """
    joined = {part: list(part.tiles) for part in parts}
    longest = max(parts, key=lambda part: len(part.tiles), default=None)
    for single in parts:
        if len(single.tiles) > 1 or evidence.backs[single.tiles[0]]:
            continue
        for part in parts:
            three = _three_alike(part, single.tiles[0], rows, evidence) if part != longest else None
            if three is not None and single in joined and single.tiles[0] not in joined[part]:
                joined[part].insert(joined[part].index(three[-1]) + 1, single.tiles[0])
                del joined[single]
    return [Part(tuple(tiles), part.line) for part, tiles in joined.items()]


def _three_alike(part: Part, fourth: int, rows: Rows, evidence: Evidence) -> tuple[int, ...] | None:
    """Three neighbours of the part that look like `fourth` and lie next to it."""
    name = evidence.best_name(fourth)
    for start in range(len(part.tiles) - 2):
        three = part.tiles[start : start + 3]
        if any(evidence.best_name(tile) != name for tile in three):
            continue
        along, across = rows.split(three, [fourth])
        if abs(along[0]) < _FOURTH[0] and abs(across[0]) < _FOURTH[1]:
            return three
    return None
