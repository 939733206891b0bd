"""Many drawn sets in one file, for training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.faces.draw import draw_face
from datasets.faces.sampling import random_style
from datasets.faces.style import TILES


def build_atlas(
    sets: int, seed: int, size: tuple[int, int] = (96, 128), progress: Callable[[int], None] | None = None
) -> dict[str, NDArray[np.generic]]:
    """Draw `sets` invented sets of 42 faces.

    Returns `images` (sets * 42, H, W, 3) uint8 RGB, `tiles` (sets * 42,) int64 indices into TILES and
    `sets` (sets * 42,) int64. Set k depends on the seed and k only, so that a longer atlas begins with the
    shorter one.
    """
    w, h = size
    images = np.empty((sets * len(TILES), h, w, 3), np.uint8)
    for k in range(sets):
        style = random_style(np.random.default_rng([seed, k]))
        for t, tile in enumerate(TILES):
            images[k * len(TILES) + t] = draw_face(tile, style, size)
        if progress is not None:
            progress(k + 1)
    return {
        "images": images,
        "tiles": np.tile(np.arange(len(TILES)), sets),
        "sets": np.repeat(np.arange(sets), len(TILES)),
    }


def save_atlas(path: Path, atlas: dict[str, NDArray[np.generic]]) -> None:
    """Write an atlas as NPZ, all or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(file, **atlas)  # type: ignore[arg-type]
    part.replace(path)


def save_sheet(path: Path, atlas: dict[str, NDArray[np.generic]]) -> None:
    """Write an atlas as a picture, one set a row; the file name's ending settles the format."""
    from PIL import Image

    images = atlas["images"]
    _, h, w, _ = images.shape
    rows = images.reshape(-1, len(TILES), h, w, 3).transpose(0, 2, 1, 3, 4).reshape(-1, len(TILES) * w, 3)
    Image.fromarray(rows.astype(np.uint8)).save(path)
