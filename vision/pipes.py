"""Pipes and devices that bear a file's name: reading one may never end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vision.errors import PhotoUnreadableError

_OPEN_ALREADY = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""What a shell has opened for the command (`<(...)` in bash): somebody is at the other end."""


def is_pipe(path: Path) -> bool:
    """Whether it is there, and neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # whoever opens it says why
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def refuse_pipe(path: Path) -> None:
    """Raises PhotoUnreadableError for a pipe or device, unless the shell has opened it for this command."""
    opened = os.path.abspath(path).startswith(_OPEN_ALREADY)  # noqa: PTH100 (links stay as they are)
    if not opened and is_pipe(path):
        raise PhotoUnreadableError(
            f"{path} is a pipe or a device and no file; save the photo to a file, or send it to /dev/stdin."
        )
