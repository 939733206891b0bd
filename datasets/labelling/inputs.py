"""Find what is to be labelled: folders, files, patterns, lists of paths, and frames of videos."""

from __future__ import annotations

import glob
import hashlib
import io
import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from datasets.labelling.records import Listed
from vision.errors import PhotoUnreadableError
from vision.paths import is_folder, is_pipe, is_there, refuse_pipe

# Pictures of kinds that are not read here are listed too, so that they fail by name and are not passed over.
PICTURES = frozenset(
    f".{kind}"
    for kind in [
        "jpg",
        "jpeg",
        "jpe",
        "png",
        "webp",
        "heic",
        "heif",
        "hif",
        "gif",
        "avif",
        "bmp",
        "tif",
        "tiff",
    ]
)
VIDEOS = frozenset((".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm"))
LONGEST_NAME = 100
_RESERVED = frozenset(
    ("con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10)))
)


class InputError(Exception):
    """An input that is not there; `str()` is one sentence: what is wrong and what to do."""


@dataclass
class Listing:
    """Images of the inputs, in a fixed order; what could not be looked into is named in `problems`."""

    inputs: Sequence[str]
    every: int = 30
    skip: Path | None = None
    problems: list[str] = field(default_factory=list)
    _lists: dict[Path, bytes] = field(default_factory=dict)

    def check(self) -> None:
        """Raises InputError for an input that is not there, and where there is nothing to label, before a
        folder is made."""
        first = [next(self._of(given), None) for given in self.inputs]
        if self.inputs and not any(first):
            nothing = f"No picture or video lies in {', '.join(self.inputs)}; check the name."
            raise InputError(self.problems[0] if self.problems else nothing)
        self.problems.clear()  # they are met again on the way through

    def __iter__(self) -> Iterator[Listed]:
        """Raises InputError for an input that is not there."""
        for given in self.inputs:
            for listed in self._of(given):
                if _is_text(listed.picture):
                    yield listed
                else:  # the manifest, and every label format, holds text
                    self.problems.append(f"The name of {listed.source} is not UTF-8; rename it.")

    def _of(self, given: str) -> Iterator[Listed]:
        if not given:  # to Path it is the current folder
            raise InputError("One of the inputs is empty; name a folder or a picture, `.` for this folder.")
        path = Path(given)
        if given.startswith("@") and not is_there(path):
            yield from self._of_list(Path(given[1:]))
        elif is_folder(path):
            for file in self._walk(path):
                yield from self._of_file(file)
        elif is_there(path):
            yield from self._of_file(path)
        elif any(character in given for character in "*?["):
            found = sorted(glob.glob(given, recursive=True))  # noqa: PTH207 (a pattern may be absolute)
            if not found:
                raise InputError(f"No file matches {given}; check the pattern.")
            for name in found:
                if is_folder(name) or Path(name).suffix.lower() in PICTURES | VIDEOS:
                    yield from self._of(name)
        else:
            raise InputError(f"There is no file or folder {given}; check the name.")

    def _of_list(self, path: Path) -> Iterator[Listed]:
        """Paths, one a line, relative to the list; one that is not there fails later, by name."""
        # What the shell has opened for the command (`/dev/stdin`, `<(...)`) lies in no folder of photos.
        folder = Path() if path.is_relative_to("/dev") or path.is_relative_to("/proc") else path.parent
        stream = io.BytesIO(self._content(path))
        for line in io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape"):
            if not (text := line.strip()) or text.startswith("#"):
                continue
            entry = folder / text
            if is_folder(entry):
                yield from self._of(str(entry))
            else:
                yield from self._of_file(entry)

    def _content(self, path: Path) -> bytes:
        """Of a list, which is read once: a pipe gives it no second time."""
        if path not in self._lists:
            try:
                refuse_pipe(path)
                content = path.read_bytes()
            except PhotoUnreadableError as error:
                raise InputError(
                    f"The list {path} is a pipe or a device and no file; save it to a file, or send it to "
                    "/dev/stdin."
                ) from error
            except OSError as error:
                raise InputError(f"The list {path} cannot be read: {error.strerror}.") from error
            if b"\0" in content:  # in no path, and in every line that is UTF-16
                raise InputError(f"The list {path} is not UTF-8 text; save it as UTF-8, one path a line.")
            self._lists[path] = content
        return self._lists[path]

    def _walk(self, top: Path) -> Iterator[Path]:
        """Pictures and videos under `top`, links followed, each folder once."""
        seen: set[tuple[int, int]] = set()
        skipped = None if self.skip is None else self.skip.resolve()

        def complain(error: OSError) -> None:
            self.problems.append(f"The folder {error.filename} cannot be read: {error.strerror}.")

        for folder, folders, files in os.walk(top, followlinks=True, onerror=complain):
            here = Path(folder)
            status = here.stat()
            if (status.st_dev, status.st_ino) in seen or here.resolve() == skipped:
                folders.clear()
                continue
            seen.add((status.st_dev, status.st_ino))
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if not name.startswith(".") and Path(name).suffix.lower() in PICTURES | VIDEOS:
                    yield here / name

    def _of_file(self, path: Path) -> Iterator[Listed]:
        source, picture = str(path), os.path.abspath(path)  # noqa: PTH100 (links stay as they are)
        if is_pipe(path):
            self.problems.append(f"{source} is a pipe or a device and no file; save the picture to a file.")
            return
        if path.suffix.lower() not in VIDEOS:
            yield Listed(source, picture, safe_name(path.stem), str(Path(picture).parent))
            return
        frames = count_frames(picture)
        if frames and frames > path.stat().st_size:  # a damaged header would fill the disk with frames
            self.problems.append(
                f"{source} says that it has {frames} frames, more than it has bytes, so it is damaged; "
                "convert it to MP4 (H.264)."
            )
            return
        if not frames:  # one row for the video, that will fail by name
            yield Listed(source, picture, safe_name(path.stem), picture)
        for number in range(0, frames, self.every):
            name = safe_name(f"{path.stem}-{number:06d}")
            yield Listed(f"{source}#{number}", picture, name, picture, number)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def count_frames(path: str) -> int:
    """Frames of a video by its header; 0 for one that cannot be opened."""
    import cv2

    if not _is_text(path):  # OpenCV ends the process on such a name
        return 0
    video = cv2.VideoCapture(path)
    try:
        return max(0, int(video.get(cv2.CAP_PROP_FRAME_COUNT))) if video.isOpened() else 0
    finally:
        video.release()


def safe_name(stem: str) -> str:
    """A file name that every system takes: ASCII letters, digits, dot, dash and underscore.

    Where that loses something, a part of the stem's SHA-256 keeps different names different.
    """
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    plain = "".join(c if c.isalnum() or c in "._-" else "_" for c in plain).strip(". ")
    if plain == stem and plain and len(plain) <= LONGEST_NAME and plain.casefold() not in _RESERVED:
        return plain
    digest = hashlib.sha256(os.fsencode(stem)).hexdigest()[:8]
    return f"{plain[: LONGEST_NAME - 9].strip('._-') or 'image'}-{digest}"
