"""The eight flowers: a drawing with the written character and the number in the upper corners."""

from __future__ import annotations

import numpy as np

from datasets.faces.canvas import Canvas, Point
from datasets.faces.glyphs import letter, write
from datasets.faces.pen import Pen
from datasets.faces.plants import draw_plant
from datasets.faces.style import FaceStyle

FLOWERS = "abcdefgh"


def _clear(canvas: Canvas, centre: Point, size: float) -> None:
    r = size * 0.54
    x, y = centre
    canvas.polygon([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], None)


def draw_flower(canvas: Canvas, tile: str, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint one flower; size is the scale of the whole drawing (1: normal)."""
    flowers = style.flowers
    k = FLOWERS.index(tile)
    season = k < 4
    character_ink, number_ink = flowers.season_inks if season else flowers.plant_inks
    if flowers.layout == "big":
        write(
            canvas,
            flowers.characters[k],
            flowers.glyph,
            centre,
            (200 * size, 200 * size),
            style.inks[character_ink],
            True,
        )
        return
    half_w, half_h = 106 * size, (canvas.height / 2 - 30) * size
    char_size, number_size = flowers.character_size * size, flowers.number_size * size
    left, right = centre[0] - half_w, centre[0] + half_w
    # Seasons carry the number on the left and plants on the right, or the other way round, or all alike.
    number_left = {"corners": season, "swapped": not season, "left": True, "right": False}.get(
        flowers.layout, season
    )
    with_char = flowers.layout != "number"
    with_number = flowers.layout != "character"
    stem, bloom, accent = (style.inks[name] for name in flowers.drawing_inks)
    # The drawing reaches up between character and number, and stands on the same ground on every tile.
    rng = np.random.default_rng([flowers.seed, k])
    top = centre[1] - half_h + max(char_size, number_size) * 0.55
    bottom = centre[1] + half_h
    radius = min((bottom - top) / 2 * flowers.drawing_size, 128 * size / flowers.drawing_squeeze)
    middle = (centre[0], bottom - radius)
    flip = bool(rng.random() < 0.5)
    turn = float(rng.normal(0, 0.07))
    pen = Pen(canvas, middle, radius, flowers.line * size, flip, turn, flowers.drawing_squeeze)
    draw_plant(pen, flowers.drawings[k], (stem, bloom, accent), flowers.seed + k)
    # Nothing of the drawing may run into the writing.
    if with_char:
        x = right - char_size / 2 if number_left else left + char_size / 2
        if flowers.layout == "character":
            x = left + char_size / 2 if season else right - char_size / 2
        place = (x, centre[1] - half_h + char_size / 2)
        _clear(canvas, place, char_size)
        write(
            canvas,
            flowers.characters[k],
            flowers.glyph,
            place,
            (char_size, char_size),
            style.inks[character_ink],
            True,
        )
    if with_number:
        x = left + number_size / 2 if number_left else right - number_size / 2
        place = (x, centre[1] - half_h + number_size / 2)
        ink = style.inks[number_ink]
        _clear(canvas, place, number_size)
        text = flowers.numbers[k]
        if text.isascii():
            letter(canvas, text, flowers.number_font, place, number_size, ink, max_width=number_size)
        else:
            write(canvas, text, flowers.glyph, place, (number_size * 1.1, number_size), ink)
