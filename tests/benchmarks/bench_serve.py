"""Time the server as phones use it: one read request after the other, then 200 photos from 20 clients.

    python tests/benchmarks/bench_serve.py [PHOTO] [--long-side 2048] [--clients 20] [--photos 200]

Starts `hupai serve` as a process of its own. Without a photo the shipped, rendered sample is enlarged to 12
megapixels with noise. As the page does it, the photo is shrunk first (its long side to --long-side pixels, as
a JPEG of quality 90); with --long-side 0 it is sent as it is. Under load every answer must be the right one
or a 503 with Retry-After; memory is that of the server and its workers together. Run it on an otherwise idle
machine.

--accuracy TRUTH_DIR --photos-of DIR says instead what shrinking costs: whole hands right by long side.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import headline
from pictures import enlarged_sample

ROOT = Path(__file__).parent.parent.parent
QUALITY = 90
SIDES = (0, 2048, 1600, 1280, 1024, 800, 640, 480)
ENOUGH = 0.5
"""Seconds that a read request may take (median)."""


@dataclass(frozen=True)
class Running:
    """A server's port and process id. up_after: seconds until it answered."""

    port: int
    pid: int
    up_after: float


@dataclass(frozen=True)
class Answered:
    """How requests at once were answered: counts of right, busy (503, asked again) and WRONG."""

    outcomes: Counter[str]
    seconds: float


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Running]:
    """A server, once it answers."""
    command = [sys.executable, "-m", "models.cli", "serve", "--port", "0", "--data", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r":(\d+)/", server.stdout.readline())
            assert found, "the server did not start"
            port = int(found[1])
            call(port, "GET", "/api/service")
            yield Running(port, server.pid, time.perf_counter() - began)
        finally:
            server.terminate()


def call(port: int, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    with contextlib.closing(connection):
        connection.request(method, path, body, {"Content-Type": "image/jpeg"} if body else {})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def shrunk(photo: bytes, side: int) -> bytes:
    """The photo as the page sends it."""
    import cv2
    import numpy as np

    if not side:
        return photo
    pixels = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
    scale = min(1.0, side / max(pixels.shape[:2]))
    size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def resident(pid: int) -> float:
    """Megabytes of a process and its children (Linux)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    lines = [
        line
        for process in (str(pid), *children)
        for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
        if line.startswith("VmRSS:")
    ]
    return sum(int(line.split()[1]) for line in lines) / 1024


def one_by_one(port: int, photo: bytes, runs: int) -> tuple[bytes, list[float]]:
    """The answer, and the seconds that each request took."""
    seconds = []
    for run in range(runs + 4):  # each worker warms up
        began = time.perf_counter()
        status, _, answer = call(port, "POST", "/api/read", photo)
        assert status == 200, answer
        if run >= 4:
            seconds.append(time.perf_counter() - began)
    return answer, seconds


def at_once(port: int, photo: bytes, right: bytes, clients: int, photos: int) -> Answered:
    """What `photos` requests from `clients` threads were answered; a 503 is asked again, as told."""
    outcomes: Counter[str] = Counter()
    lock = threading.Lock()

    def client() -> None:
        for _ in range(photos // clients):
            while True:
                status, headers, answer = call(port, "POST", "/api/read", photo)
                busy = status == 503 and headers.get("retry-after", "").isdigit()
                same = status == 200 and untimed(answer) == untimed(right)
                with lock:
                    outcomes["right" if same else "busy" if busy else f"WRONG ({status})"] += 1
                if not busy:
                    break
                time.sleep(int(headers["retry-after"]))

    threads = [threading.Thread(target=client) for _ in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Answered(outcomes, time.perf_counter() - began)


def untimed(answer: bytes) -> dict[str, Any]:
    return {name: value for name, value in json.loads(answer).items() if name != "seconds"}


def accuracy(truths: Path, photos: Path) -> None:
    """Whole hands right by long side. A photo that is smaller already is left as it is."""
    from models.truth import load_truths
    from vision.errors import VisionError
    from vision.photo import load_photo
    from vision.reader import Reader

    reader = Reader()
    held = {truth.photo: truth for truth in load_truths(truths) if truth.hand == "complete"}
    for side in SIDES:
        right = smaller = 0
        for name, truth in held.items():
            photo = (photos / name).read_bytes()
            sent = shrunk(photo, side)
            try:
                reading = reader.read(sent)
            except VisionError:
                continue
            smaller += sent is not photo and max(load_photo(photo).size) > side
            right += hand_of(reading) == hand_of(truth)
        title = f"long side {side}" if side else "as they are"
        print(f"{title}: {right} of {len(held)} whole hands right, {smaller} photos made smaller")


def hand_of(layout: Any) -> Counter[str]:
    names = {tile.id: tile.tile for tile in layout.tiles}
    return Counter(names[at] for group in layout.groups if group.kind != "other" for at in group.tiles)


def main() -> None:
    """Print the figures."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photo", nargs="?", type=Path)
    parser.add_argument("--long-side", type=int, default=2048)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--accuracy", type=Path, metavar="TRUTH_DIR")
    parser.add_argument("--photos-of", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    print(headline())
    if arguments.accuracy:
        accuracy(arguments.accuracy, arguments.photos_of or arguments.accuracy)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.photo is None:
            arguments.photo = folder / "sample-12mp.jpg"
            enlarged_sample(arguments.photo)
        photo = arguments.photo.read_bytes()
        sent = shrunk(photo, arguments.long_side)
        print(f"{arguments.photo.name}: {len(photo) / 1e6:.1f} MB, sent as {len(sent) / 1e6:.2f} MB")
        with running(folder) as server:
            print(f"up after {server.up_after:.2f} s")
            right, seconds = one_by_one(server.port, sent, arguments.runs)
            median = statistics.median(seconds)
            spread = f"min {1000 * min(seconds):.0f}, max {1000 * max(seconds):.0f}"
            verdict = "within" if median < ENOUGH else "ABOVE"
            print(f"one by one: median {1000 * median:.0f} ms ({spread}), {verdict} {1000 * ENOUGH:.0f} ms")
            before = resident(server.pid)
            for _ in range(2):
                answered = at_once(server.port, sent, right, arguments.clients, arguments.photos)
                told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(answered.outcomes.items()))
                print(f"{arguments.photos} photos from {arguments.clients} clients: {told}; ", end="")
                print(f"{answered.seconds:.1f} s in all")
                print(f"memory: {before:.0f} MB before, {resident(server.pid):.0f} MB after")


if __name__ == "__main__":
    main()
