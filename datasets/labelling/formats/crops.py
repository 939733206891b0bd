"""Crops for a classifier: a folder a split, in it a folder a class, faces straightened and upright."""

from __future__ import annotations

from pathlib import Path

from datasets.labelling.classes import Classes
from datasets.labelling.formats.item import Items

SIZE = (96, 128)
"""(width, height), pixels: a face is 0.75 as wide as it is high."""
QUALITY = 95


def write_crops(root: Path, items: Items, classes: Classes) -> None:
    """`SPLIT/CLASS/PICTURE-NUMBER.jpg`, as torchvision's ImageFolder reads it."""
    import cv2
    import numpy as np

    from vision.photo import load_photo

    root.mkdir(parents=True, exist_ok=True)
    width, height = SIZE
    target = np.array([[0, 0], [2 * width, 0], [2 * width, 2 * height], [0, 2 * height]], np.float32)
    for item in items():
        if not item.labels:
            continue
        pixels = load_photo(item.path).pixels
        for place, label in enumerate(item.labels):
            matrix = cv2.getPerspectiveTransform(np.array(label.quad, np.float32), target)
            large = cv2.warpPerspective(
                pixels,
                matrix,
                (2 * width, 2 * height),
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            crop = cv2.cvtColor(cv2.resize(large, SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2BGR)
            folder = root / item.split / safe_class(label.name)
            folder.mkdir(parents=True, exist_ok=True)
            good, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            assert good  # a picture of this kind can always be encoded
            (folder / f"{item.stem}-{place:02d}.jpg").write_bytes(data.tobytes())
    (root / "classes.txt").write_text("".join(f"{name}\n" for name in classes.names), encoding="utf-8")


def safe_class(name: str) -> str:
    """A class name as a folder's, without what Windows or a path would not take."""
    return "".join(
        "_" if character in '<>:"/\\|?*' or ord(character) < 32 else character for character in name
    )
