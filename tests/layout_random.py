"""Finished hands laid at random, the way people lay them, and photographed from anywhere above the table."""

from __future__ import annotations

from collections import Counter

import numpy as np
from layout_scene import HEIGHT, WIDTH, Table

from scoring.tiles import FLOWERS, KINDS
from vision.elements import Located, Named

Sets = list[tuple[str, list[str]]]
_CORNER_NOISE = 0.02  # of a tile's size, as the locator's corners have


def random_hand(rng: np.random.Generator) -> tuple[Sets, list[str]]:
    """Melds (kind and tiles as they lie, a chow's in any order) and concealed tiles of a winning hand."""
    while True:
        claimed = int(rng.integers(0, 5))
        sets = [_meld(rng) if k < claimed else _set(rng) for k in range(4)]
        pair = [str(rng.choice(KINDS))] * 2
        if max(Counter([*pair, *(tile for _, tiles in sets for tile in tiles)]).values()) <= 4:
            own = [tiles for _, tiles in sets[claimed:]]
            own.insert(int(rng.integers(0, len(own) + 1)), pair)
            return sets[:claimed], [tile for tiles in own for tile in tiles]


def _set(rng: np.random.Generator) -> tuple[str, list[str]]:
    if rng.random() < 0.6:
        first, suit = int(rng.integers(1, 8)), str(rng.choice(list("mps")))
        return "chow", [f"{first + step}{suit}" for step in range(3)]
    return "pung", [str(rng.choice(KINDS))] * 3


def _meld(rng: np.random.Generator) -> tuple[str, list[str]]:
    kind, tiles = _set(rng)
    if kind == "chow":
        return kind, [tiles[k] for k in rng.permutation(3)]
    if rng.random() < 0.3:
        return str(rng.choice(["kong", "concealed-kong"])), [tiles[0]] * 4
    return kind, tiles


def random_table(rng: np.random.Generator) -> tuple[Table, set[tuple[str, frozenset[int]]]]:
    """A hand on the table and its true groups: melds behind, in two of five hands the winning tile apart."""
    melds, concealed = random_hand(rng)
    table, truth = Table(), set()
    left, near = 300.0, 900.0

    def lay(kind: str, tiles: list[str], x: float, y: float) -> None:
        ids = [
            table.tile(
                name,
                x + k * WIDTH + rng.normal(0, 1),
                y + rng.normal(0, 2),
                tilt=float(rng.normal(0, 1.5) + 180 * (rng.random() < 0.1)),
                sure=0.99,
            )
            for k, name in enumerate(tiles)
        ]
        truth.add((kind, frozenset(ids)))

    if rng.random() < 0.4:
        winning = concealed.pop(int(rng.integers(len(concealed))))
        place = [(len(concealed) * WIDTH + 40, 0), (-WIDTH - 40, 10), (len(concealed) * WIDTH / 2, 150)]
        x, y = place[int(rng.integers(3))]
        tilt = float(rng.choice([-1, 1]) * rng.uniform(15, 45))
        truth.add(("winning", frozenset({table.tile(winning, left + x, near + y, tilt=tilt, sure=0.99)})))
    lay("concealed", concealed, left, near)
    x, y = left + rng.uniform(-60, 120), near - HEIGHT - rng.uniform(25, 110)
    flowers = [str(name) for name in rng.choice(FLOWERS, rng.integers(0, 4), replace=False)]
    if flowers:
        lay("flowers", flowers, x, y)
    x += len(flowers) * WIDTH
    for kind, tiles in melds:
        if kind == "concealed-kong":
            down = [["B"] * 4, ["B", tiles[0], tiles[0], "B"], ["B", "B", "B", tiles[0]]]
            tiles = down[int(rng.integers(3))]
        lay(kind, tiles, x, y)
        x += len(tiles) * WIDTH + (rng.uniform(5, 40) if rng.random() < 0.2 else 0)
    return table, truth


def seen_by_a_camera(table: Table, rng: np.random.Generator) -> tuple[Located, Named]:
    """The table from 28 to 85 degrees above it, with the camera rolled by any quarter turn."""
    above, aside = np.radians(rng.uniform(28, 85)), np.radians(rng.uniform(-25, 25))
    roll = np.radians(rng.choice([0, 90, 180, 270]) + rng.uniform(-8, 8))
    middle, distance = np.array([600.0, 600.0, 0.0]), rng.uniform(1400, 2600)
    away = np.array([np.sin(aside) * np.cos(above), np.cos(aside) * np.cos(above), np.sin(above)])
    eye, ahead = middle + distance * away, -away
    right = np.cross(ahead, [0, 0, -1.0])
    right /= np.linalg.norm(right)
    down = np.cross(right, ahead)
    points = np.concatenate([np.array(table.quads), np.zeros((len(table.quads), 4, 1))], axis=2) - eye
    flat = np.stack([points @ right, points @ down], axis=2) / (points @ ahead)[..., None] * 1500
    turned = flat @ np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]])
    size = np.sqrt(np.prod(np.ptp(turned, axis=1), axis=1))[:, None, None]
    quads = turned + rng.normal(0, _CORNER_NOISE, turned.shape) * size
    located, named = table.stages()
    return Located(quads.astype(np.float32), located.backs, located.scores), named
