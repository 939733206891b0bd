"""Files that a command writes: whoever looks finds the old one or the whole new one."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write beside the file, then rename: a full disk costs nobody the old one. Raises OSError."""
    unfinished = path.with_name(f".{os.getpid()}.part")  # the file's own name may be as long as names can be
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    finally:
        with suppress(OSError):  # of a read-only disk, say: it would hide what went wrong
            unfinished.unlink(missing_ok=True)


def same_file(path: Path, other: Path) -> bool:
    """Whether both are names of one file, there or still to be written."""
    try:
        return path.samefile(other)
    except OSError:
        return path.absolute() == other.absolute()
