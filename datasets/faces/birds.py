"""1s: the bird (or a single shoot) in several drawings. A bird may face either way; it is not writing."""

from __future__ import annotations

import math

import numpy as np

from datasets.faces.bamboo import draw_stick
from datasets.faces.canvas import Canvas, Point
from datasets.faces.pen import Pen
from datasets.faces.style import Colour, FaceStyle

Inks = tuple[Colour, Colour, Colour]


def _eye(pen: Pen, at: Point, r: float, ring: Colour, pupil: Colour) -> None:
    pen.disc(at, r, ring)
    pen.disc(at, r * 0.66, None)
    pen.disc(at, r * 0.36, pupil)


def _mass(pen: Pen, points: list[Point], colour: Colour, hollow: bool) -> None:
    """A body, filled or as a thick outline with a few bars."""
    pen.shape(points, colour)
    if hollow:
        p = np.asarray(points)
        middle = p.mean(0)
        pen.shape(middle + (p - middle) * 0.72, None)
        for k in (-0.25, 0.0, 0.25):
            at = middle + np.array([0.0, k * np.ptp(p[:, 1])])
            reach = 0.2 * np.ptp(p[:, 0])
            pen.line([(at[0] - reach, at[1]), (at[0], at[1] + 0.04), (at[0] + reach, at[1])], colour, 0.6)


def _display(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A peacock from the front, its wheel spread: dense, as on many Japanese sets."""
    body, second, accent = inks
    rows = int(rng.integers(2, 4))
    for row in range(rows):
        reach = 0.92 - 0.27 * row
        count = 11 - 2 * row
        for k in range(count):
            a = -1.75 + 3.5 * k / (count - 1)
            at = (reach * math.sin(a), 0.12 - reach * math.cos(a))
            pen.disc(at, 0.13, (second, body)[row % 2])
            pen.disc(at, 0.085, None)
            pen.disc(at, 0.05, accent)
            if row == 0:
                pen.straight(
                    [
                        (0.3 * math.sin(a), 0.12 - 0.3 * math.cos(a)),
                        (0.76 * math.sin(a), 0.12 - 0.76 * math.cos(a)),
                    ],
                    second,
                    0.5,
                )
    pen.shape([(-0.2, 0.1), (0.0, -0.1), (0.2, 0.1), (0.22, 0.5), (0.0, 0.72), (-0.22, 0.5)], body)
    for k in range(3):
        pen.line([(-0.1, 0.24 + 0.13 * k), (0.0, 0.29 + 0.13 * k), (0.1, 0.24 + 0.13 * k)], None, 0.6)
    pen.brush([(0.0, 0.1), (0.06, -0.12), (0.0, -0.3)], 3.2, 2.2, body)
    pen.disc((0.0, -0.32), 0.12, body)
    pen.disc((-0.03, -0.34), 0.04, None)
    pen.brush([(-0.1, -0.32), (-0.26, -0.24)], 1.4, 0.4, accent)
    for x in (-0.1, 0.1):
        pen.straight([(x, 0.68), (x, 0.94)], body, 0.9)
        pen.straight([(x - 0.12, 0.98), (x, 0.92), (x + 0.12, 0.98)], body, 0.8)
    if rng.random() < 0.5:
        pen.line([(-0.8, 0.86), (-0.4, 0.8), (-0.2, 0.9)], second, 0.9)
        pen.line([(0.8, 0.86), (0.4, 0.8), (0.2, 0.9)], second, 0.9)


def _eagle(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A large bird with a fanned wing above waves or clouds, all in lines."""
    body, second, accent = inks
    for k in range(int(rng.integers(4, 7))):
        x = -0.35 + 0.17 * k
        pen.line([(x * 0.6 - 0.1, 0.1), (x + 0.05, -0.3), (x + 0.36, -0.62 + 0.1 * k)], second, 1.0)
    pen.line([(-0.5, 0.0), (-0.1, 0.22), (0.3, 0.1), (0.66, 0.3)], body, 1.5)
    pen.line([(-0.5, 0.0), (-0.3, 0.42), (0.1, 0.5), (0.5, 0.38)], body, 1.2)
    for k in range(3):
        pen.line([(0.3, 0.2 + 0.09 * k), (0.6, 0.4 + 0.12 * k), (0.66, 0.72 + 0.08 * k)], accent, 1.0)
    pen.circle((-0.58, 0.04), 0.14, body, 1.1)
    pen.disc((-0.6, 0.02), 0.045, accent)
    pen.brush([(-0.68, 0.08), (-0.92, 0.2)], 1.7, 0.5, accent)
    for x in (-0.16, 0.06):
        pen.line([(x, 0.48), (x - 0.06, 0.66), (x - 0.2, 0.7)], accent, 0.9)
    for k in range(int(rng.integers(2, 5))):
        y = -0.92 + 0.16 * k if rng.random() < 0.5 else 0.98 - 0.12 * k
        x = float(rng.uniform(-0.7, 0.0))
        pen.line([(x, y), (x + 0.15, y - 0.08), (x + 0.3, y), (x + 0.45, y - 0.08), (x + 0.6, y)], body, 0.8)


def _parrot(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Round head, crest, wings held up, long tail feathers, on a perch: the usual bird of Chinese sets."""
    body, second, accent = inks
    lean = rng.uniform(0.15, 0.4)
    for k in range(int(rng.integers(2, 5))):
        x = -0.12 + 0.14 * k
        tip = (x + lean + rng.uniform(-0.05, 0.05), 0.98 - 0.13 * k)
        pen.brush([(x * 0.8, 0.0), (x + lean * 0.35, 0.45), tip], 3.4, 1.0, second if k % 2 else body)
        pen.line([(x * 0.8, 0.08), (x + lean * 0.35, 0.45), (x + lean * 0.75, 0.8)], None, 0.5)
    hollow = bool(rng.random() < 0.5)
    _mass(
        pen,
        [(-0.3, -0.34), (0.0, -0.45), (0.26, -0.3), (0.24, 0.0), (0.02, 0.16), (-0.22, 0.0)],
        body,
        hollow,
    )
    for k in range(0 if hollow else 3):
        pen.line([(-0.14 + 0.13 * k, -0.2), (-0.12 + 0.13 * k, 0.05)], None, 0.55)
    for side in (-1, 1):
        pen.line(
            [(side * 0.2, -0.3), (side * 0.46, -0.62), (side * 0.4, -0.2), (side * 0.22, -0.05)],
            second if rng.random() < 0.5 else body,
            1.3,
        )
    pen.line(
        [(-0.62, 0.02), (-0.2, 0.1), (0.3, 0.04), (0.66, -0.12)], accent if rng.random() < 0.3 else body, 1.1
    )
    for x, y in ((-0.68, 0.0), (0.72, -0.14)):
        pen.circle((x, y), 0.09, body, 0.9)
    pen.disc((0.02, -0.55), 0.24, body)
    pen.disc((0.02, -0.55), 0.175, None)
    pen.disc((0.02, -0.55), 0.11, accent)
    pen.disc((0.02, -0.55), 0.05, None)
    pen.brush([(-0.14, -0.66), (-0.36, -0.6), (-0.4, -0.44)], 1.9, 0.6, body)
    for k in range(int(rng.integers(1, 4))):
        pen.line(
            [(0.02, -0.76), (-0.15 + 0.15 * k, -0.9), (-0.4 + 0.36 * k, -0.98 + 0.05 * k)],
            accent if k % 2 else body,
        )


def _peacock(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Long neck, crest, and a train of feathers with eyes."""
    body, second, accent = inks
    pen.shift(-0.2, 0.04)
    count = int(rng.integers(4, 8))
    spread = rng.uniform(0.7, 1.25)
    for k in range(count):
        angle = 0.35 + spread * k / (count - 1)
        tip = (0.1 + 0.88 * math.sin(angle), 0.1 + 0.8 * math.cos(angle))
        pen.line([(0.0, 0.0), (0.5 * tip[0] + 0.12, 0.45 * tip[1] - 0.02), tip], second, 1.0)
        pen.disc(tip, 0.12, second)
        pen.disc(tip, 0.075, accent)
    if rng.random() < 0.5:
        pen.shape([(0.02, -0.1), (0.42, 0.02), (0.5, 0.42), (0.12, 0.36)], second)
        for k in range(4):
            pen.circle((0.14 + 0.1 * (k % 2), 0.05 + 0.09 * k), 0.05, accent, 0.6)
    shape = [(-0.3, -0.06), (-0.08, -0.24), (0.22, -0.06), (0.3, 0.16), (0.0, 0.3), (-0.22, 0.2)]
    _mass(pen, shape, body, bool(rng.random() < 0.35))
    pen.brush([(-0.14, 0.0), (-0.34, -0.28), (-0.22, -0.6), (-0.34, -0.78)], 4.2, 2.2, body)
    pen.disc((-0.36, -0.8), 0.11, body)
    pen.disc((-0.38, -0.82), 0.035, None)
    pen.brush([(-0.44, -0.8), (-0.62, -0.72)], 1.6, 0.4, accent)
    for k in range(3):
        tip = (-0.42 + 0.14 * k, -1.02 + 0.03 * k)
        pen.line([(-0.34, -0.88), tip], body, 0.6)
        pen.disc(tip, 0.04, accent)
    for x in (-0.1, 0.06):
        pen.line([(x, 0.26), (x - 0.05, 0.62), (x - 0.03, 0.86)], accent if rng.random() < 0.5 else body, 0.9)
        pen.straight([(x - 0.16, 0.9), (x - 0.03, 0.86), (x + 0.1, 0.9)], body, 0.8)
    if rng.random() < 0.5:
        for k in range(6):
            x = -0.6 + 0.2 * k
            pen.line([(x, 0.98), (x + 0.06, 0.88)], second, 0.7)


def _sparrow(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A plump small bird seen from the side, as on Japanese sets."""
    body, second, accent = inks
    shape = [
        (-0.62, -0.3),
        (-0.3, -0.62),
        (0.1, -0.42),
        (0.42, 0.0),
        (0.3, 0.36),
        (-0.15, 0.44),
        (-0.48, 0.12),
    ]
    _mass(pen, shape, body, bool(rng.random() < 0.4))
    for k in range(3):
        pen.brush(
            [(0.25, 0.1 + 0.08 * k), (0.6, 0.34 + 0.1 * k), (0.86 - 0.1 * k, 0.62 + 0.12 * k)],
            3.0,
            1.4,
            second,
        )
    pen.line([(-0.2, -0.1), (0.12, -0.16), (0.38, 0.14), (0.04, 0.22), (-0.2, -0.1)], None, 0.8)
    pen.line([(-0.08, 0.02), (0.2, 0.08)], None, 0.6)
    _eye(pen, (-0.36, -0.38), 0.11, body, accent)
    pen.shape([(-0.6, -0.36), (-0.9, -0.2), (-0.58, -0.2)], accent)
    for x in (-0.2, 0.06):
        pen.straight([(x, 0.4), (x - 0.04, 0.8)], accent, 0.9)
        pen.straight([(x - 0.18, 0.84), (x - 0.04, 0.8), (x + 0.1, 0.84)], accent, 0.8)
    if rng.random() < 0.5:
        pen.line([(-0.28, -0.58), (-0.14, -0.84), (0.06, -0.9)], accent, 0.9)
    if rng.random() < 0.5:
        pen.line([(-0.8, 0.9), (0.0, 0.82), (0.7, 0.94)], second, 1.2)


def _crane(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Long legs and neck, raised wings."""
    body, second, accent = inks
    count = int(rng.integers(3, 6))
    for k in range(count):
        angle = -0.2 + 0.36 * k
        pen.brush(
            [(0.0, 0.06), (0.35, -0.12), (0.3 + 0.6 * math.cos(angle), -0.12 - 0.62 * math.sin(angle))],
            3.2,
            1.0,
            second,
        )
    shape = [(-0.34, 0.02), (-0.02, -0.14), (0.42, 0.08), (0.16, 0.28), (-0.2, 0.24)]
    _mass(pen, shape, body, bool(rng.random() < 0.35))
    pen.brush([(-0.22, 0.06), (-0.5, -0.18), (-0.28, -0.5), (-0.42, -0.74)], 2.6, 1.5, body)
    pen.disc((-0.43, -0.76), 0.1, body)
    pen.disc((-0.43, -0.86), 0.055, accent)
    pen.brush([(-0.5, -0.75), (-0.86, -0.66)], 1.4, 0.4, accent)
    for x, bend in ((-0.06, 0.0), (0.12, 0.1)):
        pen.line([(x, 0.26), (x + bend, 0.6), (x - 0.06, 0.96)], body, 0.8)
        pen.straight([(x - 0.2, 0.98), (x - 0.06, 0.96), (x + 0.08, 0.98)], body, 0.7)
    for k in range(3):
        pen.brush([(0.3, 0.12), (0.6, 0.3), (0.72, 0.52 + 0.06 * k)], 2.0, 0.8, accent if k == 1 else body)


def _owl(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Drawn in outline: tufted round head, barred breast, a tail across a branch."""
    body, second, accent = inks
    pen.brush([(-0.1, 0.3), (0.1, 0.62), (0.42, 0.98)], 3.2, 1.0, second)
    pen.brush([(-0.22, 0.3), (-0.2, 0.6), (0.06, 0.9)], 2.6, 1.0, second)
    pen.line([(-0.78, 0.56), (-0.3, 0.42), (0.3, 0.34), (0.74, -0.06), (0.6, -0.16)], second, 1.4)
    pen.outline(
        [(-0.42, -0.3), (-0.05, -0.4), (0.3, -0.22), (0.34, 0.16), (0.06, 0.44), (-0.26, 0.3)], accent, 1.3
    )
    for k in range(4):
        y = -0.1 + 0.11 * k
        pen.line([(-0.2, y), (0.0, y + 0.06), (0.2, y)], accent, 0.8)
    pen.circle((-0.06, -0.56), 0.26, accent, 1.4)
    pen.disc((-0.02, -0.58), 0.11, body)
    pen.disc((-0.02, -0.58), 0.045, None)
    pen.straight([(-0.26, -0.72), (-0.44, -0.98), (-0.06, -0.84)], accent, 1.1)
    pen.straight([(0.0, -0.84), (0.34, -0.98), (0.2, -0.7)], accent, 1.1)
    pen.brush([(-0.3, -0.54), (-0.48, -0.42)], 1.8, 0.5, accent)
    if rng.random() < 0.5:
        pen.line([(0.3, -0.1), (0.5, 0.0), (0.4, 0.3)], body, 1.0)


def _flying(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """A swallow or phoenix from above, wings spread."""
    body, second, accent = inks
    count = int(rng.integers(3, 6))
    for side in (-1, 1):
        for k in range(count):
            y = -0.1 + 0.16 * k
            tip = (side * (0.95 - 0.12 * k), -0.66 + 0.3 * k)
            pen.brush(
                [(side * 0.06, y - 0.1), (side * 0.45, y - 0.34), tip], 3.0, 1.0, second if k % 2 else body
            )
        pen.brush([(side * 0.02, 0.3), (side * 0.14, 0.64), (side * 0.36, 0.98)], 2.8, 0.9, accent)
    pen.shape([(0.0, -0.62), (0.17, -0.3), (0.13, 0.2), (0.0, 0.46), (-0.13, 0.2), (-0.17, -0.3)], body)
    pen.disc((0.0, -0.66), 0.15, body)
    pen.disc((0.05, -0.69), 0.04, None)
    pen.brush([(0.0, -0.78), (-0.05, -0.98)], 1.7, 0.4, accent)
    for k in range(3):
        pen.line([(-0.07, -0.3 + 0.16 * k), (0.0, -0.24 + 0.16 * k), (0.07, -0.3 + 0.16 * k)], None, 0.5)


def _phoenix(pen: Pen, inks: Inks, rng: np.random.Generator) -> None:
    """Sweeping outline with a long curling tail."""
    body, second, accent = inks
    for k in range(int(rng.integers(3, 6))):
        y = 0.15 + 0.15 * k
        pen.line(
            [(0.1, 0.0), (0.5, y), (0.35, y + 0.35), (-0.1 - 0.1 * k, 0.62 + 0.1 * k)],
            (second, accent, body)[k % 3],
            1.0,
        )
    pen.outline([(-0.4, -0.2), (-0.1, -0.34), (0.24, -0.1), (0.14, 0.16), (-0.2, 0.16)], body, 1.2)
    for k in range(4):
        pen.line(
            [
                (-0.05 + 0.06 * k, -0.26 + 0.03 * k),
                (0.3 + 0.1 * k, -0.8 + 0.16 * k),
                (0.62 + 0.05 * k, -0.7 + 0.2 * k),
            ],
            second,
            0.9,
        )
    pen.line([(-0.34, -0.14), (-0.56, -0.4), (-0.4, -0.64)], body, 1.6)
    pen.circle((-0.44, -0.72), 0.12, body, 1.1)
    pen.disc((-0.46, -0.73), 0.04, accent)
    pen.brush([(-0.54, -0.7), (-0.76, -0.6)], 1.5, 0.4, accent)
    for k in range(3):
        pen.line([(-0.42, -0.84), (-0.36 + 0.1 * k, -1.0 + 0.04 * k)], accent, 0.8)
    for x in (-0.18, 0.0):
        pen.straight([(x, 0.16), (x - 0.08, 0.46), (x - 0.24, 0.5)], accent, 0.8)


_BIRDS = {
    "parrot": _parrot,
    "display": _display,
    "eagle": _eagle,
    "peacock": _peacock,
    "sparrow": _sparrow,
    "crane": _crane,
    "owl": _owl,
    "flying": _flying,
    "phoenix": _phoenix,
}
BIRDS = (*_BIRDS, "shoot")


def draw_bird(canvas: Canvas, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint 1s; size is the scale of the whole drawing (1: normal)."""
    bamboo = style.bamboo
    first, second, accent = (style.inks[name] for name in bamboo.bird_inks)
    if bamboo.bird == "shoot":
        half = 112 * size * bamboo.bird_size
        draw_stick(
            canvas,
            (centre[0], centre[1] - half),
            (centre[0], centre[1] + half),
            bamboo.width * 2.1 * size,
            bamboo,
            first,
        )
        return
    pen = Pen(
        canvas,
        centre,
        min(132 * bamboo.bird_size, 142 / bamboo.bird_squeeze, 168) * size,
        bamboo.bird_line * size,
        bamboo.bird_left,
        bamboo.bird_turn,
        bamboo.bird_squeeze,
    )
    _BIRDS[bamboo.bird](pen, (first, second, accent), np.random.default_rng(bamboo.bird_seed))
