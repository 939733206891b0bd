"""Where tiles lie on a table: a player's hand with melds, other players' tiles, heaps, trays, walls, clutter.

Proportions follow what annotated photos show: melds and flowers in a row behind the concealed tiles, touching
neighbours, clear space of about one face height between the rows, upside-down tiles at random.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from datasets.scenes.geometry import Box, face_down, lying, standing

TileSize = tuple[float, float, float]


@dataclass(frozen=True)
class Piece:
    """One thing on the table. `tile`: index of its face (0..41), or None for a thing without a face.

    role: `hand` and `other` are tiles; `clutter` is anything else, coloured `colour` (RGB).
    printed: what a thing without a face has printed on it: `letters`, `pips`,
    `characters`, `marker` (a round one) or nothing.
    """

    box: Box
    tile: int | None
    role: str = "hand"
    colour: tuple[float, float, float] | None = None
    printed: str = ""


@dataclass
class Table:
    """Pieces and the rectangle of the table that the camera should frame (x0, y0, x1, y1)."""

    pieces: list[Piece] = field(default_factory=list)
    frame: tuple[float, float, float, float] = (-4.0, -2.0, 4.0, 2.0)

    def free(self, x: float, y: float, reach: float) -> bool:
        """Whether no piece's centre lies within `reach` of (x, y)."""
        return all(np.hypot(p.box.centre[0] - x, p.box.centre[1] - y) >= reach for p in self.pieces)


def random_tile_size(rng: np.random.Generator) -> TileSize:
    """Width 1, height and depth as real sets have them."""
    return 1.0, float(rng.uniform(1.22, 1.48)), float(rng.uniform(0.55, 1.0))


def random_table(rng: np.random.Generator, size: TileSize) -> Table:
    """A table of a random kind."""
    kind = rng.choice(
        ["hand", "rows", "heap", "tray", "few", "empty"], p=[0.52, 0.12, 0.13, 0.07, 0.08, 0.08]
    )
    table = Table()
    if kind == "hand":
        _hand(table, rng, size)
    elif kind == "rows":
        _rows(table, rng, size)
    elif kind == "heap":
        _heap(table, rng, size, (0.0, 0.0), float(rng.uniform(2, 5)), int(rng.integers(6, 40)))
        table.frame = (-5, -3.5, 5, 3.5)
    elif kind == "tray":
        _tray(table, rng, size)
    elif kind == "few":
        for i in range(int(rng.integers(1, 6))):
            _place(
                table,
                rng,
                size,
                (i - 2) * rng.uniform(1.05, 2.2),
                rng.normal(0, 0.8),
                rng.uniform(0, 2 * np.pi),
            )
        table.frame = (-3, -2, 3, 2)
    if rng.random() < 0.7:
        _clutter(table, rng)
    if rng.random() < (0.3 if kind == "empty" else 0.06):
        _keyboard(table, rng)
    return table


def _tile(rng: np.random.Generator) -> int:
    return int(rng.integers(42)) if rng.random() < 0.8 else int(rng.integers(34))


def _place(
    table: Table, rng: np.random.Generator, size: TileSize, x: float, y: float, yaw: float, role: str = "hand"
) -> None:
    """One lying tile, face up nine times in ten."""
    box = lying(x, y, yaw, size) if rng.random() < 0.9 else face_down(x, y, yaw, size)
    table.pieces.append(Piece(box, _tile(rng), role))


def lay_row(
    table: Table,
    rng: np.random.Generator,
    size: TileSize,
    tiles: list[int | None],
    start: tuple[float, float],
    yaw: float = 0.0,
    lean: float | None = None,
    role: str = "hand",
    jitter: float = 1.0,
) -> float:
    """Lay `tiles` (None: face down) side by side from `start` along `yaw`; returns the row's length.

    lean: None for tiles that lie, else they stand and lean back by so many radians.
    """
    width = size[0]
    along = 0.0
    cos, sin = np.cos(yaw), np.sin(yaw)
    for tile in tiles:
        sideways = lean is None and rng.random() < 0.02 * jitter
        room = size[1] if sideways else width
        along += room / 2
        off = rng.normal(0, 0.03) * jitter
        x, y = start[0] + along * cos - off * sin, start[1] + along * sin + off * cos
        turn = yaw + rng.normal(0, 0.015) * jitter + (np.pi if rng.random() < 0.3 else 0.0)
        if sideways:
            turn += np.pi / 2
        if lean is not None:
            box = standing(x, y, yaw + rng.normal(0, 0.015), lean, size, upside_down=bool(rng.random() < 0.2))
        elif tile is None:
            box = face_down(x, y, turn, size)
        else:
            box = lying(x, y, turn, size)
        table.pieces.append(Piece(box, tile, role))
        gap = abs(rng.normal(0, 0.02)) if rng.random() < 0.94 else rng.uniform(0.05, 0.6)
        along += room / 2 + gap * jitter
    return along


def _hand(table: Table, rng: np.random.Generator, size: TileSize) -> None:
    """A player's hand, at times with a meld row, flowers, a winning tile apart, and the others' tiles
    beyond."""
    melds = int(rng.choice([0, 0, 1, 2, 3, 4, 5]))
    count = max(1, 14 - 3 * melds + int(rng.choice([0, 0, 0, 3, -1])))
    lean = float(rng.uniform(0.0, 0.9)) if rng.random() < 0.35 else None
    length = lay_row(table, rng, size, [_tile(rng) for _ in range(count)], (-count / 2, 0.0), lean=lean)
    back = 0.0
    if melds or rng.random() < 0.3:
        row: list[int | None] = [int(rng.integers(34, 42)) for _ in range(int(rng.integers(0, 6)))]
        for _ in range(max(melds, 1)):
            row += _meld(rng)
        back = float(rng.uniform(1.02, 2.6)) * size[1]
        if rng.random() < 0.12:
            back = -back
        lay_row(table, rng, size, row, (-len(row) / 2 + rng.normal(0, 1.5), back), yaw=rng.normal(0, 0.02))
    if rng.random() < 0.35:
        side = rng.choice([-1.0, 1.0], p=[0.25, 0.75])
        x = side * (length / 2 + rng.uniform(0.6, 1.8))
        _place(
            table,
            rng,
            size,
            x,
            rng.normal(0, 0.6),
            rng.choice([0.0, 0.4, -0.5, np.pi / 2]) + rng.normal(0, 0.2),
        )
    if rng.random() < 0.35:
        rack_y = -0.75 * size[1] if rng.random() < 0.6 else 0.9 * size[1]
        _rack(table, rng, rack_y, max(length, 8) * rng.uniform(1.0, 1.5))
    if rng.random() < 0.5:
        far = max(back, 0.0) + rng.uniform(2.0, 4.0) * size[1]
        _heap(
            table,
            rng,
            size,
            (rng.normal(0, 3), far + 1.5),
            float(rng.uniform(1.0, 3.0)),
            int(rng.integers(2, 20)),
            "other",
        )
    if rng.random() < 0.4:
        _wall(table, rng, size, max(back, 0.0) + rng.uniform(1.7, 6.0) * size[1])
    if rng.random() < 0.2:
        far = max(back, 0.0) + rng.uniform(5.0, 9.0)
        tiles: list[int | None] = [_tile(rng) for _ in range(int(rng.integers(4, 15)))]
        lay_row(
            table,
            rng,
            size,
            tiles,
            (-len(tiles) / 2 + rng.normal(0, 2), far),
            yaw=rng.normal(0, 0.1),
            role="other",
        )
    half = max(length, 6) / 2
    table.frame = (-half - 0.6, min(-size[1], back - size[1]), half + 0.6, max(size[1], back + size[1]))


def _meld(rng: np.random.Generator) -> list[int | None]:
    """A chow, pung or kong (at times face down), in no particular order."""
    kind = rng.random()
    if kind < 0.5:
        low = int(rng.integers(3)) * 9 + int(rng.integers(7))
        return [int(t) for t in rng.permutation([low, low + 1, low + 2])]
    tile = int(rng.integers(34))
    if kind < 0.8:
        return [tile] * 3
    hidden = int(rng.choice([0, 2, 3, 4], p=[0.4, 0.2, 0.1, 0.3]))
    kong: list[int | None] = [tile] * (4 - hidden) + [None] * hidden
    return [kong[i] for i in rng.permutation(4)]


def _rows(table: Table, rng: np.random.Generator, size: TileSize) -> None:
    """Two to four rows of any length, close behind each other, standing or lying."""
    y, longest = 0.0, 0
    for _ in range(int(rng.integers(2, 5))):
        count = int(rng.integers(2, 18))
        lean = float(rng.uniform(0, 0.8)) if rng.random() < 0.5 else None
        tiles = [_tile(rng) if rng.random() < 0.95 else None for _ in range(count)]
        lay_row(
            table, rng, size, tiles, (-count / 2 + rng.normal(0, 0.8), y), yaw=rng.normal(0, 0.03), lean=lean
        )
        y += rng.uniform(0.95, 2.2) * size[1] if lean is None else rng.uniform(0.9, 2.5)
        longest = max(longest, count)
    table.frame = (-longest / 2 - 0.5, -size[1], longest / 2 + 0.5, y)


def _heap(
    table: Table,
    rng: np.random.Generator,
    size: TileSize,
    centre: tuple[float, float],
    spread: float,
    count: int,
    role: str = "hand",
) -> None:
    """Tiles thrown down at any angle, not overlapping, one in five face down."""
    common = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else None
    for _ in range(count * 4):
        if count == 0:
            return
        x, y = centre[0] + rng.normal(0, spread), centre[1] + rng.normal(0, spread * 0.6)
        if not table.free(x, y, 1.25 * size[0] if common is None else 1.15):
            continue
        yaw = rng.uniform(0, 2 * np.pi) if common is None else common + rng.normal(0, 0.1)
        box = lying(x, y, yaw, size) if rng.random() < 0.8 else face_down(x, y, yaw, size)
        table.pieces.append(Piece(box, _tile(rng), role))
        count -= 1


def _tray(table: Table, rng: np.random.Generator, size: TileSize) -> None:
    columns, rows = int(rng.integers(3, 12)), int(rng.integers(2, 6))
    pitch = size[1] * rng.uniform(1.0, 1.06)
    for row in range(rows):
        tiles: list[int | None] = [_tile(rng) for _ in range(columns)]
        lay_row(table, rng, size, tiles, (-columns / 2, row * pitch), jitter=0.3)
    table.frame = (-columns / 2 - 0.5, -size[1], columns / 2 + 0.5, rows * pitch)


def _wall(table: Table, rng: np.random.Generator, size: TileSize, y: float) -> None:
    """A wall of face-down tiles, mostly two high. Its upper tiles are face-down tiles like any other."""
    count, left = int(rng.integers(3, 18)), rng.normal(-5, 3)
    yaw = rng.normal(0, 0.08)
    for level in range(2 if rng.random() < 0.7 else 1):
        for i in range(count):
            x = left + i * 1.01
            table.pieces.append(
                Piece(face_down(x, y + i * np.sin(yaw), yaw, size, level * size[2]), 0, "other")
            )


def _rack(table: Table, rng: np.random.Generator, y: float, length: float) -> None:
    colour = tuple(rng.uniform(20, 240, 3))
    box = lying(
        rng.normal(0, 0.5),
        y,
        rng.normal(0, 0.01),
        (length, float(rng.uniform(0.3, 1.0)), float(rng.uniform(0.1, 0.8))),
    )
    table.pieces.append(Piece(box, None, "clutter", colour, "characters" if rng.random() < 0.5 else ""))


def _keyboard(table: Table, rng: np.random.Generator) -> None:
    """Keys are touching, tile-sized and lettered, and lie on the desks that tiles are photographed on."""
    pitch, light = float(rng.uniform(0.5, 1.1)), rng.uniform(15, 245)
    x0, y0, yaw = rng.normal(-5, 2), table.frame[3] + rng.uniform(0.8, 4), rng.normal(0, 0.1)
    if rng.random() < 0.3:
        y0 = table.frame[1] - rng.uniform(4, 6) * pitch
    for row in range(int(rng.integers(3, 7))):
        for column in range(int(rng.integers(8, 15))):
            if rng.random() < 0.03:
                continue
            dims = (pitch * 0.9, pitch * float(rng.uniform(0.86, 0.92)), 0.3)
            x, y = x0 + column * pitch * np.cos(yaw), y0 + row * pitch + column * pitch * np.sin(yaw)
            grey = light if rng.random() < 0.85 else 255 - light
            colour = tuple(np.clip(grey + rng.normal(0, 5, 3), 0, 255))
            table.pieces.append(Piece(lying(x, y, yaw, dims), None, "clutter", colour, "letters"))


def _clutter(table: Table, rng: np.random.Generator) -> None:
    """Dice, phones, boxes, counters: box-shaped things that are not tiles."""
    x0, y0, x1, y1 = table.frame
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.uniform(x0 - 2, x1 + 2), rng.uniform(y0 - 2, y1 + 6)
        if not table.free(x, y, 1.6):
            continue
        shape, printed = rng.random(), ""
        if shape < 0.15:
            across = float(rng.uniform(1.0, 2.0))
            dims, printed = (across, across, 0.02), "marker"
        elif shape < 0.45:
            edge = float(rng.uniform(0.25, 0.6))
            dims, printed = (edge, edge, edge), "pips" if rng.random() < 0.7 else ""
        elif shape < 0.6:
            dims = (float(rng.uniform(1.5, 3)), float(rng.uniform(3, 5)), 0.3)
        else:
            dims = (float(rng.uniform(0.3, 3)), float(rng.uniform(0.3, 3)), float(rng.uniform(0.05, 1.5)))
            printed = str(rng.choice(["", "", "letters", "characters"]))
        grey = rng.uniform(20, 250)
        colour = tuple(np.clip(grey + rng.normal(0, 40, 3), 0, 255))
        table.pieces.append(Piece(lying(x, y, rng.uniform(0, np.pi), dims), None, "clutter", colour, printed))
