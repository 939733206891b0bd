"""Photos with boxes in Ultralytics' YOLO formats, axis-parallel or rotated: read them, and cut their tiles
into namer crops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from datasets.crops import FACE_SIZE, NOT_A_FACE, Faces
from vision.boxes import around, match
from vision.elements import FloatArray
from vision.photo import load_photo
from vision.rectify import rectify

if TYPE_CHECKING:
    from vision.locator import Locator

SURE = 0.6
"""The locator's score from which a find on a labelled photo is a tile that its labels leave out."""


class LabelsError(ValueError):
    """Labels that cannot be read; `str()` is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class LabelledPhoto:
    """pixels: (H, W, 3) uint8 RGB. tiles: (N,) class numbers. boxes: (N, 4) float32 x1, y1, x2, y2 in
    pixels."""

    path: Path
    pixels: NDArray[np.uint8]
    tiles: NDArray[np.int64]
    boxes: FloatArray


def read_folder(folder: Path, skip: frozenset[str] = frozenset(), split: str = "") -> Iterator[LabelledPhoto]:
    """Photos of `folder`/images with labels in `folder`/labels, sorted by name, without those named in
    `skip`. Rotated boxes give the upright ones around them; face-down tiles (class 42) are left out.

    split: the folder in both that is meant, where photos lie in one for each split, as `hupai label` exports.

    Raises LabelsError: where no photos are, or splits of which none is named; naming a label file with a line
    that is neither `class x y w h` nor a class and four corners.
    """
    for path in _pictures(folder / "images", split):
        label = folder / "labels" / split / f"{path.stem}.txt"
        if path.stem in skip or not label.exists():
            continue
        rows = [line.split() for line in label.read_text(encoding="utf-8").splitlines() if line.strip()]
        try:
            tiles, low, high = _boxes(np.array(rows, np.float32))
        except ValueError as error:
            raise LabelsError(
                f"{label}: every line must be `class x y w h` or a class and four corners, x y each."
            ) from error
        pixels = load_photo(path).pixels
        size = np.array([pixels.shape[1], pixels.shape[0]], np.float32)
        yield LabelledPhoto(path, pixels, tiles, np.concatenate([low * size, high * size], axis=1))


def _pictures(images: Path, split: str) -> list[Path]:
    """The files of one folder, sorted by name. Raises LabelsError."""
    try:
        inside = sorted((images / split).iterdir())
    except OSError as error:
        raise LabelsError(f"{images / split} cannot be read: {error.strerror}.") from error
    if folders := [path.name for path in inside if path.is_dir()]:
        raise LabelsError(
            f"{images / split} holds the folders {', '.join(folders)}; name the one that is meant by --split."
        )
    return inside


def _boxes(values: FloatArray) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
    """Classes (N,), and the upright boxes' lower and upper corners (N, 2), fractions of the picture."""
    if values.size == 0:
        none: FloatArray = np.zeros((0, 2), np.float32)
        return np.zeros(0, np.int64), none, none
    values = values.reshape(len(values), -1)
    if values.shape[1] == 9:
        values = values[values[:, 0] != NOT_A_FACE]
        corners = values[:, 1:].reshape(-1, 4, 2)
        return values[:, 0].astype(np.int64), corners.min(axis=1), corners.max(axis=1)
    if values.shape[1] != 5:
        raise ValueError
    centres, halves = values[:, 1:3], values[:, 3:] / np.float32(2)
    low: FloatArray = centres - halves
    return values[:, 0].astype(np.int64), low, centres + halves


def cut_tiles(photos: Iterator[LabelledPhoto], locator: Locator) -> Faces:
    """Crops of every labelled tile that `locator` finds.

    A located face that overlaps no label is left out: on these photos only the player's own tiles are
    labelled.
    Sets are numbered photo by photo. Which way round a tile lies is not in the labels, hence `upright` False.
    """
    images, tiles, sets = [], [], []
    for number, photo in enumerate(photos):
        located = locator.locate(photo.pixels)
        if not len(located) or not len(photo.tiles):
            continue
        for find, label in match(around(located.quads), photo.boxes):
            tall = _long_side_down(located.quads[find])
            images.append(rectify(photo.pixels, tall[None], FACE_SIZE[1])[0])
            tiles.append(int(photo.tiles[label]))
            sets.append(number)
    pictures = (
        np.stack([_narrow(image) for image in images])
        if images
        else np.zeros((0, *FACE_SIZE[::-1], 3), np.uint8)
    )
    count = len(tiles)
    if count and max(tiles) >= NOT_A_FACE:
        raise LabelsError("A label's class number is above 41; the labels are not of the 42 tile classes.")
    return Faces(
        pictures, np.array(tiles, np.int64), np.array(sets, np.int64), np.zeros(count, bool), np.ones(count)
    )


def rotated_labels(photos: Iterator[LabelledPhoto], locator: Locator, out: Path) -> int:
    """Write photos whose every labelled tile `locator` finds as OBB training data; returns how many.

    The boxes are the locator's own, held against the labels; a find without a label is a tile from SURE on.
    A photo is left out when a label is missed or a find is neither labelled nor sure, so that no tile goes
    unlabelled. Pictures are copied as they lie, upright.
    """
    from PIL import Image

    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    written = 0
    for photo in photos:
        located = locator.locate(photo.pixels)
        pairs = match(around(located.quads), photo.boxes)
        labelled = np.zeros(len(located), bool)
        labelled[[find for find, _ in pairs]] = True
        if len(pairs) < len(photo.tiles) or (~labelled & (located.scores < SURE)).any():
            continue
        size = np.array([photo.pixels.shape[1], photo.pixels.shape[0]], np.float32)
        lines = [
            " ".join([str(int(back)), *(f"{v:.5f}" for v in np.clip(quad / size, 0, 1).reshape(-1))])
            for quad, back in zip(located.quads, located.backs & ~labelled, strict=True)
        ]
        Image.fromarray(photo.pixels).save(out / "images" / f"{photo.path.stem}.jpg", quality=92)
        (out / "labels" / f"{photo.path.stem}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        written += 1
    return written


def _long_side_down(quad: FloatArray) -> FloatArray:
    """The quad begun at the corner from which its first edge is a short one."""
    across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return quad if across <= down else np.roll(quad, -1, axis=0)


def _narrow(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import cv2

    return np.asarray(cv2.resize(image, FACE_SIZE, interpolation=cv2.INTER_AREA), np.uint8)
