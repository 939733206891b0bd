"""The overlay: a photo with its tiles boxed and named, coloured by group, and the breakdown beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.codecs import Pixels
from vision.elements import Reading, Tile
from vision.summary import Row, kind_title, needs_check, summarise

Colour: TypeAlias = tuple[int, int, int]
Font: TypeAlias = "ImageFont.FreeTypeFont | ImageFont.ImageFont"

LONG_SIDE = (1280, 2000)
"""The photo's long side is scaled into this: small ones up until labels fit, large ones down to a screen."""

# Apart for the usual kinds of colour blindness: the palette of Okabe and Ito.
_COLOURS: dict[str, Colour] = {
    "concealed": (0, 114, 178),
    "chow": (0, 158, 115),
    "pung": (204, 121, 167),
    "kong": (213, 94, 0),
    "concealed-kong": (150, 60, 0),
    "flowers": (230, 159, 0),
    "winning": (220, 20, 60),
    "other": (128, 128, 128),
}
_MEASURE = 34
"""The longest distance, in text sizes, at which the eye still joins a fan with its points."""
_INK, _PAPER, _FAINT, _ALERT = (24, 24, 24), (250, 250, 248), (110, 110, 110), (190, 40, 20)

# Where the open CJK fonts of Debian and Fedora and those of macOS and Windows lie. None ships with hupai: a
# whole one is 20 MB, and without one the panel is in English.
_CJK_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/arphic/uming.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
    "C:/Windows/Fonts/msyh.ttc",
    "C:/Windows/Fonts/simsun.ttc",
)


@dataclass(frozen=True)
class _Line:
    """A line of the panel. right: set at the right end. scale: of the usual text size."""

    left: str
    right: str = ""
    colour: Colour = _INK
    scale: float = 1.0


def draw_overlay(pixels: Pixels, reading: Reading) -> Pixels:
    """The photo with boxes, names and groups, and a panel with the breakdown.

    pixels: (H, W, 3) uint8 RGB, the photo that `reading` was read from. Returns a new RGB picture, of its own
    size: the panel lies under a wide photo and to the right of a tall one.
    """
    height, width = pixels.shape[:2]
    low, high = LONG_SIDE
    scale = float(np.clip(1.0, low / max(height, width), high / max(height, width)))
    canvas = _scaled(pixels, scale)
    _draw_tiles(canvas, reading, scale)
    if width >= height:
        panel = _panel(reading, canvas.shape[1], text=max(18, canvas.shape[1] // 60))
        return _stacked(canvas, panel, axis=0)
    text = max(18, canvas.shape[0] // 60)
    return _stacked(canvas, _panel(reading, _MEASURE * text, text), axis=1)


def _scaled(pixels: Pixels, scale: float) -> Pixels:
    if scale == 1.0:
        return pixels.copy()
    how = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _draw_tiles(canvas: Pixels, reading: Reading, scale: float) -> None:
    kinds = {i: group.kind for group in reading.groups for i in group.tiles}
    quads = {tile.id: np.array(tile.quad, np.float32) * scale for tile in reading.tiles}
    for group in reading.groups:
        if group.tiles and group.kind not in {"other", "winning"}:
            _draw_group([quads[i] for i in group.tiles], _COLOURS[group.kind], canvas)
    for tile in reading.tiles:
        colour = _COLOURS[kinds.get(tile.id, "other")]
        _draw_box(quads[tile.id], colour, canvas)
    labels = Image.fromarray(canvas)
    brush = ImageDraw.Draw(labels)
    for tile in reading.tiles:
        _draw_label(tile, quads[tile.id], _COLOURS[kinds.get(tile.id, "other")], brush)
    canvas[:] = np.asarray(labels)


def _draw_group(quads: list[NDArray[np.float32]], colour: Colour, canvas: Pixels) -> None:
    """The outline of tiles that belong together, a little outside of them."""
    hull = cv2.convexHull(np.concatenate(quads))[:, 0]
    middle = hull.mean(axis=0)
    reach = np.maximum(np.linalg.norm(hull - middle, axis=1, keepdims=True), 1.0)
    grown = middle + (hull - middle) * (1 + 5.0 / reach)
    cv2.polylines(canvas, [np.round(grown).astype(np.int32)], True, colour, 4, cv2.LINE_AA)


def _draw_box(quad: NDArray[np.float32], colour: Colour, canvas: Pixels) -> None:
    """The face's outline, with its own top edge in white: it shows which way up the face was read."""
    corners = np.round(quad).astype(np.int32)
    cv2.polylines(canvas, [corners], True, colour, 2, cv2.LINE_AA)
    cv2.line(
        canvas, tuple(map(int, corners[0])), tuple(map(int, corners[1])), (255, 255, 255), 1, cv2.LINE_AA
    )


def _draw_label(tile: Tile, quad: NDArray[np.float32], colour: Colour, brush: ImageDraw.ImageDraw) -> None:
    """The tile's name on its upper edge; on yellow and with its number where a person should look again."""
    left, top = quad.min(axis=0)
    right, bottom = quad.max(axis=0)
    size = int(np.clip(min(right - left, bottom - top) * 0.42, 11, 40))
    font = _font(size, chinese=False)
    centre = ((left + right) / 2, top - size * 0.15)
    doubtful = needs_check(tile)
    text = f"{tile.tile} ({tile.id})" if doubtful else tile.tile
    box = brush.textbbox(centre, text, font=font, anchor="mm")
    pad = max(2, size // 8)
    chip = (box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad)
    brush.rounded_rectangle(chip, pad * 2, fill=(255, 221, 51) if doubtful else colour, outline=colour)
    brush.text(centre, text, fill=_INK if doubtful else (255, 255, 255), font=font, anchor="mm")


def _panel(reading: Reading, width: int, text: int) -> Pixels:
    """A picture of this width with the breakdown in words; text: its size in pixels."""
    chinese = _cjk_font() is not None
    margin = text
    right = min(width, _MEASURE * text) - margin
    lines = [
        part
        for line in _lines(reading, chinese)
        for part in _wrapped(line, width - 2 * margin, text, chinese)
    ]
    height = 2 * margin + sum(_line_height(line, text) for line in lines)
    panel = Image.new("RGB", (width, height), _PAPER)
    brush = ImageDraw.Draw(panel)
    y = margin
    for line in lines:
        font = _font(int(text * line.scale), chinese)
        brush.text((margin, y), line.left, fill=line.colour, font=font)
        if line.right:
            brush.text((right, y), line.right, fill=line.colour, font=font, anchor="ra")
        y += _line_height(line, text)
    return np.array(panel)


def _lines(reading: Reading, chinese: bool) -> Iterator[_Line]:
    summary = summarise(reading, chinese)
    score = summary.score
    yield _Line(score.headline if score else "no score", scale=1.5)
    if reading.hand:
        yield _Line(reading.hand, colour=_FAINT)
    yield _Line(summary.status)
    if score:
        for row in score.fans:
            yield _Line(row.left, row.right)
        for excluded in score.excluded:
            yield _Line(f"left out: {excluded}", colour=_FAINT, scale=0.85)
        if score.settlement:
            yield _Line(f"payment: {score.settlement}")
        if score.candidates:
            yield _Line(f"total by winning tile: {_join(score.candidates)}", colour=_FAINT)
        for problem in score.problems:
            yield _Line(problem, colour=_ALERT)
    if summary.assumed:
        yield _Line(f"assumed: {summary.assumed}", colour=_FAINT)
    for warning in summary.warnings:
        yield _Line(warning, colour=_ALERT, scale=0.85)
    for kind in dict.fromkeys(group.kind for group in reading.groups if group.tiles):
        yield _Line(kind_title(kind, chinese), colour=_COLOURS[kind], scale=0.85)


def _join(rows: tuple[Row, ...]) -> str:
    return ", ".join(f"{row.left} {row.right}" for row in rows)


def _wrapped(line: _Line, width: int, text: int, chinese: bool) -> Iterator[_Line]:
    """The line in pieces that fit; `right` stays with the first."""
    font = _font(int(text * line.scale), chinese)
    room = width - (font.getlength(line.right) + text if line.right else 0)
    rest, right = line.left, line.right
    while rest:
        end = _fitting(rest, room, font)
        yield _Line(rest[:end].rstrip(), right, line.colour, line.scale)
        rest, right, room = rest[end:].lstrip(), "", width


def _fitting(text: str, room: float, font: Font) -> int:
    """How many characters of the text fit; at least one. Breaks at a space where there is one."""
    end = len(text)
    while end > 1 and font.getlength(text[:end]) > room:
        space = text.rfind(" ", 0, end)
        end = space if space > 0 and font.getlength(text[:space]) <= room else end - 1
    return end


def _line_height(line: _Line, text: int) -> int:
    return int(text * line.scale * 1.45)


def _stacked(canvas: Pixels, panel: Pixels, axis: int) -> Pixels:
    """Photo and panel in one picture, the shorter one filled up with paper."""
    other = 1 - axis
    size = max(canvas.shape[other], panel.shape[other])
    parts = []
    for picture in (canvas, panel):
        padding = [(0, 0), (0, 0)]
        padding[other] = (0, size - picture.shape[other])
        channels = [np.pad(picture[:, :, c], padding, constant_values=_PAPER[c]) for c in range(3)]
        parts.append(np.stack(channels, axis=2))
    return np.concatenate(parts, axis=axis)


@lru_cache(maxsize=1)
def _cjk_font() -> Path | None:
    return next((path for path in map(Path, _CJK_FONTS) if path.is_file()), None)


@lru_cache(maxsize=64)
def _font(size: int, chinese: bool) -> Font:
    path = _cjk_font() if chinese else None
    if path is not None:
        return ImageFont.truetype(str(path), size)
    return ImageFont.load_default(size)
