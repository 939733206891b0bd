"""Pictures that benchmarks and tests make, of the rendered sample that ships or of pixels they are given."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample" / "hand.jpg"
"""A rendered scene, no photo."""

LARGE = (4000, 3000)
"""12 megapixels, as a phone takes them."""

ORIENTATION = 0x0112
"""The EXIF tag that says how a camera was held."""

STORED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""By EXIF orientation: what makes of an upright picture the pixels that are stored with it."""


def stored_as(upright: Image.Image, orientation: int) -> tuple[Image.Image, Image.Exif]:
    """The pixels and the tags that show this picture upright, as a camera held otherwise stores them."""
    tags = Image.Exif()
    tags[ORIENTATION] = orientation
    return (upright.transpose(STORED[orientation]) if orientation in STORED else upright), tags


def enlarged_sample(path: Path) -> None:
    """Write the shipped sample at 12 megapixels with camera noise: a JPEG as heavy to decode as a phone's."""
    import cv2
    import numpy as np

    picture = cv2.resize(cv2.imread(str(SAMPLE)), LARGE, interpolation=cv2.INTER_CUBIC)
    noise = np.random.default_rng(0).normal(0, 5.0, picture.shape)
    cv2.imwrite(str(path), np.clip(picture + noise, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
