"""2s to 9s: sticks and their layouts. 1s, the bird, is in `birds`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from datasets.faces.canvas import Canvas, Point
from datasets.faces.style import BambooStyle, Colour, FaceStyle

Stick = tuple[Point, Point, str]
"""Top end, bottom end (relative to the face's centre, design units), colour slot."""

# Slots: g the set's main colour, r red, o the other colour. Orders as in `sticks`.
_SCHEMES: dict[str, dict[int, str]] = {
    "classic": {5: "ggrgg", 7: "r" + "gog" * 2, 9: "grg" * 3},
    "plain": {},
    "red": {3: "rgg", 5: "ggrgg", 7: "rgggggg", 9: "grg" * 3},
    "red_few": {5: "ggrgg", 7: "rgggggg", 9: "grg" * 3},
    "columns": {4: "gogo", 5: "gorgo", 7: "r" + "gog" * 2, 9: "grg" * 3},
    "three": {2: "go", 3: "rgg", 4: "gogo", 5: "gorgo", 6: "gog" * 2, 7: "r" + "gog" * 2, 9: "gro" * 3},
    "rows": {
        2: "go",
        3: "ogg",
        4: "ggoo",
        5: "ggrgg",
        6: "gggooo",
        7: "rgggooo",
        8: "ggggoooo",
        9: "gggrrrooo",
    },
}
"""Colours of each scheme where they are not all the main one."""
SCHEMES = tuple(_SCHEMES)


def _upright(places: list[Point], length: float) -> list[tuple[Point, Point]]:
    return [((x, y - length / 2), (x, y + length / 2)) for x, y in places]


def _zigzag(wm: bool) -> list[tuple[Point, Point]]:
    """8s: four sticks that form a W above four that form an M, or the other way round."""
    x, inner = 84.0, 66.0
    out: list[tuple[Point, Point]] = []
    for top, low in ((-132.0, -26.0), (26.0, 132.0)):
        is_w = (top < 0) == wm
        start, end = (low, top) if is_w else (top, low)
        out.append(((-x, top), (-x, low)))
        peak = end + (8 if is_w else -8)
        out.append(((-inner, start), (-5, peak)))
        out.append(((inner, start), (5, peak)))
        out.append(((x, top), (x, low)))
    return out


def sticks(count: int, style: BambooStyle) -> list[Stick]:
    """The sticks of a face, top to bottom and left to right."""
    if count == 2:
        lines = _upright([(0, -68), (0, 68)], 118)
    elif count == 3:
        lines = _upright([(0, -68), (-58, 68), (58, 68)], 114)
    elif count == 4:
        lines = _upright([(x, y) for y in (-68, 68) for x in (-50, 50)], 114)
    elif count == 5:
        lines = _upright([(-68, -70), (68, -70), (0, 0), (-68, 70), (68, 70)], 116)
    elif count == 6 and style.six == "tall":
        lines = _upright([(x, y) for y in (-98, 0, 98) for x in (-48, 48)], 84)
    elif count == 6:
        lines = _upright([(x, y) for y in (-68, 68) for x in (-70, 0, 70)], 114)
    elif count == 7:
        lines = _upright([(0, -102), *((x, y) for y in (-6, 92) for x in (-70, 0, 70))], 86)
    elif count == 8 and style.eight == "rows":
        lines = _upright([(x, y) for y in (-68, 68) for x in (-90, -30, 30, 90)], 114)
    elif count == 8 and style.eight == "three_two_three":
        upper = [(x, -98.0) for x in (-70, 0, 70)]
        lower = [(x, 98.0) for x in (-70, 0, 70)]
        lines = _upright([*upper, (-36, 0), (36, 0), *lower], 86)
    elif count == 8:
        lines = _zigzag(style.eight == "wm")
    elif count == 9:
        lines = _upright([(x, y) for y in (-98, 0, 98) for x in (-72, 0, 72)], 86)
    else:
        raise ValueError(f"no layout for {count} bamboo sticks")
    slots = _SCHEMES[style.scheme].get(count, "g" * count)
    return [(a, b, slot) for (a, b), slot in zip(lines, slots, strict=True)]


def _profile(stick: str) -> NDArray[np.float64]:
    """Half width (1: full) along the stick at evenly spaced places from one end to the other."""
    t = np.linspace(-1, 1, 41)
    cap = np.sqrt(np.clip(1 - np.clip((np.abs(t) - 0.84) / 0.16, 0, 1) ** 2, 0, 1))
    if stick == "capsule":
        return cap
    if stick == "bulges":
        return cap * (0.8 + 0.2 * np.abs(np.cos(1.5 * math.pi * t)))
    if stick == "two":
        return cap * (0.66 + 0.34 * np.abs(np.sin(math.pi * t)) ** 0.7)
    if stick == "three":
        return cap * (0.55 + 0.45 * np.abs(np.cos(1.5 * math.pi * t)) ** 0.6)
    if stick == "bone":
        return cap * (
            0.45 + 0.55 * np.maximum(np.exp(-(((np.abs(t) - 0.86) / 0.2) ** 2)), np.exp(-((t / 0.16) ** 2)))
        )
    if stick == "ends":
        return np.where(np.abs(t) > 0.8, 1.0, 0.5 + 0.12 * np.exp(-((t / 0.1) ** 2)))
    if stick == "nodes":
        return np.where((np.abs(t) > 0.84) | (np.abs(t) < 0.09), 1.0, 0.72)
    if stick == "bar":
        return np.ones_like(t)
    raise ValueError(f"unknown bamboo stick {stick!r}")


STICKS = ("capsule", "bulges", "two", "three", "bone", "ends", "nodes", "bar", "beads")


def draw_stick(
    canvas: Canvas, top: Point, bottom: Point, width: float, style: BambooStyle, colour: Colour
) -> None:
    """One stick between two points, `width` design units wide at its widest."""
    a, b = np.asarray(top, np.float64), np.asarray(bottom, np.float64)
    along = b - a
    length = float(np.hypot(*along))
    u = along / max(length, 1e-6)
    n = np.array([-u[1], u[0]])
    if style.stick == "beads":
        count = 3
        for k in range(count):
            place = a + along * ((k + 0.5) / count)
            centre = (float(place[0]), float(place[1]))
            angle = math.atan2(u[0], -u[1])
            canvas.ellipse(centre, width / 2, length / count * 0.52, angle, colour)
        for k in range(count):
            place = a + along * ((k + 0.5) / count)
            if style.groove > 0:
                hole = width * min(0.28, style.groove * 0.8)
                canvas.ellipse(
                    (float(place[0]), float(place[1])), hole, hole * 1.3, math.atan2(u[0], -u[1]), None
                )
        return
    profile = _profile(style.stick)[:, None] * width / 2
    line = a + along * np.linspace(0, 1, len(profile))[:, None]
    canvas.polygon(np.concatenate([line + n * profile, (line - n * profile)[::-1]]), colour)
    # The groove must leave both sides of the thinnest place standing.
    waist = float(_profile(style.stick)[6:-6].min())
    groove = min(style.groove, 0.55 * waist)
    if groove > 0:
        inset = 0.16
        parts = ((inset, 0.5 - 0.05), (0.5 + 0.05, 1 - inset)) if style.knots else ((inset, 1 - inset),)
        for start, end in parts:
            canvas.stroke(np.stack([a + along * start, a + along * end]), width * groove, None)
    elif style.knots:
        middle = (a + b) / 2
        canvas.stroke(
            np.stack([middle - n * width * 0.4, middle + n * width * 0.4]), max(2.0, 0.04 * length), None
        )


def draw_bamboo(canvas: Canvas, count: int, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint 2s to 9s; size is the scale of the whole drawing (1: normal)."""
    bamboo = style.bamboo
    inks = {"g": style.inks[bamboo.main], "r": style.inks["red"], "o": style.inks[bamboo.other]}
    crowd = {2: 1.12, 3: 1.05, 4: 1.05, 5: 1.05, 6: 1.0, 7: 0.92, 8: 0.8, 9: 0.95}[count]
    width = bamboo.width * crowd * size
    for top, bottom, slot in sticks(count, bamboo):
        middle = np.array([top[0] + bottom[0], top[1] + bottom[1]]) / 2
        half = (np.array(bottom) - np.array(top)) / 2 * bamboo.length
        if count == 8 and bamboo.eight in {"wm", "mw"}:
            half = half / bamboo.length * bamboo.spread  # the letters' strokes must meet
        place = np.asarray(centre) + middle * bamboo.spread * size
        a, b = place - half * size, place + half * size
        draw_stick(canvas, (float(a[0]), float(a[1])), (float(b[0]), float(b[1])), width, bamboo, inks[slot])
