"""A small painter: ink and coverage on a supersampled canvas, finished as an engraved, painted face."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.style import FACE_WIDTH, Colour, Finish

Point = tuple[float, float]
_SHIFT = 4
_ONE = 1 << _SHIFT


class Canvas:
    """Paints in design units, origin at the top left, y downwards.

    Every shape is painted with a colour, or with None, which scrapes the paint off again.
    """

    def __init__(self, aspect: float, scale: float) -> None:
        """aspect: width over height of the face. scale: canvas pixels per design unit."""
        self.width = FACE_WIDTH
        self.height = FACE_WIDTH / aspect
        self.scale = scale
        shape = (max(8, round(self.height * scale)), max(8, round(self.width * scale)))
        self.ink: NDArray[np.uint8] = np.zeros((*shape, 3), np.uint8)
        self.cover: NDArray[np.uint8] = np.zeros(shape, np.uint8)

    def _fixed(self, points: Sequence[Point] | NDArray[np.float64]) -> NDArray[np.int32]:
        # OpenCV counts from pixel centres, hence the half pixel.
        return np.round((np.asarray(points, np.float64) * self.scale - 0.5) * _ONE).astype(np.int32)

    def polygon(self, points: Sequence[Point] | NDArray[np.float64], colour: Colour | None) -> None:
        fixed = [self._fixed(points)]
        if colour is not None:
            cv2.fillPoly(self.ink, fixed, colour, cv2.LINE_8, _SHIFT)
        cv2.fillPoly(self.cover, fixed, 255 if colour is not None else 0, cv2.LINE_AA, _SHIFT)

    def disc(self, centre: Point, radius: float, colour: Colour | None) -> None:
        self.ellipse(centre, radius, radius, 0.0, colour)

    def ellipse(self, centre: Point, rx: float, ry: float, angle: float, colour: Colour | None) -> None:
        """Filled ellipse; angle in radians, clockwise on the face."""
        t = np.linspace(0, 2 * math.pi, 48, endpoint=False)
        x, y = rx * np.cos(t), ry * np.sin(t)
        c, s = math.cos(angle), math.sin(angle)
        self.polygon(np.stack([centre[0] + x * c - y * s, centre[1] + x * s + y * c], 1), colour)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour | None) -> None:
        """Circle of the given mean radius and stroke width."""
        t = np.linspace(0, 2 * math.pi, 64)
        self.stroke(
            np.stack([centre[0] + radius * np.cos(t), centre[1] + radius * np.sin(t)], 1), width, colour
        )

    def stroke(
        self, points: Sequence[Point] | NDArray[np.float64], width: float, colour: Colour | None
    ) -> None:
        """Open line with round ends."""
        thick = max(1, round(width * self.scale))
        fixed = [self._fixed(points)]
        if colour is not None:
            cv2.polylines(self.ink, fixed, False, colour, thick + 1, cv2.LINE_8, _SHIFT)
        cv2.polylines(self.cover, fixed, False, 255 if colour is not None else 0, thick, cv2.LINE_AA, _SHIFT)

    def taper(self, points: NDArray[np.float64], start: float, end: float, colour: Colour | None) -> None:
        """Brush stroke along the points, its width going from start through a belly to end."""
        d = np.gradient(points, axis=0)
        n = np.stack([-d[:, 1], d[:, 0]], 1) / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-6)[:, None]
        w = np.linspace(start, end, len(points))[:, None] / 2
        self.polygon(np.concatenate([points + n * w, (points - n * w)[::-1]]), colour)

    def stamp(self, mask: NDArray[np.uint8], to: NDArray[np.float64], colour: Colour) -> None:
        """Paint a coverage mask; `to` is the 2x3 map from mask pixels to design units."""
        h, w = mask.shape
        corners = np.array([[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]], np.float64) @ to.T * self.scale
        x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(
            np.ceil(corners.max(0)).astype(int) + 1, [self.cover.shape[1], self.cover.shape[0]]
        )
        if x1 <= x0 or y1 <= y0:
            return
        matrix = to * self.scale
        matrix[:, 2] -= (x0, y0)
        area = cv2.warpAffine(mask, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
        ink = self.ink[y0:y1, x0:x1]
        cover = self.cover[y0:y1, x0:x1]
        ink[area > 8] = colour
        np.maximum(cover, area, out=cover)

    def finish(self, finish: Finish, size: tuple[int, int], grain_seed: int) -> NDArray[np.uint8]:
        """Body, paint and relief put together: (H, W, 3) uint8 RGB for size (W, H)."""
        cover = self.cover
        if finish.soft > 0:
            sigma = max(0.3, finish.soft * self.scale)
            cover = cv2.GaussianBlur(cover, (0, 0), sigma)
        ink = self.ink
        if finish.core > 0:
            k = max(1, round(4.0 * self.scale))
            core = cv2.erode(self.cover, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * k + 1, 2 * k + 1)))
            core = cv2.GaussianBlur(core, (0, 0), max(0.5, 2.0 * self.scale))[..., None].astype(np.float32)
            lighter = ink + (255.0 - ink) * (core / 255.0 * (0.32 * finish.core))
            ink = np.clip(lighter, 0, 255).astype(np.uint8)
        premultiplied = cv2.multiply(ink, cv2.merge([cover, cover, cover]), scale=1 / 255.0)
        alpha = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255.0
        paint = cv2.resize(premultiplied, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        rng = np.random.default_rng(grain_seed)
        out = _body(finish, size, rng)
        shown = alpha * finish.opacity
        out = out * (1 - shown[..., None]) + paint * finish.opacity
        if finish.relief > 0:
            out += _relief(alpha, finish, size)[..., None]
        return np.clip(out, 0, 255).astype(np.uint8)


def _body(finish: Finish, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    w, h = size
    out = np.empty((h, w, 3), np.float32)
    out[:] = finish.body
    if finish.grain > 0:
        coarse = rng.normal(0, finish.grain * 0.7, (4, 3)).astype(np.float32)
        fine = rng.normal(0, finish.grain * 0.5, (h, w)).astype(np.float32)
        out += (cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC) + fine)[..., None]
    if finish.edge != 0:
        x = np.minimum(np.arange(w) + 0.5, np.arange(w)[::-1] + 0.5) / w
        y = np.minimum(np.arange(h) + 0.5, np.arange(h)[::-1] + 0.5) / w
        d = np.minimum(x[None, :], y[:, None])
        out += (finish.edge * np.exp(-d / 0.025))[..., None].astype(np.float32)
    return out


def _relief(alpha: NDArray[np.float32], finish: Finish, size: tuple[int, int]) -> NDArray[np.float32]:
    """Light on the walls of the engraving: the wall nearest the light lies in shadow, the far one shines."""
    depth = cv2.GaussianBlur(alpha, (0, 0), max(0.6, size[0] / 110.0))
    gx = cv2.Scharr(depth, cv2.CV_32F, 1, 0, scale=1 / 16)
    gy = cv2.Scharr(depth, cv2.CV_32F, 0, 1, scale=1 / 16)
    slope = (gx * math.cos(finish.light) + gy * math.sin(finish.light)) * (size[0] / 96.0)
    shade: NDArray[np.float32] = slope * (150.0 * finish.relief)
    return np.clip(shade, -90, 70).astype(np.float32)
