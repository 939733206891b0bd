"""Which row is what: the likeliest ways to see a hand in the rows of a photo.

Each part of a row is concealed tiles, melds and flowers, a winning tile laid apart, or none of this hand. The
log-odds of the parts add up and only the number of tiles ties them together, so the best combination for each
number is found by going through the parts once.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision import priors
from vision.decode import row_order
from vision.elements import UNNAMED
from vision.evidence import Evidence
from vision.melds import Node, quads_of_a_kind, segment, subsets
from vision.rows import Part, Rows

# Parts looked at beside the main row, nearest first, and rows tried as the main one. A hand lies in one to
# three.
_NEAREST = 9
_MAINS = 3
_PER_COUNT = 2
_REAL = 0.5
_FAR_ROWS = 6.0
_FAR_WIDTHS = 12.0
# A wall's backs in a row: longer runs than the four of a kong are cut off.
_KONG = 4
_KONG_LOSS = -6.0
_MAX_STRAYS = 2
# How far the fourth tile of a kong lies from the middle of the three, along (widths) and across (heights).
_FOURTH = (2.7, 1.3)


@dataclass(frozen=True)
class Arrangement:
    """Tiles by role.

    concealed: rows of tiles as they lie. nodes: melds, kongs and flowers. log: log-odds of where they lie.
    estimate: of the whole, before the names are settled, relative to tiles named by themselves.
    """

    concealed: tuple[tuple[int, ...], ...]
    nodes: tuple[Node, ...]
    winning: int | None
    other: tuple[int, ...]
    log: float
    estimate: float


@dataclass(frozen=True)
class _Role:
    """One way to see a part. `log` of its place, `gain` of its names against tiles by themselves."""

    log: float
    gain: float = 0.0
    count: int = 0
    melds: int = 0
    concealed: tuple[tuple[int, ...], ...] = ()
    nodes: tuple[Node, ...] = ()
    winning: int | None = None
    other: tuple[int, ...] = ()


def arrangements(rows: Rows, evidence: Evidence) -> list[Arrangement]:
    """The likeliest arrangements, best estimate first; the one without a hand is always among them."""
    parts = [Part(piece, part.line) for part in rows.parts for piece in _without_walls(part.tiles, evidence)]
    parts = _with_fourth(parts, rows, evidence)
    everything = tuple(tile for part in rows.parts for tile in part.tiles)
    outside = tuple(sorted(set(everything) - {tile for part in parts for tile in part.tiles}))
    sizes = rows.sizes
    faces = [part for part in parts if float(evidence.real[list(part.tiles)].max()) > _REAL]
    mains = sorted(faces, key=lambda part: -float((sizes[list(part.tiles)] ** 1.5).sum()))[:_MAINS]
    nothing = priors.NO_HAND + (
        priors.NO_HAND_LONG_ROW if _longest(rows, evidence) >= priors.LONG_ROW else 0.0
    )
    found = [Arrangement((), (), None, everything, nothing, nothing)]
    for main in mains:
        found += _around(main, parts, outside, rows, evidence)
    return sorted(found, key=lambda arrangement: -arrangement.estimate)


def _longest(rows: Rows, evidence: Evidence) -> int:
    """Faces side by side in the longest row."""
    lines: Counter[int] = Counter()
    for part in rows.parts:
        lines[part.line] += int((~evidence.backs[list(part.tiles)]).sum())
    return max(lines.values())


def _around(
    main: Part, parts: Sequence[Part], outside: tuple[int, ...], rows: Rows, evidence: Evidence
) -> list[Arrangement]:
    """Arrangements in which `main` holds concealed tiles."""
    seen = {part: rows.offset(main.tiles, part.tiles) for part in parts if part != main}
    near = sorted(
        seen, key=lambda part: math.hypot(seen[part][0] / 2, seen[part][1]) / len(part.tiles) ** 0.5
    )
    far = tuple(tile for part in near[_NEAREST:] for tile in part.tiles) + outside
    states: dict[tuple[int, int, bool], list[tuple[float, tuple[_Role, ...]]]] = {(0, 0, False): [(0.0, ())]}
    options = [_concealed(main.tiles, 0.0, rows, evidence)]
    options += [_roles(part, main, seen[part], rows, evidence) for part in near[:_NEAREST]]
    for roles in options:
        grown: dict[tuple[int, int, bool], list[tuple[float, tuple[_Role, ...]]]] = {}
        for (count, melds, won), kept in states.items():
            for role in roles:
                if won and role.winning is not None:
                    continue
                key = (count + role.count, melds + role.melds, won or role.winning is not None)
                bucket = grown.setdefault(key, [])
                bucket += [(score + role.log + role.gain, (*chosen, role)) for score, chosen in kept]
        states = {
            key: sorted(bucket, key=lambda item: -item[0])[:_PER_COUNT] for key, bucket in grown.items()
        }
    found = []
    for (count, melds, won), kept in states.items():
        size = count + 3 * melds
        if size > max(priors.HAND_SIZES) + 2:
            continue
        whole = math.log(priors.HAND_SIZES.get(size, priors.OTHER_SIZE))
        if won and size not in (14, 17):
            whole += priors.WINNING_UNFINISHED
        found += [_arrangement(chosen, far, score + whole, rows) for score, chosen in kept]
    return found


def _arrangement(roles: Sequence[_Role], far: tuple[int, ...], estimate: float, rows: Rows) -> Arrangement:
    line_of = {tile: part.line for part in rows.parts for tile in part.tiles}
    lines = {line_of[tile] for role in roles for row in role.concealed for tile in row}
    crowded = priors.THIRD_CONCEALED_ROW * max(len(lines) - 2, 0)
    winning = [role.winning for role in roles if role.winning is not None]
    return Arrangement(
        concealed=tuple(row for role in roles for row in role.concealed),
        nodes=tuple(node for role in roles for node in role.nodes),
        winning=winning[0] if winning else None,
        other=tuple(tile for role in roles for tile in role.other) + far,
        log=sum(role.log for role in roles) + crowded,
        estimate=estimate + crowded,
    )


def _roles(part: Part, main: Part, seen: tuple[float, float], rows: Rows, evidence: Evidence) -> list[_Role]:
    """What a part beside the main row may be."""
    beyond, across = seen
    tiles, single = list(part.tiles), len(part.tiles) == 1
    same_line = part.line == main.line
    growth = math.log(float(rows.sizes[tiles].mean() / rows.sizes[list(main.tiles)].mean()))
    height = rows.heights[list(main.tiles)].mean(axis=0)
    growth += priors.SHRINK_PER_HEIGHT * across * float(-height[1] / np.hypot(*height))
    alike = -0.5 * (growth / priors.SIZE_SPREAD) ** 2
    close = abs(across) < priors.ROW_REACH and beyond < 3
    down = bool(evidence.backs[tiles].all())
    other = 0.0
    if close and abs(growth) < 2 * priors.SIZE_SPREAD and not down:
        real = evidence.real[tiles]
        other = priors.OTHER_NEAR * float(real.max()) + priors.OTHER_NEAR_TILE * float(real.sum())
        other += priors.OTHER_FLOWER * sum(evidence.is_flower(tile) for tile in tiles)
    roles = [_Role(other, other=part.tiles)]
    if abs(across) > _FAR_ROWS or beyond > _FAR_WIDTHS:
        return roles
    reach = priors.PER_HEIGHT_BEYOND * max(abs(across) - priors.ROW_REACH, 0.0)
    reach += priors.PER_WIDTH_BEYOND * max(beyond - 2.0, 0.0) + alike
    if not down:
        place = priors.CONCEALED_BROKEN if same_line else priors.SECOND_CONCEALED_ROW
        place += priors.CONCEALED_SINGLE if single else 0.0
        roles += _concealed(part.tiles, place + reach, rows, evidence)
    if single and not down:
        near = abs(across) < 2.2 and beyond < 2
        place = priors.WINNING_NEAR if near else priors.WINNING_FAR
        found = math.log(max(float(evidence.real[tiles[0]]), 0.02))
        roles.append(_Role(place + max(alike, -2.0) + found, count=1, winning=tiles[0]))
    if same_line or abs(across) < 0.5:
        place = priors.MELDS_BESIDE if beyond > 0.5 + priors.BESIDE_GAP else priors.MELDS_TOUCHING
    else:
        place = priors.MELDS_BEHIND if across > 0 else priors.MELDS_IN_FRONT
    if single:
        place = priors.LOOSE_FLOWER
    return roles + _melds(part.tiles, place + reach, rows, evidence)


def _concealed(tiles: tuple[int, ...], place: float, rows: Rows, evidence: Evidence) -> list[_Role]:
    """The part as concealed tiles, with and without the kongs that may lie among them."""
    roles = []
    gaps = rows.gaps(tiles)
    for starts in subsets(quads_of_a_kind(tiles, evidence.logs, _KONG_LOSS)):
        kongs = [node for start in starts for node in _kong(tiles, start, gaps, evidence)]
        inside = {start + step for start in starts for step in range(_KONG)}
        rest: list[list[int]] = [[]]
        for position, tile in enumerate(tiles):
            if position in inside:
                rest.append([])
            else:
                rest[-1].append(tile)
        pieces = tuple(tuple(piece) for piece in rest if piece)
        names = [evidence.best_name(tile) for piece in pieces for tile in piece]
        count = sum(1 for piece in pieces for tile in piece if not evidence.is_flower(tile))
        gain = max(row_order([name for name in names if name != UNNAMED]), 0.0) if len(names) > 2 else 0.0
        gain += sum(node.choices[0].log - float(evidence.base[list(node.tiles)].sum()) for node in kongs)
        log = place + priors.KONG_IN_ROW * len(kongs)
        roles.append(_Role(log, gain, count, len(kongs), pieces, tuple(kongs)))
    return roles


def _kong(tiles: tuple[int, ...], start: int, gaps: Sequence[float], evidence: Evidence) -> list[Node]:
    cuts = segment(
        tiles[start : start + _KONG], evidence.logs, evidence.backs, gaps[start : start + _KONG - 1]
    )
    return [cut.nodes[0] for cut in cuts if len(cut.nodes) == 1]


def _melds(tiles: tuple[int, ...], place: float, rows: Rows, evidence: Evidence) -> list[_Role]:
    """The part as melds and flowers."""
    base = float(evidence.base[list(tiles)].sum())
    return [
        _Role(place, cut.log - base, 0, cut.melds, nodes=cut.nodes)
        for cut in segment(tiles, evidence.logs, evidence.backs, rows.gaps(tiles))
        if cut.strays <= _MAX_STRAYS and 3 * cut.strays < len(tiles)
    ][:3]


def _with_fourth(parts: list[Part], rows: Rows, evidence: Evidence) -> list[Part]:
    """The parts, with a fourth tile laid tilted beside three alike, or on top of them, put to the three."""
    joined = {part: list(part.tiles) for part in parts}
    largest = max(parts, key=lambda part: len(part.tiles), default=None)
    for single in [part for part in parts if len(part.tiles) == 1 and not evidence.backs[part.tiles[0]]]:
        fourth = single.tiles[0]
        for part in parts:
            if part == largest or len(part.tiles) < 3 or single not in joined:
                continue
            names = [evidence.best_name(tile) for tile in part.tiles]
            for start in range(len(names) - 2):
                three = list(part.tiles[start : start + 3])
                if names[start : start + 3] != [evidence.best_name(fourth)] * 3:
                    continue
                along, across = rows.split(three, [fourth])
                if abs(along[0]) < _FOURTH[0] and abs(across[0]) < _FOURTH[1] and fourth not in joined[part]:
                    joined[part].insert(joined[part].index(three[-1]) + 1, fourth)
                    del joined[single]
                    break
    return [Part(tuple(tiles), part.line) for part, tiles in joined.items()]


def _without_walls(tiles: tuple[int, ...], evidence: Evidence) -> list[tuple[int, ...]]:
    """The part without runs of backs longer than a kong's four."""
    down = evidence.backs[list(tiles)]
    if not down.any():
        return [tiles]
    edges = [0, *(np.flatnonzero(np.diff(down.astype(int))) + 1).tolist(), len(tiles)]
    pieces: list[list[int]] = [[]]
    for start, end in itertools.pairwise(edges):
        if down[start] and end - start > _KONG:
            pieces.append([])
        else:
            pieces[-1] += tiles[start:end]
    return [tuple(piece) for piece in pieces if piece]
