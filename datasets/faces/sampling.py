"""Inventing tile sets: `random_style` from a generator, `house_style` by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from datasets.faces import birds, dots
from datasets.faces.bamboo import SCHEMES as BAMBOO_SCHEMES
from datasets.faces.bamboo import STICKS
from datasets.faces.glyphs import can_write
from datasets.faces.plants import DRAWINGS
from datasets.faces.style import (
    BambooStyle,
    CharacterStyle,
    Colour,
    DotStyle,
    FaceStyle,
    Finish,
    FlowerStyle,
    FontRef,
    GlyphStyle,
    HonourStyle,
    IndexStyle,
    Inks,
    Layer,
)
from datasets.faces.typefaces import fonts, latin_fonts

T = TypeVar("T")

_HANDS = {"brush": 0.34, "kai": 0.32, "song": 0.16, "hei": 0.08, "display": 0.10}
_DARK: tuple[Colour, ...] = (
    (18, 18, 22), (30, 32, 36), (12, 24, 44), (24, 34, 110), (26, 60, 176), (20, 44, 140), (14, 50, 44), (44, 40, 44)
)  # fmt: skip
_GREEN: tuple[Colour, ...] = (
    (14, 84, 44), (20, 110, 56), (8, 140, 74), (30, 72, 40), (10, 96, 86), (60, 104, 24), (20, 60, 44), (0, 150, 96)
)  # fmt: skip
_RED: tuple[Colour, ...] = (
    (196, 24, 34), (168, 22, 34), (222, 44, 32), (206, 32, 78), (150, 20, 24), (232, 60, 66), (184, 30, 60)
)  # fmt: skip
_BLUE: tuple[Colour, ...] = (
    (24, 56, 168), (30, 80, 200), (34, 44, 120), (60, 70, 180), (16, 90, 160), (20, 30, 80), (90, 120, 200)
)  # fmt: skip
_BODIES: tuple[tuple[float, Colour], ...] = (
    (0.36, (240, 240, 238)),  # white
    (0.20, (240, 232, 214)),  # ivory
    (0.12, (236, 222, 182)),  # cream
    (0.08, (238, 216, 150)),  # yellow
    (0.08, (222, 228, 238)),  # cold white
    (0.05, (206, 206, 204)),  # grey
    (0.04, (214, 232, 218)),  # pale jade
    (0.03, (244, 218, 222)),  # pink
    (0.03, (204, 224, 240)),  # light blue
    (0.03, (224, 196, 160)),  # wood, bone
    (0.015, (40, 110, 80)),  # green
    (0.015, (34, 34, 38)),  # black
    (0.01, (40, 60, 120)),  # dark blue
)


def _one(rng: np.random.Generator, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
    if weights is None:
        return options[int(rng.integers(len(options)))]
    w = np.asarray(weights, float)
    return options[int(rng.choice(len(options), p=w / w.sum()))]


def _near(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    r, g, b = (int(np.clip(c + rng.normal(0, spread), 0, 255)) for c in colour)
    return r, g, b


def _font(rng: np.random.Generator, hand: str | None = None, needed: str = "") -> FontRef:
    """A font by hand first, then by family, so that large families do not crowd out the rest."""
    found = [f for f in fonts() if can_write(f, needed)] or list(fonts())
    hands = sorted({f.hand for f in found})
    chosen = hand if hand in hands else _one(rng, hands, [_HANDS[h] for h in hands])
    family: dict[str, list[FontRef]] = {}
    for f in found:
        if f.hand == chosen:
            name = f.path.rsplit("/", 1)[-1]
            family.setdefault(name.split("-")[0][:9], []).append(f)
    return _one(rng, family[_one(rng, sorted(family))])


def _glyph(rng: np.random.Generator, font: FontRef, bold: float, stretch: float, shear: float) -> GlyphStyle:
    light = font.hand in {"kai", "song"} and not any(w in font.path for w in ("Bold", "Black", "700", "800", "900"))
    weight = bold + (rng.uniform(0.0, 0.03) if light else rng.uniform(-0.006, 0.014))
    return GlyphStyle(font, float(np.clip(weight, -0.012, 0.045)), stretch, shear)


def _inks(rng: np.random.Generator, dark_body: bool) -> Inks:
    if dark_body:
        pale = _one(rng, [(236, 232, 220), (222, 190, 110), (200, 210, 220)])
        green = _one(rng, [(110, 210, 130), (90, 200, 160), pale])
        red = _one(rng, [(236, 90, 80), (240, 120, 120), (226, 60, 60)])
        return Inks(_near(rng, pale, 6), _near(rng, green, 6), _near(rng, red, 6), _near(rng, (130, 170, 240), 8))
    return Inks(
        _near(rng, _one(rng, _DARK, [5, 4, 3, 3, 3, 2, 2, 2]), 6),
        _near(rng, _one(rng, _GREEN), 7),
        _near(rng, _one(rng, _RED), 8),
        _near(rng, _one(rng, _BLUE), 8),
    )


def _finish(rng: np.random.Generator) -> tuple[Finish, bool]:
    body = _one(rng, [c for _, c in _BODIES], [w for w, _ in _BODIES])
    dark = sum(body) < 330
    return (
        Finish(
            body=_near(rng, body, 6),
            grain=float(rng.uniform(0.5, 3.0)),
            relief=float(rng.uniform(0.15, 0.9)) if rng.random() < 0.8 else 0.0,
            light=float(rng.uniform(0, 2 * math.pi)),
            core=float(rng.uniform(0.2, 0.9)) if rng.random() < 0.55 else 0.0,
            edge=float(rng.uniform(-26, 14)) if rng.random() < 0.6 else 0.0,
            opacity=float(rng.uniform(0.82, 1.0)),
            soft=float(rng.uniform(0.0, 1.3)),
        ),
        dark,
    )


def _dot_layers(rng: np.random.Generator) -> tuple[Layer, ...]:
    kind = _one(rng, ["rings2", "rings3", "target", "solid", "wheel", "quatrefoil", "star", "flower", "grid", "beads",
                      "twotone", "petals"], [5, 4, 4, 1, 2, 3, 2, 2, 1, 1.5, 2, 2])  # fmt: skip
    u = rng.uniform
    if kind == "rings2":
        w = u(0.16, 0.3)
        return (Layer("disc", 1, "main"), Layer("disc", 1 - w, "body"), Layer("disc", u(0.36, 0.56), "second"),
                Layer("disc", u(0.08, 0.26), "body"))  # fmt: skip
    if kind == "rings3":
        w = u(0.13, 0.18)
        return (Layer("disc", 1, "main"), Layer("disc", 1 - w, "body"), Layer("disc", 0.72, "main"),
                Layer("disc", 0.72 - w, "body"), Layer("disc", u(0.26, 0.4), "second"),
                Layer("disc", u(0.0, 0.14) + 0.01, "body"))  # fmt: skip
    if kind == "target":
        w = u(0.07, 0.13)
        return (Layer("disc", 1, "main"), Layer("ring", 0.86, "body", w), Layer("ring", 0.56, "body", w),
                Layer("disc", u(0.1, 0.24), "body"))  # fmt: skip
    if kind == "solid":
        return (Layer("disc", 1, "main"), Layer("disc", u(0.05, 0.3), "body"))
    if kind == "wheel":
        n = int(_one(rng, [6, 8, 10, 12]))
        return (Layer("disc", 1, "main"), Layer("disc", u(0.78, 0.88), "body"),
                Layer("cross", 0.84, "second", u(0.07, 0.12), n // 2), Layer("disc", u(0.2, 0.36), "second"),
                Layer("disc", 0.12, "body"))  # fmt: skip
    if kind == "quatrefoil":
        turn = _one(rng, [0.0, math.pi / 4])
        r = u(0.62, 0.74)
        return (Layer("disc", 1, "main"), Layer("petals", r + 0.16, "body", 0.14, 4, turn), Layer("disc", 0.14, "main"))
    if kind == "star":
        n = int(rng.integers(5, 9))
        return (Layer("disc", 1, "main"), Layer("disc", u(0.76, 0.86), _one(rng, ["body", "second"])),
                Layer("star", 0.72, _one(rng, ["second", "main", "accent"]), u(0.28, 0.4), n))  # fmt: skip
    if kind == "flower":
        n = int(rng.integers(5, 9))
        return (Layer("disc", 1, "main"), Layer("disc", 0.84, "body"), Layer("petals", 0.78, "second", 0.16, n),
                Layer("disc", 0.16, "accent"))  # fmt: skip
    if kind == "grid":
        n = int(_one(rng, [4, 5, 6]))
        return (Layer("disc", 1, "main"), Layer("disc", 0.82, "body"), Layer("grid", 0.78, "second", 0, n))
    if kind == "beads":
        return (Layer("disc", 1, "main"), Layer("beads", 0.68, "body", 0.13, int(rng.integers(6, 10))),
                Layer("disc", 0.36, "body"), Layer("disc", 0.22, "second"))  # fmt: skip
    if kind == "twotone":
        return (Layer("disc", 1, "main"), Layer("disc", u(0.6, 0.75), "second"), Layer("disc", u(0.3, 0.45), "body"),
                Layer("disc", u(0.1, 0.26), "accent"))  # fmt: skip
    n = int(rng.integers(7, 13))
    return (Layer("loops", 1, "main", 0.5, n), Layer("ring", 0.56, "main", 0.13), Layer("disc", u(0.2, 0.3), "second"))


def _rosette(rng: np.random.Generator) -> tuple[Layer, ...]:
    """The large ornament of 1p: a rim, a band and a heart, each one of several."""
    u = rng.uniform
    layers: list[Layer] = []
    rim = _one(rng, ["ring", "double", "petals", "solid", "lobes"], [4, 3, 4, 2, 1])
    n = int(rng.integers(10, 21))
    inner = 0.8
    if rim == "ring":
        w = u(0.06, 0.16)
        layers += [Layer("disc", 1, "main"), Layer("disc", 1 - w, "body")]
        inner = 0.94 - w
    elif rim == "double":
        w = u(0.04, 0.08)
        layers += [Layer("ring", 1, "main", w), Layer("ring", 0.95 - w, _one(rng, ["main", "second"]), w)]
        inner = 0.9 - 2 * w
    elif rim == "petals":
        inner = u(0.52, 0.66)
        layers += [Layer("loops", 1, "main", inner, n)]
    elif rim == "solid":
        inner = u(0.7, 0.8)
        layers += [Layer("disc", 1, "main")]
        cut = _one(rng, ["beads", "petals", "ticks", "none"])
        if cut == "beads":
            layers.append(Layer("beads", (1 + inner) / 2, "body", (1 - inner) * 0.3, n))
        elif cut != "none":
            layers.append(Layer(cut, 0.95, "body", inner + 0.03, n))
        layers.append(Layer("disc", inner, "body"))
        inner -= 0.05
    else:
        layers += [Layer("lobes", 1, "main", 0.9, n), Layer("lobes", 0.88, "body", 0.8, n)]
        inner = 0.76
    band = _one(rng, ["petals", "loops", "ticks", "beads", "disc", "rings", "none"], [3, 3, 2, 2, 2, 3, 2])
    low = inner * u(0.5, 0.66)
    m = int(rng.integers(8, 17))
    ink = _one(rng, ["second", "main", "accent"], [3, 2, 1])
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
    heart = _one(rng, ["rings", "cross", "star", "flower", "solid", "bare", "beads", "quatre"])
    ink = _one(rng, ["accent", "second", "main"], [5, 2, 1])
    if heart == "rings":
        layers += [Layer("ring", low, ink, 0.07), Layer("ring", low * 0.62, ink, 0.06), Layer("disc", low * 0.26, ink)]
    elif heart == "cross":
        layers += [Layer("ring", low, ink, 0.06), Layer("cross", low * 0.6, ink, 0.09, 2)]
    elif heart == "star":
        layers += [Layer("star", low, ink, low * 0.4, int(rng.integers(5, 9)))]
    elif heart == "flower":
        layers += [Layer("petals", low, ink, low * 0.25, int(rng.integers(5, 10))), Layer("disc", low * 0.2, "second")]
    elif heart == "solid":
        layers += [Layer("disc", low, ink), Layer("disc", low * u(0.1, 0.5), "body")]
    elif heart == "bare":
        layers += [Layer("ring", low, ink, 0.08)]
    elif heart == "beads":
        layers += [Layer("beads", low * 0.7, ink, low * 0.22, 6), Layer("disc", low * 0.26, ink)]
    else:
        layers += [Layer("disc", low, ink), Layer("petals", low * 0.9, "body", low * 0.15, 4)]
    return tuple(layers)


def _dots(rng: np.random.Generator) -> DotStyle:
    first, second = _one(rng, [("dark", "green"), ("blue", "green"), ("dark", "dark"), ("green", "blue"), ("green", "green"),
                               ("blue", "blue"), ("red", "red"), ("dark", "blue")], [5, 4, 2, 2, 1, 1, 0.3, 1])  # fmt: skip
    rosette = _one(rng, [(first, second, "red"), ("dark", "green", "red"), ("green", "dark", "red"), ("blue", "green", "red"),
                         ("red", "green", "blue"), (first, first, first), ("green", "red", "red")])  # fmt: skip
    return DotStyle(
        layers=_dot_layers(rng),
        rosette=_rosette(rng),
        rosette_inks=rosette,
        rosette_radius=float(rng.uniform(82, 128)),
        scheme=_one(rng, dots.SCHEMES, [6, 3, 2, 2, 1.5, 1.5, 1, 1, 1]),
        first=first,
        second=second,
        inner=_one(rng, ["same", "red", "dark", "green", "blue"], [8, 1, 0.6, 0.6, 0.6]),
        radius=float(rng.uniform(0.88, 1.2)),
        spread=float(rng.uniform(0.86, 1.1)),
        six=_one(rng, ["two_four", "even"], [8, 2]),
        seven_slope=float(rng.uniform(0.45, 1.1)),
    )


def _bamboo(rng: np.random.Generator) -> BambooStyle:
    main = _one(rng, ["green", "dark", "blue"], [8, 2, 0.7])
    bird = _one(rng, birds.BIRDS, [5, 3, 2.5, 2.5, 2, 1.5, 2, 1])
    inks = _one(rng, [("green", "red", "red"), ("dark", "green", "red"), ("green", "green", "red"), ("blue", "red", "green"),
                      ("green", "blue", "red"), ("dark", "dark", "red"), ("red", "green", "dark"), ("blue", "green", "red"),
                      ("green", "green", "green"), (main, main, main)])  # fmt: skip
    stick = _one(rng, STICKS, [3, 4, 3, 3, 3, 1, 1.5, 1, 2])
    return BambooStyle(
        stick=stick,
        width=float(rng.uniform(24, 48)) if stick != "bar" else float(rng.uniform(17, 30)),
        length=float(rng.uniform(0.86, 1.02)),
        groove=float(rng.uniform(0.14, 0.34)) if rng.random() < 0.75 else 0.0,
        knots=bool(rng.random() < 0.45),
        scheme=_one(rng, BAMBOO_SCHEMES, [5, 1.5, 4, 4, 2, 1.5, 0.7]),
        main=main,
        other=_one(rng, ["blue", "dark", "green"], [5, 3, 1]),
        spread=float(rng.uniform(0.86, 1.08)),
        six=_one(rng, ["wide", "tall"], [12, 1]),
        eight=_one(rng, ["wm", "mw", "rows", "three_two_three"], [10, 5, 0.7, 0.7]),
        bird=bird,
        bird_inks=inks,
        bird_size=float(rng.uniform(0.8, 1.12)),
        bird_seed=int(rng.integers(1 << 30)),
        bird_left=bool(rng.random() < 0.35),
    )


def _honours(rng: np.random.Generator, wind: GlyphStyle, dragon: GlyphStyle) -> HonourStyle:
    east = "東" if can_write(wind.font, "東") and (rng.random() < 0.93 or not can_write(wind.font, "东")) else "东"
    if can_write(dragon.font, "發") and (rng.random() < 0.95 or not can_write(dragon.font, "发")):
        green = "發"
    else:
        green = "发"
    white = _one(rng, ["frame", "double", "octagon", "corners", "bands", "blank", "letter", "character"],
                 [4, 5, 6, 3, 2, 2, 0.8, 0.6])  # fmt: skip
    if white == "character" and not can_write(dragon.font, "白"):
        white = "frame"
    ink = _one(rng, ["dark", "blue", "green", "red"], [5, 5, 1, 0.5])
    frame_width = float(rng.uniform(150, 232))
    text = ""
    if white == "letter":
        text = _one(rng, ["P", "B", "W"], [3, 3, 0.0])
    elif white in {"frame", "double", "octagon", "bands"} and rng.random() < 0.15:
        options = ["P", "B", "白"] if can_write(dragon.font, "白") else ["P", "B"]
        text = _one(rng, options)
    return HonourStyle(
        wind=wind,
        dragon=dragon,
        east_char=east,
        green_char=green,
        wind_ink=_one(rng, ["dark", "blue", "green"], [6, 4, 0.5]),
        size=float(rng.uniform(150, 262)),
        red_height=float(rng.uniform(0.95, 1.25)),
        white=white,
        white_inks=(ink, _one(rng, [ink, "red", "green", "dark"], [8, 1, 1, 0.5])),
        white_line=float(rng.uniform(6, 17)),
        white_size=(frame_width, min(330.0, frame_width * float(rng.uniform(1.3, 1.6)))),
        white_text=text,
    )


def _flowers(rng: np.random.Generator, glyph: GlyphStyle) -> FlowerStyle:
    orchid = "蘭" if can_write(glyph.font, "蘭") and (rng.random() < 0.6 or not can_write(glyph.font, "兰")) else "兰"
    # 梅兰菊竹 is the usual count on tiles, 梅兰竹菊 the rarer one.
    plants = ("1", "2", "4", "3") if rng.random() < 0.88 else ("1", "2", "3", "4")
    numbers = ("1", "2", "3", "4", *plants)
    if rng.random() < 0.15:
        chinese = dict(zip("1234", "一二三四", strict=True))
        half = rng.random() < 0.6
        numbers = tuple(chinese[n] if k < 4 or not half else n for k, n in enumerate(numbers))
    own = bool(rng.random() < 0.75)
    seasons = [_one(rng, DRAWINGS) for _ in range(4)]
    if rng.random() < 0.5:
        seasons = ["peony", "lotus", "berries" if rng.random() < 0.5 else "chrysanthemum", "narcissus" if rng.random() < 0.5 else "plum"]
    gentlemen = ["plum", "orchid", "bamboo", "chrysanthemum"]
    if not own:
        kind = _one(rng, ["pot", "figure", "peony"])
        if rng.random() < 0.5:
            seasons = [kind] * 4
        else:
            gentlemen = [kind] * 4
    warm = ("red", "dark") if rng.random() < 0.6 else _one(rng, [("dark", "red"), ("red", "red"), ("blue", "blue"), ("green", "red")])
    cool = warm[::-1] if rng.random() < 0.6 else _one(rng, [("dark", "dark"), ("blue", "red"), ("green", "green"), ("blue", "blue")])
    return FlowerStyle(
        glyph=glyph,
        characters=("春", "夏", "秋", "冬", "梅", orchid, "竹", "菊"),
        numbers=numbers,
        number_font=_one(rng, latin_fonts()),
        number_size=float(rng.uniform(52, 88)),
        character_size=float(rng.uniform(66, 108)),
        layout=_one(rng, ["corners", "swapped", "left", "right", "character", "number"], [7, 2, 1, 1.5, 1.2, 0.8]),
        season_inks=warm,
        plant_inks=cool,
        drawings=(*seasons, *gentlemen),
        drawing_inks=_one(rng, [("green", "red", "red"), ("dark", "red", "red"), ("green", "red", "blue"), ("green", "red", "dark"),
                                ("dark", "dark", "red"), ("blue", "red", "green"), ("green", "blue", "red")],
                          [5, 3, 2, 2, 1, 1, 1]),  # fmt: skip
        drawing_size=float(rng.uniform(0.82, 1.04)),
        line=float(rng.uniform(5.5, 10.5)),
        seed=int(rng.integers(1 << 30)),
    )


def _index(rng: np.random.Generator) -> IndexStyle:
    if rng.random() < 0.58:
        return IndexStyle(font=_one(rng, latin_fonts()))
    corners = _one(rng, [("tl",), ("tr",), ("tl", "br"), ("tr", "bl"), ("tl", "tr", "bl", "br")], [7, 3, 1.2, 0.4, 0.3])
    return IndexStyle(
        corners=corners,
        font=_one(rng, latin_fonts()),
        size=float(rng.uniform(34, 66)),
        ink=_one(rng, ["red", "green", "blue", "dark"], [4, 2, 2, 2]),
        suit_inks=bool(rng.random() < 0.2),
        white_letter=_one(rng, ["P", "B"]),
    )


def random_style(rng: np.random.Generator) -> FaceStyle:
    """Invent a tile set; the same state of the generator and the same fonts give the same set.

    Raises FontsMissing when the machine has no usable font.
    """
    finish, dark_body = _finish(rng)
    font = _font(rng)
    bold = float(rng.choice([0.0, 0.006, 0.012, 0.018, 0.026]))
    stretch = float(np.clip(rng.normal(1.05, 0.13), 0.78, 1.4))
    shear = float(rng.normal(0, 0.05)) if rng.random() < 0.5 else 0.0
    wan_char = "万" if rng.random() < 0.08 else "萬"

    def with_chars(needed: str, keep: float = 0.85) -> FontRef:
        if can_write(font, needed) and rng.random() < keep:
            return font
        return _font(rng, font.hand if rng.random() < 0.7 else None, needed)

    numeral = _glyph(rng, with_chars("伍", 0.97), bold, stretch, shear)
    wan = _glyph(rng, with_chars(wan_char), bold, float(np.clip(stretch * rng.uniform(0.9, 1.25), 0.8, 1.45)), shear)
    wind = _glyph(rng, with_chars("東" if rng.random() < 0.93 else "东"), bold, stretch, shear)
    dragon = _glyph(rng, with_chars("發" if rng.random() < 0.95 else "发"), bold, stretch, shear)
    flower = _glyph(rng, with_chars("", 0.6), bold * 0.7, 1.0, 0.0)
    outline = float(rng.uniform(0.025, 0.04)) if rng.random() < 0.04 else 0.0
    if outline:
        numeral, wan, wind, dragon = (GlyphStyle(g.font, g.weight + 0.01, g.stretch, g.shear, outline)
                                      for g in (numeral, wan, wind, dragon))  # fmt: skip
    numeral_ink = _one(rng, ["dark", "blue", "red", "green"], [6, 4, 0.5, 0.4])
    wan_size = float(rng.uniform(112, 190))
    return FaceStyle(
        aspect=float(np.clip(rng.normal(0.75, 0.025), 0.68, 0.82)),
        inks=_inks(rng, dark_body),
        character=CharacterStyle(
            numeral=numeral,
            wan=wan,
            wan_char=wan_char,
            five_char="伍" if can_write(numeral.font, "伍") and rng.random() < 0.62 else "五",
            numeral_ink=numeral_ink,
            wan_ink=_one(rng, ["red", numeral_ink, "dark"], [12, 1.2, 0.6]),
            numeral_size=float(np.clip(wan_size * rng.uniform(0.75, 1.1), 92, 168)),
            wan_size=wan_size,
            gap=float(rng.uniform(0, 26)),
        ),
        dots=_dots(rng),
        bamboo=_bamboo(rng),
        honours=_honours(rng, wind, dragon),
        flowers=_flowers(rng, flower),
        index=_index(rng),
        finish=finish,
    )
