"""Time a 12-megapixel photo from file to breakdown in a warm process, stage by stage, and the peak memory.

    python tests/benchmarks/bench_read.py [PHOTO...] [--runs 20]

Without a photo the shipped, rendered sample is enlarged to 4000 x 3000 pixels with camera noise, so that the
JPEG is as heavy to decode as a phone's. Figures are wall time; run it on an otherwise idle machine.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
from multiprocessing import get_context
from pathlib import Path

from machine import headline
from pictures import enlarged_sample


def measure(path: Path, runs: int) -> dict[str, list[float]]:
    """Seconds of each stage over `runs` readings of one photo, after two that warm up."""
    from vision.reader import Reader

    reader = Reader()
    stages: dict[str, list[float]] = {}
    for run in range(runs + 2):
        seconds = reader.read(path).seconds
        if run >= 2:
            for stage, value in {**seconds, "total": sum(seconds.values())}.items():
                stages.setdefault(stage, []).append(value)
    return stages


def main() -> None:
    """Print one table a photo."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    print(headline())
    with tempfile.TemporaryDirectory() as folder:
        photos = arguments.photos
        if not photos:
            photos = [Path(folder) / "sample-12mp.jpg"]
            # in another process, so that making the picture does not count as memory of reading it
            maker = get_context("spawn").Process(target=enlarged_sample, args=(photos[0],))
            maker.start()
            maker.join()
        for path in photos:
            stages = measure(path, arguments.runs)
            print(f"\n{path.name} ({path.stat().st_size / 1e6:.1f} MB), {arguments.runs} runs, milliseconds")
            print(f"{'stage':<10}{'median':>9}{'min':>9}{'max':>9}")
            for stage, values in stages.items():
                milliseconds = [1000 * value for value in values]
                middle = statistics.median(milliseconds)
                print(f"{stage:<10}{middle:>9.1f}{min(milliseconds):>9.1f}{max(milliseconds):>9.1f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\npeak memory of the process {peak:.0f} MB")


if __name__ == "__main__":
    main()
