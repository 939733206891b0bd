"""Thousands of photos through one process: memory, files, threads and answers that must stay as they were.

    python tests/benchmarks/bench_soak.py [--only reader|server] [--count 2000] [--photos DIR]

`reader` reads and scores in this process, `server` starts `hupai serve` and posts from two clients. Photos
are the shipped, rendered sample in several sizes and formats, turned by EXIF, with damaged files in between,
and with --photos twenty real ones of a folder. They come in rounds of fifty in shuffled order, so that every
hundred holds the same. Of each hundred it prints the resident memory at its end, open files and threads of
the process (of the server and its workers together), and the time a photo took: the median, and that of the
processor, which says more on a machine that is busy. Exits 1 when memory has grown by 5 % since the first
hundred, when there are always more open files or threads than in the beginning, or when a photo got another
answer than the first time. Linux only.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench_serve import call, running, untimed

HUNDRED = 100
ROUND = 50
REAL = 20
GROWTH = 0.05
CLIENTS = 2
"""As many as there are workers at least: all are busy, and none is refused."""
LATE = "too-long"
"""What the server answers when it gives a photo up and replaces its worker. On a busy machine, where it may,
that is `overloaded`, and counts the same here."""
ASKED: tuple[dict[str, str], ...] = (
    {},
    {"seat": "S", "round": "W", "self_drawn": "true"},
    {"rules": "fuzhou"},
    # Every request makes a rule set of its own.
    {"house": '{"start": "mcr", "minimum": 6, "points": {"七对": 32}}'},
)
"""What is said with the photos, in turn."""

Photo = tuple[str, bytes]
Read = Callable[[bytes, int], Any]
"""Reads a photo, told one of ASKED; gives what must be the same every time."""


@dataclass(frozen=True)
class State:
    """Of some processes together. seconds: of the processor, used so far."""

    megabytes: float
    files: int
    threads: int
    seconds: float


def state_of(pids: list[int]) -> State:
    """What Linux tells of these processes."""
    megabytes = seconds = 0.0
    files = threads = 0
    for pid in pids:
        folder = Path(f"/proc/{pid}")
        lines = (folder / "status").read_text(encoding="ascii", errors="replace").splitlines()
        megabytes += next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024
        files += len(list((folder / "fd").iterdir()))
        threads += len(list((folder / "task").iterdir()))
        stat = (folder / "stat").read_text(encoding="ascii", errors="replace")
        user, system = stat.rpartition(")")[2].split()[11:13]
        seconds += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return State(megabytes, files, threads, seconds)


def family(pid: int) -> list[int]:
    """A process and its children, whichever of its threads started them."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [pid, *(int(child) for found in lists for child in found.read_text(encoding="ascii").split())]


def photos(real: Path | None) -> list[Photo]:
    """One round: ROUND photos by name, five of them damaged."""
    from PIL import Image
    from pillow_heif import from_pillow

    from models.registry import SAMPLE_PHOTO

    sample = Image.open(SAMPLE_PHOTO).convert("RGB")

    def encoded(kind: str, side: int, orientation: int = 1) -> bytes:
        picture = sample.resize((side, side * sample.height // sample.width), Image.Resampling.LANCZOS)
        exif = Image.Exif()
        exif[0x0112] = orientation
        stream = io.BytesIO()
        if kind == "heic":
            from_pillow(picture).save(stream, quality=80)
        else:
            picture.save(stream, kind, exif=exif, quality=90)
        return stream.getvalue()

    turns = [("jpeg", side, turn) for side in (4000, 1600, 640, 320) for turn in (1, 3, 6, 8)]
    others = [("png", 1024, 1), ("png", 640, 6), ("webp", 1280, 1), ("webp", 640, 3)]
    heics = [("heic", 2048, 1), ("heic", 640, 1)]
    made = [("-".join(map(str, what)), encoded(*what)) for what in turns + others + heics]
    jpeg, png, heic = (dict(made)[name] for name in ("jpeg-1600-6", "png-640-6", "heic-640-1"))
    damaged = [
        ("empty", b""),
        ("text", b"no photo\n" * 100),
        ("half-a-jpeg-header", jpeg[:300]),
        ("half-a-png", png[: len(png) // 2]),
        ("half-a-heic", heic[: len(heic) // 2]),
    ]
    taken: list[Photo] = []
    if real is not None:
        paths = sorted(path for path in real.iterdir() if path.suffix.lower() in {".jpg", ".jpeg", ".heic"})
        taken = [(path.name, path.read_bytes()) for path in paths[:: max(1, len(paths) // REAL)][:REAL]]
    rest = ROUND - len(damaged) - len(taken)
    return taken + damaged + list(itertools.islice(itertools.cycle(made), rest))


def shuffled(one_round: list[Photo]) -> Iterator[Photo]:
    """Round after round, each in another order, the same on every run."""
    order = random.Random(0)
    while True:
        yield from order.sample(one_round, len(one_round))


@dataclass
class Soak:
    """Sends photos, hundred by hundred, and keeps the answers to compare."""

    read: Read
    pids: Callable[[], list[int]]
    clients: int = 1

    def run(self, one_round: list[Photo], count: int) -> bool:
        """Print a row a hundred; whether all stayed as it was after the first."""
        first: dict[tuple[str, int], str] = {}
        changed: Counter[str] = Counter()
        late: list[str] = []

        def one(task: tuple[int, Photo]) -> float:
            number, (name, data) = task
            said = (number // ROUND) % len(ASKED)
            began = time.perf_counter()
            answer = self.read(data, said)
            took = time.perf_counter() - began
            text = json.dumps(answer, ensure_ascii=False)
            if answer == LATE:
                late.append(name)
            elif first.setdefault((name, said), text) != text:
                changed[name] += 1
            return took

        stream = enumerate(shuffled(one_round))
        states = [state_of(self.pids())]
        print(f"{'photos':>7}{'MB':>8}{'files':>7}{'threads':>9}{'median ms':>11}{'CPU ms':>8}")
        print(f"{0:>7}{states[0].megabytes:>8.0f}{states[0].files:>7}{states[0].threads:>9}", flush=True)
        with ThreadPoolExecutor(self.clients) as pool:
            for done in range(HUNDRED, count + 1, HUNDRED):
                took = list(pool.map(one, [next(stream) for _ in range(HUNDRED)]))
                now = state_of(self.pids())
                cpu = (now.seconds - states[-1].seconds) / HUNDRED
                states.append(now)
                print(
                    f"{done:>7}{now.megabytes:>8.0f}{now.files:>7}{now.threads:>9}"
                    f"{1000 * statistics.median(took):>11.0f}{1000 * cpu:>8.0f}",
                    flush=True,
                )
        base, last = states[1], states[-1]
        growth = last.megabytes / base.megabytes - 1
        print(f"memory since the first hundred: {growth:+.1%}; other answers: {dict(changed) or 'none'}")
        print(f"given up for want of time: {len(late)}\n")
        leaks = any(leaking([getattr(state, kind) for state in states[1:]]) for kind in ("files", "threads"))
        return growth < GROWTH and not leaks and not changed


def leaking(counts: list[int]) -> bool:
    """Whether the lowest of the last few counts is above the highest of the first few.

    A connection or a thread that is just at work comes and goes; a leak of one a hundred photos stays.
    """
    few = min(5, len(counts) // 2)
    return few > 0 and min(counts[-few:]) > max(counts[:few])


def soak_reader(one_round: list[Photo], count: int) -> bool:
    """In this process."""
    from vision.errors import VisionError
    from vision.locator import Locator
    from vision.namer import Namer
    from vision.reader import Reader
    from vision.serve.api import told_by_fields
    from vision.serve.hands import asked, circumstances

    models = Locator(), Namer()
    told = [told_by_fields(fields.items()) for fields in ASKED]
    readers = [(Reader(asked(table).scorer(), *models), circumstances(table)) for table in told]

    def read(data: bytes, said: int) -> Any:
        reader, circumstance = readers[said]
        try:
            return {**reader.read(data, circumstance).to_dict(), "seconds": None}
        except VisionError as error:
            return str(error)

    return Soak(read, lambda: [os.getpid()]).run(one_round, count)


def soak_server(one_round: list[Photo], count: int) -> bool:
    """Through HTTP, a connection a photo."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:

        def read(data: bytes, said: int) -> Any:
            status, _, answer = call(server.port, "POST", f"/api/read?{urlencode(ASKED[said])}", data or b" ")
            told = untimed(answer)
            if told.get("code") in {LATE, "overloaded"}:
                return LATE
            assert status == 200 or 400 <= status < 500, (status, answer)
            return told

        return Soak(read, lambda: family(server.pid), CLIENTS).run(one_round, count)


def main() -> None:
    """Print the tables."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=["reader", "server"], default=["reader", "server"])
    parser.add_argument("--count", type=int, default=2000, help="photos, whole hundreds")
    parser.add_argument("--photos", type=Path, metavar="DIR", help="real photos besides the rendered ones")
    arguments = parser.parse_args()
    one_round = photos(arguments.photos)
    stayed = True
    for name in arguments.only:
        print(f"{name}: {arguments.count} photos")
        stayed &= {"reader": soak_reader, "server": soak_server}[name](one_round, arguments.count)
    sys.exit(0 if stayed else 1)


if __name__ == "__main__":
    main()
