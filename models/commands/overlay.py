"""Where `--overlay` writes, settled before a photo is read, and the writing."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from models.commands.files import same_file, write_whole
from vision.paths import is_folder

if TYPE_CHECKING:
    from vision.codecs import Pixels

SUFFIXES = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
_QUALITY = 90


class OverlayError(Exception):
    """An overlay that cannot be written; `str()` is one sentence."""


def overlay_paths(photos: Sequence[Path], target: Path) -> list[Path]:
    """The file to write for each photo.

    target: a file for one photo, or an existing folder, where each photo's overlay is `NAME-overlay.jpg`.
    Raises ValueError, one sentence, for what would lose a file or cannot be written.
    """
    if is_folder(target):
        paths = [target / f"{photo.stem}-overlay.jpg" for photo in photos]
        if len(set(paths)) < len(paths):
            raise ValueError(
                f"two photos of the same name would get one overlay in {target}; read them apart"
            )
    elif len(photos) > 1:
        raise ValueError(f"{len(photos)} photos need a folder for their overlays; make {target} first")
    else:
        paths = [target]
    for path in paths:
        if path.suffix.lower() not in SUFFIXES:
            raise ValueError(f"{path} ends in none of {', '.join(SUFFIXES)}")
        if not is_folder(path.absolute().parent):
            raise ValueError(f"there is no folder {path.parent}")
        if any(same_file(path, photo) for photo in photos):
            raise ValueError(f"{path} is a photo to be read; name another file")
    return paths


def write_picture(pixels: Pixels, path: Path) -> None:
    """Write RGB pixels; whoever looks finds the old file or the whole new one. Raises OverlayError."""
    from PIL import Image

    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, SUFFIXES[path.suffix.lower()], quality=_QUALITY)
    try:
        write_whole(path, encoded.getbuffer())
    except OSError as error:
        raise OverlayError(f"The picture {path} cannot be written: {error.strerror}.") from error
