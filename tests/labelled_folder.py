"""A small labelled folder, made without models: drawn pictures, and boxes that a test can foretell."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Box, Labelled, Listed, Models
from vision.elements import Quad

MODELS = Models("locator", "1" * 64, "namer", "2" * 64)


def turned(x: float, y: float, width: float, height: float, degrees: float) -> Quad:
    """A rectangle about a middle, turned clockwise; first corner its own top-left."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b, d, e = (
        (x + u * width / 2 * c - v * height / 2 * s, y + u * width / 2 * s + v * height / 2 * c)
        for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return a, b, d, e


BOXES = (
    Box("1m", turned(100, 80, 30, 40, 0), 0.9, 0.8, (("2m", 0.05),)),
    Box("5s", turned(160, 90, 30, 40, 25), 0.8, 0.7),
    Box("E", turned(220, 60, 30, 40, 180), 0.7, 0.6),
    Box("h", turned(60, 150, 30, 40, -80), 0.6, 0.5),
    Box("B", turned(250, 150, 34, 44, 5), 0.95, 0.95),
    Box("?", turned(30, 40, 20, 30, 0), 0.4, 0.1),
)


def photo(path: Path, size: tuple[int, int] = (320, 200), orientation: int = 1, seed: int = 0) -> Path:
    """A picture of coloured noise, coarse enough for JPEG, with GPS and a comment in its metadata.

    size: as it is stored, before it is turned by `orientation`.
    """
    rng = np.random.default_rng(seed)
    small = rng.integers(0, 255, (10, 16, 3), dtype=np.uint8)
    image = Pillow.fromarray(small).resize(size, Pillow.Resampling.BICUBIC)
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    exif.get_ifd(0x8825)[1] = "N"
    exif.get_ifd(0x8825)[2] = (51.0, 28.0, 40.0)
    path.parent.mkdir(parents=True, exist_ok=True)
    extra = {"comment": b"my address"} if path.suffix == ".jpg" else {}
    image.save(path, exif=exif, **extra)
    return path


def record(manifest: Manifest, image: int) -> None:
    """Label a picture of 320 × 200 pixels upright, as it lies there now, with BOXES."""
    digest = hashlib.sha256(Path(manifest.image(image).picture).read_bytes()).hexdigest()
    manifest.record(image, Labelled(digest, "0" * 16, (320, 200), BOXES), MODELS)


def labelled_folder(tmp_path: Path, reviewed: bool = False) -> Manifest:
    """Three pictures, of which the second is turned by EXIF: 320 × 200 upright, all with BOXES; the third a
    PNG. The caller closes it."""
    manifest = Manifest.create(tmp_path / "labels")
    sources = [
        photo(tmp_path / "photos" / "a.jpg"),
        photo(tmp_path / "photos" / "b.jpg", (200, 320), 6, seed=1),
        photo(tmp_path / "photos" / "c.png", seed=2),
    ]
    manifest.register(Listed(str(p), str(p), p.stem, str(p.parent)) for p in sources)
    for image in list(manifest.images()):
        record(manifest, image.id)
        if reviewed:
            manifest.decide(image.id, state="reviewed")
    with manifest.transaction() as connection:
        connection.executemany(
            "UPDATE images SET split = ? WHERE id = ?", [("train", 1), ("val", 2), ("train", 3)]
        )
    return manifest
