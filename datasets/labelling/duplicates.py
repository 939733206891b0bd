"""Pictures that are the same, or nearly: perceptual hashes and groups of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.codecs import Pixels

NEAR = 6
"""Bits of 64 in which the hashes of one picture differ at most after scaling and recompression.

Of 71 photos halved and saved at JPEG quality 40, 54 kept their hash and 17 differed by 2 bits. Of the 2,485
pairs of these photos 6 differed by no more than this, and the median pair by 30.
"""
_BLOCK = 1024
_HASH_SIDE = 256
"""Pictures are scaled to this side first: the hash itself is of 32 × 32 pixels."""


def perceptual_hash(pixels: Pixels) -> str:
    """64-bit DCT hash of (H, W, 3) uint8 RGB pixels, 16 hexadecimal digits."""
    import cv2
    import imagehash
    from PIL import Image

    height, width = pixels.shape[:2]
    scale = min(1.0, _HASH_SIDE / min(height, width))
    small = cv2.resize(
        pixels, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA
    )
    return str(imagehash.phash(Image.fromarray(small)))


def group_alike(hashes: Sequence[str], near: int = NEAR) -> NDArray[np.int64]:
    """(N,) for each hash the index of the first that it is linked to by steps of at most `near` bits.

    All pairs are compared, in blocks of array operations, so that memory stays at a few MB.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    bits = np.array([int(text, 16) for text in hashes], np.uint64)
    count = len(bits)
    if not count:
        return np.zeros(0, np.int64)
    rows, columns = [], []
    for start in range(0, count, _BLOCK):
        block = bits[start : start + _BLOCK]
        for other in range(start, count, _BLOCK):
            apart = np.bitwise_count(block[:, None] ^ bits[None, other : other + _BLOCK])
            row, column = np.nonzero(apart <= near)
            rows.append(row + start)
            columns.append(column + other)
    row, column = np.concatenate(rows), np.concatenate(columns)
    links = coo_array((np.ones(len(row), np.int8), (row, column)), shape=(count, count))
    _, component = connected_components(links, directed=False)
    first = np.full(component.max() + 1, count, np.int64)
    np.minimum.at(first, component, np.arange(count))
    return np.asarray(first[component], np.int64)
