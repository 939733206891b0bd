"""One process that fuzzes: it notes each input before it runs it, so that whoever started it knows what it
died of."""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import importlib
import json
import mmap
import os
import re
import resource
import signal
import struct
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from random import Random

from .target import BrokenPromiseError, Target
from .targets import TARGETS, load

MOST_FINDINGS = 40
STANDSTILL = 20
"""By how much longer an input may take by the clock than by the processor: others use it too."""
OVER_MEMORY = 77
"""Exit status of a process that has held more than its target allows."""


class Recorder:
    """Runs inputs, counts them, keeps what they raise. out: folder for `input`, `count`, `findings`."""

    def __init__(self, target: Target, out: Path) -> None:
        self._target = target
        self._out = out
        self._input = os.open(out / "input", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        with (out / "count").open("w+b") as file:
            file.write(bytes(8))
            file.flush()
            self._count = mmap.mmap(file.fileno(), 8)
        self.executions = 0

    def execute(self, data: bytes) -> None:
        self.executions += 1
        self._count[:] = struct.pack("<Q", self.executions)
        os.ftruncate(self._input, 0)
        os.pwrite(self._input, data, 0)
        signal.setitimer(signal.ITIMER_PROF, self._target.seconds)
        faulthandler.dump_traceback_later(STANDSTILL * self._target.seconds, exit=True)
        try:
            self._target.run(data)
        except Exception as error:  # noqa: BLE001 (what a target lets through is what this looks for)
            self._keep(error, data)
        finally:
            faulthandler.cancel_dump_traceback_later()
            signal.setitimer(signal.ITIMER_PROF, 0)
        if _held() > self._target.megabytes:
            os._exit(OVER_MEMORY)

    def _keep(self, error: Exception, data: bytes) -> None:
        told = "".join(traceback.format_exception(error))
        name = hashlib.sha256(_key(error).encode()).hexdigest()[:12]
        kept = self._out / "findings" / f"{name}.json"
        if not kept.exists() and len(list(kept.parent.glob("*.json"))) >= MOST_FINDINGS:
            return
        if kept.exists() and len(bytes.fromhex(json.loads(kept.read_text())["data"])) <= len(data):
            return
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({"key": _key(error), "told": told, "data": data.hex()}))


def _key(error: BaseException) -> str:
    """The error's class and where it was raised: two inputs with the same are taken for one finding."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        frame for frame in frames if "site-packages" not in frame.filename and "/lib/" not in frame.filename
    ]
    places = {f"{Path(frame.filename).name}:{frame.lineno}" for frame in (*own[-1:], *frames[-1:])}
    what = re.sub(r"[^A-Za-z:]+", " ", str(error))[:40] if isinstance(error, BrokenPromiseError) else ""
    return f"{type(error).__name__} at {' and '.join(sorted(places))} {what}".strip()


def _held() -> int:
    """Megabytes that this process has held at most."""
    with suppress(OSError), open("/proc/self/status", "rb") as status:  # noqa: PTH123 (each input: no detours)
        return next(int(line.split()[1]) for line in status if line.startswith(b"VmHWM:")) >> 10
    # Without /proc. On Linux it would count what the process that started this one held.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (20 if sys.platform == "darwin" else 10)


def at_random(target: Target, recorder: Recorder, seed: int, executions: int, seconds: float) -> None:
    """Mutations of the seeds, the same for the same `seed`."""
    rng, until = Random(seed), time.monotonic() + seconds
    seeds = list(target.seeds())
    if seed == 0:
        for data in seeds:
            recorder.execute(data)
    while recorder.executions < executions and time.monotonic() < until:
        recorder.execute(target.mutate(rng.choice(seeds), rng))


def by_coverage(target: Target, recorder: Recorder, seed: int, seconds: float, corpus: Path) -> None:
    """libFuzzer by atheris: what reaches a new branch is kept and changed further."""
    import atheris

    with atheris.instrument_imports(include=[name.partition(":")[0] for name in target.instrumented]):
        for name in target.instrumented:
            importlib.import_module(name)
    corpus.mkdir(exist_ok=True)
    for data in target.seeds():
        (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def mutate(data: bytes, most: int, number: int) -> bytes:
        rng = Random(number)
        other = target.mutate(data, rng) if rng.random() < 0.7 else atheris.Mutate(data, most)
        return other[:most]

    options = [
        f"-max_total_time={max(1, int(seconds))}", f"-seed={seed}", "-max_len=65536", "-timeout=600",
        "-rss_limit_mb=0", f"-artifact_prefix={corpus}/", "-report_slow_units=3600",
        "-verbosity=0", "-detect_leaks=0", str(corpus),
    ]  # fmt: skip
    atheris.Setup(
        [sys.argv[0], *options], recorder.execute, custom_mutator=mutate, enable_python_coverage=True
    )
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--engine", choices=["random", "atheris"], default="random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--executions", type=int, default=1 << 62)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--corpus", type=Path)
    told = parser.parse_args()
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, all_threads=False, chain=True)
    target = load(told.target)
    recorder = Recorder(target, told.out)
    if told.engine == "atheris":
        by_coverage(target, recorder, told.seed, told.seconds, told.corpus or told.out / "corpus")
    else:
        at_random(target, recorder, told.seed, told.executions, told.seconds)


if __name__ == "__main__":
    main()
