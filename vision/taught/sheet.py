"""A contact sheet of a lesson: every crop with its number and name, the unsure ones marked."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.taught.lesson import Lesson

Pixels = NDArray[np.uint8]

FACE = (72, 96)
"""Width and height at which faces are drawn, pixels."""
LABEL = 20
COLUMNS = 12
_INK, _DOUBT = (20, 20, 20), (200, 30, 30)


def contact_sheet(lesson: Lesson) -> Pixels:
    """(H, W, 3) uint8 RGB, faces upright as far as the namer can tell."""
    width, height = FACE[0] + 8, FACE[1] + LABEL + 8
    rows = -(-len(lesson.tiles) // COLUMNS)
    sheet = np.full((rows * height, COLUMNS * width, 3), 255, np.uint8)
    turns = np.concatenate([sight.turns for sight in lesson.sights])
    for tile, crop, turn in zip(lesson.tiles, lesson.crops(), turns, strict=True):
        row, column = divmod(tile.id, COLUMNS)
        x, y = column * width + 4, row * height + 4
        sheet[y : y + FACE[1], x : x + FACE[0]] = cv2.resize(
            np.rot90(crop, int(turn)), FACE, interpolation=cv2.INTER_AREA
        )
        text = f"{tile.id} {tile.tile}" if tile.sure else f"{tile.id} {tile.tile}?{tile.second}"
        place = (x, y + FACE[1] + LABEL - 6)
        colour = _INK if tile.sure else _DOUBT
        cv2.putText(sheet, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)
    return sheet
