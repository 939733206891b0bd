"""How taught crops correct the namer: kernel ridge regression on what it got wrong about them.

Where the namer already names the taught crops surely there is nothing to correct, and crops unlike all
taught ones are left as they were. Prototypes (likeness to the nearest taught crop, added as evidence) were
tried first: they repair less, cost faces that were not taught 0.3 to 3 % of their names, and make wrong names
sure.
Figures here are of `eval/kimwong`, sharp as it is and blurred by a program.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.elements import FloatArray

Pixels = NDArray[np.uint8]

REACH = 12.0
"""How quickly a correction fades: by exp(-REACH (1 - cosine)) of the features' angle to the taught crop's.

After two photos of hands, faces that were not taught are named right 98.97 % at 6, and 99.08 % at 15 as
without any lesson; what is repaired of blurred tiles shrinks slowly (73.6 % right at 6, 73.4 % at 15, 71.7 %
untaught).
"""
LIFT = 6.0
"""Log-odds that a wholly misnamed taught crop is lifted by. Of blurred tiles 3 repairs a quarter less, and 12
makes 2.3 % wrong and sure where 6 makes 1.4 % (1.7 % untaught)."""
RIDGE = 0.1
"""Against taught crops that contradict each other. Between 0.05 and 0.2 little changes."""
COARSE = 18
"""Each crop is also learnt as if its face were so many pixels wide, since the set will be read from farther
away than it was taught: without that, sharp photos teach nothing about blurred ones."""


def copies(crops: Pixels) -> Pixels:
    """(8 N, side, side, 3) of (N, side, side, 3): each in four turns, sharp and then coarse.

    A located quad may begin at any corner, so a crop may come in any turn.
    """
    coarse = [_coarse(crop) for crop in crops]
    both = np.stack([crops, np.stack(coarse) if coarse else crops])
    turned = np.stack([np.rot90(both, turn, axes=(2, 3)) for turn in range(4)])
    return np.ascontiguousarray(turned.reshape(-1, *crops.shape[1:]))


COPIES = 8


def _coarse(crop: Pixels) -> Pixels:
    side = crop.shape[0]
    small = cv2.resize(crop, (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.7)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True)
class Correction:
    """middle: (D,) mean of the taught features. directions: (M, D) unit vectors from there.
    weights: (M, F) what each adds to the scores of the F faces. All float32."""

    middle: FloatArray
    directions: FloatArray
    weights: FloatArray

    def of(self, features: FloatArray) -> FloatArray:
        """(N, F) float32 to add to the face scores of crops with these (N, D) features."""
        likeness = _kernel(_directions(features, self.middle), self.directions)
        return np.asarray(likeness @ self.weights, np.float32)


def fit(scores: FloatArray, features: FloatArray, tiles: NDArray[np.int64]) -> Correction:
    """The correction that M taught crops make.

    scores: (M, F) the namer's calibrated log-odds of them. features: (M, D). tiles: (M,) which face each is.
    """
    middle = np.asarray(features.mean(axis=0), np.float32)
    directions = _directions(features, middle)
    likeness = _kernel(directions, directions).astype(np.float64)
    beliefs = np.exp(scores - scores.max(axis=1, keepdims=True))
    beliefs /= beliefs.sum(axis=1, keepdims=True)
    wrong = LIFT * (np.eye(scores.shape[1])[tiles] - beliefs)
    weights = np.linalg.solve(likeness + RIDGE * np.eye(len(likeness)), wrong)
    return Correction(middle, directions, weights.astype(np.float32))


def _directions(features: FloatArray, middle: FloatArray) -> FloatArray:
    away = features - middle
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9), np.float32)


def _kernel(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.exp(np.float32(REACH) * (a @ b.T - 1)), np.float32)
