"""Fit the namer's face temperature on photos with truth files: one number, by likelihood, over all tiles."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models import registry
from models.evaluation import PhotoError, find_photo
from models.truth import load_truths
from scoring import TILES
from vision.boxes import around, match
from vision.locator import Locator
from vision.namer import Namer, softmax
from vision.photo import load_photo
from vision.rectify import rectify

GRID = np.round(np.arange(0.3, 2.01, 0.05), 2)
BINS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)


@dataclass(frozen=True)
class Calibration:
    """temperature: the likeliest.

    curve: rows (stated confidence, share right, tiles) of the tiles in each of BINS at that temperature.
    """

    temperature: float
    curve: tuple[tuple[float, float, int], ...]


def calibrate(truth_folder: Path, photos: Path) -> Calibration:
    """Name the true tiles that the registered locator finds; fit the temperature to how often it is right.

    Raises TruthError, and PhotoError where a photo or every tile is missing.
    """
    logits, tiles = _named_tiles(truth_folder, photos)
    chosen = np.arange(len(tiles))
    scores = [float(np.log(np.maximum(softmax(logits, float(t))[chosen, tiles], 1e-9)).mean()) for t in GRID]
    best = float(GRID[int(np.argmax(scores))])
    return Calibration(best, _curve(softmax(logits, best), tiles))


def _curve(beliefs: NDArray[np.float32], tiles: NDArray[np.int64]) -> tuple[tuple[float, float, int], ...]:
    stated, right = beliefs.max(axis=1), beliefs.argmax(axis=1) == tiles
    rows = []
    for low, high in itertools.pairwise(BINS):
        inside = (stated > low) & (stated <= high)
        if inside.any():
            rows.append((float(stated[inside].mean()), float(right[inside].mean()), int(inside.sum())))
    return tuple(rows)


def _named_tiles(truth_folder: Path, photos: Path) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    locator, namer, side = Locator(), Namer(), registry.entry("namer").input_size
    rows, tiles = [], []
    for truth in load_truths(truth_folder):
        photo = load_photo(find_photo(truth, photos))
        located = locator.locate(photo.pixels)
        true = around(np.array([tile.quad for tile in truth.tiles], np.float32))
        logits = namer.logits(rectify(photo.pixels, located.quads, side))
        for find, number in match(around(located.quads), true):
            name = truth.tiles[number].tile
            if name in TILES:
                rows.append(logits[find, : len(TILES) + 1])
                tiles.append(TILES.index(name))
    if not rows:
        raise PhotoError(f"the locator finds no tile that {truth_folder} names in its photos; give others.")
    return np.stack(rows), np.array(tiles, np.int64)
