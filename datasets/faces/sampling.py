"""Inventing tile sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.faces import birds, dots
from datasets.faces.bamboo import SCHEMES as BAMBOO_SCHEMES
from datasets.faces.bamboo import STICKS
from datasets.faces.chance import pick
from datasets.faces.engraver import engraver
from datasets.faces.glyphs import can_write
from datasets.faces.palettes import random_finish, random_inks
from datasets.faces.plants import DRAWINGS
from datasets.faces.rings import random_dot, random_rosette
from datasets.faces.style import (
    BambooStyle,
    CharacterStyle,
    DotStyle,
    FaceStyle,
    FlowerStyle,
    FontRef,
    GlyphStyle,
    HonourStyle,
    IndexStyle,
)
from datasets.faces.typefaces import DEBIAN_PACKAGES, FontsMissingError, fonts, latin_fonts

_HANDS = {"brush": 0.34, "kai": 0.32, "song": 0.16, "hei": 0.08, "display": 0.10}


def _font(rng: np.random.Generator, hand: str | None = None, needed: str = "") -> FontRef:
    """A font by hand first, then by family, so that large families do not crowd out the rest.

    Raises FontsMissingError when no font can write what is needed.
    """
    found = [f for f in fonts() if can_write(f, needed)]
    if not found:
        raise FontsMissingError(
            f"No font on this machine can write {needed}; on Debian install some with: "
            f"apt-get install {DEBIAN_PACKAGES}"
        )
    hands = sorted({f.hand for f in found})
    chosen = hand if hand in hands else pick(rng, hands, [_HANDS[h] for h in hands])
    family: dict[str, list[FontRef]] = {}
    for f in found:
        if f.hand == chosen:
            name = f.path.rsplit("/", 1)[-1]
            family.setdefault(name.split("-")[0][:9], []).append(f)
    return pick(rng, family[pick(rng, sorted(family))])


def _written(
    rng: np.random.Generator, font: FontRef, traditional: str, simplified: str, share: float
) -> tuple[FontRef, str]:
    """The form of a character (traditional with the given share) and a font for it: mostly the set's own."""
    char = traditional if rng.random() < share else simplified
    if not any(can_write(f, char) for f in fonts()):
        char = simplified if char == traditional else traditional
    if can_write(font, char) and rng.random() < 0.85:
        return font, char
    return _font(rng, font.hand if rng.random() < 0.7 else None, char), char


def _glyph(rng: np.random.Generator, font: FontRef, bold: float, stretch: float, shear: float) -> GlyphStyle:
    light = font.hand in {"kai", "song"} and not any(
        w in font.path for w in ("Bold", "Black", "700", "800", "900")
    )
    weight = bold + (rng.uniform(0.0, 0.03) if light else rng.uniform(-0.006, 0.022))
    return GlyphStyle(
        font,
        weight=float(np.clip(weight, -0.012, 0.045)),
        stretch=stretch,
        shear=shear,
        warp=float(rng.uniform(0.008, 0.045)) if rng.random() < 0.65 else 0.0,
        warp_seed=int(rng.integers(1 << 30)),
        rise=float(rng.normal(0.05, 0.07)) if rng.random() < 0.55 else 0.0,
        flare=float(rng.normal(0.1, 0.16)) if rng.random() < 0.4 else 0.0,
    )


def _dots(rng: np.random.Generator, dragon: FontRef) -> DotStyle:
    hearts = [c for c in "福壽寿吉喜發" if can_write(dragon, c)]
    heart = pick(rng, hearts) if hearts and rng.random() < 0.12 else ""
    first, second = pick(
        rng,
        [
            ("dark", "green"),
            ("blue", "green"),
            ("dark", "dark"),
            ("green", "blue"),
            ("green", "green"),
            ("blue", "blue"),
            ("red", "red"),
            ("dark", "blue"),
        ],
        [5, 4, 2, 2, 1, 1, 0.3, 1],
    )
    rosette = pick(
        rng,
        [
            (first, second, "red"),
            ("dark", "green", "red"),
            ("green", "dark", "red"),
            ("blue", "green", "red"),
            ("red", "green", "blue"),
            (first, first, first),
            ("green", "red", "red"),
        ],
    )
    return DotStyle(
        layers=random_dot(rng),
        rosette=random_rosette(rng),
        rosette_inks=rosette,
        rosette_radius=float(rng.uniform(82, 128)),
        heart=heart,
        scheme=pick(rng, dots.SCHEMES, [6, 3, 2, 2, 1.5, 1.5, 1, 1, 1]),
        first=first,
        second=second,
        inner=pick(rng, ["same", "red", "dark", "green", "blue"], [8, 1, 0.6, 0.6, 0.6]),
        radius=float(rng.uniform(0.9, 1.2)),
        spread=float(rng.uniform(0.86, 1.1)),
        six=pick(rng, ["two_four", "even"], [8, 2]),
        seven_slope=float(rng.uniform(0.45, 1.1)),
    )


def _bamboo(rng: np.random.Generator) -> BambooStyle:
    main = pick(rng, ["green", "dark", "blue"], [8, 2, 0.7])
    bird = pick(rng, birds.BIRDS, [5, 2, 1.5, 3, 2, 2.5, 2, 1.5, 2, 1])
    inks = pick(
        rng,
        [
            ("green", "red", "red"),
            ("dark", "green", "red"),
            ("green", "green", "red"),
            ("blue", "red", "green"),
            ("green", "blue", "red"),
            ("dark", "dark", "red"),
            ("red", "green", "dark"),
            ("blue", "green", "red"),
            ("green", "green", "green"),
            (main, main, main),
        ],
    )
    stick = pick(rng, STICKS, [3, 4, 3, 3, 3, 1, 1.5, 1, 2])
    return BambooStyle(
        stick=stick,
        width=float(rng.uniform(24, 48)) if stick != "bar" else float(rng.uniform(17, 30)),
        length=float(rng.uniform(0.86, 1.02)),
        groove=float(pick(rng, [0.0, rng.uniform(0.12, 0.3), rng.uniform(0.3, 0.56)], [2, 5, 2])),
        knots=bool(rng.random() < 0.45),
        scheme=pick(rng, BAMBOO_SCHEMES, [5, 1.5, 4, 4, 2, 1.5, 0.7]),
        main=main,
        other=pick(rng, ["blue", "dark", "green"], [5, 3, 1]),
        spread=float(rng.uniform(0.86, 1.08)),
        six=pick(rng, ["wide", "tall"], [12, 1]),
        eight=pick(rng, ["wm", "mw", "rows", "three_two_three"], [10, 5, 0.7, 0.7]),
        bird=bird,
        bird_inks=inks,
        bird_size=float(rng.uniform(0.84, 1.24)),
        bird_seed=int(rng.integers(1 << 30)),
        bird_left=bool(rng.random() < 0.35),
        bird_turn=float(rng.normal(0, 0.12)),
        bird_squeeze=float(rng.uniform(0.62, 1.08)),
        bird_line=float(rng.uniform(6.5, 11.5)),
    )


def _honours(
    rng: np.random.Generator, wind: GlyphStyle, dragon: GlyphStyle, east: str, green: str
) -> HonourStyle:
    white = pick(
        rng,
        ["frame", "double", "octagon", "corners", "bands", "blank", "letter", "character"],
        [4, 5, 6, 3, 2, 2, 0.8, 0.6],
    )
    if white == "character" and not can_write(dragon.font, "白"):
        white = "frame"
    ink = pick(rng, ["dark", "blue", "green", "red"], [5, 5, 1, 0.5])
    frame_width = float(rng.uniform(165, 240))
    text = ""
    if white == "letter":
        text = pick(rng, ["P", "B"])
    elif white in {"frame", "double", "octagon", "bands"} and rng.random() < 0.15:
        options = ["P", "B", "白"] if can_write(dragon.font, "白") else ["P", "B"]
        text = pick(rng, options)
    return HonourStyle(
        wind=wind,
        dragon=dragon,
        east_char=east,
        green_char=green,
        wind_ink=pick(rng, ["dark", "blue", "green"], [6, 4, 0.5]),
        size=float(rng.uniform(150, 325)),
        red_height=float(rng.uniform(0.95, 1.25)),
        white=white,
        white_inks=(ink, pick(rng, [ink, "red", "green", "dark"], [8, 1, 1, 0.5])),
        white_line=float(rng.uniform(6, 17)),
        white_size=(frame_width, min(330.0, frame_width * float(rng.uniform(1.3, 1.6)))),
        white_text=text,
    )


def _flowers(rng: np.random.Generator, glyph: GlyphStyle, orchid: str) -> FlowerStyle:
    # 梅兰菊竹 is the usual count on tiles, 梅兰竹菊 the rarer one.
    plants = ("1", "2", "4", "3") if rng.random() < 0.88 else ("1", "2", "3", "4")
    numbers = ("1", "2", "3", "4", *plants)
    if rng.random() < 0.15:
        chinese = dict(zip("1234", "一二三四", strict=True))
        half = rng.random() < 0.6
        written = [chinese[n] if k < 4 or not half else n for k, n in enumerate(numbers)]
    else:
        written = list(numbers)
    # Many sets show any flower on any of the eight: then only the writing tells which it is.
    seasons = [pick(rng, DRAWINGS, [1, 1, 0.4, 1, 1, 1, 1, 1, 0.7, 0.5, 6]) for _ in range(4)]
    gentlemen = ["plum", "orchid", "bamboo", "chrysanthemum"]
    if rng.random() < 0.4:
        seasons = [
            "peony",
            "lotus",
            pick(rng, ["berries", "chrysanthemum"]),
            pick(rng, ["narcissus", "plum"]),
        ]
    if rng.random() < 0.45:
        gentlemen = [name if rng.random() < 0.4 else "sprig" for name in gentlemen]
    if rng.random() < 0.16:
        alike = [pick(rng, ["pot", "figure", "peony", "sprig"])] * 4
        seasons, gentlemen = (alike, gentlemen) if rng.random() < 0.5 else (seasons, alike)
    warm = (
        ("red", "dark")
        if rng.random() < 0.6
        else pick(rng, [("dark", "red"), ("red", "red"), ("blue", "blue"), ("green", "red")])
    )
    cool = (
        warm[::-1]
        if rng.random() < 0.6
        else pick(rng, [("dark", "dark"), ("blue", "red"), ("green", "green"), ("blue", "blue")])
    )
    return FlowerStyle(
        glyph=glyph,
        characters=("春", "夏", "秋", "冬", "梅", orchid, "竹", "菊"),
        numbers=tuple(written),
        number_font=pick(rng, latin_fonts()),
        number_size=float(rng.uniform(48, 104)),
        character_size=float(rng.uniform(64, 128)),
        layout=pick(
            rng,
            ["corners", "swapped", "left", "right", "character", "number", "big"],
            [7, 2, 1, 1.5, 1.2, 0.8, 0.8],
        ),
        season_inks=warm,
        plant_inks=cool,
        drawings=(*seasons, *gentlemen),
        drawing_inks=pick(
            rng,
            [
                ("green", "red", "red"),
                ("dark", "red", "red"),
                ("green", "red", "blue"),
                ("green", "red", "dark"),
                ("dark", "dark", "red"),
                ("blue", "red", "green"),
                ("green", "blue", "red"),
            ],
            [5, 3, 2, 2, 1, 1, 1],
        ),
        drawing_size=float(rng.uniform(0.9, 1.25)),
        drawing_squeeze=float(rng.uniform(0.75, 1.1)),
        line=float(rng.uniform(5.5, 10.5)),
        seed=int(rng.integers(1 << 30)),
    )


def _index(rng: np.random.Generator) -> IndexStyle:
    if rng.random() < 0.58:
        return IndexStyle(font=pick(rng, latin_fonts()))
    corners = pick(
        rng, [("tl",), ("tr",), ("tl", "br"), ("tr", "bl"), ("tl", "tr", "bl", "br")], [7, 3, 1.2, 0.3, 0.15]
    )
    return IndexStyle(
        corners=corners,
        font=pick(rng, latin_fonts()),
        size=float(rng.uniform(34, 66)),
        ink=pick(rng, ["red", "green", "blue", "dark"], [4, 2, 2, 2]),
        suit_inks=bool(rng.random() < 0.2),
        white_letter=pick(rng, ["P", "B"]),
    )


def random_style(rng: np.random.Generator) -> FaceStyle:
    """Invent a tile set; the same state of the generator and the same fonts give the same set.

    Raises FontsMissingError when the machine has no usable font.
    """
    finish, dark_body = random_finish(rng)
    # A third of the sets are in an engraver's hand: most real ones are, and fonts are not.
    font = engraver(int(rng.integers(1 << 30))) if rng.random() < 0.34 else _font(rng)
    bold = float(rng.choice([0.0, 0.006, 0.012, 0.018, 0.026]))
    stretch = float(np.clip(rng.normal(1.06, 0.17), 0.72, 1.55))
    shear = float(rng.normal(0, 0.05)) if rng.random() < 0.5 else 0.0
    numeral_font = font if rng.random() < 0.97 else _font(rng, font.hand)
    numeral = _glyph(rng, numeral_font, bold, stretch, shear)
    wan_font, wan_char = _written(rng, font, "萬", "万", 0.92)
    wan_stretch = float(np.clip(stretch * rng.uniform(0.9, 1.25), 0.8, 1.45))
    wan = _glyph(rng, wan_font, bold, wan_stretch, shear)
    wind_font, east = _written(rng, font, "東", "东", 0.93)
    tall = stretch * float(rng.choice([1.0, 0.9, 0.78, 0.68], p=[0.45, 0.25, 0.18, 0.12]))
    wind = _glyph(rng, wind_font, bold, tall, shear)
    dragon_font, green = _written(rng, font, "發", "发", 0.94)
    dragon = _glyph(rng, dragon_font, bold, tall, shear)
    orchid_font, orchid = _written(rng, font, "蘭", "兰", 0.6)
    flower = _glyph(rng, orchid_font, bold * 0.7, 1.0, 0.0)
    outline = float(rng.uniform(0.025, 0.04)) if rng.random() < 0.04 else 0.0
    if outline:
        numeral, wan, wind, dragon = (
            replace(g, weight=g.weight + 0.01, outline=outline) for g in (numeral, wan, wind, dragon)
        )
    numeral_ink = pick(rng, ["dark", "blue", "red", "green"], [6, 4, 0.5, 0.4])
    wan_size = float(rng.uniform(112, 214))
    return FaceStyle(
        aspect=float(np.clip(rng.normal(0.75, 0.025), 0.68, 0.82)),
        inks=random_inks(rng, dark_body),
        character=CharacterStyle(
            numeral=numeral,
            wan=wan,
            wan_char=wan_char,
            five_char="伍" if can_write(numeral.font, "伍") and rng.random() < 0.62 else "五",
            numeral_ink=numeral_ink,
            wan_ink=pick(rng, ["red", numeral_ink, "dark"], [12, 1.2, 0.6]),
            numeral_size=float(np.clip(wan_size * rng.uniform(0.72, 1.08), 88, 186)),
            wan_size=wan_size,
            gap=float(rng.uniform(-16, 28)),
        ),
        dots=_dots(rng, dragon.font),
        bamboo=_bamboo(rng),
        honours=_honours(rng, wind, dragon, east, green),
        flowers=_flowers(rng, flower, orchid),
        index=_index(rng),
        finish=finish,
    )
