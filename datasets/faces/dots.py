"""1p to 9p: how many, where and in which colours."""

from __future__ import annotations

import math

from datasets.faces.canvas import Canvas, Point
from datasets.faces.glyphs import write
from datasets.faces.ornaments import paint
from datasets.faces.style import Colour, FaceStyle

# Colour of each dot: a and b are the set's two cool colours, r is red. Order: as in `positions`.
_SCHEMES: dict[str, dict[int, str]] = {
    "classic": {
        2: "ba",
        3: "bra",
        4: "abba",
        5: "barab",
        6: "bbrrrr",
        7: "bbbrrrr",
        8: "a" * 8,
        9: "bbbrrraaa",
    },
    "cool": {2: "ab", 3: "arb", 4: "baab", 5: "abrba", 6: "aarrrr", 7: "bbbrrrr", 8: "b" * 8, 9: "aaarrrbbb"},
    "even": {2: "aa", 3: "ara", 4: "aaaa", 5: "aaraa", 6: "aarrrr", 7: "aaarrrr", 8: "a" * 8, 9: "aaarrraaa"},
    "green": {
        2: "bb",
        3: "brb",
        4: "bbbb",
        5: "bbrbb",
        6: "bbrrrr",
        7: "bbbrrrr",
        8: "a" * 8,
        9: "bbbrrrbbb",
    },
    "mono": {n: "a" * n for n in range(2, 10)},
    "mono_centre": {
        2: "aa",
        3: "ara",
        4: "aaaa",
        5: "aaraa",
        6: "a" * 6,
        7: "aaaaaaa",
        8: "a" * 8,
        9: "aaarrraaa",
    },
    "two": {2: "ab", 3: "aba", 4: "abba", 5: "aabaa", 6: "aabbbb", 7: "aaabbbb", 8: "a" * 8, 9: "aaabbbaaa"},
    "red_top": {
        2: "ra",
        3: "bra",
        4: "bbbb",
        5: "bbrbb",
        6: "rrbbbb",
        7: "rrrbbbb",
        8: "b" * 8,
        9: "rrrbbbaaa",
    },
    "red_two": {
        2: "br",
        3: "arb",
        4: "abba",
        5: "abrba",
        6: "bbrrrr",
        7: "aaarrrr",
        8: "a" * 8,
        9: "bbbrrrbbb",
    },
}
SCHEMES = tuple(_SCHEMES)


def positions(count: int, six: str = "two_four", slope: float = 1.0) -> tuple[list[Point], float]:
    """Centres of the dots relative to the face's centre, and their normal radius, in design units.

    six: `two_four` (a pair above a block of four) or `even` (three equal rows). slope: tilt of 7p's upper
    three.
    """
    if count == 2:
        return [(0, -76), (0, 76)], 58
    if count == 3:
        return [(-70, -104), (0, 0), (70, 104)], 46
    if count == 4:
        return [(x, y) for y in (-76, 76) for x in (-54, 54)], 46
    if count == 5:
        return [(-62, -90), (62, -90), (0, 0), (-62, 90), (62, 90)], 43
    if count == 6 and six == "even":
        return [(x, y) for y in (-96, 0, 96) for x in (-52, 52)], 42
    if count == 6:
        return [(x, y) for y in (-106, 20, 106) for x in (-43, 43)], 42
    if count == 7:
        upper = [(-66.0, -88 - 40 * slope), (0.0, -88.0), (66.0, -88 + 40 * slope)]
        return [*upper, *((x, y) for y in (36, 114) for x in (-39, 39))], 36
    if count == 8:
        return [(x, y) for y in (-117, -39, 39, 117) for x in (-40, 40)], 38
    if count == 9:
        return [(x, y) for y in (-98, 0, 98) for x in (-76, 0, 76)], 37
    raise ValueError(f"no layout for {count} dots")


def draw_dots(canvas: Canvas, count: int, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint the face of `count` dots; size is the scale of the whole drawing (1: normal)."""
    dots = style.dots
    names = {"a": dots.first, "b": dots.second, "r": "red"}
    if count == 1:
        main, second, accent = (style.inks[name] for name in dots.rosette_inks)
        inks: dict[str, Colour | None] = {"main": main, "second": second, "accent": accent, "body": None}
        paint(canvas, centre, dots.rosette_radius * size, dots.rosette, inks)
        if dots.heart:
            radius = dots.rosette_radius * size * 0.4
            canvas.disc(centre, radius, accent)
            canvas.disc(centre, radius * 0.9, None)
            write(
                canvas,
                dots.heart,
                style.honours.dragon,
                centre,
                (radius * 1.4, radius * 1.4),
                accent,
                fit=True,
            )
        return
    places, radius = positions(count, dots.six, dots.seven_slope)
    nearest = min(math.dist(p, q) for i, p in enumerate(places) for q in places[:i]) * dots.spread
    radius = min(radius * dots.radius, 0.5 * nearest) * size
    for (x, y), slot in zip(places, _SCHEMES[dots.scheme][count], strict=True):
        main = style.inks[names[slot]]
        second = main if dots.inner == "same" else style.inks[dots.inner]
        place = (centre[0] + x * dots.spread * size, centre[1] + y * dots.spread * size)
        inks = {"main": main, "second": second, "accent": style.inks["red"], "body": None}
        paint(canvas, place, radius, dots.layers, inks)
