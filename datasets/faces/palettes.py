"""Paints and bodies of invented sets."""

from __future__ import annotations

import math

import numpy as np

from datasets.faces.chance import near, pick
from datasets.faces.style import Colour, Finish, Inks

_DARK: tuple[Colour, ...] = (
    (18, 18, 22),
    (30, 32, 36),
    (12, 24, 44),
    (24, 34, 110),
    (26, 60, 176),
    (20, 44, 140),
    (14, 50, 44),
    (44, 40, 44),
)
_GREEN: tuple[Colour, ...] = (
    (14, 84, 44),
    (20, 110, 56),
    (8, 140, 74),
    (30, 72, 40),
    (10, 96, 86),
    (60, 104, 24),
    (20, 60, 44),
    (0, 150, 96),
)
_RED: tuple[Colour, ...] = (
    (196, 24, 34),
    (168, 22, 34),
    (222, 44, 32),
    (206, 32, 78),
    (150, 20, 24),
    (232, 60, 66),
    (184, 30, 60),
)
_BLUE: tuple[Colour, ...] = (
    (24, 56, 168),
    (30, 80, 200),
    (34, 44, 120),
    (60, 70, 180),
    (16, 90, 160),
    (20, 30, 80),
    (90, 120, 200),
)
_BODIES: tuple[tuple[float, Colour], ...] = (
    (0.36, (240, 240, 238)),  # white
    (0.20, (240, 234, 218)),  # ivory
    (0.10, (236, 222, 186)),  # cream
    (0.05, (238, 216, 152)),  # yellow
    (0.08, (222, 228, 238)),  # cold white
    (0.05, (206, 206, 204)),  # grey
    (0.03, (214, 232, 218)),  # pale jade
    (0.02, (244, 218, 222)),  # pink
    (0.02, (204, 224, 240)),  # light blue
    (0.03, (224, 200, 166)),  # wood, bone
    (0.015, (40, 110, 80)),  # green
    (0.015, (34, 34, 38)),  # black
    (0.01, (40, 60, 120)),  # dark blue
)


def random_inks(rng: np.random.Generator, dark_body: bool) -> Inks:
    if dark_body:
        pale = pick(rng, [(236, 232, 220), (222, 190, 110), (200, 210, 220)])
        green = pick(rng, [(110, 210, 130), (90, 200, 160), pale])
        red = pick(rng, [(236, 90, 80), (240, 120, 120), (226, 60, 60)])
        return Inks(near(rng, pale, 6), near(rng, green, 6), near(rng, red, 6), near(rng, (130, 170, 240), 8))
    return Inks(
        near(rng, pick(rng, _DARK, [5, 4, 3, 3, 3, 2, 2, 2]), 6),
        near(rng, pick(rng, _GREEN), 7),
        near(rng, pick(rng, _RED), 8),
        near(rng, pick(rng, _BLUE), 8),
    )


def random_finish(rng: np.random.Generator) -> tuple[Finish, bool]:
    body = pick(rng, [c for _, c in _BODIES], [w for w, _ in _BODIES])
    dark = sum(body) < 330
    return (
        Finish(
            body=near(rng, body, 4),
            grain=float(rng.uniform(0.5, 3.0)),
            relief=float(rng.uniform(0.15, 0.9)) if rng.random() < 0.8 else 0.0,
            light=float(rng.uniform(0, 2 * math.pi)),
            core=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.55 else 0.0,
            edge=float(rng.uniform(-26, 14)) if rng.random() < 0.6 else 0.0,
            opacity=float(rng.uniform(0.88, 1.0)),
            soft=float(rng.uniform(0.0, 1.3)),
        ),
        dark,
    )
