"""A pen for small drawings (birds, flowers): smooth lines and shapes in a square from -1 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.faces.canvas import Canvas, Point
from datasets.faces.style import Colour

Points = Sequence[Point] | NDArray[np.float64]


def curve(points: Points, steps: int = 8) -> NDArray[np.float64]:
    """Catmull-Rom curve through the points: (M, 2)."""
    p = np.asarray(points, np.float64)
    if len(p) < 3:
        return np.linspace(p[0], p[-1], steps + 1)
    q = np.concatenate([[2 * p[0] - p[1]], p, [2 * p[-1] - p[-2]]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(q[:-3], q[1:-2], q[2:-1], q[3:], strict=True):
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.concatenate([*parts, p[-1:]])


class Pen:
    """Draws on a canvas around `centre`; `radius` design units make 1; `line` is the normal stroke width."""

    def __init__(
        self,
        canvas: Canvas,
        centre: Point,
        radius: float,
        line: float,
        flip: bool = False,
        turn: float = 0.0,
        squeeze: float = 1.0,
    ) -> None:
        """turn: clockwise, radians. squeeze: width over height of what was drawn as wide as high."""
        self.canvas = canvas
        self.centre = np.asarray(centre, np.float64)
        self.radius = radius
        self.width = line
        self.flip = flip
        self.turn = turn
        c, s = math.cos(turn), math.sin(turn)
        wide, high = min(1.0, squeeze), min(1.0, 1 / squeeze)
        self._matrix = np.array([[c * wide, s * wide], [-s * high, c * high]])

    def shift(self, dx: float, dy: float) -> None:
        """Move the origin, in the drawing's own units."""
        self.centre = self._map([(dx, dy)])[0]

    def _map(self, points: Points) -> NDArray[np.float64]:
        p = np.array(points, np.float64).reshape(-1, 2)
        if self.flip:
            p[:, 0] = -p[:, 0]
        return self.centre + p @ self._matrix * self.radius

    def line(self, points: Points, colour: Colour | None, width: float = 1.0) -> None:
        """Smooth line through the points."""
        self.canvas.stroke(self._map(curve(points)), self.width * width, colour)

    def straight(self, points: Points, colour: Colour | None, width: float = 1.0) -> None:
        self.canvas.stroke(self._map(points), self.width * width, colour)

    def brush(self, points: Points, start: float, end: float, colour: Colour | None) -> None:
        """Smooth stroke whose width goes from start to end (in line widths)."""
        self.canvas.taper(self._map(curve(points)), start * self.width, end * self.width, colour)

    def leaf(self, base: Point, tip: Point, width: float, colour: Colour | None, bend: float = 0.0) -> None:
        """Filled leaf from base to tip, `width` as a share of its length."""
        a, b = np.asarray(base, np.float64), np.asarray(tip, np.float64)
        d = b - a
        n = np.array([-d[1], d[0]])
        t = np.linspace(0, 1, 14)[:, None]
        middle = a + d * t + n * bend * np.sin(math.pi * t)
        half = n * width / 2 * np.sin(math.pi * t**0.8)
        self.canvas.polygon(self._map(np.concatenate([middle + half, (middle - half)[::-1]])), colour)

    def leaf_outline(self, base: Point, tip: Point, width: float, colour: Colour, bend: float = 0.0) -> None:
        """Leaf drawn as an outline with a midrib."""
        a, b = np.asarray(base, np.float64), np.asarray(tip, np.float64)
        d = b - a
        n = np.array([-d[1], d[0]])
        t = np.linspace(0, 1, 14)[:, None]
        middle = a + d * t + n * bend * np.sin(math.pi * t)
        half = n * width / 2 * np.sin(math.pi * t**0.8)
        self.canvas.stroke(
            self._map(np.concatenate([middle + half, (middle - half)[::-1]])), self.width * 0.8, colour
        )
        self.canvas.stroke(self._map(middle[: max(3, len(middle) // 2)]), self.width * 0.6, colour)

    def shape(self, points: Points, colour: Colour | None) -> None:
        """Filled smooth closed shape."""
        p = np.asarray(points, np.float64)
        closed = curve(np.concatenate([p, p[:1]]))
        self.canvas.polygon(self._map(closed), colour)

    def outline(self, points: Points, colour: Colour, width: float = 1.0) -> None:
        """Smooth closed outline."""
        p = np.asarray(points, np.float64)
        self.canvas.stroke(self._map(curve(np.concatenate([p, p[:1]]))), self.width * width, colour)

    def disc(self, centre: Point, radius: float, colour: Colour | None) -> None:
        place = self._map([centre])[0]
        self.canvas.disc((float(place[0]), float(place[1])), radius * self.radius, colour)

    def circle(self, centre: Point, radius: float, colour: Colour, width: float = 1.0) -> None:
        place = self._map([centre])[0]
        self.canvas.ring((float(place[0]), float(place[1])), radius * self.radius, self.width * width, colour)

    def oval(self, centre: Point, rx: float, ry: float, angle: float, colour: Colour | None) -> None:
        place = self._map([centre])[0]
        turn = (-angle if self.flip else angle) + self.turn
        self.canvas.ellipse(
            (float(place[0]), float(place[1])), rx * self.radius, ry * self.radius, turn, colour
        )
