"""Cut faces out of the full-size photo, each straightened to a square by its corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.elements import FloatArray

Pixels = NDArray[np.uint8]

FINEST = 4
"""A face is sampled at up to this many times the crop's side before averaging, so that 500-pixel faces do
not alias."""

ENOUGH = 64.0
"""Shortest side of a face, pixels of a picture decoded at reduced size, from which all of its pixels add
little: the namer's crops have 96 × 96, and photos with tiles of 30 to 50 pixels are read well."""


def rectify(pixels: Pixels, quads: FloatArray, side: int) -> Pixels:
    """Crops of `quads` ((N, 4, 2) float32, pixels, clockwise): (N, side, side, 3) uint8, first corner top
    left.

    Raises ValueError for corners that run counter-clockwise, whose crops would be mirrored.
    """
    if (signed_area(quads) < 0).any():
        raise ValueError("The corners of a quad run counter-clockwise; its crop would be mirrored.")
    sides = np.linalg.norm(quads[:, [1, 3]] - quads[:, :1], axis=2).max(axis=1, initial=0)
    factors = np.clip(np.ceil(sides / (1.5 * side)), 1, FINEST).astype(int)
    crops = np.empty((len(quads), side, side, 3), np.uint8)
    for index, (quad, factor) in enumerate(zip(quads, factors.tolist(), strict=True)):
        reach = side * factor
        target = np.array([[0, 0], [reach, 0], [reach, reach], [0, reach]], np.float32)
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
        crop = cv2.warpPerspective(
            pixels, matrix, (reach, reach), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        crops[index] = crop if factor == 1 else cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA)
    return crops


def signed_area(quads: FloatArray) -> FloatArray:
    """Of (..., 4, 2) quads, (...): positive for corners that run clockwise on the picture (y runs down)."""
    x, y = quads[..., 0], quads[..., 1]
    areas = np.sum(x * np.roll(y, -1, axis=-1) - np.roll(x, -1, axis=-1) * y, axis=-1) / 2
    return np.asarray(areas, np.float32)


def narrowest(quads: FloatArray) -> float:
    """The shortest side of any of (N, 4, 2) quads, N at least 1, pixels."""
    return float(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2).min())
