"""Draws the picture of the page on how reading works: `python tests/docs_stages.py [OUT.jpg]`.

Above what the locator finds on the sample (a rendered scene, not a photo), below the crops for the namer.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from models.registry import SAMPLE_PHOTO
from vision.locator import Locator
from vision.photo import load_photo
from vision.rectify import rectify

OUT = Path(__file__).parent.parent / "vision" / "docs" / "stages.jpg"
FACE, BACK = (255, 205, 0), (190, 60, 30)
WIDTH, CROP, GAP = 960, 96, 8


def main() -> None:
    photo = load_photo(SAMPLE_PHOTO)
    located = Locator().locate(photo.pixels)
    scale = WIDTH / photo.size[0]
    seen = cv2.resize(photo.pixels, (WIDTH, round(scale * photo.size[1])), interpolation=cv2.INTER_AREA)
    for quad, back in zip(located.quads, located.backs, strict=True):
        cv2.polylines(seen, [np.round(quad * scale).astype(np.int32)], True, BACK if back else FACE, 3)
    faces = located.quads[~located.backs]
    crops = rectify(photo.pixels, faces[np.argsort(faces[:, :, 0].mean(axis=1))], CROP)
    across = (WIDTH + GAP) // (CROP + GAP)
    rows = [crops[start : start + across] for start in range(0, len(crops), across)]
    strip = np.full((len(rows) * (CROP + GAP) + GAP, WIDTH, 3), 255, np.uint8)
    for down, row in enumerate(rows):
        for right, crop in enumerate(row):
            y, x = down * (CROP + GAP) + GAP, right * (CROP + GAP)
            strip[y : y + CROP, x : x + CROP] = crop
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    whole = np.vstack([seen, strip])[..., ::-1]
    if not cv2.imwrite(str(out), whole, [cv2.IMWRITE_JPEG_QUALITY, 85]):
        raise SystemExit(f"{out} cannot be written.")


if __name__ == "__main__":
    main()
