"""The one door for photos: path, bytes, stream, array or PIL image in, upright RGB pixels out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.codecs import Pixels, as_pixels, check_size, decode_bytes, decode_image
from vision.errors import PhotoFormatError, PhotoSizeError, PhotoUnreadableError
from vision.paths import refuse_pipe

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 256 * 2**20
"""60 megapixels of RGB, uncompressed, with room to spare; stops an endless device or a wrong file."""

Source: TypeAlias = (
    "str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | NDArray[Any] | Image.Image"
)


@dataclass(frozen=True)
class Photo:
    """A photo, upright.

    pixels: (H, W, 3) uint8, RGB, turned by the EXIF orientation; transparent parts are white.
    name: the path as given, or what the caller called it.
    size: (width, height) of the upright photo.
    factor: how many of the photo's pixels one of `pixels` is wide; 1 unless fewer were asked for.
    encoded: what `pixels` were decoded from, where they are fewer than the photo has.
    damaged: the file is damaged, and the decoder made up what it does not tell.
    """

    pixels: Pixels
    name: str
    size: tuple[int, int]
    factor: int = 1
    encoded: bytes | None = None
    damaged: bool = False

    def whole(self) -> Photo:
        """The photo with all of its pixels."""
        return self if self.encoded is None else load_photo(self.encoded, self.name)


def load_photo(source: Source, name: str | None = None, *, reduce: bool = False) -> Photo:
    """Open a photo and turn it upright.

    source: a path, encoded bytes, a binary stream, an (H, W), (H, W, 3) or (H, W, 4) uint8 array (RGB order,
        taken as upright), or a PIL image. Encoded: JPEG, PNG, WebP, HEIC, or a GIF that does not move.
    name: what to call it; by default the path as given, or "photo".
    reduce: a half or a quarter of the pixels each way will do for a large JPEG, which is decoded sooner.

    Size and kind are checked on the header, before any pixel is decoded. Raises a PhotoError.
    """
    from PIL import Image

    if isinstance(source, np.ndarray):
        label = name or "photo"
        return _whole(_from_array(source, label), label)
    if isinstance(source, Image.Image):
        label = name or str(getattr(source, "filename", "") or "photo")
        return _whole(decode_image(source, label), label)
    if isinstance(source, bytes | bytearray | memoryview):
        label, data = name or "photo", bytes(source)
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        label = name or str(source)
        data = _read_file(path, label)
    else:
        label = name or "photo"
        data = _read_stream(source, label)
    decoded = decode_bytes(data, label, reduce=reduce)
    encoded = data if decoded.factor > 1 else None
    return Photo(decoded.pixels, label, decoded.size, decoded.factor, encoded, decoded.damaged)


def _whole(pixels: Pixels, label: str) -> Photo:
    return Photo(pixels, label, (pixels.shape[1], pixels.shape[0]))


def _read_file(path: Path, label: str) -> bytes:
    try:
        if path.is_dir():
            raise PhotoUnreadableError(f"{label} is a folder; name the photos in it.")
        refuse_pipe(path)
        with path.open("rb") as stream:
            return _read_stream(stream, label)
    except FileNotFoundError as error:
        raise PhotoUnreadableError(f"There is no file {path}; check the name.") from error
    except PermissionError as error:
        raise PhotoUnreadableError(f"You may not read {label}; change its permissions or copy it.") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise PhotoUnreadableError(f"{label} cannot be read: {reason}.") from error


def _read_stream(stream: IO[bytes], label: str) -> bytes:
    data = stream.read(MAX_BYTES + 1)
    if not isinstance(data, bytes):
        raise PhotoUnreadableError(f"{label} is a text stream; open it in binary mode.")
    if len(data) > MAX_BYTES:
        raise PhotoSizeError(f"{label} has more than {MAX_BYTES >> 20} MiB; save it as an ordinary JPEG.")
    return data


def _from_array(array: NDArray[Any], label: str) -> Pixels:
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype != np.uint8 or array.ndim not in {2, 3} or channels not in {1, 3, 4}:
        raise PhotoFormatError(
            f"{label} is an array of shape {array.shape} and type {array.dtype}; give "
            "(H, W), (H, W, 3) or (H, W, 4) of uint8, in RGB order."
        )
    check_size((array.shape[1], array.shape[0]), label)
    if channels == 1:
        return np.repeat(array.reshape(*array.shape[:2], 1), 3, axis=2)
    if channels == 4:
        from PIL import Image

        return decode_image(Image.fromarray(array, "RGBA"), label)
    return as_pixels(array)
