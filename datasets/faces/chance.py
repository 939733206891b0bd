"""Drawing lots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from datasets.faces.style import Colour

T = TypeVar("T")


def pick(rng: np.random.Generator, options: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """One of the options, each as likely as its weight says."""
    if weights is None:
        return options[int(rng.integers(len(options)))]
    w = np.asarray(weights, float)
    return options[int(rng.choice(len(options), p=w / w.sum()))]


def near(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """A colour near the given one."""
    r, g, b = (int(np.clip(c + rng.normal(0, spread), 0, 255)) for c in colour)
    return r, g, b
