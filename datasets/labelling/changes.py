"""Whether a picture is still the one that was labelled: its labels fit no other."""

from __future__ import annotations

import hashlib

from datasets.labelling.duplicates import NEAR, perceptual_hash
from datasets.labelling.pictures import Pictures, read_bytes
from datasets.labelling.records import Image
from vision.codecs import Pixels
from vision.errors import PhotoUnreadableError


class PhotoChangedError(PhotoUnreadableError):
    """Another picture lies where the labelled one did."""


def read_labelled(image: Image, pictures: Pictures) -> bytes | Pixels:
    """The file of an image that was labelled, or (H, W, 3) uint8 RGB pixels of its frame of a video.

    Raises PhotoChangedError where it is not the one that was labelled, vision.errors.PhotoError.
    """
    if image.frame is None:
        data = read_bytes(image.picture, image.source)
        if hashlib.sha256(data).hexdigest() == image.sha256:
            return data
    else:
        pixels = pictures.open(image.picture, image.frame, image.source).pixels
        if _look_alike(pixels, image.phash):
            return pixels
    raise PhotoChangedError(
        f"{image.source} has changed since it was labelled; put the old one back, or label it again "
        "(`hupai label` with --resume)."
    )


def _look_alike(pixels: Pixels, phash: str | None) -> bool:
    """Decoders of videos differ in single bits from one machine to another, so a SHA-256 will not do."""
    try:
        return (int(perceptual_hash(pixels), 16) ^ int(phash or "", 16)).bit_count() <= NEAR
    except ValueError:  # damaged: no hash of any picture
        return False
