"""Whether a reading depends on how the photo was taken: turned, tilted, small, dim, compressed, far away.

    python tests/benchmarks/bench_invariance.py TRUTH_DIR --photos DIR [--every N] [--only NAME...]

Each annotated photo is read as it is and once for each change, made in memory. A table tells how many whole
hands and layouts are right then, how many tiles are found and named right, and which hands are read otherwise
than from the photo as it is. EXIF orientations give the same pixels after decoding: nothing may change there.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from annotated import photo_arguments, truths_of
from numpy.typing import NDArray
from pictures import STORED, stored_as
from PIL import Image

from models.evaluation import PhotoResult, compare, find_photo
from models.truth import HAND_KINDS, Truth
from vision.elements import Reading, as_quad
from vision.errors import NoTilesError
from vision.photo import Source, load_photo
from vision.reader import Reader

Pixels = NDArray[np.uint8]
Matrix = NDArray[np.float64]
"""(2, 3): from a point of the changed picture to one of the photo."""

SAME = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
GREY = 114


@dataclass(frozen=True)
class Changed:
    """A changed photo, and the way back to the photo's own pixels."""

    source: Source
    back: Matrix


def exif(orientation: int) -> Callable[[Pixels], Changed]:
    """The photo as a camera held otherwise stores it, without loss."""

    def change(pixels: Pixels) -> Changed:
        stored, tags = stored_as(Image.fromarray(pixels), orientation)
        stream = io.BytesIO()
        stored.save(stream, "PNG", exif=tags, compress_level=1)
        return Changed(stream.getvalue(), SAME)

    return change


def turned(degrees: float) -> Callable[[Pixels], Changed]:
    """The photo turned clockwise on a larger grey canvas; quarter turns are exact."""

    def change(pixels: Pixels) -> Changed:
        height, width = pixels.shape[:2]
        cos, sin = round(float(np.cos(np.radians(degrees))), 9), round(float(np.sin(np.radians(degrees))), 9)
        size = (round(abs(cos) * width + abs(sin) * height), round(abs(sin) * width + abs(cos) * height))
        there = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
        there[:, 2] = np.array(size) / 2 - there[:, :2] @ (width / 2, height / 2)
        back = cv2.invertAffineTransform(there)
        if degrees % 90 == 0:
            return Changed(np.ascontiguousarray(np.rot90(pixels, -round(degrees / 90))), back)
        canvas = cv2.warpAffine(pixels, there, size, flags=cv2.INTER_CUBIC, borderValue=(GREY,) * 3)
        return Changed(np.asarray(canvas, np.uint8), back)

    return change


def scaled(factor: float) -> Callable[[Pixels], Changed]:
    """The photo with fewer pixels."""

    def change(pixels: Pixels) -> Changed:
        small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        return Changed(np.asarray(small, np.uint8), SAME / factor)

    return change


def far(factor: float) -> Callable[[Pixels], Changed]:
    """The photo as a part of a picture with sides so many times as long: its tiles are small in the whole."""

    def change(pixels: Pixels) -> Changed:
        height, width = pixels.shape[:2]
        canvas = np.full((round(height * factor), round(width * factor), 3), GREY, np.uint8)
        left, top = int((canvas.shape[1] - width) * 0.4), int((canvas.shape[0] - height) * 0.7)
        canvas[top : top + height, left : left + width] = pixels
        return Changed(canvas, np.array([[1.0, 0.0, -left], [0.0, 1.0, -top]]))

    return change


def jpeg(quality: int) -> Callable[[Pixels], Changed]:
    """The photo compressed once more."""

    def change(pixels: Pixels) -> Changed:
        stream = io.BytesIO()
        Image.fromarray(pixels).save(stream, "JPEG", quality=quality)
        return Changed(stream.getvalue(), SAME)

    return change


def brighter(factor: float) -> Callable[[Pixels], Changed]:
    """The photo in other light."""

    def change(pixels: Pixels) -> Changed:
        return Changed(np.clip(pixels * factor, 0, 255).astype(np.uint8), SAME)

    return change


CHANGES: dict[str, Callable[[Pixels], Changed]] = {
    "as taken": lambda pixels: Changed(pixels, SAME),
    **{f"exif {number}": exif(number) for number in STORED},
    **{f"turned {degrees}": turned(degrees) for degrees in (90, 180, 270, -15, 15)},
    "half size": scaled(0.5),
    "jpeg 60": jpeg(60),
    "darker": brighter(0.7),
    "brighter": brighter(1.3),
    **{f"far {factor}": far(factor) for factor in (1.5, 2.0, 3.0)},
}


def read(reader: Reader, changed: Changed, truth: Truth) -> tuple[PhotoResult, Counter[str]]:
    """How the changed photo was read, in the photo's own pixels, and the hand's tiles."""
    try:
        reading = reader.read(changed.source, name=truth.photo)
    except NoTilesError:
        reading = Reading.without_tiles(truth.photo)
    tiles = [
        replace(
            tile, quad=as_quad((np.array(tile.quad) @ changed.back[:, :2].T + changed.back[:, 2]).tolist())
        )
        for tile in reading.tiles
    ]
    names = {tile.id: tile.tile for tile in tiles}
    hand = Counter(names[i] for group in reading.groups if group.kind in HAND_KINDS for i in group.tiles)
    return compare(replace(reading, tiles=tuple(tiles)), truth, None), hand


@dataclass(frozen=True)
class Row:
    """How photos were read after a change.

    tiles: labelled ones. otherwise: photos whose hand was read otherwise than from the photo as it is.
    """

    change: str
    hands: int
    layouts: int
    named: int
    tiles: int
    otherwise: tuple[str, ...]


def rows(truths: list[Truth], photos: Path, names: list[str]) -> Iterator[Row]:
    """A row for each change. The first should be the photos as they are."""
    reader = Reader()
    pixels = [load_photo(find_photo(truth, photos)).pixels for truth in truths]
    before: list[Counter[str]] = []
    for name in names:
        read_all = [
            read(reader, CHANGES[name](one), truth) for one, truth in zip(pixels, truths, strict=True)
        ]
        results = [result for result, _ in read_all]
        before = before or [hand for _, hand in read_all]
        otherwise = [
            Path(truth.photo).stem
            for truth, (_, hand), first in zip(truths, read_all, before, strict=True)
            if hand != first
        ]
        yield Row(
            name,
            sum(result.hand_right for result in results),
            sum(result.layout_right for result in results),
            sum(result.named for result in results),
            sum(result.tiles for result in results),
            tuple(otherwise),
        )


def main() -> None:
    """Print the table."""
    parser = photo_arguments(__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=list(CHANGES), choices=list(CHANGES))
    arguments = parser.parse_args()
    truths = truths_of(arguments)
    names = ["as taken", *(name for name in arguments.only if name != "as taken")]
    print(f"{len(truths)} photos\n{'':<12}{'hands':>7}{'layouts':>9}{'named':>11}{'otherwise':>11}")
    for row in rows(truths, arguments.photos, names):
        print(
            f"{row.change:<12}{row.hands:>7}{row.layouts:>9}{100 * row.named / max(row.tiles, 1):>9.1f} %"
            f"{len(row.otherwise):>11}  {' '.join(row.otherwise[:6])}",
            flush=True,
        )


if __name__ == "__main__":
    main()
