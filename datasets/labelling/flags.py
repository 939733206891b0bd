"""What is odd about the labels of one image, by the rules of the game and by geometry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.labelling.records import Box
from scoring.tiles import FLOWERS, KINDS
from vision.elements import FACE_DOWN, UNNAMED

OVERLAP = 0.4
"""IoU of two boxes from which they may be one tile; neighbours in a row share next to nothing."""
ASPECT = 1.5
"""Factor between a face's proportions and its neighbours' from which it is odd: a whole face is 0.75 wide for
1 high, and one seen together with its side is 1.3 times as high."""
TINY = 20.0
"""Shorter side in pixels: below this the namer sees a face at a fifth of its input."""
NEAR = 0.1
"""A confidence this little above the threshold is near it."""
UNSURE = 0.5
"""A margin below this: the second name is a third as likely as the first, or more."""

MEANINGS = {
    "no-tiles": "no tile was found",
    "five-of-a-kind": "more than four of one tile",
    "two-of-one-flower": "a flower twice",
    "overlapping": "two boxes on one tile",
    "odd-aspect": "a box of other proportions than the rest",
    "tiny": "a tile too small to be read surely",
    "near-threshold": "a box that was nearly left out",
    "unsure-name": "a second name is nearly as likely",
    "unnamed": "a tile without a name",
    "damaged": "the file is damaged, so tiles may look other than they are",
    "passes-disagree": "another look, at another scale, saw something else",
}


def rule_flags(boxes: Sequence[Box], threshold: float) -> tuple[str, ...]:
    """Flags of MEANINGS for one image's boxes, in that order. threshold: least confidence of a label."""
    counts = Counter(box.tile for box in boxes)
    unsure = [box for box in boxes if box.origin == "model"]
    sides = _sides(boxes)
    faces = np.array([box.tile != FACE_DOWN for box in boxes], bool)
    found = {
        "no-tiles": not boxes,
        "five-of-a-kind": any(counts[tile] > 4 for tile in KINDS),
        "two-of-one-flower": any(counts[tile] > 1 for tile in FLOWERS),
        "overlapping": _overlap(boxes),
        "odd-aspect": _odd(sides[faces]),
        "tiny": bool((sides.min(axis=1) < TINY).any()) if len(boxes) else False,
        "near-threshold": any(box.confidence < threshold + NEAR for box in unsure),
        "unsure-name": any(box.margin < UNSURE for box in unsure),
        "unnamed": counts[UNNAMED] > 0,
    }
    return tuple(flag for flag, holds in found.items() if holds)


def _sides(boxes: Sequence[Box]) -> NDArray[np.float64]:
    """(N, 2) width and height of the faces, means of opposite edges."""
    quads = np.array([box.quad for box in boxes], np.float64).reshape(-1, 4, 2)
    edges = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    return (edges[:, :2] + edges[:, 2:]) / 2


def _odd(sides: NDArray[np.float64]) -> bool:
    if len(sides) < 3:
        return False
    logs = np.log(np.maximum(sides[:, 0], 1e-6) / np.maximum(sides[:, 1], 1e-6))
    return bool((np.abs(logs - np.median(logs)) > np.log(ASPECT)).any())


def _overlap(boxes: Sequence[Box]) -> bool:
    """Upright boxes sort out the pairs, rotated rectangles decide: tilted neighbours share much of theirs."""
    import cv2

    if len(boxes) < 2:
        return False
    corners = np.array([box.quad for box in boxes], np.float32)
    low, high = corners.min(axis=1), corners.max(axis=1)
    shared = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    close = np.triu((shared > 0).all(axis=2), 1)
    for first, second in np.argwhere(close):
        both, _ = cv2.intersectConvexConvex(corners[first], corners[second])
        areas = cv2.contourArea(corners[first]) + cv2.contourArea(corners[second])
        if both / max(areas - both, 1e-6) > OVERLAP:
            return True
    return False
