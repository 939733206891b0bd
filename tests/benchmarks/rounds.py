"""Timing that compares: things run in turn, round by round, and ratios are those of one round."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Spread:
    """The median of some values and the quartiles around it; of one value all three are that value."""

    median: float
    low: float
    high: float

    def told(self, digits: int = 0) -> str:
        """`83 (80–91)`."""
        return f"{self.median:,.{digits}f} ({self.low:,.{digits}f}–{self.high:,.{digits}f})"


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles. Raises statistics.StatisticsError for no values."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def interleave(runs: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """What each run gives in each round. Each round starts with another run, so that none is always first."""
    names = list(runs)
    results: dict[str, list[T]] = {name: [] for name in names}
    for number in range(rounds):
        start = number % len(names) if names else 0
        for name in names[start:] + names[:start]:
            results[name].append(runs[name]())
    return results


def ratios(values: Sequence[float], ours: Sequence[float]) -> Spread:
    """How many times ours each value is, round by round."""
    return spread([value / our for value, our in zip(values, ours, strict=True)])
