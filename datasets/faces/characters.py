"""1m to 9m: a numeral above 萬 or 万."""

from __future__ import annotations

from datasets.faces.canvas import Canvas, Point
from datasets.faces.glyphs import write
from datasets.faces.style import FaceStyle
from datasets.faces.typefaces import NUMERALS


def numeral(count: int, style: FaceStyle) -> str:
    """The written numeral of a character tile in this set."""
    return style.character.five_char if count == 5 else NUMERALS[count - 1]


def draw_character(canvas: Canvas, count: int, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint the character tile of `count`; size is the scale of the whole drawing (1: normal)."""
    character = style.character
    # Two large characters may not outgrow the face.
    size *= min(1.0, 374 / (character.numeral_size + character.wan_size + character.gap))
    upper, lower = character.numeral_size * size, character.wan_size * size
    total = upper + lower + character.gap * size
    top = centre[1] - total / 2
    write(
        canvas,
        numeral(count, style),
        character.numeral,
        (centre[0], top + upper / 2),
        (236 * size, upper),
        style.inks[character.numeral_ink],
    )
    write(
        canvas,
        character.wan_char,
        character.wan,
        (centre[0], top + total - lower / 2),
        (236 * size, lower),
        style.inks[character.wan_ink],
        fit=True,
    )
