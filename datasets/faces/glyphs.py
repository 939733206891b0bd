"""Written characters as coverage masks, thickened, thinned, stretched or slanted. Never mirrored."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.faces import engraver
from datasets.faces.canvas import Canvas
from datasets.faces.engraver import ENGRAVER
from datasets.faces.style import Colour, FontRef, GlyphStyle

EM = 176
_PAD = 24


@lru_cache(maxsize=128)
def _pil(path: str, index: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, EM, index=index)


@lru_cache(maxsize=4096)
def _mask(path: str, index: int, char: str) -> NDArray[np.uint8]:
    """Coverage of one character, cut to its ink. Raises ValueError for an empty glyph."""
    if path == ENGRAVER:
        image = Image.fromarray(engraver.draw(char, index))
        image = image.resize((round(image.width * 0.72), round(image.height * 0.72)), Image.Resampling.BOX)
        return np.asarray(image.crop(image.getbbox()), np.uint8)
    font = _pil(path, index)
    left, top, right, bottom = font.getbbox(char)
    image = Image.new("L", (int(right - left) + 2 * _PAD, int(bottom - top) + 2 * _PAD))
    ImageDraw.Draw(image).text((_PAD - left, _PAD - top), char, font=font, fill=255)
    box = image.getbbox()
    if box is None:
        raise ValueError(f"the font {path} has an empty glyph for {char!r}")
    return np.asarray(image.crop(box), np.uint8)


def _bent(
    mask: NDArray[np.uint8], strength: float, seed: int, rise: float, flare: float
) -> NDArray[np.uint8]:
    """The mask with climbing strokes, a wider foot and a smooth random bend, as no two hands write alike."""
    h, w = mask.shape
    pad = round(3 * strength * EM + abs(rise) * w / 2 + abs(flare) * w / 2) + 1
    rng = np.random.default_rng(seed)
    grid = rng.normal(0, strength * EM, (2, 4, 4)).astype(np.float32)
    size = (w + 2 * pad, h + 2 * pad)
    dx, dy = (cv2.resize(g, size, interpolation=cv2.INTER_CUBIC) for g in grid)
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    x -= pad
    y -= pad
    x = w / 2 + (x - w / 2) / (1 + flare * (y / max(h, EM / 2) - 0.5))
    y = y + rise * (x - w / 2)
    bent = cv2.remap(mask, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    rows, columns = np.flatnonzero(bent.max(1) > 16), np.flatnonzero(bent.max(0) > 16)
    return np.asarray(bent[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], np.uint8)


def _disc(radius: int) -> NDArray[np.uint8]:
    return np.asarray(
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)), np.uint8
    )


def _gaps(mask: NDArray[np.uint8]) -> int:
    """How many separate bare places a character has."""
    count, _, stats, _ = cv2.connectedComponentsWithStats((mask < 100).astype(np.uint8), connectivity=4)
    return sum(int(stats[k, cv2.CC_STAT_AREA]) >= 10 for k in range(1, count))


def _thickened(mask: NDArray[np.uint8], radius: int) -> NDArray[np.uint8]:
    """Strokes thicker by up to `radius`, less where the gaps between them would fill up."""
    pad = radius + 1
    mask = np.asarray(cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT), np.uint8)
    wanted = 0.75 * _gaps(mask)
    while radius > 0:
        thick = np.asarray(cv2.dilate(mask, _disc(radius)), np.uint8)
        if _gaps(thick) >= wanted:
            return thick
        radius -= 1
    return mask


@lru_cache(maxsize=512)
def _styled(
    path: str,
    index: int,
    char: str,
    weight: float,
    outline: float,
    warp: float,
    warp_seed: int,
    rise: float,
    flare: float,
) -> NDArray[np.uint8]:
    mask = _mask(path, index, char)
    if warp or rise or flare:
        mask = _bent(mask, warp, warp_seed + ord(char), rise, flare)
    if weight > 0:
        mask = _thickened(mask, round(weight * EM))
    elif weight < 0:
        radius = round(-weight * EM)
        # Thinning must not break thin strokes apart: keep a trace of the original there.
        mask = np.maximum(cv2.erode(mask, _disc(radius)), (mask * 0.35).astype(np.uint8))
    if outline > 0:
        inside = cv2.erode(mask, _disc(max(1, round(outline * EM))))
        mask = cv2.subtract(mask, (inside * 0.85).astype(np.uint8))
    return np.asarray(mask, np.uint8)


@lru_cache(maxsize=256)
def _reference(path: str, index: int) -> float:
    """Height of the font's 南 in mask pixels: fonts fill the em very differently."""
    return float(max(_mask(path, index, "南").shape))


def write(
    canvas: Canvas,
    char: str,
    style: GlyphStyle,
    centre: tuple[float, float],
    box: tuple[float, float],
    colour: Colour,
    fit: bool = False,
) -> None:
    """Write one character centred at `centre` in a box of (width, height) design units.

    Characters keep their size relative to each other (一 stays flat); with `fit` this one fills the box.
    """
    font = style.font
    mask = _styled(
        font.path,
        font.index,
        char,
        style.weight,
        style.outline,
        style.warp,
        style.warp_seed,
        style.rise,
        style.flare,
    )
    h, w = mask.shape
    reference = _reference(font.path, font.index)
    if fit:
        scale = min(box[1] / h, box[0] / (w * style.stretch), 1.35 * box[1] / reference)
    else:
        scale = min(box[1] / reference, box[1] / h, box[0] / (w * style.stretch))
    sx = scale * style.stretch
    matrix = np.array([[sx, -style.shear * scale, 0.0], [0.0, scale, 0.0]])
    matrix[:, 2] = np.asarray(centre) - matrix[:, :2] @ np.array([w / 2, h / 2])
    canvas.stamp(mask, matrix, colour)


def letter(
    canvas: Canvas,
    text: str,
    font_path: str,
    centre: tuple[float, float],
    height: float,
    colour: Colour,
    upside_down: bool = False,
    max_width: float | None = None,
) -> None:
    """Write a digit or letter of a Latin font, `height` design units high."""
    mask = _mask(font_path, 0, text)
    h, w = mask.shape
    scale = height / h
    if max_width is not None:
        scale = min(scale, max_width / w)
    sign = -1.0 if upside_down else 1.0
    matrix = np.array([[sign * scale, 0.0, 0.0], [0.0, sign * scale, 0.0]])
    matrix[:, 2] = np.asarray(centre) - matrix[:, :2] @ np.array([w / 2, h / 2])
    canvas.stamp(mask, matrix, colour)


def can_write(font: FontRef, text: str) -> bool:
    """Whether the font has every character of the text."""
    return set(text) <= font.chars
