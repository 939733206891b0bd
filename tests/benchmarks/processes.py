"""Each program that looks at photos in a process of its own, so that none has another's threads or memory."""

from __future__ import annotations

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType

from contenders import CONTENDERS, TUNED, Contender, Look

from vision.elements import Reading


@dataclass(frozen=True)
class Taken:
    """A look at a photo: what was read, and the seconds from the file on."""

    reading: Reading
    seconds: float


class Process:
    """A contender in a process of its own, warm. Raises ImportError where its package is missing."""

    def __init__(self, contender: Contender, folder: Path) -> None:
        """folder: where the contender may keep files, weights in its own format for instance."""
        self.contender = contender
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        try:
            self._pool.submit(_open, contender.name, folder).result()
        except BaseException:
            self._pool.shutdown()
            raise

    def look(self, photo: Path) -> Taken:
        """Look at one photo."""
        return self._pool.submit(_look, photo).result()

    def peak(self) -> float:
        """The most memory that the process has had, in MB."""
        return self._pool.submit(_peak).result()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()


_opened: dict[str, Look] = {}


def _open(name: str, folder: Path) -> None:
    (contender,) = (one for one in (*CONTENDERS, TUNED) if one.name == name)
    folder.mkdir(parents=True, exist_ok=True)
    _opened["look"] = contender.opened(folder)


def _look(photo: Path) -> Taken:
    began = time.perf_counter()
    reading = _opened["look"](photo)
    return Taken(reading, time.perf_counter() - began)


def _peak() -> float:
    status = Path("/proc/self/status")
    if status.exists():  # of this program alone; what getrusage tells counts the one that started it, too
        lines = status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 2**10
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)
