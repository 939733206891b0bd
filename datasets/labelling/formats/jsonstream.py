"""JSON written piece by piece, so that a file of a million entries takes no memory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import IO, Any


def write_array(stream: IO[str], values: Iterable[Any]) -> None:
    """A JSON array, one element a line."""
    stream.write("[")
    for number, value in enumerate(values):
        stream.write(",\n" if number else "\n")
        json.dump(value, stream, ensure_ascii=False)
    stream.write("\n]")
