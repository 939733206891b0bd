"""The door for photos: any bytes give upright RGB pixels, or a PhotoError of one sentence."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
from PIL import Image, ImageCms

from vision.codecs import MAX_PIXELS, MIN_SIDE
from vision.errors import PhotoError
from vision.photo import load_photo

from ..mutator import mutate_picture
from ..target import BrokenPromiseError, Target, check_sentence

SAMPLE = Path(__file__).parents[3] / "datasets" / "sample" / "hand.jpg"
"""A rendered scene, not a photo."""
SIZE = (72, 54)


def run(data: bytes) -> None:
    try:
        pixels = load_photo(data).pixels
    except PhotoError as error:
        check_sentence(error)
        return
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.flags.c_contiguous:
        raise BrokenPromiseError(f"pixels of {pixels.dtype}, {pixels.shape}")
    if min(pixels.shape[:2]) < MIN_SIDE or pixels.shape[0] * pixels.shape[1] > MAX_PIXELS:
        raise BrokenPromiseError(f"pixels of {pixels.shape}")
    reduced = load_photo(data, reduce=True)
    sides = (pixels.shape[1], pixels.shape[0])
    if reduced.size != sides or any(
        abs(small * reduced.factor - side) >= reduced.factor
        for small, side in zip(reduced.pixels.shape[1::-1], sides, strict=True)
    ):
        raise BrokenPromiseError(f"{sides} reduced: {reduced.size} and pixels of {reduced.pixels.shape}")


@cache
def seeds() -> tuple[bytes, ...]:
    """The sample, small, as each kind of file that phones and programs write."""
    with Image.open(SAMPLE) as sample:
        small = sample.convert("RGB").resize(SIZE)
    return tuple(_all(small))


def _all(rgb: Image.Image) -> Iterator[bytes]:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8769)[0x9003] = "2024:01:01 00:00:00"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    rgba, grey, turned = rgb.convert("RGBA"), rgb.convert("L"), rgb.transpose(Image.Transpose.ROTATE_180)
    rgba.putalpha(grey)
    palette = rgb.quantize(16)
    deep = np.asarray(grey).astype(np.uint16) * 257
    film: dict[str, Any] = {"save_all": True, "append_images": [turned, rgb], "duration": 40}

    yield _saved(rgb, "JPEG", quality=60)
    yield _saved(rgb, "JPEG", quality=30, exif=exif.tobytes(), icc_profile=profile, dpi=(72, 72))
    yield _saved(rgb, "JPEG", progressive=True, optimize=True, comment=b"hupai")
    yield _saved(rgb, "JPEG", restart_marker_blocks=2, subsampling=0)
    yield _saved(grey, "JPEG", exif=exif.tobytes())
    yield _saved(rgb.convert("CMYK"), "JPEG")
    for side in (2401, 7203):  # decoded at a half, at a quarter of their size
        yield _saved(rgb.resize((side, 33)), "JPEG", quality=1, exif=exif.tobytes())
    yield _saved(rgb, "MPO", save_all=True, append_images=[turned])
    for image in (rgb, rgba, grey, palette, rgba.convert("LA"), rgb.convert("1"), Image.fromarray(deep)):
        yield _saved(image, "PNG")
    yield _saved(rgb, "PNG", exif=exif.tobytes(), icc_profile=profile, compress_level=0)
    yield _saved(palette, "PNG", transparency=b"\0\x80\xff")
    yield _saved(rgb, "PNG", transparency=(200, 30, 30))
    yield _saved(rgb, "PNG", **film)
    yield _saved(rgb, "WEBP", quality=40)
    yield _saved(rgb, "WEBP", lossless=True, exif=exif.tobytes(), icc_profile=profile)
    yield _saved(rgba, "WEBP", quality=40)
    yield _saved(rgb, "WEBP", **film)
    yield _saved(palette, "GIF")
    yield _saved(palette, "GIF", **{**film, "append_images": [turned.quantize(8)]})
    yield from _heic(rgb, rgba, exif)


def _saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def _heic(rgb: Image.Image, rgba: Image.Image, exif: Image.Exif) -> Iterator[bytes]:
    plain, told = pillow_heif.from_pillow(rgb), pillow_heif.from_pillow(rgb)
    told[0].info["exif"] = exif.tobytes()
    several = pillow_heif.from_pillow(rgb)
    several.add_from_pillow(rgba)
    for heif in (plain, told, pillow_heif.from_pillow(rgba), several):
        stream = io.BytesIO()
        heif.save(stream, quality=30)
        yield stream.getvalue()
    deep = np.asarray(rgb).astype(np.uint16) << 8
    stream = io.BytesIO()
    pillow_heif.encode("RGB;16", rgb.size, deep.tobytes(), stream, quality=30)
    yield stream.getvalue()


PHOTO = Target(
    "photo", run, seeds, mutate_picture, ("PIL.JpegImagePlugin", "PIL.PngImagePlugin",
    "PIL.WebPImagePlugin",
    "PIL.GifImagePlugin", "PIL.TiffImagePlugin", "PIL.ExifTags", "PIL.ImageFile", "PIL.Image",
    "pillow_heif.heif",
    "pillow_heif.misc", "pillow_heif.as_plugin", "vision.codecs", "vision.photo"),
)  # fmt: skip
