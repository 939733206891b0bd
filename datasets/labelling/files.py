"""Files written whole or not at all, and the lock that keeps two runs out of one folder."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from vision.paths import is_there

LOCK = ".lock"


class OutputError(Exception):
    """A folder or file that cannot be written; `str()` is one sentence: what is wrong and what to do."""


def unwritable(path: Path, error: OSError) -> OutputError:
    """The error for a path that cannot be written."""
    remedy = "; free some space and try again" if error.errno in {errno.ENOSPC, errno.EDQUOT} else ""
    return OutputError(f"{path} cannot be written: {error.strerror or error}{remedy}.")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A binary stream whose content becomes `path` when the block ends well, and is gone when it does not.

    Raises OutputError where it cannot be written.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Raises OutputError."""
    with whole_file(path) as stream:
        stream.write(text.encode("utf-8"))


def link(source: Path, target: Path) -> None:
    """The same file under another name: a hard link, or a copy where the file system has none.

    Raises OutputError.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)
    except OSError as error:
        raise unwritable(target, error) from error


def stamp(path: str) -> str | None:
    """A text that differs, nearly always, when another file lies there; None where none can be seen."""
    try:
        found = os.stat(path)  # noqa: PTH116 (called for each picture)
    except (OSError, ValueError):
        return None
    return f"{found.st_size} {found.st_mtime_ns}"


@contextmanager
def replaced_folder(path: Path) -> Iterator[Path]:
    """An empty folder beside `path` that takes its place when the block ends well. Where `path` is a link, it
    stays one, and the folder that it leads to is replaced.

    Raises OutputError.
    """
    path = Path(os.path.realpath(path))
    temporary = path.with_name(f".{path.name}.part")
    old = path.with_name(f".{path.name}.old")
    try:
        if (
            old.is_dir() and not old.is_symlink() and not is_there(path)
        ):  # killed between the two renames below
            old.rename(path)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield temporary
        _remove(old)
        if is_there(path):
            path.rename(old)
        temporary.rename(path)
        _remove(old)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of `folder`; the lock ends with the process, however that ends.

    Raises OutputError where another run holds it, or the folder cannot be written.
    """
    import filelock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except filelock.Timeout as error:
        raise OutputError(f"Another run is at work in {folder}; wait for it to end.") from error
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        yield
    finally:
        lock.release()


def _remove(path: Path) -> None:
    """A folder with all that is in it, as far as that goes; of a link the link alone."""
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
