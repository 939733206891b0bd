"""What tells a tile from a false find: the figures behind priors of `vision/priors.py`, to fit them again.

    python tests/benchmarks/bench_finds.py TRUTH_DIR --photos DIR [--every N]

Run it when the locator or the namer has changed. Over the photos without unlabelled tiles it prints how tiles
and finds that are none differ in the likeliest name's probability (UNCLEAR_HALF, UNCLEAR_SLOPE) and in the
locator's confidence beside the photo's typical one (SCORE_HALF, SCORE_SLOPE), each fitted as a line of
log-odds, and how many of both are kept with several PRINTED.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from annotated import photo_arguments
from numpy.typing import NDArray

from models.evaluation import boxes, find_photo
from models.truth import Truth, load_truths
from vision import priors
from vision.boxes import around, face_of, match
from vision.elements import Located, Named, as_quad
from vision.evidence import FACES, distinct, typical_odds, weigh
from vision.locator import Locator
from vision.namer import Namer
from vision.photo import load_photo
from vision.rows import find_rows
from vision.turns import quarter_odds, unsettled

Array = NDArray[np.float64]

EDGES = (0.0, 0.3, 0.5, 0.7, 0.9, 0.98, 0.99, 0.999, 1.0001)
PRINTED = (-8.0, -6.0, -5.0, -4.0, -3.0, -2.0)


@dataclass(frozen=True)
class Finds:
    """The finds of one photo, N of them. parts: those side by side.

    face: (N,) not face down. tile: (N,) labelled as a tile. clear: (N,) log-odds of the likeliest name.
    beside: (N,) the locator's log-odds less the photo's typical ones.
    """

    located: Located
    named: Named
    parts: tuple[tuple[int, ...], ...]
    face: NDArray[np.bool_]
    tile: NDArray[np.bool_]
    clear: Array
    beside: Array


def finds_of(truth: Truth, photos: Path, locator: Locator, namer: Namer) -> Finds | None:
    """What the models find in an annotated photo whose hand stands upright."""
    pixels = load_photo(find_photo(truth, photos)).pixels
    located = locator.locate(pixels)
    named = namer.name(pixels, located.quads)
    index = distinct(located, named)
    if not index or unsettled(quarter_odds(located, named))[0]:
        return None
    located = Located(located.quads[index], located.backs[index], located.scores[index])
    named = Named(named.faces[index], named.turns[index])
    faces = np.array([face_of(as_quad(quad)) for quad in located.quads], np.float32)
    tile = np.zeros(len(index), bool)
    tile[[found for found, _ in match(around(faces), boxes(truth.tiles))]] = True
    best = np.asarray(named.faces[:, :FACES].max(axis=1), np.float64)
    scores = np.asarray(located.scores, np.float64)
    rows = find_rows(located.quads, np.asarray(named.turns[:, 0] + named.turns[:, 2], np.float64))
    return Finds(
        located, named, tuple(part.tiles for part in rows.parts), ~located.backs, tile,
        _log_odds(best), _log_odds(scores) - typical_odds(located, best),
    )  # fmt: skip


def line_of(value: Array, tile: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and offset of the log-odds of a tile by a value, as many tiles as others (Newton's method)."""
    design = np.stack([value, np.ones_like(value)], axis=1)
    weight = np.where(tile, 0.5 / max(tile.sum(), 1), 0.5 / max((~tile).sum(), 1))
    line = np.zeros(2)
    for _ in range(50):
        belief = 1 / (1 + np.exp(-np.clip(design @ line, -30, 30)))
        slope = design.T @ (weight * (tile - belief)) - 1e-4 * line
        bend = (design * (weight * belief * (1 - belief))[:, None]).T @ design + 1e-4 * np.eye(2)
        line = line + np.linalg.solve(bend, slope)
    return float(line[0]), float(line[1])


def report(all_finds: Sequence[Finds]) -> None:
    """Print the figures."""
    face = np.concatenate([finds.face for finds in all_finds])
    tile = np.concatenate([finds.tile for finds in all_finds])[face]
    clear = np.concatenate([finds.clear for finds in all_finds])[face]
    beside = np.concatenate([finds.beside for finds in all_finds])[face]
    print(f"{tile.sum()} tiles, {(~tile).sum()} finds that are none\n\nlikeliest name   tiles   none")
    shares = 1 / (1 + np.exp(-clear))
    for low, high in itertools.pairwise(EDGES):
        inside = (shares >= low) & (shares < high)
        print(f"{low:>6.3f} {min(high, 1):>6.3f} {np.mean(inside[tile]):>9.3f}{np.mean(inside[~tile]):>7.3f}")
    slope, offset = line_of(clear, tile)
    print(f"UNCLEAR_HALF {-offset:.2f} (now {priors.UNCLEAR_HALF}), ", end="")
    print(f"UNCLEAR_SLOPE {slope:.2f} (now {priors.UNCLEAR_SLOPE})")
    slope, offset = line_of(beside, tile)
    print(f"SCORE_HALF {-offset / slope:.2f} (now {priors.SCORE_HALF}), ", end="")
    print(f"SCORE_SLOPE {slope:.2f} (now {priors.SCORE_SLOPE})")
    kept = priors.PRINTED
    for priors.PRINTED in PRINTED:
        real = [weigh(one.located, one.named, one.parts).real[one.face] > 0.5 for one in all_finds]
        held = np.concatenate(real)
        print(f"PRINTED {priors.PRINTED}: tiles kept {held[tile].sum()}, none kept {held[~tile].sum()}")
    priors.PRINTED = kept


def _log_odds(value: Array) -> Array:
    sure = np.clip(value, 0.01, 0.9999)
    return np.asarray(np.log(sure / (1 - sure)))


def main() -> None:
    """Print the figures of a folder of annotated photos."""
    arguments = photo_arguments(__doc__.splitlines()[0]).parse_args()
    truths = [truth for truth in load_truths(arguments.truth) if not truth.unlabelled][:: arguments.every]
    locator, namer = Locator(), Namer()
    found = [finds_of(truth, arguments.photos, locator, namer) for truth in truths]
    report([finds for finds in found if finds is not None])


if __name__ == "__main__":
    main()
