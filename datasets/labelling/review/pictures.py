"""Pictures and crops for the page: upright, no larger than the screen asks, kept in memory up to a bound."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from cachetools import LRUCache
from PIL import Image as Pillow

from datasets.labelling import pictures as opening
from datasets.labelling.bake import baked
from datasets.labelling.records import Box, Image
from vision.codecs import Pixels, as_pixels
from vision.elements import Quad
from vision.errors import PhotoUnreadableError
from vision.paths import is_file
from vision.photo import load_photo

WIDTHS = (480, 960, 1600, 2400, 4000)
"""Long sides that a picture is served in, so that a window that is resized finds it in memory."""
CROP_HEIGHT = 144
"""Pixels of a crop on the wall: twice as many as it takes there, for fine screens."""
CROP_RIM = 0.14
"""What is shown around a face on each side, as a share of it: a box that sits askew must be seen to."""
CROP_SHAPES = (0.4, 2.5)
"""Width to height within which a crop keeps its shape."""
QUALITY = 85
ENCODED_BYTES = 96 * 2**20
DECODED_BYTES = 192 * 2**20
"""Memory for encoded answers, and for decoded pictures to cut from: 21 of 12 megapixels at half size."""
_LARGEST_REDUCTION = 8
"""The coarsest that a JPEG decoder gives."""


class Pictures:
    """Opens, scales and cuts; threads may share one.

    copies: folder of the finished copies that labelling keeps, shown where a picture itself is gone or lies
    in object storage: upright and of the same size, so boxes fit both.
    """

    def __init__(self, copies: Path) -> None:
        self._copies = copies
        self._encoded: LRUCache[str, bytes] = LRUCache(ENCODED_BYTES, getsizeof=len)
        self._decoded: LRUCache[str, Pixels] = LRUCache(DECODED_BYTES, getsizeof=lambda pixels: pixels.nbytes)
        self._lock = Lock()

    def picture(self, image: Image, side: int) -> bytes:
        """JPEG of the upright picture whose long side is the least of WIDTHS that is not under `side`, or its
        own. Raises a VisionError when it cannot be opened."""
        wanted = next((width for width in WIDTHS if width >= side), WIDTHS[-1])
        return self._answer(f"{self.tag(image)} {wanted}", lambda: self._scaled(image, wanted))

    def crop(self, image: Image, box: Box) -> bytes:
        """JPEG of one box with a rim, the face upright. Raises a VisionError."""
        return self._answer(f"{self.tag(image)} {box.quad}", lambda: self._cut(image, box))

    def missing(self, image: Image) -> str | None:
        """One sentence when neither the file of the picture nor a copy is there any more."""
        if self._shown(image) is not None:
            return None
        return f"{image.source} is not at {image.picture} any more; put it back, or reject the picture."

    def tag(self, image: Image) -> str:
        """Changes when the file that is shown does. Raises PhotoUnreadableError when there is none."""
        shown = self._shown(image)
        try:
            if shown is None:
                raise FileNotFoundError
            found = Path(shown.picture).stat()
        except (OSError, ValueError) as error:
            raise PhotoUnreadableError(self.missing(image) or f"{image.source} cannot be read.") from error
        key = f"{shown.picture}\0{shown.frame}\0{found.st_mtime_ns}\0{found.st_size}"
        return hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()[:24]

    def _shown(self, image: Image) -> Image | None:
        """The image by the file that is opened for it: its own, else its copy; None without either."""
        if is_file(image.picture):
            return image
        copy = baked(self._copies, image.name)
        return None if copy is None else replace(image, picture=str(copy), frame=None)

    def _answer(self, key: str, make: Callable[[], Pixels]) -> bytes:
        with self._lock:
            known = self._encoded.get(key)
        if known is not None:
            return known
        data = _jpeg(make())
        with self._lock:
            self._encoded[key] = data
        return data

    def _scaled(self, image: Image, side: int) -> Pixels:
        long = max(image.width or 0, image.height or 0)
        pixels = self._open(image, _reduction(long / side) if long else 1)
        height, width = pixels.shape[:2]
        scale = side / max(width, height)
        if scale >= 1:
            return pixels
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        return as_pixels(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))

    def _cut(self, image: Image, box: Box) -> Pixels:
        across, down = _sides(box.quad)
        pixels = self._open(image, _reduction(down * (1 + 2 * CROP_RIM) / CROP_HEIGHT))
        # What the decoder made of the size, from the size that the boxes are in.
        scale = np.array([pixels.shape[1] / (image.width or 1), pixels.shape[0] / (image.height or 1)])
        shape = float(np.clip(across / max(down, 1e-6), *CROP_SHAPES))
        size = (max(1, round(CROP_HEIGHT * shape)), CROP_HEIGHT)
        rim = CROP_RIM / (1 + 2 * CROP_RIM)
        (left, top), (right, bottom) = (
            (size[0] * rim, size[1] * rim),
            (size[0] * (1 - rim), size[1] * (1 - rim)),
        )
        onto = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
        matrix = cv2.getPerspectiveTransform((np.array(box.quad) * scale).astype(np.float32), onto)
        return as_pixels(
            cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )

    def _open(self, image: Image, reduction: int) -> Pixels:
        """Upright pixels, of a JPEG so many times smaller. What two threads want at once is opened twice."""
        key = f"{self.tag(image)} {reduction}"
        with self._lock:
            known = self._decoded.get(key)
        if known is not None:
            return known
        pixels = _open(self._shown(image) or image, reduction)
        with self._lock:
            if pixels.nbytes <= self._decoded.maxsize:
                self._decoded[key] = pixels
        return pixels


def _open(image: Image, reduction: int) -> Pixels:
    if image.frame is not None:
        return _frame(image, image.frame)
    if reduction > 1:
        try:
            with Pillow.open(image.picture) as opened:
                if opened.format == "JPEG":
                    opened.draft("RGB", (opened.width // reduction, opened.height // reduction))
                    return load_photo(opened, image.source).pixels
        except (OSError, ValueError, Pillow.DecompressionBombError):
            pass  # the ordinary way says in words what is wrong
    return load_photo(image.picture, image.source).pixels


def _frame(image: Image, number: int) -> Pixels:
    opener = opening.Pictures()
    try:
        return opener.open(image.picture, number, image.source).pixels
    finally:
        opener.close()


def _reduction(times: float) -> int:
    """The largest power of two that leaves what is wanted, where there are `times` as many pixels a side."""
    reduction = 1
    while reduction * 2 <= times and reduction < _LARGEST_REDUCTION:
        reduction *= 2
    return reduction


def _sides(quad: Quad) -> tuple[float, float]:
    """Mean width and height in the face's own directions, pixels."""
    a, b, c, d = np.array(quad)
    across = (np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2
    down = (np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2
    return float(across), float(down)


def _jpeg(pixels: Pixels) -> bytes:
    done, data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise PhotoUnreadableError("The picture could not be encoded for the page; load it again.")
    return data.tobytes()
