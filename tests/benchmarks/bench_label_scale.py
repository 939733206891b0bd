"""Cost and memory of labelling over many pictures: both must stay flat.

`python tests/benchmarks/bench_label_scale.py [--count 10000] [--workers 2] [--side 320]`: rendered pictures
(the sample that ships with the project, shifted), labelled and exported as YOLO. Prints at each thousand the
rate since the last, and the resident memory of the command and all its processes.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import headline

ROOT = Path(__file__).parents[2]
STEP = 1000


def main() -> None:
    """Print a line a thousand pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--side", type=int, default=320, help="Longer side of the pictures, pixels.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures, out = Path(folder) / "pictures", Path(folder) / "labels"
        _render(pictures, chosen.count, chosen.side)
        words = [sys.executable, "-m", "models.cli", "label", pictures, "--out", out]
        words += ["--workers", str(chosen.workers)]
        print(f"{headline()}, {chosen.workers} workers")
        print(f"{'done':>7} {'pictures/s':>11} {'command MB':>11} {'workers MB':>11}")
        began = last = time.perf_counter()
        process = subprocess.Popen(words, cwd=ROOT, stderr=subprocess.DEVNULL)
        told = 0
        while process.poll() is None:
            time.sleep(0.2)
            done = _done(out)
            if done >= told + STEP:
                now = time.perf_counter()
                own, children = _memory(process.pid)
                print(
                    f"{done:7d} {(done - told) / (now - last):11.1f} {own:11.0f} {children:11.0f}", flush=True
                )
                told, last = done, now
        total = time.perf_counter() - began
        print(f"{_done(out)} pictures labelled, grouped, split and exported in {total:.0f} s")
        if process.returncode:
            raise SystemExit(process.returncode)


def _render(folder: Path, count: int, side: int) -> None:
    import cv2
    import numpy as np

    folder.mkdir()
    scene = cv2.imread(str(ROOT / "datasets" / "sample" / "hand.jpg"))
    small = cv2.resize(scene, (side, side * 3 // 4), interpolation=cv2.INTER_AREA)
    for number in range(count):
        moved = np.roll(small, (number // side, number % side), axis=(0, 1))
        cv2.imwrite(str(folder / f"p{number:06d}.jpg"), moved)


def _done(out: Path) -> int:
    path = out / "manifest.sqlite"
    if not path.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            (done,) = connection.execute("SELECT count(*) FROM images WHERE state = 'new'").fetchone()
            return int(done)
    except sqlite3.Error:  # being made
        return 0


def _memory(pid: int) -> tuple[float, float]:
    """MB of a process and of its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return _resident(pid), sum(_resident(int(child)) for child in children)


def _resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
