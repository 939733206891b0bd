"""What a run of all benchmarks was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


K = TypeVar("K", bound=_Keyed)

PROGRAMS = ("mahjong-detector", "yolo", "PyMahjongGB", "mahjong")
"""Keys of what can be left out."""


@dataclass(frozen=True)
class Settings:
    """quick: little of everything. rounds: how often each thing is timed.

    photos: folder of real photos with their truth files under `truth`. workers: of labelling. without: those
    of PROGRAMS to leave out. folder: for files that are thrown away.
    """

    quick: bool
    rounds: int
    photos: Path
    workers: int
    without: frozenset[str]
    folder: Path

    def wanted(self, programs: Iterable[K]) -> list[K]:
        """Those that were not left out."""
        return [one for one in programs if one.key not in self.without]
