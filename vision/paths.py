"""What a path stands for: a file, a folder, or a pipe or device, whose reading may never end."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from vision.errors import PhotoUnreadableError

_OPEN_ALREADY = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""What a shell has opened for the command (`<(...)` in bash): somebody is at the other end."""


def is_file(path: Path | str) -> bool:
    """Whether there is such a file. Where nobody may look, or no name can be so long, there is none:
    `Path.is_file` raises there before Python 3.14."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path | str) -> bool:
    """Whether there is such a folder, as `is_file`."""
    return os.path.isdir(path)  # noqa: PTH112


def is_there(path: Path | str) -> bool:
    """Whether there is anything of that name, as `is_file`."""
    return os.path.exists(path)  # noqa: PTH110


def is_pipe(path: Path) -> bool:
    """Whether it is there, and neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):  # whoever opens it says why
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def may_never_end(path: Path) -> bool:
    """Whether it is a pipe or a device that the shell has not opened for this command."""
    opened = os.path.abspath(path).startswith(_OPEN_ALREADY)  # noqa: PTH100 (links stay as they are)
    return not opened and is_pipe(path)


def refuse_pipe(path: Path) -> None:
    """Raises PhotoUnreadableError for a photo that may never end."""
    if may_never_end(path):
        raise PhotoUnreadableError(
            f"{path} is a pipe or a device and no file; save the photo to a file, or send it to /dev/stdin."
        )
