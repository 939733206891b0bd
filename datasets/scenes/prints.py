"""What is printed on things that are not tiles: letters on keys, pips on dice, characters on racks."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

KEY = 48
"""Side of one printed cell, pixels."""


def letters(colour: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """A key cap with one to three letters."""
    image = _plain(colour, 1)
    text = "".join(rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890"), int(rng.choice([1, 1, 1, 2, 3]))))
    scale = float(rng.uniform(0.5, 1.1)) / len(text) ** 0.5
    place = (int(rng.uniform(4, 18)), int(rng.uniform(18, 40)))
    cv2.putText(
        image,
        text,
        place,
        cv2.FONT_HERSHEY_SIMPLEX,
        scale,
        _ink(colour, rng),
        1 + int(scale > 0.8),
        cv2.LINE_AA,
    )
    return image


def pips(colour: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """One side of a die."""
    image = _plain(colour, 1)
    count = int(rng.integers(1, 7))
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}[
        count
    ]
    ink = (200.0, 30.0, 30.0) if count in (1, 4) else _ink(colour, rng)
    for spot in spots:
        centre = (12 + 12 * (spot % 3), 12 + 12 * (spot // 3))
        cv2.circle(image, centre, 9 if count == 1 else 5, ink, -1, cv2.LINE_AA)
    return image


def characters(colour: NDArray[np.float64], faces: list[Image], cells: int) -> Image:
    """A strip of `cells` characters, taken from faces without the tile they are on."""
    image = _plain(colour, cells).astype(np.float32)
    for cell in range(cells):
        face = faces[cell % len(faces)]
        body = np.median(face[4:12].reshape(-1, 3), axis=0) + 1
        ink = np.clip(cv2.resize(face, (KEY, KEY), interpolation=cv2.INTER_AREA) / body, 0, 1)
        image[:, cell * KEY : (cell + 1) * KEY] *= ink
    return np.clip(image, 0, 255).astype(np.uint8)


def marker(colour: NDArray[np.float64], faces: list[Image]) -> Image:
    """The top of a round-wind marker: four characters around its middle, each turned towards its edge."""
    image = _plain(colour, 4)
    image = np.tile(image, (4, 1, 1))
    strip = characters(colour, faces, 4)
    half = 2 * KEY
    for quarter in range(4):
        cell = np.rot90(strip[:, quarter * KEY : (quarter + 1) * KEY], -quarter)
        x = half + int(1.15 * KEY * np.sin(quarter * np.pi / 2)) - KEY // 2
        y = half - int(1.15 * KEY * np.cos(quarter * np.pi / 2)) - KEY // 2
        image[y : y + KEY, x : x + KEY] = cell
    return image


def _plain(colour: NDArray[np.float64], cells: int) -> Image:
    return np.tile(np.clip(colour, 0, 255).astype(np.uint8), (KEY, KEY * cells, 1))


def _ink(colour: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float, float]:
    dark = float(np.mean(colour)) > 128
    value = float(rng.uniform(0, 60) if dark else rng.uniform(190, 255))
    return value, value, value
