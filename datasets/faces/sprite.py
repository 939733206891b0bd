"""The project's own tile set as one SVG file, which the pages of `hupai serve` show.

    python -m datasets.faces sprite vision/serve/pages/static/tiles.svg

Each tile is a `<symbol>` (`t-5m`), 300 units wide. Written characters are outlines, so that no phone needs a
font for them. What the painter scrapes bare is painted in the tile's body colour here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.canvas import Canvas, Point
from datasets.faces.draw import paint_face
from datasets.faces.flowers import FLOWERS
from datasets.faces.house import house_style
from datasets.faces.style import TILES, Colour, FaceStyle, GlyphStyle

BODY: Colour = (250, 247, 239)
_BACK: Colour = (22, 101, 82)
_TOLERANCE = 0.5
"""How far an outline may lie from the drawing, design units: a fifteenth of a pixel on one 40 wide."""

_ENLARGED = {"m": 1.14, "p": 1.15, "s": 1.24, "1s": 1.12, "honour": 1.12}
"""Real faces leave a broad margin; on a small screen the drawing is what matters."""

_Points = Sequence[Point] | NDArray[np.float64]


class SvgCanvas(Canvas):
    """Writes down what is painted, as SVG elements in design units."""

    def __init__(self, aspect: float) -> None:
        super().__init__(aspect, scale=1.0)
        self.elements: list[str] = []

    def polygon(self, points: _Points, colour: Colour | None) -> None:
        self.elements.append(f'<path fill="{_hex(colour)}" d="{_path(points)}Z"/>')

    def disc(self, centre: Point, radius: float, colour: Colour | None) -> None:
        x, y, r = map(_short, (*centre, radius))
        self.elements.append(f'<circle cx="{x}" cy="{y}" r="{r}" fill="{_hex(colour)}"/>')

    def ring(self, centre: Point, radius: float, width: float, colour: Colour | None) -> None:
        x, y, r, line = map(_short, (*centre, radius, width))
        self.elements.append(
            f'<circle cx="{x}" cy="{y}" r="{r}" fill="none" stroke="{_hex(colour)}" stroke-width="{line}"/>'
        )

    def stroke(self, points: _Points, width: float, colour: Colour | None) -> None:
        self.elements.append(
            f'<path fill="none" stroke="{_hex(colour)}" stroke-width="{_short(width)}" d="{_path(points)}"/>'
        )

    def stamp(self, mask: NDArray[np.uint8], to: NDArray[np.float64], colour: Colour) -> None:
        """A character: the outlines of its mask, holes by the even-odd rule."""
        large = cv2.resize(mask, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
        padded = cv2.copyMakeBorder(large, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
        found, _ = cv2.findContours((padded > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        parts = []
        for contour in found:
            points = (contour[:, 0].astype(np.float64) - 0.5) / 4
            parts.append(_path(points @ to[:, :2].T + to[:, 2]) + "Z")
        self.elements.append(f'<path fill="{_hex(colour)}" fill-rule="evenodd" d="{"".join(parts)}"/>')


def sprite() -> str:
    """The file's text: the 42 tiles, a face-down one (`t-B`) and one without a name (`t-unnamed`).

    Raises FontsMissingError when the machine has no font for the written characters.
    """
    style = _legible(house_style())
    symbols = [_symbol(tile, _face(tile, style), style) for tile in TILES]
    symbols += [_symbol("B", _back(style), style, _BACK), _symbol("unnamed", _question(style), style)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">'
        "<!-- Written by python -m datasets.faces sprite. -->\n" + "\n".join(symbols) + "\n</svg>\n"
    )


def save_sprite(path: Path) -> None:
    """Write `sprite()` to a file. Raises OSError when it cannot be written."""
    path.write_text(sprite(), encoding="utf-8")


def _legible(style: FaceStyle) -> FaceStyle:
    """The house style for a small screen: thicker characters, flowers that show their character large."""

    def bolder(glyph: GlyphStyle) -> GlyphStyle:
        return replace(glyph, weight=0.03)

    character, honours, flowers = style.character, style.honours, style.flowers
    return replace(
        style,
        character=replace(
            character, numeral=bolder(character.numeral), wan=bolder(character.wan), five_char="五"
        ),
        honours=replace(honours, wind=bolder(honours.wind), dragon=bolder(honours.dragon), white_line=16),
        flowers=replace(
            flowers, glyph=bolder(flowers.glyph), character_size=132, number_size=84, drawing_size=0.9
        ),
    )


def _face(tile: str, style: FaceStyle) -> list[str]:
    canvas = SvgCanvas(style.aspect)
    paint_face(canvas, tile, style)
    by = 1.0 if tile in FLOWERS else _ENLARGED.get(tile) or _ENLARGED.get(tile[-1], _ENLARGED["honour"])
    shift = [_short(middle * (1 - by)) for middle in (canvas.width / 2, canvas.height / 2)]
    return [f'<g transform="translate({" ".join(shift)})scale({by})">', *canvas.elements, "</g>"]


def _back(style: FaceStyle) -> list[str]:
    height = 300 / style.aspect
    return [
        f'<rect x="42" y="42" width="216" height="{_short(height - 84)}" rx="20" fill="none" '
        f'stroke="{_hex(BODY)}" stroke-width="8" stroke-opacity=".55"/>'
    ]


def _question(style: FaceStyle) -> list[str]:
    canvas = SvgCanvas(style.aspect)
    x, y = canvas.width / 2, canvas.height / 2
    turn = np.linspace(-np.pi, 0.62 * np.pi, 40)
    bow = np.stack([x + 62 * np.cos(turn), y - 68 + 62 * np.sin(turn)], 1)
    canvas.stroke([*map(tuple, bow), (x, y + 34), (x, y + 62)], 30, style.inks.red)
    canvas.disc((x, y + 118), 20, style.inks.red)
    return canvas.elements


def _symbol(tile: str, elements: list[str], style: FaceStyle, body: Colour = BODY) -> str:
    height = _short(300 / style.aspect)
    inner = _short(300 / style.aspect - 8)
    return (
        f'<symbol id="t-{tile}" viewBox="0 0 300 {height}">'
        f'<rect x="4" y="4" width="292" height="{inner}" rx="34" fill="{_hex(body)}" '
        f'stroke="#8a8372" stroke-width="8"/>'
        f'<g stroke-linecap="round" stroke-linejoin="round">{"".join(elements)}</g></symbol>'
    )


def _path(points: _Points) -> str:
    """`M x y l dx dy ...` through the points that matter, to a tenth of a unit."""
    raw = np.asarray(points, np.float32).reshape(-1, 1, 2)
    kept = cv2.approxPolyDP(raw, _TOLERANCE, False)[:, 0] if len(raw) > 2 else raw[:, 0]
    tenths = np.rint(np.asarray(kept, np.float64) * 10).astype(int)
    steps = np.diff(tenths, axis=0)
    moves = "".join(_pair(dx, dy) for dx, dy in steps if dx or dy)
    return f"M{_pair(*tenths[0]).lstrip()}l{moves.lstrip() or '0 0'}"


def _pair(x: int, y: int) -> str:
    return "".join(text if text.startswith("-") else f" {text}" for text in (_short(x / 10), _short(y / 10)))


def _short(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def _hex(colour: Colour | None) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(BODY if colour is None else colour))
