"""Which row is what: the likeliest ways to see a hand in the rows of a photo.

Each part of a row is concealed tiles, melds and flowers, a winning tile laid apart, or none of this hand. The
log-odds of the parts add up and only the number of tiles ties them together, so the best combination for each
number is found by going through the parts once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from vision import priors
from vision.decode import row_order
from vision.elements import UNNAMED
from vision.evidence import Evidence
from vision.melds import Node, Segmentation, quads_of_a_kind, segment, subsets
from vision.parts import with_fourths, without_walls
from vision.places import Crowd, Seen, crowd_of, see
from vision.rows import Part, Rows

# Parts looked at beside the main row, nearest first, and rows tried as the main one. A hand lies in one to
# three.
_NEAREST = 9
_MAINS = 3
_PER_COUNT = 2
# A part of a hand holds a find that is a tile rather than not.
_REAL = 0.5
_FAR_ROWS = 6.0
_FAR_WIDTHS = 12.0
_KONG = 4
_KONG_LOSS = -6.0
_MAX_STRAYS = 2
_MOST = max(priors.HAND_SIZES) + 2


@dataclass(frozen=True)
class Arrangement:
    """Tiles by role.

    concealed: rows of tiles as they lie. nodes: melds, kongs and flowers. log: log-odds of where they lie.
    estimate: with what the order and the melds add, tiles named by themselves, their number left out.
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


_Cuts = Callable[[tuple[int, ...]], list[Segmentation]]


def arrangements(rows: Rows, evidence: Evidence) -> list[Arrangement]:
    """The likeliest arrangements, best estimate first; the one without a hand is always among them."""
    parts = with_fourths(without_walls(rows, evidence), rows, evidence)
    everything = tuple(tile for part in rows.parts for tile in part.tiles)
    outside = tuple(sorted(set(everything) - {tile for part in parts for tile in part.tiles}))
    sizes = rows.sizes
    faces = [part for part in parts if float(evidence.real[list(part.tiles)].max()) > _REAL]
    mains = sorted(faces, key=lambda part: -float((sizes[list(part.tiles)] ** 1.5).sum()))[:_MAINS]
    nothing = priors.NO_HAND + (priors.NO_HAND_IN_ROWS if _in_rows(rows, evidence) >= priors.IN_ROWS else 0.0)
    nothing += sum(order_gain(part.tiles, evidence) for part in parts)
    found = [Arrangement((), (), None, everything, nothing, nothing)]
    cuts_of = cache(lambda tiles: _cuts(tiles, rows, evidence))  # the same around any main row
    for main in mains:
        found += _around(main, parts, outside, rows, evidence, cuts_of)
    return sorted(found, key=lambda arrangement: -arrangement.estimate)


def _in_rows(rows: Rows, evidence: Evidence) -> int:
    """Faces that lie side by side in rows too long for a heap."""
    lines: Counter[int] = Counter()
    for part in rows.parts:
        lines[part.line] += int((~evidence.backs[list(part.tiles)]).sum())
    return sum(count for count in lines.values() if count >= priors.ROW)


def _around(
    main: Part,
    parts: Sequence[Part],
    outside: tuple[int, ...],
    rows: Rows,
    evidence: Evidence,
    cuts_of: _Cuts,
) -> list[Arrangement]:
    """Arrangements in which `main` holds concealed tiles."""
    seen = {part: see(part, main, rows, evidence) for part in parts if part != main}
    near = sorted(
        seen, key=lambda part: math.hypot(seen[part].beyond / 2, seen[part].across) / len(part.tiles) ** 0.5
    )
    crowd = crowd_of(seen.values())
    far = tuple(tile for part in near[_NEAREST:] for tile in part.tiles) + outside
    rest = sum(order_gain(part.tiles, evidence) for part in near[_NEAREST:])
    states: dict[tuple[int, int, bool], list[tuple[float, tuple[_Role, ...]]]] = {(0, 0, False): [(0.0, ())]}
    options = [_concealed(main.tiles, 0.0, rows, evidence)]
    options += [_roles(part, seen[part], crowd, rows, evidence, cuts_of) for part in near[:_NEAREST]]
    for roles in options:
        grown: dict[tuple[int, int, bool], list[tuple[float, tuple[_Role, ...]]]] = {}
        for (count, melds, won), kept in states.items():
            for role in roles:
                if won and role.winning is not None:
                    continue
                key = (count + role.count, melds + role.melds, won or role.winning is not None)
                if key[0] + 3 * key[1] > _MOST:
                    continue
                bucket = grown.setdefault(key, [])
                bucket += [(score + role.log + role.gain, (*chosen, role)) for score, chosen in kept]
        states = {
            key: sorted(bucket, key=lambda item: -item[0])[:_PER_COUNT] for key, bucket in grown.items()
        }
    found = []
    for kept in states.values():
        found += [_arrangement(chosen, far, rest, score, rows) for score, chosen in kept]
    return found


def _arrangement(
    roles: Sequence[_Role], far: tuple[int, ...], rest: float, estimate: float, rows: Rows
) -> Arrangement:
    concealed = sorted((row for role in roles for row in role.concealed), key=lambda row: rows.places[row[0]])
    lines = {rows.lines[row[0]] for row in concealed}
    crowded = priors.THIRD_CONCEALED_ROW * max(len(lines) - 2, 0)
    winning = [role.winning for role in roles if role.winning is not None]
    return Arrangement(
        concealed=tuple(concealed),
        nodes=tuple(node for role in roles for node in role.nodes),
        winning=winning[0] if winning else None,
        other=tuple(tile for role in roles for tile in role.other) + far,
        log=sum(role.log for role in roles) + crowded + rest,
        estimate=estimate + crowded + rest,
    )


def _roles(
    part: Part, seen: Seen, crowd: Crowd, rows: Rows, evidence: Evidence, cuts_of: _Cuts
) -> list[_Role]:
    """What a part beside the main row may be."""
    tiles, single = list(part.tiles), len(part.tiles) == 1
    other = 0.0
    if seen.close:
        other = priors.OTHER_NEAR * seen.real + priors.OTHER_NEAR_TILE * float(evidence.real[tiles].sum())
        if len(tiles) <= priors.STRAY_TILES:
            other *= min(1.0, priors.OTHERS_NEAR / max(crowd.close, 1))
        other += priors.OTHER_FLOWER * sum(evidence.flower(tile) for tile in tiles)
    roles = [_Role(other + order_gain(tiles, evidence), other=part.tiles)]
    unread = single and evidence.best_name(tiles[0]) == UNNAMED
    false = seen.real <= _REAL and not evidence.backs[tiles].any()
    if unread or false or abs(seen.across) > _FAR_ROWS or seen.apart > _FAR_WIDTHS:
        return roles
    reach = priors.PER_HEIGHT_BEYOND * max(abs(seen.across) - priors.ROW_REACH, 0.0)
    reach += priors.PER_WIDTH_BEYOND * max(seen.apart - 2.0, 0.0) + seen.alike
    down = bool(evidence.backs[tiles].all())
    if not down and seen.aligned:
        place = priors.CONCEALED_BROKEN if seen.same_line else priors.SECOND_CONCEALED_ROW
        place += priors.CONCEALED_SINGLE if single else 0.0
        roles += _concealed(part.tiles, place + reach, rows, evidence)
    if seen.legible_single:
        place = priors.WINNING_NEAR if seen.next_to else priors.WINNING_FAR
        place -= math.log(max(crowd.next_to if seen.next_to else crowd.singles, 1.0))  # any of them may be it
        place += max(seen.alike, -2.0) + math.log(seen.real)
        roles.append(_Role(place, count=1, winning=tiles[0]))
    if single:
        place = priors.LOOSE_FLOWER
    elif seen.same_line or abs(seen.across) < 0.5:
        place = priors.MELDS_BESIDE if seen.beyond > 0.5 + priors.BESIDE_GAP else priors.MELDS_TOUCHING
    else:
        place = priors.MELDS_BEHIND if seen.across > 0 else priors.MELDS_IN_FRONT
    if len(tiles) > 2 and rows.sideways[tiles].any():
        place += priors.CLAIMED_SIDEWAYS
    return roles + _melds(part.tiles, place + reach, evidence, cuts_of)


def _concealed(tiles: tuple[int, ...], place: float, rows: Rows, evidence: Evidence) -> list[_Role]:
    """The part as concealed tiles, with and without the kongs that may lie among them."""
    roles = []
    gaps = rows.gaps(tiles)
    for starts in subsets(quads_of_a_kind(tiles, evidence.logs, _KONG_LOSS, evidence.first_flower)):
        kongs = [node for start in starts for node in _kong(tiles, start, gaps, evidence)]
        inside = {start + step for start in starts for step in range(_KONG)}
        rest: list[list[int]] = [[]]
        for position, tile in enumerate(tiles):
            if position in inside:
                rest.append([])
            else:
                rest[-1].append(tile)
        pieces = tuple(tuple(piece) for piece in rest if piece)
        count = sum(1 for piece in pieces for tile in piece if not evidence.is_flower(tile))
        gain = sum(order_gain(piece, evidence) for piece in pieces)
        gain += sum(node.choices[0].log - float(evidence.base[list(node.tiles)].sum()) for node in kongs)
        log = place + priors.KONG_IN_ROW * len(kongs)
        roles.append(_Role(log, gain, count, len(kongs), pieces, tuple(kongs)))
    return roles


def order_gain(tiles: Sequence[int], evidence: Evidence) -> float:
    """What the tiles' order adds to their probability. It says that they were sorted, not whose they are."""
    if len(tiles) < 3:
        return 0.0
    return max(row_order([evidence.best_name(tile) for tile in tiles]), 0.0)


def _kong(tiles: tuple[int, ...], start: int, gaps: Sequence[float], evidence: Evidence) -> list[Node]:
    cuts = segment(
        tiles[start : start + _KONG], evidence.logs, evidence.backs, gaps[start : start + _KONG - 1]
    )
    return [cut.nodes[0] for cut in cuts if len(cut.nodes) == 1]


def _melds(tiles: tuple[int, ...], place: float, evidence: Evidence, cuts_of: _Cuts) -> list[_Role]:
    """The part as melds and flowers."""
    base = float(evidence.base[list(tiles)].sum())
    return [
        _Role(place, cut.log - base, 0, cut.melds, nodes=cut.nodes)
        for cut in cuts_of(tiles)
        if cut.strays <= _MAX_STRAYS and 3 * cut.strays < len(tiles)
    ][:3]


def _cuts(tiles: tuple[int, ...], rows: Rows, evidence: Evidence) -> list[Segmentation]:
    gaps = rows.gaps(tiles)
    return segment(tiles, evidence.logs, evidence.backs, gaps, evidence.nothing, evidence.first_flower)
