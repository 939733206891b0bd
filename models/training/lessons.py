"""A set is taught and then read: what is named right before and after, on photos and on catalogue designs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.crops import CropMaker, Faces
from models import registry
from models.evaluation import find_photo
from models.truth import load_truths
from scoring.tiles import INDEX, TILES
from vision.boxes import around, match
from vision.locator import Locator
from vision.namer import Looks, softmax
from vision.photo import load_photo
from vision.rectify import rectify
from vision.taught.correction import COPIES, copies, fit
from vision.taught.namer import SURE

Pixels = NDArray[np.uint8]
Look = Callable[[Pixels], Looks]

CHOICES = 12
"""Photos of a series are chosen so many times, at random, to teach with."""
FEWEST_PHOTOS = 5
"""Series with fewer are left out."""
VIEWS = 4
"""Simulated photographs of each face that is read."""


@dataclass(frozen=True)
class Known:
    """Crops with their tiles. looks: of `copies(crops)`, as (COPIES, N, ...); photos: (N,) numbers."""

    tiles: NDArray[np.int64]
    photos: NDArray[np.int64]
    logits: NDArray[np.float32]
    features: NDArray[np.float32]

    def part(self, keep: NDArray[np.bool_]) -> Known:
        """Some of the crops."""
        return Known(self.tiles[keep], self.photos[keep], self.logits[:, keep], self.features[:, keep])


@dataclass(frozen=True)
class Count:
    """Tiles read, how many of them were named right, how many are of faces that were taught and right of
    those; named wrong and stated at SURE or more; the sum of -log of the belief in the true name."""

    read: int = 0
    right: int = 0
    taught: int = 0
    taught_right: int = 0
    sure_wrong: int = 0
    loss: float = 0.0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.read + other.read,
            self.right + other.right,
            self.taught + other.taught,
            self.taught_right + other.taught_right,
            self.sure_wrong + other.sure_wrong,
            self.loss + other.loss,
        )


@dataclass(frozen=True)
class Row:
    """One set: photos and tiles, faces taught on average, and the counts before and after, by how many photos
    were taught."""

    name: str
    photos: int
    tiles: int
    faces: dict[int, float]
    before: dict[int, Count]
    after: dict[int, Count]


def known(crops: Pixels, tiles: Sequence[int], photos: Sequence[int], look: Look) -> Known:
    """Look at the crops and their copies."""
    looks = look(copies(crops))
    return Known(
        np.array(tiles, np.int64),
        np.array(photos, np.int64),
        looks.logits.reshape(COPIES, len(crops), -1),
        looks.features.reshape(COPIES, len(crops), -1),
    )


def teach_and_read(lesson: Known, read: Known) -> tuple[Count, Count]:
    """Names before and after the lesson."""
    temperature = registry.entry("namer").parameters["face_temperature"]
    faces = len(TILES) + 1

    def scores(logits: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(logits[..., :faces] / np.float32(temperature), np.float32)

    width = lesson.features.shape[-1]
    correction = fit(
        scores(lesson.logits).reshape(-1, faces),
        lesson.features.reshape(-1, width),
        np.tile(lesson.tiles, COPIES),
    )
    plain = scores(read.logits[0])
    taught = np.isin(read.tiles, lesson.tiles)
    corrected = plain + correction.of(read.features[0])
    return _count(softmax(plain), read.tiles, taught), _count(softmax(corrected), read.tiles, taught)


def _count(beliefs: NDArray[np.float32], tiles: NDArray[np.int64], taught: NDArray[np.bool_]) -> Count:
    right = beliefs.argmax(axis=1) == tiles
    own = np.maximum(beliefs[np.arange(len(tiles)), tiles], 1e-6)
    return Count(
        len(tiles),
        int(right.sum()),
        int(taught.sum()),
        int((right & taught).sum()),
        int((~right & (beliefs.max(axis=1) >= SURE)).sum()),
        float(-np.log(own).sum()),
    )


def series_of(folder: Path, look: Look, wanted: set[str]) -> Iterator[tuple[str, Known]]:
    """The tiles that the locator finds on the evaluation photos, by series; `wanted` empty: of every one."""
    locator, side = Locator(), registry.entry("namer").input_size
    for series, truths in itertools.groupby(
        sorted(load_truths(folder), key=lambda truth: truth.series), key=lambda truth: truth.series
    ):
        if wanted and series not in wanted:
            continue
        crops, tiles, photos = [], [], []
        for number, truth in enumerate(truths):
            photo = load_photo(find_photo(truth, folder))
            located = locator.locate(photo.pixels)
            quads = np.array([tile.quad for tile in truth.tiles], np.float32).reshape(-1, 4, 2)
            cut = rectify(photo.pixels, located.quads, side)
            for find, true in match(around(located.quads), around(quads)):
                name = truth.tiles[true].tile
                if name in TILES:
                    crops.append(cut[find])
                    tiles.append(INDEX[name])
                    photos.append(number)
        if len(set(photos)) >= FEWEST_PHOTOS:
            yield series, known(np.stack(crops), tiles, photos, look)


def measure_series(name: str, tiles: Known, seed: int = 0) -> Row:
    """Teach one or two photos, read the others; over CHOICES random choices."""
    rng, numbers = np.random.default_rng(seed), np.unique(tiles.photos)
    faces: dict[int, float] = {}
    before: dict[int, Count] = {}
    after: dict[int, Count] = {}
    for count in (1, 2):
        found, old, new = 0, Count(), Count()
        for _ in range(CHOICES):
            chosen = np.isin(tiles.photos, rng.choice(numbers, count, replace=False))
            lesson = tiles.part(chosen)
            was, became = teach_and_read(lesson, tiles.part(~chosen))
            found, old, new = found + len(np.unique(lesson.tiles)), old + was, new + became
        faces[count], before[count], after[count] = found / CHOICES, old, new
    return Row(name, len(numbers), len(tiles.tiles), faces, before, after)


def measure_design(name: str, faces: Faces, look: Look, seed: int = 0) -> Row:
    """Teach simulated photos that show each face of a catalogue design once, read others of other pictures.

    Where the catalogue holds a single picture of a face, other views of that one are read.
    """
    rng = np.random.default_rng(seed)
    maker = CropMaker(faces, registry.entry("namer").input_size)
    lessons: tuple[list[Pixels], list[Pixels]] = ([], [])
    read: list[Pixels] = []
    tiles, read_tiles = [], []
    for tile in np.unique(faces.tiles):
        members = rng.permutation(np.flatnonzero(faces.tiles == tile))
        tiles.append(int(tile))
        for number, lesson in enumerate(lessons):
            lesson.append(maker.view(int(members[number % max(1, len(members) - 1)]), rng)[0])
        for member in members[2:] if len(members) > 2 else members[-1:]:
            read += [maker.view(int(member), rng)[0] for _ in range(VIEWS)]
            read_tiles += [int(tile)] * VIEWS
    looks = look(np.stack(read))
    none = np.zeros(len(read), np.int64)
    shown = Known(np.array(read_tiles), none, looks.logits[None], looks.features[None])
    photos = np.repeat([0, 1], len(tiles))
    both = known(np.stack([*lessons[0], *lessons[1]]), tiles * 2, photos.tolist(), look)
    one = both.part(photos == 0)
    results = {count: teach_and_read(lesson, shown) for count, lesson in ((1, one), (2, both))}
    return Row(
        name,
        0,
        len(read),
        {count: float(len(tiles)) for count in results},
        {count: result[0] for count, result in results.items()},
        {count: result[1] for count, result in results.items()},
    )


def total(rows: Sequence[Row], name: str = "all") -> Row:
    """All rows as one."""
    counts = (1, 2)
    return Row(
        name,
        sum(row.photos for row in rows),
        sum(row.tiles for row in rows),
        {count: float(np.mean([row.faces[count] for row in rows])) for count in counts},
        {count: sum((row.before[count] for row in rows), Count()) for count in counts},
        {count: sum((row.after[count] for row in rows), Count()) for count in counts},
    )
