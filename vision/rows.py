"""From quads to rows: which tiles lie side by side, in any direction, and how far apart the rows lie.

All distances are in faces: a displacement is split along the two edges of a face, so that 1.0 along the row
is one tile width and 1.0 across it one face height, whatever the perspective.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Neighbours in a row touch: 95 % of the gaps on 155 photos are under 0.06 widths. A hand stays one row with a
# tile missed by the locator (one width); two rows one behind the other are at least half a face height apart.
MAX_GAP = 1.4
MAX_LATERAL = 0.62
# A gap that separates parts of a row (between melds the median gap is 0.00 and 95 % are under 0.03 widths).
PART_GAP = 0.35
# Neighbours of one row differ little in size and direction; a winning tile laid apart is tilted by 15 to 45
# degrees.
MAX_SIZE_RATIO = 1.45
MAX_TILT = 24.0
END_TILT = 11.0
END_LATERAL = 0.3
# Faces are 1.33 times as high as wide: one on its side looks 1.78 times as broad as its neighbours.
SIDEWAYS = 1.3
# Directions of links that count as the same row direction (rows of one photo differ by perspective).
DIRECTION_SPREAD = 9.0
MAX_DIRECTION = 28.0


@dataclass(frozen=True)
class Part:
    """Tiles that touch side by side, in the order they lie; parts of one row share `line`."""

    tiles: tuple[int, ...]
    line: int


@dataclass(frozen=True)
class Rows:
    """The rows of a photo.

    parts: every tile in exactly one part; a tile that touches none is a part of one.
    widths, heights: (N, 2) float64, the edge of each face along its row and the one across it (pixels).
    centres: (N, 2) float64.
    tilts: (N,) float64, degrees between the edge along the row and the direction of all rows.
    """

    parts: tuple[Part, ...]
    widths: Array
    heights: Array
    centres: Array
    tilts: Array

    @cached_property
    def sizes(self) -> Array:
        """(N,) side of the square with the face's area, pixels."""
        return np.sqrt(np.abs(_cross(self.widths, self.heights)))

    @cached_property
    def places(self) -> dict[int, int]:
        """By tile, how many lie before it, rows one after the other."""
        return {tile: k for k, tile in enumerate(tile for part in self.parts for tile in part.tiles)}

    @cached_property
    def lines(self) -> dict[int, int]:
        """By tile, the line of its part."""
        return {tile: part.line for part in self.parts for tile in part.tiles}

    @cached_property
    def largest(self) -> Part:
        """The part that looks largest: many tiles, near to the camera."""
        return max(self.parts, key=lambda part: float((self.sizes[list(part.tiles)] ** 1.5).sum()))

    @cached_property
    def sideways(self) -> NDArray[np.bool_]:
        """(N,) tiles that lie on their side in a row, by their shape against the others' of the photo."""
        aspects = np.linalg.norm(self.widths, axis=1) / np.maximum(np.linalg.norm(self.heights, axis=1), 1e-6)
        typical = np.ones(len(aspects))
        for part in self.parts:
            members = list(part.tiles)
            typical[members] = np.median(aspects[members] if len(members) > 2 else aspects)
        return np.asarray(aspects > SIDEWAYS * typical)

    def offset(self, origin: Sequence[int], target: Sequence[int]) -> tuple[float, float]:
        """How far the target lies beyond the ends of the origin's row (widths), and across it (heights).

        The second is positive on the side to which `heights` points.
        """
        along, across = self.split(origin, target)
        itself, rise = self.split(origin, origin)
        low, high = min(itself[0], itself[-1]) - 0.5, max(itself[0], itself[-1]) + 0.5
        middle = float(along.mean())
        beyond = max(low - float(along.max()), float(along.min()) - high, 0.0)
        # How much the row itself climbs across its mean face, per width; its middle is at 0, 0.
        slope = float(itself @ rise / (itself @ itself)) if len(origin) >= 3 else 0.0
        return beyond, float(across.mean()) - slope * middle

    def split(self, origin: Sequence[int], target: Sequence[int]) -> tuple[Array, Array]:
        """The target's centres seen from the origin's middle: along the row (widths), across it (heights)."""
        index = list(origin)
        # Sums over lengths, as `mean` has them: a layout asks hundreds of times, and `mean` is three times
        # as slow on a few numbers.
        width, height, middle = (
            np.add.reduce(values[index], axis=0) / len(index)
            for values in (self.widths, self.heights, self.centres)
        )
        delta = self.centres[list(target)] - middle
        area = float(_cross(width, height)) or 1e-6
        return _cross(delta, height) / area, _cross(width, delta) / area

    def turned(self) -> Rows:
        """The same rows as seen from the other side of the table."""
        parts = tuple(Part(part.tiles[::-1], part.line) for part in reversed(self.parts))
        return Rows(parts, -self.widths, -self.heights, self.centres, self.tilts)

    def gaps(self, tiles: Sequence[int]) -> list[float]:
        """The clear space between neighbours, in tile widths; negative where they overlap."""
        return [_gap(self, left, right) for left, right in itertools.pairwise(tiles)]


def edges(quads: Array) -> tuple[Array, Array]:
    """(N, 2) twice: of (N, 4, 2) quads the edge from corner 0 to 1 and the one from 0 to 3, means of opposite
    ones."""
    first = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    second = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return first, second


def find_rows(quads: NDArray[np.floating], axis_belief: Array) -> Rows:
    """Chain tiles into rows.

    quads: (N, 4, 2) corners in pixels, clockwise. axis_belief: (N,) in 0..1, how far the namer believes that
    the first edge of the quad (corner 0 to 1) is the top or the bottom of the face.
    """
    corners = np.ascontiguousarray(quads, dtype=np.float64)
    return _find_rows(corners.tobytes(), np.ascontiguousarray(axis_belief, dtype=np.float64).tobytes())


@lru_cache(maxsize=8)
def _find_rows(quads: bytes, axis_belief: bytes) -> Rows:
    """The same by the numbers' bytes: one photo's rows are asked for to turn it, to look closer, and to lay
    the hand out."""
    corners = np.frombuffer(quads).reshape(-1, 4, 2)
    first, second = edges(corners)
    centres = corners.mean(axis=1)
    if not len(corners):
        empty = np.zeros((0, 2))
        return Rows((), empty, empty, empty, np.zeros(0))
    direction = _row_direction(centres, first, second, np.frombuffer(axis_belief))
    direction -= 180.0 if direction > 135.0 else 0.0  # along the row is to the right, or down
    along_first = _angle_between(_angle(first), direction) <= _angle_between(_angle(second), direction)
    widths = np.where(along_first[:, None], first, second)
    heights = np.where(along_first[:, None], second, first)
    unit = np.array([np.cos(np.radians(direction)), np.sin(np.radians(direction))])
    widths = widths * np.where(widths @ unit < 0, -1.0, 1.0)[:, None]
    heights = heights * np.where(_cross(unit, heights) > 0, -1.0, 1.0)[:, None]
    tilts = (_angle(widths) - direction + 90) % 180 - 90
    rows = Rows((), widths, heights, centres, tilts)
    lines = _chains(rows)
    parts = [Part(tuple(piece), number) for number, line in enumerate(lines) for piece in _pieces(rows, line)]
    for shared in (widths, heights, centres, tilts):
        shared.flags.writeable = False
    return Rows(tuple(parts), widths, heights, centres, tilts)


def _row_direction(centres: Array, first: Array, second: Array, axis_belief: Array) -> float:
    """Direction of the rows in degrees (0 to 180, x to the right, y down), by the links that faces offer."""
    sizes = np.sqrt(np.abs(_cross(first, second)))
    weight = (sizes / sizes.max()) ** 2
    angles, votes = [], []
    for edge, other in ((first, second), (second, first)):
        along, across = _coordinates(centres, edge, other)
        close = (np.abs(along) > 0.6) & (np.abs(along) < 1.3) & (np.abs(across) < 0.5)
        close &= _alike(sizes)
        i, j = np.nonzero(close)
        delta = centres[j] - centres[i]
        angles.append(_angle(delta))
        votes.append(weight[i] * np.exp(-4 * (np.abs(along[i, j]) - 1) ** 2 - 4 * across[i, j] ** 2))
    # The namer's own belief in the upright of each face: less than one link, since it is weak on symmetric
    # faces.
    angles += [_angle(first), _angle(second)]
    votes += [0.7 * weight * axis_belief, 0.7 * weight * (1 - axis_belief)]
    all_angles, all_votes = np.concatenate(angles), np.concatenate(votes)
    spread = _angle_between(all_angles[:, None], all_angles[None, :])
    support = (np.exp(-0.5 * (spread / DIRECTION_SPREAD) ** 2) * all_votes[None, :]).sum(axis=1)
    best = all_angles[int(support.argmax())]
    near = _angle_between(all_angles, best) < 2 * DIRECTION_SPREAD
    signed = (all_angles[near] - best + 90) % 180 - 90
    return float((best + np.average(signed, weights=all_votes[near] + 1e-9)) % 180)


def _chains(rows: Rows) -> list[list[int]]:
    """Tiles linked to their neighbours, nearest pairs first, in order along the row."""
    count = len(rows.centres)
    along, across = _coordinates(rows.centres, rows.widths, rows.heights)
    along, across = (along - along.T) / 2, (across - across.T) / 2
    tilt = np.abs(rows.tilts[:, None] - rows.tilts[None, :])
    delta = rows.centres[None, :] - rows.centres[:, None]
    direction = np.degrees(np.arctan2(across * 1.0, np.maximum(along, 1e-6)))
    allowed = (along > 0.45) & (along < 1 + MAX_GAP) & (np.abs(across) < MAX_LATERAL)
    allowed &= (tilt < MAX_TILT) & _alike(rows.sizes) & (np.abs(rows.tilts) < MAX_DIRECTION)[:, None]
    allowed &= (np.abs(direction) < 45) & (delta @ rows.widths.mean(axis=0) > 0)  # all one way: no rings
    cost = np.where(allowed, np.abs(along - 1) + 1.5 * np.abs(across), np.inf)
    after: dict[int, int] = {}
    linked: set[int] = set()
    for i, j in zip(*np.unravel_index(np.argsort(cost, axis=None, kind="stable"), cost.shape), strict=True):
        if not np.isfinite(cost[i, j]):
            break
        if int(i) not in after and int(j) not in linked:
            after[int(i)] = int(j)
            linked.add(int(j))
    starts = [i for i in range(count) if i not in linked]
    chains = []
    for start in sorted(starts, key=lambda i: (rows.centres[i, 1], rows.centres[i, 0])):
        chain = [start]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        chains.append(chain)
    return chains


def _pieces(rows: Rows, line: list[int]) -> list[list[int]]:
    """Cut a row where there is a gap, and where a tile at its end lies tilted or shifted out of the row."""
    pieces = [[line[0]]]
    for left, right in itertools.pairwise(line):
        if _gap(rows, left, right) > PART_GAP:
            pieces.append([])
        pieces[-1].append(right)
    cut: list[list[int]] = []
    for piece in pieces:
        head, tail = _stands_out(rows, piece, 0), _stands_out(rows, piece, -1)
        if head:
            cut.append(piece[:1])
        cut.append(piece[1 if head else 0 : len(piece) - 1 if tail else len(piece)])
        if tail:
            cut.append(piece[-1:])
    return cut


def _gap(rows: Rows, left: int, right: int) -> float:
    delta = rows.centres[right] - rows.centres[left]
    width = (rows.widths[left] + rows.widths[right]) / 2
    return float(delta @ width / (width @ width)) - 1.0


def _stands_out(rows: Rows, piece: list[int], end: int) -> bool:
    """Whether the tile at this end is tilted or shifted far beyond what its row does by itself."""
    if len(piece) < 5:
        return False
    rest = piece[1:] if end == 0 else piece[:-1]
    tilts = rows.tilts[rest]
    spread = float(np.median(np.abs(tilts - np.median(tilts))))
    near = rest[:4] if end == 0 else rest[-4:]
    if abs(rows.tilts[piece[end]] - np.median(rows.tilts[near])) > max(END_TILT, 5 * spread):
        return True
    aspects = np.linalg.norm(rows.widths, axis=1) / np.maximum(np.linalg.norm(rows.heights, axis=1), 1e-6)
    if aspects[piece[end]] > SIDEWAYS * np.max(aspects[rest]):
        return True
    along, across = rows.split(rest, rest)
    slope, level = np.polyfit(along, across, 1)
    residual = np.abs(across - slope * along - level)
    x, y = rows.split(rest, [piece[end]])
    return bool(abs(y[0] - slope * x[0] - level) > max(END_LATERAL, 3 * float(residual.max())))


def _coordinates(centres: Array, edge: Array, other: Array) -> tuple[Array, Array]:
    """(N, N) twice: the centre of j seen from i, along i's `edge` and along i's `other` edge."""
    delta = centres[None, :] - centres[:, None]
    area = _cross(edge, other)
    area = np.where(np.abs(area) < 1e-6, 1e-6, area)
    return _cross(delta, other[:, None]) / area[:, None], _cross(edge[:, None], delta) / area[:, None]


def _alike(sizes: Array) -> NDArray[np.bool_]:
    ratio = sizes[:, None] / np.maximum(sizes[None, :], 1e-6)
    return (ratio < MAX_SIZE_RATIO) & (ratio > 1 / MAX_SIZE_RATIO)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _angle(vectors: Array) -> Array:
    return np.asarray(np.degrees(np.arctan2(vectors[..., 1], vectors[..., 0])) % 180)


def _angle_between(a: Array, b: Array | float) -> Array:
    return np.abs((a - b + 90) % 180 - 90)
