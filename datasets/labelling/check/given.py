"""What a data set of other people says: pictures with boxes that have class names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from datasets.labelling.inputs import PICTURES

FARTHEST = 1e6
"""The largest number of a label: no picture has so many pixels a side, and float32 still counts that far."""


class DatasetError(Exception):
    """A folder that is no data set that can be read; `str()` is one sentence: what is wrong, what to do."""


@dataclass(frozen=True)
class GivenBox:
    """A label. bounds: x1, y1, x2, y2, in shares of the picture's sides where `relative`, else in pixels.

    name: of its class. where: the file and the line or entry that says so.

    Raises ValueError for a number that is none, or is out of all bounds.
    """

    bounds: tuple[float, float, float, float]
    name: str
    where: str
    relative: bool = False

    def __post_init__(self) -> None:
        if not all(abs(value) <= FARTHEST for value in self.bounds):
            raise ValueError(f"{self.bounds} is no box")

    def in_pixels(self, size: tuple[int, int]) -> tuple[float, float, float, float]:
        """Bounds in pixels of a picture of that (width, height)."""
        if not self.relative:
            return self.bounds
        width, height = size
        x1, y1, x2, y2 = self.bounds
        return x1 * width, y1 * height, x2 * width, y2 * height


@dataclass(frozen=True)
class GivenImage:
    """A picture and its labels."""

    path: Path
    boxes: tuple[GivenBox, ...]


@dataclass
class Dataset:
    """A labelled data set. names: of all its classes. images: anew at each call of `iter`.

    problems: what was wrong with its files, filled while the images are read.
    """

    format: str
    names: tuple[str, ...]
    images: Iterable[GivenImage]
    problems: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[GivenImage]:
        return iter(self.images)


def unseen(path: Path) -> str | None:
    """One sentence where nobody can tell whether there is such a file, for want of permission as a rule."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."
    return None


def unreadable(paths: Iterable[Path]) -> list[str]:
    """A sentence for each of these files that may not be read."""
    return [
        f"{path} cannot be read; check its permissions." for path in paths if not os.access(path, os.R_OK)
    ]


def pictures_in(folder: Path) -> list[Path]:
    """Pictures directly in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)


def hull(values: list[float]) -> tuple[float, float, float, float]:
    """Bounds of x1 y1 x2 y2 … corners."""
    xs, ys = values[0::2], values[1::2]
    return min(xs), min(ys), max(xs), max(ys)
