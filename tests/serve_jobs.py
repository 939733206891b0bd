"""Jobs for the worker processes of tests: they go wrong in the ways that a decoder may."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from vision.serve.worker import Models


@dataclass(frozen=True)
class Echo:
    payload: bytes

    def run(self, models: Models) -> tuple[int, int]:
        return os.getpid(), len(self.payload)


@dataclass(frozen=True)
class Hang:
    seconds: float

    def run(self, models: Models) -> str:
        time.sleep(self.seconds)
        return "done"


@dataclass(frozen=True)
class Die:
    def run(self, models: Models) -> None:
        os._exit(1)


@dataclass(frozen=True)
class Fail:
    def run(self, models: Models) -> None:
        raise RuntimeError("a secret")
