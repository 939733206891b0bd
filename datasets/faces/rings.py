"""Inventing the round ornaments: small dots and the large one of 1p."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from datasets.faces.chance import pick
from datasets.faces.style import Layer


def _rings2(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    w = u(0.16, 0.3)
    return (
        Layer("disc", 1, "main"),
        Layer("disc", 1 - w, "body"),
        Layer("disc", u(0.36, 0.56), "second"),
        Layer("disc", u(0.08, 0.26), "body"),
    )


def _rings3(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    w = u(0.13, 0.18)
    return (
        Layer("disc", 1, "main"),
        Layer("disc", 1 - w, "body"),
        Layer("disc", 0.72, "main"),
        Layer("disc", 0.72 - w, "body"),
        Layer("disc", u(0.26, 0.4), "second"),
        Layer("disc", u(0.0, 0.14) + 0.01, "body"),
    )


def _target(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    w = u(0.07, 0.13)
    return (
        Layer("disc", 1, "main"),
        Layer("ring", 0.86, "body", w),
        Layer("ring", 0.56, "body", w),
        Layer("disc", u(0.1, 0.24), "body"),
    )


def _solid(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    return (Layer("disc", 1, "main"), Layer("disc", u(0.05, 0.3), "body"))


def _wheel(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    n = int(pick(rng, [6, 8, 10, 12]))
    return (
        Layer("disc", 1, "main"),
        Layer("disc", u(0.78, 0.88), "body"),
        Layer("cross", 0.84, "second", u(0.07, 0.12), n // 2),
        Layer("disc", u(0.2, 0.36), "second"),
        Layer("disc", 0.12, "body"),
    )


def _quatrefoil(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    turn = pick(rng, [0.0, math.pi / 4])
    r = u(0.62, 0.74)
    return (
        Layer("disc", 1, "main"),
        Layer("petals", r + 0.16, "body", 0.14, 4, turn),
        Layer("disc", 0.14, "main"),
    )


def _star(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    n = int(rng.integers(5, 9))
    return (
        Layer("disc", 1, "main"),
        Layer("disc", u(0.76, 0.86), pick(rng, ["body", "second"])),
        Layer("star", 0.72, pick(rng, ["second", "main", "accent"]), u(0.28, 0.4), n),
    )


def _flower(rng: np.random.Generator) -> tuple[Layer, ...]:
    n = int(rng.integers(5, 9))
    return (
        Layer("disc", 1, "main"),
        Layer("disc", 0.84, "body"),
        Layer("petals", 0.78, "second", 0.16, n),
        Layer("disc", 0.16, "accent"),
    )


def _grid(rng: np.random.Generator) -> tuple[Layer, ...]:
    n = int(pick(rng, [4, 5, 6]))
    return (Layer("disc", 1, "main"), Layer("disc", 0.82, "body"), Layer("grid", 0.78, "second", 0, n))


def _beads(rng: np.random.Generator) -> tuple[Layer, ...]:
    return (
        Layer("disc", 1, "main"),
        Layer("beads", 0.68, "body", 0.13, int(rng.integers(6, 10))),
        Layer("disc", 0.36, "body"),
        Layer("disc", 0.22, "second"),
    )


def _twotone(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    return (
        Layer("disc", 1, "main"),
        Layer("disc", u(0.6, 0.75), "second"),
        Layer("disc", u(0.3, 0.45), "body"),
        Layer("disc", u(0.1, 0.26), "accent"),
    )


def _petals(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    n = int(rng.integers(7, 13))
    return (
        Layer("loops", 1, "main", 0.5, n),
        Layer("ring", 0.56, "main", 0.13),
        Layer("disc", u(0.2, 0.3), "second"),
    )


def _lines(rng: np.random.Generator) -> tuple[Layer, ...]:
    u = rng.uniform
    w, n = u(0.07, 0.12), int(rng.integers(6, 11))
    return (
        Layer("ring", 1, "main", w),
        Layer("ring", 0.8, "main", w),
        Layer("loops", 0.66, "second", 0.22, n),
        Layer("disc", 0.16, "second"),
    )


_DOTS: tuple[tuple[Callable[[np.random.Generator], tuple[Layer, ...]], float], ...] = (
    (_rings2, 5),
    (_rings3, 4),
    (_target, 4),
    (_solid, 1),
    (_wheel, 2),
    (_quatrefoil, 3),
    (_star, 2),
    (_flower, 2),
    (_grid, 1),
    (_beads, 1.5),
    (_twotone, 2),
    (_petals, 2),
    (_lines, 2.5),
)
"""Kinds of dots, each with how often it is drawn, in relation to the others."""


def random_dot(rng: np.random.Generator) -> tuple[Layer, ...]:
    """A dot of 2p to 9p, from the rim inwards."""
    draw, _ = pick(rng, _DOTS, [weight for _, weight in _DOTS])
    return draw(rng)


def random_rosette(rng: np.random.Generator) -> tuple[Layer, ...]:
    """The large ornament of 1p: a rim, a band and a heart, each one of several."""
    u = rng.uniform
    layers: list[Layer] = []
    rim = pick(rng, ["ring", "double", "petals", "solid", "lobes"], [4, 3, 4, 2, 1])
    n = int(rng.integers(10, 21))
    inner = 0.8
    if rim == "ring":
        w = u(0.06, 0.16)
        layers += [Layer("disc", 1, "main"), Layer("disc", 1 - w, "body")]
        inner = 0.94 - w
    elif rim == "double":
        w = u(0.04, 0.08)
        layers += [Layer("ring", 1, "main", w), Layer("ring", 0.95 - w, pick(rng, ["main", "second"]), w)]
        inner = 0.9 - 2 * w
    elif rim == "petals":
        inner = u(0.52, 0.66)
        layers += [Layer("loops", 1, "main", inner, n)]
    elif rim == "solid":
        inner = u(0.7, 0.8)
        layers += [Layer("disc", 1, "main")]
        cut = pick(rng, ["beads", "petals", "ticks", "none"])
        if cut == "beads":
            layers.append(Layer("beads", (1 + inner) / 2, "body", (1 - inner) * 0.3, n))
        elif cut != "none":
            layers.append(Layer(cut, 0.95, "body", inner + 0.03, n))
        layers.append(Layer("disc", inner, "body"))
        inner -= 0.05
    else:
        layers += [Layer("lobes", 1, "main", 0.9, n), Layer("lobes", 0.88, "body", 0.8, n)]
        inner = 0.76
    band = pick(rng, ["petals", "loops", "ticks", "beads", "disc", "rings", "none"], [3, 3, 2, 2, 2, 3, 2])
    low = inner * u(0.5, 0.66)
    m = int(rng.integers(8, 17))
    ink = pick(rng, ["second", "main", "accent"], [3, 2, 1])
    if band in {"petals", "loops", "ticks"}:
        layers.append(Layer(band, inner, ink, low, m))
    elif band == "beads":
        layers.append(Layer("beads", (inner + low) / 2, ink, (inner - low) * 0.36, m))
    elif band == "disc":
        layers += [Layer("disc", inner, ink), Layer("disc", low + 0.03, "body")]
    elif band == "rings":
        layers += [Layer("ring", inner, ink, 0.07), Layer("ring", (inner + low) / 2, ink, 0.06)]
    else:
        low = inner * 0.85
    low -= 0.04
    heart = pick(rng, ["rings", "cross", "star", "flower", "solid", "bare", "beads", "quatre"])
    ink = pick(rng, ["accent", "second", "main"], [5, 2, 1])
    if heart == "rings":
        layers += [
            Layer("ring", low, ink, 0.07),
            Layer("ring", low * 0.62, ink, 0.06),
            Layer("disc", low * 0.26, ink),
        ]
    elif heart == "cross":
        layers += [Layer("ring", low, ink, 0.06), Layer("cross", low * 0.6, ink, 0.09, 2)]
    elif heart == "star":
        layers += [Layer("star", low, ink, low * 0.4, int(rng.integers(5, 9)))]
    elif heart == "flower":
        layers += [
            Layer("petals", low, ink, low * 0.25, int(rng.integers(5, 10))),
            Layer("disc", low * 0.2, "second"),
        ]
    elif heart == "solid":
        layers += [Layer("disc", low, ink), Layer("disc", low * u(0.1, 0.5), "body")]
    elif heart == "bare":
        layers += [Layer("ring", low, ink, 0.08)]
    elif heart == "beads":
        layers += [Layer("beads", low * 0.7, ink, low * 0.22, 6), Layer("disc", low * 0.26, ink)]
    else:
        layers += [Layer("disc", low, ink), Layer("petals", low * 0.9, "body", low * 0.15, 4)]
    return tuple(layers)
