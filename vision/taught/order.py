"""Tiles in the order a person reads them: row by row from the top, each from the left."""

from __future__ import annotations

import re

import numpy as np

from vision.elements import FloatArray
from vision.taught.errors import TeachError

NEXT_ROW = 0.5
"""Centres farther apart than this part of a tile's height lie in two rows."""
_RUN = re.compile(r"([1-9]+)([mps])|([ESWNCFPa-hB?])")


def reading_order(quads: FloatArray) -> list[list[int]]:
    """The rows of (N, 4, 2) quads, as indices, on the photo as it is held."""
    if not len(quads):
        return []
    corners = np.asarray(quads, np.float64)
    edges = np.roll(corners, -1, axis=1) - corners
    angles = np.arctan2(edges[..., 1], edges[..., 0])
    # Edges of upright tiles lie at multiples of 90 degrees but for the tilt of the whole.
    lean = float(np.angle(np.exp(4j * angles).mean())) / 4
    turn = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    centres = corners.mean(axis=1) @ turn
    height = float(np.median(np.ptp(corners @ turn, axis=1)[:, 1]))
    rows: list[list[int]] = []
    last = -np.inf
    for tile in np.argsort(centres[:, 1], kind="stable"):
        if centres[tile, 1] - last > NEXT_ROW * height:
            rows.append([])
        rows[-1].append(int(tile))
        last = float(np.mean(centres[rows[-1], 1]))
    return [sorted(row, key=lambda tile: float(centres[tile, 0])) for row in rows]


def parse_layout(text: str) -> list[list[str]]:
    """Rows of names: one line a row, as `123m EE 5p C`; `B` is a back and `?` what is not to be taught.

    Raises TeachError for a line that is none.
    """
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        names: list[str] = []
        rest = re.sub(r"\s+", "", line.split("#")[0])
        while rest:
            run = _RUN.match(rest)
            if run is None:
                raise TeachError(
                    f"Line {number} of the layout is no row of tiles at '{rest[:10]}'; write 123m for three "
                    f"tiles, E S W N C F P for honours, a to h for flowers, B for a back, ? to leave one out."
                )
            digits, suit, single = run.groups()
            names += [f"{digit}{suit}" for digit in digits] if digits else [single]
            rest = rest[run.end() :]
        if names:
            rows.append(names)
    if not rows:
        raise TeachError("The layout names no tile; write one line for each row of the photo, as 123m EE.")
    return rows
