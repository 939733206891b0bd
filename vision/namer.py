"""Name rectified faces: a small network run by ONNX Runtime, its two answers calibrated by temperature."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import registry
from vision.elements import FloatArray, Named
from vision.own_weights import be_finite, digest, try_out
from vision.rectify import rectify
from vision.session import open_session

Pixels = NDArray[np.uint8]

BATCH = 64
"""Crops a run of the network, so that memory stays flat on a photo of hundreds of tiles."""
TRIED = 3
"""Crops that weights of one's own are tried with: a number that no file is exported for."""
TURNS = 4
"""Answers after those of the faces: which corner of the crop is the face's own top left."""


@dataclass(frozen=True)
class Looks:
    """What the network says of N crops.

    logits: (N, faces + 4) float32, raw. features: (N, D) float32, what its last layer sees; D is 0 for a file
    without that output.
    """

    logits: FloatArray
    features: FloatArray

    def __len__(self) -> int:
        return len(self.logits)


class Namer:
    """The registered namer. Thread-safe: a session may run from several threads at once."""

    def __init__(self, threads: int = 0, weights: Path | None = None) -> None:
        """Load the model.

        threads: 0 takes all cores.
        weights: an ONNX file of one's own in place of the registered one, with the same input and outputs, of
        which the features may be missing.

        Raises models.registry.ModelError for weights that cannot be used.
        """
        entry = registry.entry("namer")
        self.side = entry.input_size
        self.sha256 = entry.sha256
        if weights is not None:
            takes = (TRIED, 3, self.side, self.side)
            answers = [(TRIED, len(entry.classes) + TURNS), (TRIED, None)]
            shapes = try_out(weights, "namer", takes, answers)
            self.sha256 = digest(weights)
        self._faces = len(entry.classes)
        self._face_temperature = entry.parameters["face_temperature"]
        self._turn_temperature = entry.parameters["turn_temperature"]
        self._session = open_session("namer", threads, weights)
        self._input = self._session.get_inputs()[0].name
        self._outputs = [output.name for output in self._session.get_outputs()]
        if weights is None:
            shapes = tuple(tuple(output.shape) for output in self._session.get_outputs())
        self.width = shapes[1][1] if len(shapes) > 1 else 0

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        """Beliefs about each of `quads` ((N, 4, 2), clockwise) of `pixels` ((H, W, 3) uint8 RGB)."""
        logits = self.logits(rectify(pixels, quads, self.side))
        return Named(softmax(self.face_scores(logits)), self.turns(logits))

    def logits(self, crops: Pixels) -> FloatArray:
        """(N, faces + 4) float32 raw outputs for `crops` ((N, side, side, 3) uint8 RGB)."""
        return self.look(crops).logits

    def look(self, crops: Pixels) -> Looks:
        """All that the network says of `crops` ((N, side, side, 3) uint8 RGB)."""
        logits = [np.zeros((0, self._faces + TURNS), np.float32)]
        features = [np.zeros((0, self.width), np.float32)]
        for start in range(0, len(crops), BATCH):
            batch = crops[start : start + BATCH].transpose(0, 3, 1, 2)
            blob = np.ascontiguousarray(batch, dtype=np.float32) / np.float32(255)
            answers = self._session.run(self._outputs, {self._input: blob})
            be_finite(answers[0], "namer")
            logits.append(np.asarray(answers[0], np.float32))
            features.append(np.asarray(answers[1] if self.width else np.zeros((len(blob), 0)), np.float32))
        return Looks(np.concatenate(logits), np.concatenate(features))

    def face_scores(self, logits: FloatArray) -> FloatArray:
        """(N, faces) calibrated log-odds, up to a constant a row: `softmax` makes them probabilities."""
        return np.asarray(logits[:, : self._faces] / np.float32(self._face_temperature), np.float32)

    def turns(self, logits: FloatArray) -> FloatArray:
        """(N, 4) probabilities: which corner of the quad is the face's own top left."""
        return softmax(logits[:, self._faces :], self._turn_temperature)


def softmax(logits: FloatArray, temperature: float = 1.0) -> FloatArray:
    """Rows of probabilities; a temperature above 1 makes them less sure."""
    scaled = logits / np.float32(temperature)
    scaled = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    result: FloatArray = (scaled / scaled.sum(axis=1, keepdims=True)).astype(np.float32)
    return result
