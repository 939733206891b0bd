"""The project's own tile set."""

from __future__ import annotations

import math

from datasets.faces.glyphs import can_write
from datasets.faces.style import (
    BambooStyle,
    CharacterStyle,
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


def house_style() -> FaceStyle:
    """The project's own set: a classic one in bold Kai, engraved in ivory white, without indices.

    Raises FontsMissingError when the machine has no usable font.
    """
    font = _preferred("LXGWWenKai-Bold", "cwkai", "ukai", "TW-Kai")
    glyph = GlyphStyle(font, weight=0.012, stretch=1.12)
    plain = GlyphStyle(font, weight=0.012)
    ring = (
        Layer("disc", 1, "main"),
        Layer("disc", 0.8, "body"),
        Layer("disc", 0.62, "main"),
        Layer("disc", 0.42, "body"),
        Layer("disc", 0.2, "main"),
    )
    rosette = (
        Layer("loops", 1, "main", 0.64, 16),
        Layer("ring", 0.66, "main", 0.06),
        Layer("petals", 0.56, "accent", 0.26, 10),
        Layer("ring", 0.25, "second", 0.06),
        Layer("disc", 0.12, "accent"),
    )
    return FaceStyle(
        aspect=0.74,
        inks=Inks(dark=(22, 38, 112), green=(12, 104, 56), red=(190, 26, 34), blue=(26, 58, 168)),
        character=CharacterStyle(
            glyph, glyph, _wan(font), "伍" if can_write(font, "伍") else "五", "dark", "red", 124, 150, 16
        ),
        dots=DotStyle(
            ring,
            rosette,
            ("green", "dark", "red"),
            118,
            "",
            "classic",
            "dark",
            "green",
            "same",
            1.05,
            1.0,
            "two_four",
            0.85,
        ),
        bamboo=BambooStyle(
            stick="bulges",
            width=36,
            length=1.0,
            groove=0.2,
            knots=True,
            scheme="classic",
            main="green",
            other="dark",
            spread=1.03,
            six="wide",
            eight="wm",
            bird="peacock",
            bird_inks=("dark", "green", "red"),
            bird_size=1.08,
            bird_seed=4,
            bird_left=False,
            bird_turn=0.0,
            bird_squeeze=0.95,
            bird_line=9.0,
        ),
        honours=HonourStyle(
            wind=glyph,
            dragon=glyph,
            east_char="東" if can_write(font, "東") else "东",
            green_char="發" if can_write(font, "發") else "发",
            wind_ink="dark",
            size=205,
            red_height=1.12,
            white="octagon",
            white_inks=("dark", "dark"),
            white_line=11,
            white_size=(206, 300),
            white_text="",
        ),
        flowers=FlowerStyle(
            glyph=plain,
            characters=("春", "夏", "秋", "冬", "梅", "蘭" if can_write(font, "蘭") else "兰", "竹", "菊"),
            numbers=("1", "2", "3", "4", "1", "2", "4", "3"),
            number_font=latin_fonts()[0],
            number_size=58,
            character_size=82,
            layout="corners",
            season_inks=("red", "dark"),
            plant_inks=("dark", "red"),
            drawings=("peony", "lotus", "berries", "narcissus", "plum", "orchid", "bamboo", "chrysanthemum"),
            drawing_inks=("green", "red", "dark"),
            drawing_size=1.12,
            drawing_squeeze=0.9,
            line=7.0,
            seed=11,
        ),
        index=IndexStyle(font=latin_fonts()[0]),
        finish=Finish(
            body=(243, 239, 228),
            grain=1.2,
            relief=0.55,
            light=math.radians(225),
            core=0.4,
            edge=-8.0,
            opacity=0.97,
            soft=0.5,
        ),
    )


def _preferred(*names: str) -> FontRef:
    found = fonts()
    for name in names:
        for font in found:
            if font.path.rsplit("/", 1)[-1].startswith(name):
                return font
    return found[0]


def _wan(font: FontRef) -> str:
    return "萬" if can_write(font, "萬") else "万"
