"""Upright boxes around quads, and which of two lists of boxes are the same tiles."""

from __future__ import annotations

import numpy as np

from vision.elements import FloatArray, Quad

SAME = 0.5
"""IoU from which two upright boxes are one tile, as evaluation counts it."""


FACE_SHARE = 0.9
"""Side of an annotated face as a share of the located box's.

The locator's boxes take in the rounded rim, and what a rectangle around a face in perspective adds. Medians:
0.82 of the width and 0.88 of the height on 1,913 upright tiles of the public training photos.
"""


def face_of(box: Quad) -> Quad:
    """The corners of the face within a located box: drawn in towards its middle by FACE_SHARE."""
    x, y = sum(corner[0] for corner in box) / 4, sum(corner[1] for corner in box) / 4
    a, b, c, d = ((x + (u - x) * FACE_SHARE, y + (v - y) * FACE_SHARE) for u, v in box)
    return (a, b, c, d)


def around(quads: FloatArray) -> FloatArray:
    """(N, 4, 2) quads to (N, 4) float32 boxes x1, y1, x2, y2 around them."""
    corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)


def match(found: FloatArray, true: FloatArray) -> list[tuple[int, int]]:
    """Pairs (found, true) of (N, 4) and (M, 4) boxes that are one tile, best IoU first, each box once."""
    low = np.maximum(found[:, None, :2], true[None, :, :2])
    high = np.minimum(found[:, None, 2:], true[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    areas = [(box[:, 2:] - box[:, :2]).prod(axis=1) for box in (found, true)]
    iou = shared / np.maximum(areas[0][:, None] + areas[1][None, :] - shared, 1e-9)
    pairs: list[tuple[int, int]] = []
    free_found, free_true = set(range(len(found))), set(range(len(true)))
    for index in np.argsort(-iou, axis=None, kind="stable"):
        f, t = (int(i) for i in np.unravel_index(index, iou.shape))
        if iou[f, t] < SAME:
            break
        if f in free_found and t in free_true:
            free_found.remove(f)
            free_true.remove(t)
            pairs.append((f, t))
    return pairs
