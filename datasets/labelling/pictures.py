"""Open what a manifest lists, a photo or a frame of a video, and no more of it than labelling needs."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.labelling.inputs import VIDEOS
from vision.codecs import Pixels
from vision.errors import PhotoUnreadableError
from vision.photo import MAX_BYTES, load_photo

ANCHORS = 120
"""From one frame that is looked for by its number to the next; those between are counted from it. Eight
processes that take every 30th frame in turn would skip 240."""
_SIDEWAYS = frozenset((5, 6, 7, 8))
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class Opened:
    """pixels: (H, W, 3) uint8 RGB, upright, perhaps fewer than it has. size: (width, height) of all of it.

    sha256: of the file, or of a frame's pixels. reduced: whether `pixels` are fewer than the picture has.
    damaged: whether the decoder made up what the file does not tell.
    """

    pixels: Pixels
    size: tuple[int, int]
    sha256: str
    reduced: bool = False
    damaged: bool = False


class Pictures:
    """Opens pictures; a video stays open between its frames. For one thread."""

    def __init__(self) -> None:
        self._video: Any = None
        self._path: str | None = None
        self._anchor = self._next = 0

    def open(self, picture: str, frame: int | None, label: str, *, reduce: bool = False) -> Opened:
        """One picture. label: what to call it in messages. reduce: fewer pixels will do for a large one.

        Raises vision.errors.PhotoError.
        """
        if frame is not None:
            pixels = self._frame(picture, frame, label)
            return Opened(pixels, _size(pixels), hashlib.sha256(pixels.tobytes()).hexdigest())
        if Path(picture).suffix.lower() in VIDEOS:
            raise PhotoUnreadableError(
                f"{label} is a video that cannot be opened; convert it to MP4 (H.264)."
            )
        data = read_bytes(picture, label)
        digest = hashlib.sha256(data).hexdigest()
        photo = load_photo(data, label, reduce=reduce)
        return Opened(photo.pixels, photo.size, digest, reduced=photo.factor > 1, damaged=photo.damaged)

    def _frame(self, path: str, number: int, label: str) -> Pixels:
        """The same frame whatever was opened before: an export opens alone what was labelled in turn.

        Where a video's frames are of unequal length, as a phone's are, OpenCV finds another frame by its
        number than is come to frame by frame (39 of 50 in a test). So a frame is always counted from the
        anchor before it, which is looked for by its number; from the start where the video ends before that.
        """
        import cv2

        for anchor in dict.fromkeys((number - number % ANCHORS, 0)):
            if path != self._path or anchor != self._anchor or number < self._next:
                if path != self._path or not anchor:
                    self.close()
                    self._video = cv2.VideoCapture(path)
                if anchor:
                    self._video.set(cv2.CAP_PROP_POS_FRAMES, anchor)
                self._path, self._anchor, self._next = path, anchor, anchor
            while self._next < number and self._video.grab():
                self._next += 1
            good, frame = self._video.read() if self._next == number else (False, None)
            if good and frame is not None:
                self._next += 1
                return load_photo(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), label).pixels
        self.close()
        raise PhotoUnreadableError(f"{label}: the video ends or is damaged before this frame.")

    def close(self) -> None:
        """Let go of the video."""
        if self._video is not None:
            self._video.release()
        self._video, self._path, self._anchor, self._next = None, None, 0, 0


def read_bytes(picture: str, label: str) -> bytes:
    """A file's content, also of one in object storage. Raises PhotoUnreadableError."""
    if "://" in picture:
        from datasets.labelling.cluster.storage import fetch

        return fetch(picture, label)
    try:
        with Path(picture).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise PhotoUnreadableError(f"{label} cannot be read: {error.strerror}.") from error
    return data if len(data) <= MAX_BYTES else _too_large(label)


def _too_large(label: str) -> bytes:
    raise PhotoUnreadableError(f"{label} has more than {MAX_BYTES >> 20} MiB; save it as an ordinary JPEG.")


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) of a JPEG turned upright, from its header; None for what is no good colour JPEG."""
    from PIL.JpegImagePlugin import JpegImageFile

    if not data.startswith(b"\xff\xd8\xff"):
        return None
    try:
        image = JpegImageFile(io.BytesIO(data))
        if image.mode not in {"L", "RGB"}:
            return None
        width, height = image.size
        return (height, width) if image.getexif().get(_ORIENTATION, 1) in _SIDEWAYS else (width, height)
    except Exception:  # noqa: BLE001 (whatever is wrong with it, the one door for photos says so)
        return None


def _size(pixels: Pixels) -> tuple[int, int]:
    return int(pixels.shape[1]), int(pixels.shape[0])
