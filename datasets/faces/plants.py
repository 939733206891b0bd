"""Drawings of the flower tiles: the four plants, the four seasons' flowers, pots and figures."""

from __future__ import annotations

import math

import numpy as np

from datasets.faces.canvas import Point
from datasets.faces.pen import Pen
from datasets.faces.style import Colour

Inks = tuple[Colour, Colour, Colour]
"""Stem and leaves, blossom, accent."""


def _blossom(pen: Pen, at: Point, r: float, n: int, colour: Colour, heart: Colour, filled: bool) -> None:
    """Round-petalled blossom."""
    turn = 0.3
    for k in range(n):
        a = turn + 2 * math.pi * k / n
        place = (at[0] + r * 0.6 * math.sin(a), at[1] - r * 0.6 * math.cos(a))
        pen.disc(place, r * 0.46, colour)
        if not filled:
            pen.disc(place, r * 0.27, None)
    pen.disc(at, r * 0.28, heart)
    if filled:
        pen.disc(at, r * 0.12, None)


def _rays(pen: Pen, at: Point, r: float, n: int, colour: Colour, heart: Colour, filled: bool) -> None:
    """Many narrow petals: chrysanthemum."""
    for k in range(n):
        a = 2 * math.pi * k / n
        place = (at[0] + r * 0.62 * math.sin(a), at[1] - r * 0.62 * math.cos(a))
        pen.oval(place, r * 0.9 * math.sin(math.pi / n), r * 0.38, a, colour)
        if not filled:
            pen.oval(place, r * 0.42 * math.sin(math.pi / n), r * 0.24, a, None)
    pen.disc(at, r * 0.3, colour)
    pen.disc(at, r * 0.2, None)
    pen.disc(at, r * 0.13, heart)


def _rose(pen: Pen, at: Point, r: float, colour: Colour, filled: bool) -> None:
    """Layered petals: peony or rose."""
    ring = [
        (
            at[0] + r * (0.86 + 0.16 * math.cos(5 * a)) * math.sin(a),
            at[1] - r * (0.8 + 0.14 * math.cos(5 * a)) * math.cos(a),
        )
        for a in np.linspace(0, 2 * math.pi, 20, endpoint=False)
    ]
    if filled:
        pen.shape(ring, colour)
        pen.line(
            [
                (at[0] + r * 0.34 * math.sin(a), at[1] - r * 0.34 * math.cos(a))
                for a in np.linspace(0, 5.2, 9)
            ],
            None,
            0.7,
        )
        pen.line(
            [
                (at[0] + r * 0.64 * math.sin(a), at[1] - r * 0.62 * math.cos(a))
                for a in np.linspace(2, 6.2, 9)
            ],
            None,
            0.7,
        )
    else:
        pen.outline(ring, colour, 1.1)
        t = np.linspace(0, 9.0, 26)
        pen.line(np.stack([at[0] + r * t / 13 * np.sin(t), at[1] - r * t / 13 * np.cos(t)], 1), colour, 0.9)


def _leaf(
    pen: Pen, base: Point, tip: Point, width: float, colour: Colour, filled: bool, bend: float = 0.0
) -> None:
    (pen.leaf if filled else pen.leaf_outline)(base, tip, width, colour, bend)


def _plum(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A bare crooked branch with round blossoms."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.55
    s = 1 if rng.random() < 0.5 else -1
    trunk = [(-0.62 * s, 0.95), (-0.3 * s, 0.5), (-0.42 * s, 0.12), (0.1 * s, -0.28), (0.2 * s, -0.9)]
    pen.brush(trunk, 2.4, 0.8, stem)
    pen.brush([(-0.34 * s, 0.3), (0.2 * s, 0.2), (0.62 * s, -0.1)], 1.6, 0.6, stem)
    pen.brush([(-0.4 * s, 0.62), (0.2 * s, 0.7), (0.55 * s, 0.55)], 1.4, 0.5, stem)
    r = rng.uniform(0.24, 0.34)
    for x, y, k in (
        (0.1, 0.12, 1.2),
        (0.6, -0.16, 0.75),
        (-0.36, -0.1, 0.7),
        (0.2, -0.62, 0.6),
        (0.5, 0.56, 0.7),
    ):
        if k > 1 or rng.random() < 0.75:
            _blossom(pen, (x * s, y), r * k, 5, bloom, accent, filled)
    for x, y in ((0.34, -0.8), (0.02, -0.5), (-0.62, 0.3)):
        pen.disc((x * s, y), 0.06, bloom)


def _orchid(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Long arching blades and a few small blossoms."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.7
    count = int(rng.integers(5, 9))
    for k in range(count):
        a = -1.0 + 2.0 * k / (count - 1) + rng.uniform(-0.1, 0.1)
        height = 1.85 - 0.6 * abs(a) + rng.uniform(-0.25, 0.15)
        tip = (a * 0.95, 0.9 - height * (1.0 - 0.3 * abs(a)))
        bend = (a * 0.35, 0.9 - height * 0.72)
        if filled:
            pen.brush([(a * 0.06, 0.95), bend, tip], 2.2, 0.5, stem)
        else:
            pen.line([(a * 0.06, 0.95), bend, tip], stem, 0.9)
    for _k in range(int(rng.integers(1, 4))):
        at = (rng.uniform(-0.45, 0.45), rng.uniform(-0.6, 0.35))
        for j in range(5):
            a = 2 * math.pi * j / 5 + rng.uniform(-0.2, 0.2)
            pen.leaf(at, (at[0] + 0.26 * math.sin(a), at[1] - 0.26 * math.cos(a)), 0.5, bloom)
        pen.disc(at, 0.05, accent)


def _bamboo(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Jointed stalks with pointed leaves."""
    stem, bloom, accent = inks
    count = int(rng.integers(1, 4))
    lean = rng.uniform(-0.35, 0.35)
    for k in range(count):
        x0 = (k - (count - 1) / 2) * 0.42
        top = -0.75 + 0.25 * (k % 2)
        joints = int(rng.integers(3, 5))
        for j in range(joints):
            t0, t1 = j / joints + 0.02, (j + 1) / joints - 0.02
            a = (x0 + lean * t0, 0.95 + (top - 0.95) * t0)
            b = (x0 + lean * t1, 0.95 + (top - 0.95) * t1)
            pen.straight([a, b], stem, 1.9)
            if rng.random() < 0.7:
                pen.straight([a, b], None, 0.6)
        for _j in range(int(rng.integers(3, 6))):
            t = rng.uniform(0.35, 1.0)
            base = (x0 + lean * t, 0.95 + (top - 0.95) * t)
            side = 1 if rng.random() < 0.5 else -1
            for q in range(int(rng.integers(2, 4))):
                angle = 1.2 + 0.55 * q
                tip = (base[0] + side * 0.42 * math.sin(angle), base[1] - 0.36 * math.cos(angle))
                pen.leaf(base, tip, 0.28, bloom if q == 0 and rng.random() < 0.15 else stem)
    if rng.random() < 0.3:
        _blossom(pen, (rng.uniform(-0.5, 0.5), 0.5), 0.16, 5, bloom, accent, True)


def _chrysanthemum(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Heads of many narrow petals over lobed leaves."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.6
    y = rng.uniform(-0.25, 0.15)
    pen.brush([(0.1, 0.98), (-0.06, 0.6), (0.02, y)], 1.5, 1.0, stem)
    for side in (-1, 1):
        for k in range(int(rng.integers(1, 4))):
            base = (0.0, 0.9 - 0.26 * k)
            tip = (side * (0.62 - 0.06 * k), 0.66 - 0.32 * k + rng.uniform(-0.1, 0.1))
            _leaf(pen, base, tip, 0.42, stem, filled, 0.1 * side)
    _rays(pen, (0.0, y), rng.uniform(0.4, 0.52), int(rng.integers(10, 17)), bloom, accent, filled)
    if rng.random() < 0.6:
        pen.brush([(0.02, y), (0.3, y - 0.4), (0.2, -0.84)], 1.0, 0.7, stem)
        _rays(pen, (0.26, -0.72), 0.22, 9, bloom, accent, filled)


def _peony(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A rose-like head, stem and broad leaves."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.5
    at = (rng.uniform(-0.25, 0.15), rng.uniform(-0.4, 0.1))
    pen.brush([(0.25, 0.98), (0.12, 0.55), at], 1.5, 1.0, stem)
    for base, tip in (((0.16, 0.7), (0.72, 0.42)), ((0.14, 0.62), (-0.52, 0.62)), ((0.2, 0.86), (0.7, 0.9))):
        _leaf(pen, base, tip, 0.5, stem, filled, 0.08)
    _rose(pen, at, rng.uniform(0.34, 0.46), bloom, filled)
    if rng.random() < 0.5:
        pen.line([at, (0.4, -0.5), (0.52, -0.8)], stem, 0.9)
        pen.disc((0.53, -0.84), 0.1, accent if rng.random() < 0.5 else bloom)


def _lotus(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Pointed petals over a round leaf and waves."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.45
    at = (0.0, rng.uniform(-0.1, 0.15))
    pen.brush([(0.0, 0.95), at], 1.3, 1.1, stem)
    for a in (-1.15, 1.15, -0.6, 0.6, 0.0):
        tip = (at[0] + 0.62 * math.sin(a), at[1] - 0.66 * math.cos(a))
        base = (at[0] + 0.1 * math.sin(a), at[1] + 0.02)
        pen.leaf(base, tip, 0.55, None)
        _leaf(pen, base, tip, 0.5, bloom, filled)
        if filled:
            pen.line([base, tip], None, 0.4)
    pen.disc((at[0], at[1] + 0.02), 0.1, accent)
    if rng.random() < 0.7:
        pen.oval((0.0, 0.62), 0.66, 0.16, 0.0, stem)
        pen.oval((0.0, 0.62), 0.5, 0.08, 0.0, None)
    for k in range(2):
        y = 0.84 + 0.1 * k
        pen.line([(-0.6, y), (-0.3, y - 0.05), (0.0, y), (0.3, y - 0.05), (0.6, y)], stem, 0.7)
    if rng.random() < 0.5:
        pen.line([(-0.1, 0.6), (-0.5, 0.1), (-0.46, -0.4)], stem, 0.9)
        pen.leaf((-0.46, -0.34), (-0.5, -0.78), 0.5, bloom)


def _berries(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Leafy sprigs with round fruit: pomegranate or persimmon of autumn."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.5
    s = 1 if rng.random() < 0.5 else -1
    pen.brush([(-0.5 * s, 0.95), (0.1 * s, 0.4), (-0.1 * s, -0.1), (0.3 * s, -0.85)], 1.5, 0.7, stem)
    for k in range(6):
        t = 0.12 + 0.15 * k
        base = (0.05 * s, 0.7 - 1.3 * t)
        side = 1 if k % 2 else -1
        _leaf(pen, base, (base[0] + side * 0.5, base[1] - 0.24), 0.36, stem, filled, 0.1)
    for _k in range(int(rng.integers(1, 4))):
        at = (rng.uniform(-0.4, 0.4), rng.uniform(0.0, 0.6))
        r = rng.uniform(0.16, 0.26)
        pen.disc(at, r, bloom)
        if rng.random() < 0.6:
            pen.disc(at, r * 0.66, None)
            pen.disc(at, r * 0.4, accent if rng.random() < 0.5 else bloom)
        else:
            pen.circle(at, r * 0.55, bloom, 0.5)


def _narcissus(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Upright blades with a starry blossom: winter."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.5
    for k in range(int(rng.integers(4, 7))):
        a = -0.8 + 0.36 * k
        _leaf(pen, (a * 0.2, 0.95), (a * 0.9, -0.1 - 0.25 * math.cos(a)), 0.16, stem, filled, 0.1 * a)
    at = (rng.uniform(-0.15, 0.15), rng.uniform(-0.5, -0.2))
    pen.brush([(0.0, 0.95), (0.1, 0.3), at], 1.2, 0.9, stem)
    for k in range(6):
        a = math.pi * k / 3
        _leaf(pen, at, (at[0] + 0.4 * math.sin(a), at[1] - 0.4 * math.cos(a)), 0.5, bloom, filled)
    pen.disc(at, 0.12, accent)


def _pot(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A bowl with a low bush in blossom."""
    stem, bloom, accent = inks
    pen.shape([(-0.52, 0.45), (0.52, 0.45), (0.34, 0.86), (-0.34, 0.86)], accent)
    pen.line([(-0.4, 0.58), (0.0, 0.64), (0.4, 0.58)], None, 0.8)
    pen.straight([(-0.62, 0.42), (0.62, 0.42)], accent, 1.5)
    for side in (-1, 1):
        pen.straight([(side * 0.24, 0.86), (side * 0.34, 1.0)], accent, 1.2)
    for k in range(7):
        a = -1.3 + 0.43 * k
        pen.leaf(
            (0.0, 0.42), (0.72 * math.sin(a), 0.42 - 0.9 * math.cos(a) + rng.uniform(-0.1, 0.1)), 0.3, stem
        )
    for _k in range(int(rng.integers(2, 5))):
        at = (rng.uniform(-0.45, 0.45), rng.uniform(-0.5, 0.2))
        _blossom(pen, at, rng.uniform(0.14, 0.24), 5, bloom, accent, rng.random() < 0.6)


def _figure(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A small robed person with a staff, rod or hoe, as on older sets."""
    robe, second, accent = inks
    pen.shape([(-0.12, -0.42), (0.14, -0.42), (0.4, 0.4), (0.46, 0.8), (-0.44, 0.8), (-0.34, 0.3)], robe)
    pen.line([(0.0, -0.3), (-0.06, 0.2), (0.02, 0.7)], None, 0.7)
    pen.line([(-0.3, 0.12), (0.34, 0.12)], second, 1.1)
    side = 1 if rng.random() < 0.5 else -1
    pen.brush([(side * 0.1, -0.32), (side * 0.4, 0.0), (side * 0.62, -0.1)], 3.0, 1.6, robe)
    pen.brush([(-side * 0.1, -0.32), (-side * 0.36, 0.02), (-side * 0.2, 0.2)], 3.0, 1.6, robe)
    pen.disc((0.0, -0.6), 0.18, accent)
    pen.disc((0.0, -0.58), 0.11, None)
    hat = rng.random()
    if hat < 0.4:
        pen.shape([(-0.4, -0.64), (0.0, -0.95), (0.4, -0.64)], second)
    elif hat < 0.7:
        pen.straight([(-0.2, -0.74), (0.2, -0.74)], second, 1.6)
        pen.disc((0.0, -0.86), 0.08, second)
    pen.straight([(side * 0.62, -0.8), (side * 0.62, 0.86)], second, 0.9)
    if rng.random() < 0.5:
        pen.line([(side * 0.62, -0.8), (side * 0.9, -0.5), (side * 0.86, 0.1)], accent, 0.6)
    for x in (-0.18, 0.2):
        pen.straight([(x, 0.8), (x + 0.02, 0.94), (x + 0.14, 0.95)], accent, 1.1)


def _sprig(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Any flower: a bent stem, leaves left and right, one or two heads, some grass."""
    stem, bloom, accent = inks
    filled = rng.random() < 0.3
    head = (float(rng.uniform(-0.4, 0.4)), float(rng.uniform(-0.45, 0.35)))
    foot = (float(rng.uniform(-0.5, 0.5)), 0.95)
    knee = (float(rng.uniform(-0.35, 0.35)), (head[1] + 0.95) / 2)
    pen.brush([foot, knee, head], 1.5, 1.0, stem)
    top = (float(rng.uniform(-0.5, 0.5)), float(rng.uniform(-0.95, -0.7)))
    if rng.random() < 0.75:
        pen.line([head, (head[0] + 0.3 * (1 if top[0] < 0 else -1), (head[1] + top[1]) / 2), top], stem, 0.9)
        for k in range(int(rng.integers(0, 4))):
            t = 0.3 + 0.2 * k
            base = (head[0] + (top[0] - head[0]) * t, head[1] + (top[1] - head[1]) * t)
            tip = (base[0] + float(rng.choice([-0.32, 0.32])), base[1] - float(rng.uniform(0.0, 0.25)))
            _leaf(pen, base, tip, 0.45, stem, filled, 0.1)
    for k in range(int(rng.integers(2, 6))):
        t = float(rng.uniform(0.1, 0.8))
        base = (foot[0] + (head[0] - foot[0]) * t, foot[1] + (head[1] - foot[1]) * t)
        reach = float(rng.uniform(0.35, 0.65)) * (1 if k % 2 else -1)
        _leaf(pen, base, (base[0] + reach, base[1] - float(rng.uniform(-0.2, 0.3))), 0.42, stem, filled, 0.1)
    if rng.random() < 0.4:
        for k in range(int(rng.integers(3, 7))):
            x = -0.6 + 0.22 * k
            pen.line([(x, 0.96), (x + 0.05, 0.82), (x + 0.14, 0.74)], stem, 0.7)
    heads = [(head, float(rng.uniform(0.28, 0.44)))]
    if rng.random() < 0.4:
        heads.append((top, float(rng.uniform(0.12, 0.24))))
    kind = int(rng.integers(4))
    petals = int(rng.integers(5, 8))
    for at, r in heads:
        if kind == 0:
            _blossom(pen, at, r, petals, bloom, accent, filled)
        elif kind == 1:
            _rays(pen, at, r, petals + 6, bloom, accent, filled)
        elif kind == 2:
            _rose(pen, at, r, bloom, filled)
        else:
            for k in range(petals):
                a = 2 * math.pi * k / petals
                tip = (at[0] + r * math.sin(a), at[1] - r * math.cos(a))
                _leaf(pen, at, tip, 0.6, bloom, filled)
            pen.disc(at, r * 0.2, accent)


_DRAWINGS = {
    "plum": _plum,
    "orchid": _orchid,
    "bamboo": _bamboo,
    "chrysanthemum": _chrysanthemum,
    "peony": _peony,
    "lotus": _lotus,
    "berries": _berries,
    "narcissus": _narcissus,
    "pot": _pot,
    "figure": _figure,
    "sprig": _sprig,
}
DRAWINGS = tuple(_DRAWINGS)


def draw_plant(pen: Pen, name: str, inks: Inks, seed: int) -> None:
    """One drawing by name; the seed settles its details."""
    _DRAWINGS[name](pen, inks, np.random.default_rng(seed))
