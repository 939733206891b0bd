"""What can go wrong, on purpose: shows that each way is seen."""

from __future__ import annotations

import ctypes
from random import Random

from ..target import Target

WAYS = (b"well", b"error", b"loop", b"crash", b"memory")


def run(data: bytes) -> None:
    """Go wrong in the way that `data` names."""
    if data == b"error":
        raise KeyError("on purpose")
    if data == b"loop":
        while True:
            pass
    if data == b"crash":
        ctypes.string_at(0)
    if data == b"memory":
        bytearray(320 << 20)


def mutate(_: bytes, rng: Random) -> bytes:
    return rng.choice(WAYS)


PROBE = Target("probe", run, lambda: WAYS[:1], mutate, (), 5.0, 300)
