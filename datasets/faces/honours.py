"""Winds E S W N and dragons C F P."""

from __future__ import annotations

from datasets.faces.canvas import Canvas, Point
from datasets.faces.glyphs import letter, write
from datasets.faces.style import Colour, FaceStyle


def draw_honour(canvas: Canvas, tile: str, style: FaceStyle, centre: Point, size: float) -> None:
    """Paint one honour; size is the scale of the whole drawing (1: normal)."""
    honours = style.honours
    height = honours.size * size
    box = (244 * size, min(height, 356 * size))
    if tile == "P":
        _white(canvas, style, centre, size)
    elif tile == "C":
        write(
            canvas,
            "中",
            honours.dragon,
            centre,
            (box[0], min(height * honours.red_height, 356 * size)),
            style.inks.red,
            fit=True,
        )
    elif tile == "F":
        write(canvas, honours.green_char, honours.dragon, centre, box, style.inks.green, fit=True)
    else:
        char = {"E": honours.east_char, "S": "南", "W": "西", "N": "北"}[tile]
        write(canvas, char, honours.wind, centre, box, style.inks[honours.wind_ink], fit=True)


def _rounded(canvas: Canvas, centre: Point, w: float, h: float, cut: float, colour: Colour | None) -> None:
    """Filled rectangle with its corners cut by `cut`, half way to round."""
    x, y = w / 2, h / 2
    k = cut * 0.3
    points = []
    for sx, sy in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        corner = [(x - cut, y), (x - k, y - k * 0.1), (x - k * 0.1, y - k), (x, y - cut)]
        if sx * sy > 0:
            corner.reverse()
        points += [(centre[0] + sx * px, centre[1] + sy * py) for px, py in corner]
    canvas.polygon(_ordered(points, centre), colour)


def _octagon(canvas: Canvas, centre: Point, w: float, h: float, cut: float, colour: Colour | None) -> None:
    x, y = w / 2, h / 2
    points = [
        (x - cut, -y),
        (x, -y + cut),
        (x, y - cut),
        (x - cut, y),
        (-x + cut, y),
        (-x, y - cut),
        (-x, -y + cut),
        (-x + cut, -y),
    ]
    canvas.polygon([(centre[0] + px, centre[1] + py) for px, py in points], colour)


def _ordered(points: list[Point], centre: Point) -> list[Point]:
    import math

    return sorted(points, key=lambda p: math.atan2(p[1] - centre[1], p[0] - centre[0]))


def _white(canvas: Canvas, style: FaceStyle, centre: Point, size: float) -> None:
    honours = style.honours
    if honours.white == "blank":
        return
    outer, inner = (style.inks[name] for name in honours.white_inks)
    w, h = honours.white_size[0] * size, honours.white_size[1] * size
    line = honours.white_line * size
    if honours.white == "character":
        write(canvas, "白", honours.dragon, centre, (230 * size, honours.size * size), outer, fit=True)
        return
    if honours.white == "letter":
        letter(canvas, honours.white_text, style.index.font, centre, 0.45 * h, outer, max_width=0.8 * w)
        return
    _rounded(canvas, centre, w, h, 24 * size, outer)
    w, h = w - 2 * line, h - 2 * line
    _rounded(canvas, centre, w, h, 16 * size, None)
    if honours.white in {"double", "octagon", "corners"}:
        gap = line * 0.9
        w, h = w - 2 * gap, h - 2 * gap
        _rounded(canvas, centre, w, h, 12 * size, inner)
        thin = max(3.0 * size, line * 0.5)
        w, h = w - 2 * thin, h - 2 * thin
        if honours.white == "octagon":
            _octagon(canvas, centre, w, h, 0.2 * w, None)
            for sx in (-1, 1):
                for sy in (-1, 1):
                    place = (centre[0] + sx * (w / 2 - 0.055 * w), centre[1] + sy * (h / 2 - 0.055 * w))
                    canvas.disc(place, 0.035 * w, None)
        else:
            _rounded(canvas, centre, w, h, 6 * size, None)
            if honours.white == "corners":
                for sx in (-1, 1):
                    for sy in (-1, 1):
                        corner = (centre[0] + sx * w / 2, centre[1] + sy * h / 2)
                        arm = 0.22 * w
                        canvas.stroke(
                            [(corner[0] - sx * arm, corner[1]), (corner[0], corner[1] - sy * arm)],
                            thin,
                            inner,
                        )
                        canvas.disc((corner[0] - sx * arm * 0.3, corner[1] - sy * arm * 0.3), thin, inner)
    elif honours.white == "bands":
        band = 22 * size
        canvas_w, canvas_h = w, h
        steps = 6
        for k in range(steps + 1):
            x = centre[0] - canvas_w / 2 + canvas_w * k / steps
            for sy in (-1, 1):
                y = centre[1] + sy * canvas_h / 2
                canvas.stroke([(x, y), (x, y - sy * band)], max(3.0 * size, line * 0.5), inner)
        rows = 8
        for k in range(rows + 1):
            y = centre[1] - canvas_h / 2 + canvas_h * k / rows
            for sx in (-1, 1):
                x = centre[0] + sx * canvas_w / 2
                canvas.stroke([(x, y), (x - sx * band, y)], max(3.0 * size, line * 0.5), inner)
        _rounded(canvas, centre, w - 2 * band, h - 2 * band, 6 * size, outer)
        _rounded(canvas, centre, w - 2 * band - line, h - 2 * band - line, 4 * size, None)
    if honours.white_text:
        if honours.white_text.isascii():
            letter(canvas, honours.white_text, style.index.font, centre, 0.28 * h, inner, max_width=0.5 * w)
        else:
            write(canvas, honours.white_text, honours.dragon, centre, (0.55 * w, 0.42 * h), inner, fit=True)
