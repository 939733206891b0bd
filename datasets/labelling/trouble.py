"""What can be wrong with a manifest, in sentences."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

FILE = "manifest.sqlite"

NEARLY_FULL = 1 << 20
"""Bytes free below which an I/O error of SQLite's is taken for a full disk: where its shared memory of 32 KiB
finds no room it says no more than "disk I/O error"."""


class ManifestError(Exception):
    """A manifest that cannot be used; `str()` is one sentence: what is wrong and what to do."""


class StaleError(ManifestError):
    """Somebody else changed the image since it was read."""


def damaged(folder: Path, reason: object) -> ManifestError:
    """The error for a manifest that cannot be read; that of a full disk where SQLite says that it is full."""
    if isinstance(reason, Exception) and _is_full(folder, reason):
        return _no_space(folder)
    return ManifestError(f"{folder / FILE} is damaged ({reason}); put a copy back, or label again.")


def unopened(folder: Path, error: Exception) -> ManifestError:
    """The error for a manifest that cannot be opened."""
    if _is_full(folder, error):
        return _no_space(folder)
    return ManifestError(f"{folder / FILE} cannot be opened: {error}.")


def unwritable(folder: Path, error: Exception) -> ManifestError:
    """The error for a manifest that cannot be made or changed."""
    if _is_full(folder, error):
        return _no_space(folder)
    reason = getattr(error, "strerror", None) or error
    return ManifestError(f"{folder / FILE} cannot be written: {reason}.")


def _no_space(folder: Path) -> ManifestError:
    return ManifestError(
        f"The disk of {folder} is full; free some space, then go on (`hupai label` by --resume): "
        "what was kept so far is not lost."
    )


def _is_full(folder: Path, error: Exception) -> bool:
    if isinstance(error, OSError):
        return error.errno in {errno.ENOSPC, errno.EDQUOT}
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # not from SQLite
        return False
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_FULL:
        return True
    with suppress(OSError):
        return primary in {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN} and (
            shutil.disk_usage(folder).free < NEARLY_FULL
        )
    return False
