"""From an encoded picture, or one that Pillow holds, to upright RGB pixels."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.errors import PhotoAnimatedError, PhotoDamagedError, PhotoFormatError, PhotoSizeError

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 60_000_000
"""Phones give 12 to 50 megapixels. 60 take 180 MB as RGB, which keeps a reading under 600 MB."""
MAX_SIDE = 30_000
"""cv2 addresses the pixels it warps from with 16 bits (32,767)."""
MIN_SIDE = 32
"""About one legible tile."""

STRIP = 256
"""Rows that are converted at a time; of 10,000 pixels they take 10 MB."""

REDUCED_FROM = {4: 7200, 2: 2400}
"""By how much a JPEG may be decoded smaller, and the longer side, pixels, from which it is: 1,200 are left at
least, of which the locator sees 640. Of 12 megapixels half size takes 40 ms instead of 81, a quarter 36. 80
photos enlarged to 7200 pixels are read as well at a quarter as whole (74 hands right of each)."""

Pixels: TypeAlias = NDArray[np.uint8]

# What the header parsers of Pillow and libheif raise for files that are cut short or corrupt.
_DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    EOFError,
    struct.error,
    MemoryError,
    RuntimeError,  # libheif, past its own limits
)
_ORIENTATION = 0x0112
_SIDEWAYS = frozenset((5, 6, 7, 8))
_LIMITS = f"at most {MAX_PIXELS // 1_000_000} megapixels and {MAX_SIDE:,} pixels a side"
_KINDS = "Give a JPEG, PNG, WebP or HEIC photo."


@dataclass(frozen=True)
class Decoded:
    """Upright RGB pixels, of a picture of `size` (width, height), `factor` times as large each way. damaged:
    the decoder made up what the file does not tell."""

    pixels: Pixels
    size: tuple[int, int]
    factor: int = 1
    damaged: bool = False


def decode_bytes(data: bytes, label: str, *, reduce: bool = False) -> Decoded:
    """Decode an encoded picture.

    label: what to call it. reduce: a half or a quarter of the pixels each way will do for a large JPEG.

    Raises a PhotoError.
    """
    if not data:
        raise PhotoDamagedError(f"{label} is empty; copy the photo again.")
    with _decoding(label):
        image = _open_header(data)
    if image is None:
        raise PhotoFormatError(f"{label} is not a picture that hupai can open. {_KINDS}")
    check_size(image.size, label)
    with _decoding(label):
        moves = image.format in {"GIF", "PNG", "WEBP"} and getattr(image, "is_animated", False)
    if moves:
        raise PhotoAnimatedError(f"{label} is an animation; give one still photo.")
    if image.format == "JPEG" and image.mode in {"L", "RGB"}:
        longest = max(image.size) if reduce else 0
        factor = next((factor for factor, least in REDUCED_FROM.items() if longest >= least), 1)
        orientation = _orientation(image)
        decoded = _decode_jpeg(data, image.size, label, factor)
        if decoded is not None:
            size = image.size[::-1] if orientation in _SIDEWAYS else image.size
            return replace(decoded, pixels=_turned(decoded.pixels, orientation), size=size)
    pixels = decode_image(image, label)
    return Decoded(pixels, (pixels.shape[1], pixels.shape[0]))


@contextmanager
def _decoding(label: str) -> Iterator[None]:
    """What decoders raise for damaged files and for too many pixels, as our own errors."""
    from PIL.Image import DecompressionBombError

    try:
        yield
    except DecompressionBombError as error:  # some plugins check by themselves, and tell no size
        raise PhotoSizeError(f"{label} has far too many pixels; make it smaller, {_LIMITS}.") from error
    except _DAMAGE as error:
        raise PhotoDamagedError(f"{label} is cut short or damaged; copy the photo again.") from error


def _open_header(data: bytes) -> Image.Image | None:
    """Pillow's image of these bytes, its pixels not decoded yet; None for a signature that is not known.

    The plugin is chosen by signature and called directly: `Image.open` would refuse or warn about large
    pictures by a process-wide setting, and would take a JPEG with a second picture in it for an animation.
    """
    stream = io.BytesIO(data)
    if data.startswith(b"\xff\xd8\xff"):
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(stream)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(stream)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(stream)
    if data[4:8] == b"ftyp":
        from pillow_heif import HeifImageFile, get_file_mimetype

        if not get_file_mimetype(data).startswith(("image/heic", "image/heif")):  # a video, an AVIF
            return None
        heif: Image.Image = HeifImageFile(stream)
        return heif
    if data.startswith((b"GIF87a", b"GIF89a")):
        from PIL.GifImagePlugin import GifImageFile

        return GifImageFile(stream)
    return None


def check_size(size: tuple[int, int], label: str) -> None:
    """size: (width, height). Raises PhotoSizeError."""
    width, height = size
    if width * height > MAX_PIXELS or max(size) > MAX_SIDE:
        raise PhotoSizeError(f"{label} has {width} × {height} pixels; make it smaller, {_LIMITS}.")
    if min(size) < MIN_SIDE:
        raise PhotoSizeError(
            f"{label} has only {width} × {height} pixels, too few to show a tile; "
            "give the photo in its full size."
        )


def _decode_jpeg(data: bytes, size: tuple[int, int], label: str, factor: int) -> Decoded | None:
    """RGB pixels, not turned; None for a file that is none of the usual JPEGs.

    cv2 and Pillow decode to the same pixels, and say nothing of files damaged in the middle, in which tiles
    look like others: of 215 such files 152 are noticed here, of 3,509 good ones none is taken for one.
    """
    import simplejpeg

    width, height = (-(-side // factor) for side in size)
    # The decoder's own scaling: less to transform, and averages instead of gaps.
    how: dict[str, Any] = {"min_factor": factor, "min_width": width, "min_height": height}
    for strict in (True, False):
        try:
            if simplejpeg.decode_jpeg_header(data, strict=strict, **how)[:2] != (height, width):
                break  # two headers that differ
            pixels = simplejpeg.decode_jpeg(data, "RGB", strict=strict, **how)
            return Decoded(as_pixels(pixels), size, factor, damaged=not strict)
        except ValueError as error:
            if str(error).startswith("Could not determine"):  # its colours, or how they are sampled
                return None
            if not str(error).startswith("Corrupt JPEG data"):  # most of all "Premature end of JPEG file"
                break
    raise PhotoDamagedError(f"{label} is cut short or damaged; copy the photo again.")


def decode_image(image: Image.Image, label: str) -> Pixels:
    """Upright RGB pixels of a picture that Pillow has opened or made. Raises a PhotoError."""
    check_size(image.size, label)
    with _decoding(label):
        image.load()
        orientation = _orientation(image)
        pixels = _in_strips(image, label)
    return _turned(pixels, orientation)


def _in_strips(image: Image.Image, label: str) -> Pixels:
    """RGB pixels, some rows after the other: a PNG of 60 megapixels with transparency, of 230 KB, made the
    process hold 934 MB when all were converted at once, and 455 MB so."""
    width, height = image.size
    pixels = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, STRIP):
        rows = image.crop((0, top, width, min(height, top + STRIP)))
        pixels[top : top + STRIP] = np.asarray(_as_rgb(rows, label))
    return pixels


def _as_rgb(image: Image.Image, label: str) -> Image.Image:
    from PIL import Image

    if image.mode.startswith("I;16"):  # `convert` would clip at 255 instead of scaling
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8)).convert("RGB")
    if image.mode in {"I", "F"}:
        raise PhotoFormatError(f"{label} has {image.mode} pixels, whose range is not known. {_KINDS}")
    if image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info:
        rgba = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")
    return image.convert("RGB")


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; 1 when there is none or the EXIF block is damaged."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except _DAMAGE:  # the pixels may still be good
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _turned(pixels: Pixels, orientation: int) -> Pixels:
    """Pixels as the camera's holder saw them. The cases are those of EXIF 2.32, tag 274."""
    import cv2

    turns: dict[int, Callable[[], Any]] = {
        2: lambda: cv2.flip(pixels, 1),
        3: lambda: cv2.flip(cv2.flip(pixels, 0), 1),  # a third of the time of cv2.rotate
        4: lambda: cv2.flip(pixels, 0),
        5: lambda: cv2.transpose(pixels),
        6: lambda: cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE),
        7: lambda: cv2.flip(cv2.flip(cv2.transpose(pixels), 0), 1),
        8: lambda: cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE),
    }
    return as_pixels(turns[orientation]()) if orientation in turns else pixels


def as_pixels(array: NDArray[Any]) -> Pixels:
    """The array itself where it is contiguous uint8 already."""
    return np.ascontiguousarray(array, dtype=np.uint8)
