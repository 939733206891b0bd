"""Hands laid on a table that never was: rows of names become what the locator and the namer would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.tiles import TILES
from vision.elements import Layout, Located, Named

WIDTH, HEIGHT = 60.0, 80.0
SIZE = (2000, 2000)
UNREAD = "?"


@dataclass
class Table:
    """Tiles in the order they were laid; their index is their id in a layout."""

    quads: list[np.ndarray] = field(default_factory=list)
    faces: list[np.ndarray] = field(default_factory=list)
    turns: list[np.ndarray] = field(default_factory=list)
    backs: list[bool] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    def row(
        self, names: str | Sequence[str], x: float, y: float, *, scale: float = 1.0, **how: float
    ) -> list[int]:
        """Tiles side by side from x to the right, tops at y; `how` as in `tile`. Their ids."""
        listed = tiles(names) if isinstance(names, str) else list(names)
        return [
            self.tile(name, x + k * WIDTH * scale, y, scale=scale, **how) for k, name in enumerate(listed)
        ]

    def tile(
        self,
        name: str | Mapping[str, float],
        x: float,
        y: float,
        *,
        scale: float = 1.0,
        tilt: float = 0.0,
        sure: float = 0.998,
        score: float = 0.9,
    ) -> int:
        """One tile, its top-left at x, y before it is tilted about its middle (degrees, clockwise).

        name: a tile, `B`, `?`, or probabilities of several.
        """
        w, h = WIDTH * scale, HEIGHT * scale
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]]) - np.array([w / 2, h / 2])
        self.quads.append(_turn(corners, tilt) + np.array([x + w / 2, y + h / 2]))
        odds = name if isinstance(name, Mapping) else {name: sure}
        row = np.full(43, 1e-6)
        for one, p in odds.items():
            row[TILES.index(one) if one in TILES else 42] += p
        row[42] += max(1 - row.sum(), 0) / 2
        self.faces.append(row / row.sum())
        self.turns.append(np.array([0.88, 0.02, 0.08, 0.02]))
        self.backs.append(name == "B")
        self.scores.append(score)
        return len(self.quads) - 1

    def stages(self, roll: float = 0.0, first: int = 0) -> tuple[Located, Named]:
        """What the stages say with the camera rolled (degrees) and quads that start at corner `first`."""
        quads = np.array([np.roll(_turn(quad, roll), -first, axis=0) for quad in self.quads]).reshape(
            -1, 4, 2
        )
        turns = np.array([np.roll(turn, -first) for turn in self.turns]).reshape(-1, 4)
        located = Located(
            quads.astype(np.float32),
            np.array(self.backs, dtype=bool),
            np.array(self.scores, dtype=np.float32),
        )
        return located, Named(
            np.array(self.faces, dtype=np.float32).reshape(-1, 43), turns.astype(np.float32)
        )


def tiles(text: str) -> list[str]:
    """`123m55pEa` as names, in the order written; `B` and `?` too.

    >>> tiles("879mEE")
    ['8m', '7m', '9m', 'E', 'E']
    """
    names, ranks = [], ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        elif letter in "mps":
            names += [rank + letter for rank in ranks]
            ranks = ""
        else:
            names.append(letter)
    return names


def groups(layout: Layout) -> list[tuple[str, str]]:
    """Kind and names of each group, names in order within the group for comparison."""
    names = {tile.id: tile.tile for tile in layout.tiles}
    order = [*TILES, "B", UNREAD]
    return sorted(
        (group.kind, " ".join(sorted((names[t] for t in group.tiles), key=order.index)))
        for group in layout.groups
    )


def _turn(points: np.ndarray, degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    return np.asarray(points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]))
