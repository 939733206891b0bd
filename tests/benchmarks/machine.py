"""The machine that a benchmark runs on, in the words that its figures need beside them."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")

INSTRUCTIONS = (
    "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512_vnni", "avx512_bf16", "avx_vnni", "amx_int8",
    "asimd", "asimddp", "i8mm", "sve", "bf16",
)  # fmt: skip
"""Flags of Linux that decide how fast networks run: vectors, half precision, 8-bit products."""

PACKAGES = (
    "numpy", "onnxruntime", "openvino", "opencv-python-headless", "pillow", "torch", "ultralytics",
    "ultralytics-opencv-headless", "mahjong-detector", "PyMahjongGB", "mahjong",
)  # fmt: skip
"""Packages whose versions decide times or results here."""


@dataclass(frozen=True)
class Machine:
    """What figures depend on.

    cores: that this process may use. instructions: those of INSTRUCTIONS that the processor has, empty where
    the system does not tell. memory_gib: None where the system does not tell. packages: version by name, of
    those of PACKAGES that are installed.
    """

    processor: str
    cores: int
    instructions: tuple[str, ...]
    memory_gib: float | None
    system: str
    python: str
    packages: dict[str, str]

    def lines(self) -> list[str]:
        """The machine in three lines."""
        memory = f"{self.memory_gib:.1f} GiB of memory" if self.memory_gib else "memory unknown"
        flags = " ".join(self.instructions) or "instruction sets unknown"
        packages = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return [
            f"{self.processor}, {self.cores} cores ({flags}), {memory}",
            f"{self.system}, Python {self.python}",
            packages or "no package that matters here is installed",
        ]


def this_machine(packages: Sequence[str] = PACKAGES) -> Machine:
    """The machine that this runs on."""
    return Machine(
        processor=processor(),
        cores=cores(),
        instructions=_instructions(),
        memory_gib=_memory(),
        system=_system(),
        python=platform.python_version(),
        packages=_versions(packages),
    )


def headline() -> str:
    """The processor, its cores, the interpreter and the load, in one line."""
    return f"{processor()}, {cores()} cores, Python {platform.python_version()}, {told_load()}"


def processor() -> str:
    """The processor's name where Linux tells it."""
    return _cpuinfo("model name") or platform.processor() or platform.machine() or "unknown processor"


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load() -> float | None:
    """Mean number of running processes over the last minute, None where the system does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def told_load() -> str:
    """`load 0.4`, or that it is unknown."""
    now = load()
    return "load unknown" if now is None else f"load {now:.1f}"


def _cpuinfo(*keys: str) -> str:
    try:
        lines = _CPUINFO.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(keys)), "")


def _instructions() -> tuple[str, ...]:
    flags = _cpuinfo("flags", "Features").split()
    return tuple(name for name in INSTRUCTIONS if name in flags)


def _memory() -> float | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (AttributeError, OSError, ValueError):
        return None


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = platform.system()
    return f"{name}, kernel {platform.release()}"


def _versions(packages: Sequence[str]) -> dict[str, str]:
    found = {}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
