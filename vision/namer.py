"""Name rectified faces: a small network run by ONNX Runtime, its two answers calibrated by temperature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models import registry
from vision.elements import FloatArray, Named
from vision.rectify import rectify
from vision.session import open_session

Pixels = NDArray[np.uint8]

BATCH = 64
"""Crops a run of the network, so that memory stays flat on a photo of hundreds of tiles."""


class Namer:
    """The registered namer. Thread-safe: a session may run from several threads at once."""

    def __init__(self, threads: int = 0) -> None:
        entry = registry.entry("namer")
        self._side = entry.input_size
        self._faces = len(entry.classes)
        self._face_temperature = entry.parameters["face_temperature"]
        self._turn_temperature = entry.parameters["turn_temperature"]
        self._session = open_session("namer", threads)
        self._input = self._session.get_inputs()[0].name

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        """Beliefs about each of `quads` ((N, 4, 2), clockwise) of `pixels` ((H, W, 3) uint8 RGB)."""
        logits = self.logits(rectify(pixels, quads, self._side))
        return Named(
            softmax(logits[:, : self._faces], self._face_temperature),
            softmax(logits[:, self._faces :], self._turn_temperature),
        )

    def logits(self, crops: Pixels) -> FloatArray:
        """(N, faces + 4) float32 raw outputs for `crops` ((N, side, side, 3) uint8 RGB)."""
        parts = [np.zeros((0, self._faces + 4), np.float32)]
        for start in range(0, len(crops), BATCH):
            batch = crops[start : start + BATCH].transpose(0, 3, 1, 2)
            blob = np.ascontiguousarray(batch, dtype=np.float32) / np.float32(255)
            parts.append(np.asarray(self._session.run(None, {self._input: blob})[0], np.float32))
        return np.concatenate(parts)


def softmax(logits: FloatArray, temperature: float) -> FloatArray:
    """Rows of probabilities; a temperature above 1 makes them less sure."""
    scaled = logits / np.float32(temperature)
    scaled = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    result: FloatArray = (scaled / scaled.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
