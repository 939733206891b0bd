"""Where training faces come from: folders of photographed crops, and the project's own drawn sets."""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np

from datasets.crops import FACE_SIZE, NOT_A_FACE, Faces
from scoring import TILES

INDEX = {name: index for index, name in enumerate(TILES)}


def catalogue(folder: Path) -> Faces:
    """Face crops listed in `folder`/labels.csv (columns file, tile, set), the pictures in `folder`/faces.

    Raises FileNotFoundError when the list is absent and ValueError naming a row that cannot be used.
    """
    images, tiles, sets = [], [], []
    numbers: dict[str, int] = {}
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            picture = cv2.imread(str(folder / "faces" / row["file"]), cv2.IMREAD_COLOR)
            if picture is None or row["tile"] not in INDEX:
                raise ValueError(
                    f"{folder / 'labels.csv'}: {row['file']} is not a readable picture of a known tile."
                )
            images.append(cv2.resize(picture[..., ::-1], FACE_SIZE, interpolation=cv2.INTER_AREA))
            tiles.append(INDEX[row["tile"]])
            sets.append(numbers.setdefault(row["set"], len(numbers)))
    count = len(tiles)
    return Faces(
        np.stack(images), np.array(tiles), np.array(sets), np.ones(count, bool), np.ones(count, np.float64)
    )


def archive(path: Path) -> Faces:
    """Faces from an .npz with `images` (N, H, W, 3), `tiles`, `sets` and, optionally, `upright`.

    Without `upright` all faces are taken to be. Raises OSError, KeyError or ValueError for another file.
    """
    with np.load(path) as data:
        images, tiles, sets = data["images"], data["tiles"].astype(np.int64), data["sets"].astype(np.int64)
        upright = data["upright"] if "upright" in data else np.ones(len(tiles), bool)
    if images.shape[1:3] != FACE_SIZE[::-1]:
        images = np.stack([cv2.resize(image, FACE_SIZE, interpolation=cv2.INTER_AREA) for image in images])
    if tiles.min() < 0 or tiles.max() > NOT_A_FACE:
        raise ValueError(f"{path}: tile numbers must lie in 0..{NOT_A_FACE}.")
    return Faces(images, tiles, sets, upright, np.ones(len(tiles)))
