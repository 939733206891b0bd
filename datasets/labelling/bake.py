"""Pictures as exports hold them: turned upright, without metadata, not encoded anew unless they must be."""

from __future__ import annotations

from pathlib import Path

from datasets.labelling.changes import read_labelled
from datasets.labelling.files import unwritable
from datasets.labelling.pictures import Pictures, jpeg_size
from datasets.labelling.records import Image
from vision.codecs import Pixels
from vision.paths import is_there
from vision.photo import load_photo

PICTURES = "pictures"
"""Folder beside the manifest with the finished pictures, which the exports share by hard links."""
QUALITY = 95
"""Of JPEGs that must be encoded anew: turned by EXIF, HEIC, WebP, frames of videos."""
_SUFFIXES = (".jpg", ".png")
_PNG = b"\x89PNG\r\n\x1a\n"
# Chunks that tell of the picture's making, place and time; the others are needed to show it.
_PNG_METADATA = frozenset((b"eXIf", b"tEXt", b"iTXt", b"zTXt", b"tIME", b"caBX"))


def baked(folder: Path, name: str) -> Path | None:
    """The finished picture of that name in `folder`, None where it has not been made."""
    return next((path for s in _SUFFIXES if is_there(path := folder / f"{name}{s}")), None)


def unbake(folder: Path, name: str) -> None:
    """Remove the finished picture of that name. Raises OutputError."""
    while (path := baked(folder, name)) is not None:
        try:
            path.unlink()
        except OSError as error:
            raise unwritable(path, error) from error


def bake(image: Image, folder: Path, pictures: Pictures) -> Path:
    """Make the finished picture of an image in `folder`.

    Raises vision.errors.PhotoError where the source is gone, damaged or another picture than was labelled,
    OutputError where it cannot be written.
    """
    found = read_labelled(image, pictures)
    content, suffix = _stripped(found) if isinstance(found, bytes) else (None, "")
    if content is None:
        content, suffix = _encoded(load_photo(found, image.source).pixels), ".jpg"
    path = folder / f"{image.name}{suffix}"
    part = folder / f".{path.name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise unwritable(path, error) from error
    return path


def _stripped(data: bytes) -> tuple[bytes | None, str]:
    """The same encoded pixels without metadata, for a JPEG or PNG that needs no turning."""
    from PIL import Image as Pillow

    if data.startswith(b"\xff\xd8\xff"):
        if jpeg_size(data) is not None and _orientation(data) == 1:
            return strip_jpeg(data), ".jpg"
    elif data.startswith(_PNG) and _orientation(data) == 1:
        import io

        with Pillow.open(io.BytesIO(data)) as image:
            if image.mode in {"L", "RGB", "P"} and "transparency" not in image.info:
                return strip_png(data), ".png"
    return None, ""


def _orientation(data: bytes) -> int:
    import io

    from PIL import Image as Pillow

    try:
        with Pillow.open(io.BytesIO(data)) as image:
            return int(image.getexif().get(0x0112, 1))
    except Exception:  # noqa: BLE001 (a damaged EXIF block: the pixels are decoded, and say nothing of it)
        return 0


def strip_jpeg(data: bytes) -> bytes | None:
    """A JPEG without EXIF, XMP, IPTC, comments and whatever follows its end; None for one cut short.

    What colours need stays: JFIF, ICC profile (APP2) and Adobe's transform (APP14).
    """
    parts, place = [b"\xff\xd8"], 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF:  # fill
            place += 1
            continue
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        segment = data[place:end]
        if marker == 0xDA:
            # Within coded data 0xFF is followed by 0 or a restart, so this is the picture's end.
            last = data.find(b"\xff\xd9", end)
            return None if last < 0 else b"".join([*parts, data[place : last + 2]])
        profile = marker == 0xE2 and segment[4:].startswith(b"ICC_PROFILE\0")
        if marker != 0xFE and (not 0xE1 <= marker <= 0xEF or marker == 0xEE or profile):
            parts.append(segment)
        place = end
    return None


def strip_png(data: bytes) -> bytes | None:
    """A PNG without its metadata chunks; None for one cut short."""
    parts, place = [_PNG], len(_PNG)
    while place + 12 <= len(data):
        end = place + 12 + int.from_bytes(data[place : place + 4], "big")
        kind = data[place + 4 : place + 8]
        if kind not in _PNG_METADATA:
            parts.append(data[place:end])
        if kind == b"IEND":
            return b"".join(parts)
        place = end
    return None


def _encoded(pixels: Pixels) -> bytes:
    import cv2

    settings = [
        cv2.IMWRITE_JPEG_QUALITY, QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]  # fmt: skip
    good, data = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), settings)
    assert good  # pixels of a photo can always be encoded
    return bytes(data)
