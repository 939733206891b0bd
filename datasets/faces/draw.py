"""One tile face in one style."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from datasets.faces.bamboo import draw_bamboo
from datasets.faces.birds import draw_bird
from datasets.faces.canvas import Canvas
from datasets.faces.characters import draw_character
from datasets.faces.dots import draw_dots
from datasets.faces.flowers import FLOWERS, draw_flower
from datasets.faces.glyphs import letter
from datasets.faces.honours import draw_honour
from datasets.faces.style import TILES, FaceStyle

_SUIT_INKS = {"m": "red", "p": "blue", "s": "green"}


def draw_face(tile: str, style: FaceStyle, size: tuple[int, int] = (192, 256)) -> NDArray[np.uint8]:
    """Draw one of the 42 faces upright.

    Returns (H, W, 3) uint8 RGB for size (W, H), up to the edges of the tile's front; corners are not rounded.
    The same tile, style and size always give the same picture. Raises ValueError for an unknown tile.
    """
    if tile not in TILES:
        raise ValueError(f"{tile!r} is not one of the 42 tiles: {' '.join(TILES)}")
    # About three canvas pixels to one of the picture for small faces, two for large ones.
    scale = size[0] * (3 if size[0] <= 128 else 2) / 300.0
    canvas = Canvas(style.aspect, scale)
    paint_face(canvas, tile, style)
    return canvas.finish(style.finish, size, grain_seed=TILES.index(tile))


def paint_face(canvas: Canvas, tile: str, style: FaceStyle) -> None:
    """Paint one of the 42 faces on a canvas of the style's aspect."""
    centre = (canvas.width / 2, canvas.height / 2)
    # The drawings are laid out for faces 400 units high.
    fit = min(1.0, canvas.height / 400.0)
    indexed = bool(_index_text(tile, style)) and bool(style.index.corners)
    if indexed and tile not in FLOWERS:
        fit *= 0.88
        dx = 14 * sum({"tl": 1, "tr": -1, "bl": 1, "br": -1}[c] for c in style.index.corners)
        dy = 10 * sum({"tl": 1, "tr": 1, "bl": -1, "br": -1}[c] for c in style.index.corners)
        centre = (centre[0] + max(-14, min(14, dx)), centre[1] + max(-12, min(12, dy)))
    if tile in FLOWERS:
        draw_flower(canvas, tile, style, centre, fit)
    elif tile == "1s":
        draw_bird(canvas, style, centre, fit)
    elif tile[0].isdigit():
        draw = {"m": draw_character, "p": draw_dots, "s": draw_bamboo}[tile[1]]
        draw(canvas, int(tile[0]), style, centre, fit)
    else:
        draw_honour(canvas, tile, style, centre, fit)
    if indexed:
        _draw_index(canvas, tile, style)


def _index_text(tile: str, style: FaceStyle) -> str:
    if tile in FLOWERS:
        return ""
    if tile == "P":
        # A white dragon that is itself a letter, or a letter in a frame, needs no other one.
        return "" if style.honours.white == "letter" or style.honours.white_text else style.index.white_letter
    return tile[0]


def _draw_index(canvas: Canvas, tile: str, style: FaceStyle) -> None:
    index = style.index
    ink = style.inks[_SUIT_INKS[tile[1]] if index.suit_inks and len(tile) == 2 else index.ink]
    margin = 12.0
    for corner in index.corners:
        x = margin + index.size * 0.38 if corner[1] == "l" else canvas.width - margin - index.size * 0.38
        top = corner[0] == "t"
        y = margin + index.size / 2 if top else canvas.height - margin - index.size / 2
        letter(
            canvas,
            _index_text(tile, style),
            index.font,
            (x, y),
            index.size,
            ink,
            upside_down=not top,
            max_width=index.size * 0.95,
        )
