"""Round ornaments: the dots of 1p to 9p, painted layer by layer from the outside in."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from datasets.faces.canvas import Canvas, Point
from datasets.faces.style import Colour, Layer


def paint(
    canvas: Canvas, centre: Point, radius: float, layers: Sequence[Layer], inks: dict[str, Colour | None]
) -> None:
    """Paint one ornament. `inks` gives the colour of each layer's slot; `body` is bare tile."""
    for layer in layers:
        colour = inks[layer.ink]
        if layer.shape == "disc":
            canvas.disc(centre, radius * layer.r, colour)
        elif layer.shape == "ring":
            canvas.ring(centre, radius * (layer.r - layer.inner / 2), radius * layer.inner, colour)
        else:
            _SHAPES[layer.shape](canvas, centre, radius, layer, colour)


def _around(layer: Layer) -> list[float]:
    return [layer.turn + 2 * math.pi * k / layer.n for k in range(layer.n)]


def _at(centre: Point, distance: float, angle: float) -> Point:
    return centre[0] + distance * math.sin(angle), centre[1] - distance * math.cos(angle)


def _petals(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """Filled oval petals between the two radii."""
    length = radius * (layer.r - layer.inner) / 2
    middle = radius * (layer.r + layer.inner) / 2
    width = min(length, middle * math.sin(math.pi / layer.n) * 0.86)
    for angle in _around(layer):
        canvas.ellipse(_at(centre, middle, angle), width, length, angle, colour)


def _loops(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """Outlined petals: filled ones, then bare inside."""
    _petals(canvas, centre, radius, layer, colour)
    thick = 0.3 * (layer.r - layer.inner)
    inside = Layer("petals", layer.r - thick / 2, "body", layer.inner + thick / 2, layer.n, layer.turn)
    length = radius * (inside.r - inside.inner) / 2
    middle = radius * (layer.r + layer.inner) / 2
    width = min(length, middle * math.sin(math.pi / layer.n) * 0.86) * 0.55
    for angle in _around(layer):
        canvas.ellipse(_at(centre, middle, angle), width, length, angle, None)


def _ticks(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    width = radius * max(0.035, 0.9 * math.sin(math.pi / layer.n) * (layer.r + layer.inner) / 2)
    for angle in _around(layer):
        canvas.stroke(
            [_at(centre, radius * layer.inner, angle), _at(centre, radius * layer.r, angle)], width, colour
        )


def _beads(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """n small discs, each of radius `inner`, their centres at `r`."""
    for angle in _around(layer):
        canvas.disc(_at(centre, radius * layer.r, angle), radius * layer.inner, colour)


def _star(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    points = []
    for k in range(2 * layer.n):
        r = layer.r if k % 2 == 0 else layer.inner
        points.append(_at(centre, radius * r, layer.turn + math.pi * k / layer.n))
    canvas.polygon(points, colour)


def _cross(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """n bars through the centre, each `inner` thick."""
    for k in range(layer.n):
        angle = layer.turn + math.pi * k / layer.n
        canvas.stroke(
            [_at(centre, radius * layer.r, angle), _at(centre, -radius * layer.r, angle)],
            radius * layer.inner,
            colour,
        )


def _lobes(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """A wavy disc of n lobes, as a blossom's outline."""
    t = np.linspace(0, 2 * math.pi, 12 * layer.n, endpoint=False)
    r = radius * (layer.inner + (layer.r - layer.inner) * np.abs(np.cos((t - layer.turn) * layer.n / 2)))
    canvas.polygon(np.stack([centre[0] + r * np.sin(t), centre[1] - r * np.cos(t)], 1), colour)


def _grid(canvas: Canvas, centre: Point, radius: float, layer: Layer, colour: Colour | None) -> None:
    """n by n checkered squares inside the circle of radius r."""
    step = 2 * layer.r * radius / layer.n
    for i in range(layer.n):
        for j in range(layer.n):
            if (i + j) % 2:
                continue
            x = centre[0] - layer.r * radius + i * step
            y = centre[1] - layer.r * radius + j * step
            corners = [(x, y), (x + step, y), (x + step, y + step), (x, y + step)]
            if all(
                math.hypot(px - centre[0], py - centre[1]) <= layer.r * radius * 1.02 for px, py in corners
            ):
                canvas.polygon(corners, colour)


_SHAPES = {
    "petals": _petals,
    "loops": _loops,
    "ticks": _ticks,
    "beads": _beads,
    "star": _star,
    "cross": _cross,
    "lobes": _lobes,
    "grid": _grid,
}
