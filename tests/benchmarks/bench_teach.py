"""What a taught set costs: opening it, and naming the tiles of the sample with and without it.

    python tests/benchmarks/bench_teach.py [--tiles 144] [--runs 30]

The set is random crops: what they show does not change the work.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

import numpy as np

from models.registry import SAMPLE_PHOTO
from scoring import TILES
from vision.locator import Locator
from vision.namer import Namer
from vision.photo import load_photo
from vision.taught.namer import TaughtNamer, up_to_date
from vision.taught.store import untold


def median(step: Callable[[], object], runs: int) -> float:
    """Milliseconds."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        step()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiles", type=int, default=144, help="tiles in the set")
    parser.add_argument("--runs", type=int, default=30)
    given = parser.parse_args()
    namer, photo = Namer(), load_photo(SAMPLE_PHOTO)
    quads = Locator().locate(photo.pixels).quads
    rng = np.random.default_rng(0)
    crops = rng.integers(0, 255, (given.tiles, namer.side, namer.side, 3), dtype=np.uint8)
    tiles = rng.integers(0, len(TILES), given.tiles)
    began = time.perf_counter()
    taught = up_to_date(untold("bench", crops, tiles, ("",) * given.tiles), namer)
    print(f"looks of {given.tiles} crops, once a namer: {1000 * (time.perf_counter() - began):.0f} ms")
    print(f"opening, once a process: {median(lambda: TaughtNamer(taught, namer), 5):.0f} ms")
    corrected = TaughtNamer(taught, namer)
    plain = median(lambda: namer.name(photo.pixels, quads), given.runs)
    with_set = median(lambda: corrected.name(photo.pixels, quads), given.runs)
    print(f"naming {len(quads)} tiles: {plain:.1f} ms without, {with_set:.1f} ms with the set")


if __name__ == "__main__":
    main()
