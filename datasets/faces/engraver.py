"""A tile engraver's hand: the numerals, 萬, winds and dragons as brush strokes, different for every seed.

Fonts do not have the letterforms of most Chinese sets: spear-headed uprights, strokes that climb to the
right, boxes that bulge, a wide foot under 萬. The skeletons below are the project's own.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.pen import curve
from datasets.faces.style import FontRef

ENGRAVER = "engraver"
"""Stands for a font path; the font's index is the seed of the hand."""

# Strokes in a box of 100 by 100, y downwards. Kinds: h level, v upright, s upright with a spear head,
# p falling left, n falling right, d dot, b bent with square corners, k ending in a hook.
_Stroke = tuple[str, tuple[tuple[float, float], ...]]
_STROKES: dict[str, tuple[_Stroke, ...]] = {
    "一": (("h", ((6, 56), (50, 50), (94, 46))),),
    "二": (("h", ((24, 30), (76, 24))), ("h", ((5, 80), (50, 75), (95, 71)))),
    "三": (("h", ((22, 18), (78, 12))), ("h", ((28, 50), (72, 46))), ("h", ((4, 88), (50, 83), (96, 79)))),
    "四": (
        ("v", ((12, 26), (22, 84))),
        ("b", ((12, 27), (88, 20), (78, 84))),
        ("p", ((40, 24), (39, 42), (28, 58))),
        ("k", ((60, 24), (60, 48), (64, 53), (74, 52))),
        ("h", ((22, 78), (78, 75))),
    ),
    "五": (
        ("h", ((18, 14), (84, 10))),
        ("v", ((50, 14), (40, 88))),
        ("b", ((22, 48), (74, 43), (68, 88))),
        ("h", ((3, 92), (97, 86))),
    ),
    "伍": (
        ("p", ((28, 2), (20, 26), (2, 48))),
        ("v", ((18, 30), (18, 98))),
        ("h", ((40, 16), (92, 11))),
        ("v", ((64, 14), (54, 88))),
        ("b", ((40, 49), (85, 44), (80, 88))),
        ("h", ((30, 92), (99, 86))),
    ),
    "六": (
        ("d", ((46, 2), (57, 19))),
        ("h", ((3, 40), (50, 34), (97, 28))),
        ("p", ((38, 48), (27, 74), (8, 95))),
        ("n", ((58, 48), (74, 68), (92, 93))),
    ),
    "七": (("h", ((4, 54), (50, 42), (96, 26))), ("k", ((44, 3), (42, 72), (52, 87), (84, 86), (92, 64)))),
    "八": (("p", ((40, 20), (30, 56), (5, 90))), ("n", ((48, 12), (62, 20), (72, 54), (97, 88)))),
    "九": (
        ("p", ((42, 4), (38, 46), (7, 95))),
        ("k", ((10, 40), (66, 29), (62, 72), (69, 89), (91, 88), (97, 64))),
    ),
    "萬": (
        ("h", ((20, 13), (82, 8))),
        ("v", ((38, 2), (40, 23))),
        ("v", ((62, 0), (60, 21))),
        ("v", ((27, 29), (32, 58))),
        ("b", ((27, 30), (75, 26), (70, 57))),
        ("h", ((32, 44), (70, 41))),
        ("h", ((32, 57), (69, 55))),
        ("v", ((50, 28), (50, 86))),
        ("p", ((17, 68), (14, 82), (0, 95))),
        ("k", ((3, 80), (50, 69), (100, 64), (92, 91), (76, 97))),
        ("h", ((34, 87), (64, 82))),
        ("d", ((60, 74), (69, 89))),
    ),
    "東": (
        ("h", ((18, 21), (82, 16))),
        ("v", ((25, 35), (30, 63))),
        ("b", ((25, 36), (77, 31), (71, 63))),
        ("h", ((30, 49), (72, 46))),
        ("h", ((30, 62), (71, 60))),
        ("s", ((50, 0), (50, 100))),
        ("p", ((46, 62), (30, 80), (3, 94))),
        ("n", ((54, 61), (70, 78), (98, 91))),
    ),
    "南": (
        ("h", ((16, 22), (86, 17))),
        ("s", ((50, 0), (50, 36))),
        ("p", ((15, 40), (15, 72), (6, 98))),
        ("k", ((15, 42), (50, 37), (91, 34), (88, 90), (74, 95))),
        ("d", ((36, 46), (44, 57))),
        ("d", ((64, 44), (57, 57))),
        ("h", ((33, 64), (69, 61))),
        ("h", ((29, 78), (73, 75))),
        ("v", ((50, 60), (50, 97))),
    ),
    "西": (
        ("h", ((12, 13), (50, 9), (90, 5))),
        ("v", ((10, 42), (20, 97))),
        ("b", ((10, 43), (93, 35), (83, 96))),
        ("p", ((40, 11), (38, 42), (27, 70))),
        ("k", ((60, 9), (60, 54), (65, 66), (80, 64))),
        ("h", ((20, 93), (84, 89))),
    ),
    "北": (
        ("s", ((36, 6), (36, 96))),
        ("h", ((5, 37), (36, 32))),
        ("k", ((2, 84), (18, 79), (38, 62))),
        ("p", ((90, 26), (76, 44), (60, 51))),
        ("k", ((59, 0), (58, 80), (66, 93), (90, 92), (98, 68))),
    ),
    "中": (
        ("v", ((14, 28), (20, 60))),
        ("b", ((14, 29), (86, 22), (79, 58))),
        ("h", ((20, 59), (80, 55))),
        ("s", ((50, 0), (50, 100))),
    ),
    "發": (
        ("b", ((8, 15), (38, 11), (26, 31))),
        ("p", ((27, 30), (17, 41), (2, 49))),
        ("d", ((10, 27), (21, 35))),
        ("n", ((56, 2), (68, 22), (98, 44))),
        ("p", ((84, 7), (77, 15), (68, 19))),
        ("p", ((95, 20), (88, 28), (79, 31))),
        ("b", ((13, 53), (43, 49), (41, 63))),
        ("h", ((17, 65), (41, 62))),
        ("k", ((18, 65), (15, 77), (42, 74), (39, 93), (27, 97))),
        ("p", ((62, 46), (60, 58), (50, 67))),
        ("k", ((62, 47), (80, 44), (80, 58), (95, 58))),
        ("b", ((51, 74), (84, 70), (73, 86))),
        ("p", ((73, 86), (62, 94), (45, 99))),
        ("n", ((56, 75), (73, 88), (98, 98))),
    ),
}
CHARS = frozenset(_STROKES)
_FINE = 256
_MARGIN = 40


def engraver(seed: int) -> FontRef:
    """The hand of one engraver, to be used as a font."""
    return FontRef(ENGRAVER, seed, "engraved", CHARS)


def _width(kind: str, t: NDArray[np.float64], contrast: float) -> NDArray[np.float64]:
    """Stroke width along a stroke, 1 at its normal thickness."""
    if kind == "h":
        w = 0.72 + 0.38 * np.exp(-((t / 0.13) ** 2)) + 0.5 * np.exp(-(((t - 0.92) / 0.12) ** 2))
    elif kind == "s":
        w = 0.95 + 1.1 * np.exp(-(((t - 0.14) / 0.05) ** 2))
        w = w * np.clip(t / 0.13, 0.03, 1) * np.clip((1 - t) / 0.22, 0.1, 1)
    elif kind == "p":
        w = (1.15 - 0.95 * t) * np.clip(t / 0.06 + 0.5, 0, 1)
    elif kind == "n":
        w = (0.35 + 1.1 * np.clip(t / 0.8, 0, 1)) * np.clip((1 - t) / 0.2, 0.1, 1)
    elif kind == "d":
        w = 0.35 + 0.95 * np.clip(t / 0.6, 0, 1) * np.clip((1.25 - t) / 0.4, 0, 1)
    elif kind == "k":
        w = 0.9 * np.clip((1 - t) / 0.16, 0.12, 1) + 0.25 * np.exp(-(((t - 0.8) / 0.1) ** 2))
    else:
        w = 0.85 + 0.25 * np.exp(-((t / 0.12) ** 2))
    return np.asarray(1 + (w - 1) * contrast)


def draw(char: str, seed: int) -> NDArray[np.uint8]:
    """Coverage of one character in the hand of this seed: (H, W) uint8, uncut.

    Raises KeyError for a character the hand does not write.
    """
    hand = np.random.default_rng(seed)
    base = float(hand.uniform(7.0, 13.5))
    contrast = float(hand.uniform(0.5, 1.15))
    jitter = float(hand.uniform(0.4, 2.2))
    bulge = float(hand.uniform(0.0, 9.0))
    chisel, angle = float(hand.uniform(0.7, 1.0)), float(hand.uniform(20, 65))
    spear = hand.random() < 0.75
    climb = float(hand.uniform(-1, 9))
    rng = np.random.default_rng([seed, ord(char)])
    strokes = _STROKES[char]
    # Dense characters are written with a finer point.
    width = base * (1.0 if len(strokes) < 7 else 0.78 if len(strokes) < 12 else 0.7)
    scale = _FINE / 100.0
    image = np.zeros((_FINE + 2 * _MARGIN, _FINE + 2 * _MARGIN), np.uint8)
    for kind, points in strokes:
        p = np.asarray(points, np.float64)
        p = p + rng.normal(0, jitter, p.shape)
        if kind in {"h", "b", "k"}:
            p[:, 1] -= climb * (p[:, 0] - p[0, 0]) / 100
        if kind == "b":
            # The corner stays sharp; the side that comes down from it bulges outwards.
            down = p[1] + (p[2] - p[1]) * np.linspace(0, 1, 9)[:, None]
            down[:, 0] += bulge * np.sin(np.pi * np.linspace(0, 1, 9))
            path = np.concatenate([np.linspace(p[0], p[1], 10), down[1:]])
        else:
            path = curve(p, 10)
        path = _even(path, 60)
        shape = "v" if kind == "s" and not spear else kind
        w = _width(shape, np.linspace(0, 1, len(path)), contrast) * width * rng.uniform(0.9, 1.1)
        for (x, y), thick in zip(path * scale + _MARGIN, np.maximum(w, 1.5) * scale, strict=True):
            axes = (max(1, round(thick / 2)), max(1, round(thick / 2 * chisel)))
            cv2.ellipse(image, (round(x), round(y)), axes, -angle, 0, 360, 255, -1, cv2.LINE_AA)
    return image


def _even(path: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The path resampled to points of equal distance."""
    steps = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0, along[-1], count)
    return np.stack([np.interp(at, along, path[:, 0]), np.interp(at, along, path[:, 1])], 1)
