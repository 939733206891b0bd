"""What the server is told when it starts, and its limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_BODY = 15 * 2**20
"""Bytes of a request with a photo; phones' JPEGs of 12 megapixels have 3 to 6 million."""
MAX_JSON = 64 * 2**10
"""Bytes of a request without a photo: a hand, house rules, four names."""
MAX_DRAINED = 64 * 2**20
"""Bytes of a refused request that are still taken and dropped, so that the client gets to the answer."""
BODY_SECONDS = 60.0
"""In which a request's body must have come: 15 MB at 2 Mbit/s."""
HEADER_SECONDS = 10.0
"""In which a request's headers must have come."""
PHOTO_SECONDS = 15.0
"""A reading takes a fraction of a second; a worker that is busy for so long is replaced."""
START_SECONDS = 60.0
"""In which a worker must have loaded the models, on a slow machine."""
RETRY_SECONDS = 2
"""After which a client that found the queue full may come again."""
OVERLOADED_SECONDS = 10
"""After which a client may come again whose photo was given up because the machine had too much to do."""


def _workers() -> int:
    """At least two, so that a photo that takes long does not stop all others; each holds the models."""
    return max(2, min(4, (os.cpu_count() or 1) // 2))


@dataclass(frozen=True)
class Settings:
    """data: SQLite file's folder. corrections: where corrected photos are kept; None keeps none.
    hosts: names besides IP addresses and this machine's own by which the server may be called.
    workers: processes that read photos; without any, photos wait in vain. queue: photos that may wait,
    besides those being read. url: by which phones call the server, None where they cannot.
    house: house rules to offer besides, as `scoring.house.read_rules` answers.
    """

    data: Path
    corrections: Path | None = None
    hosts: tuple[str, ...] = ()
    workers: int = field(default_factory=_workers)
    queue: int = 16
    photo_seconds: float = PHOTO_SECONDS
    url: str | None = None
    house: tuple[Mapping[str, Any], ...] = ()
