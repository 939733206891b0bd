"""Find every tile in a photo: YOLO11n with rotated boxes, run by ONNX Runtime."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import registry
from vision.elements import FloatArray, Located
from vision.own_weights import be_finite, try_out
from vision.session import open_session

Pixels = NDArray[np.uint8]

STRIDE = 32
"""The network's coarsest stride; input sides are multiples of it."""
PADDING = 114
"""Ultralytics' letterbox grey, as in training."""
HALVED = 2
"""How many times the input's side a photo's longer side must have to be halved first, as often as it does:
12 megapixels are scaled in 13 ms of one core instead of 44."""


@dataclass(frozen=True)
class Boxes:
    """Rotated boxes before suppression, pixels of the photo.

    centres, sizes: (N, 2) float32. angles: (N,) radians, clockwise on the picture. scores: (N, 2) per class.
    """

    centres: FloatArray
    sizes: FloatArray
    angles: FloatArray
    scores: FloatArray


class Locator:
    """The registered locator. Thread-safe: a session may run from several threads at once."""

    def __init__(self, threads: int = 0, weights: Path | None = None) -> None:
        """Load the model.

        threads: 0 takes all cores.
        weights: an ONNX file of one's own in place of the registered one, with the same input and output.

        Raises models.registry.ModelError for weights that cannot be used.
        """
        entry = registry.entry("locator")
        self._side = entry.input_size
        self._threshold = entry.parameters["threshold"]
        self._overlap = entry.parameters["overlap"]
        if weights is not None:
            # Cells at the network's three strides in the smallest picture that is not square.
            cells = 2 * (16 + 4 + 1)
            takes, answer = (1, 3, STRIDE, 2 * STRIDE), (1, 4 + len(entry.classes) + 1, cells)
            try_out(weights, "locator", takes, [answer])
        self._session = open_session("locator", threads, weights)
        self._input = self._session.get_inputs()[0].name

    def locate(self, pixels: Pixels, side: int | None = None) -> Located:
        """Tiles of `pixels` ((H, W, 3) uint8 RGB), best first.

        side: length in pixels to which the photo's longer side is scaled; by default the trained one.

        Raises models.registry.ModelError for weights of one's own that answer with no numbers.
        """
        blob, scale = letterbox(pixels, side or self._side)
        (output,) = self._session.run(None, {self._input: blob})
        be_finite(output, "locator")
        return suppress(decode(output[0], scale), self._threshold, self._overlap)


def letterbox(pixels: Pixels, side: int) -> tuple[FloatArray, float]:
    """Scale the longer side to `side`, pad right and below to the stride: (1, 3, h, w) float32 in 0..1, and
    the scale."""
    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    pixels, _ = halved(pixels, HALVED * side)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas = np.full((-(-size[1] // STRIDE) * STRIDE, -(-size[0] // STRIDE) * STRIDE, 3), PADDING, np.uint8)
    canvas[: size[1], : size[0]] = cv2.resize(pixels, size, interpolation=how)
    blob = np.empty((1, 3, *canvas.shape[:2]), np.float32)
    for plane, channel in zip(blob[0], cv2.split(canvas), strict=True):
        np.divide(channel, np.float32(255), out=plane)
    return blob, scale


def halved(pixels: Pixels, longest: int) -> tuple[Pixels, float]:
    """The picture, halved while its longer side has at least `longest` pixels, and how many of its pixels one
    of the answer's is wide. Of an odd side the last pixel is left out."""
    scale = 1.0
    while max(pixels.shape[:2]) >= longest:
        height, width = pixels.shape[0] // 2, pixels.shape[1] // 2
        even = pixels[: 2 * height, : 2 * width]
        pixels = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        scale *= 2
    return pixels, scale


def decode(output: FloatArray, scale: float) -> Boxes:
    """Ultralytics' OBB output ((4 + classes + 1, N): x, y, w, h, class scores, angle) in pixels of the
    photo."""
    rows = output.T
    return Boxes(rows[:, :2] / scale, rows[:, 2:4] / scale, rows[:, -1], rows[:, 4:-1])


def suppress(boxes: Boxes, threshold: float, overlap: float) -> Located:
    """Keep boxes of at least `threshold`, the better of any two of one class or of both that overlap by more
    than `overlap` (IoU of the rotated boxes)."""
    best = boxes.scores.max(axis=1)
    keep = np.flatnonzero(best >= threshold)
    if not len(keep):
        return Located(np.zeros((0, 4, 2), np.float32), np.zeros(0, bool), np.zeros(0, np.float32))
    centres, sizes, angles, scores = boxes.centres[keep], boxes.sizes[keep], boxes.angles[keep], best[keep]
    rectangles = [
        ((float(x), float(y)), (float(w), float(h)), float(np.degrees(angle)))
        for (x, y), (w, h), angle in zip(centres, sizes, angles, strict=True)
    ]
    chosen = np.asarray(
        cv2.dnn.NMSBoxesRotated(rectangles, scores.tolist(), threshold, overlap), dtype=np.int64
    ).reshape(-1)
    backs = boxes.scores[keep][chosen].argmax(axis=1) == 1
    return Located(
        corners(centres[chosen], sizes[chosen], angles[chosen]), backs, scores[chosen].astype(np.float32)
    )


def corners(centres: FloatArray, sizes: FloatArray, angles: FloatArray) -> FloatArray:
    """(N, 4, 2) corners, clockwise on the picture (y runs down), whatever order the framework would give."""
    across = np.stack([np.cos(angles), np.sin(angles)], axis=1) * sizes[:, :1] / 2
    down = np.stack([-np.sin(angles), np.cos(angles)], axis=1) * sizes[:, 1:] / 2
    quads = np.stack([-across - down, across - down, across + down, -across + down], axis=1)
    return (quads + centres[:, None]).astype(np.float32)
