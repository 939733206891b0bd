"""Folders and object storage by one address: a path, `file://`, `s3://` or what else fsspec knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.labelling.files import OutputError, whole_file
from datasets.labelling.inputs import InputError
from vision.errors import PhotoUnreadableError
from vision.photo import MAX_BYTES


class StorageError(InputError):
    """An address that cannot be used; `str()` is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Store:
    """A folder of files that are written whole or not at all. path: as its file system knows it."""

    url: str
    system: Any
    path: str

    @property
    def local(self) -> bool:
        """Whether it is a folder of this machine, or one mounted here."""
        return is_local(self.system)

    def read(self, name: str) -> bytes | None:
        """Content of a file, None where it is not there. Raises StorageError."""
        with reaching(f"{self.url}/{name}"):
            try:
                content: bytes = self.system.cat_file(self._at(name))
            except FileNotFoundError:
                return None
        return content

    def write(self, name: str, content: bytes) -> None:
        """Whoever looks finds all of `content` or what was there before. Raises OutputError."""
        if self.local:
            with whole_file(Path(self._at(name))) as stream:
                stream.write(content)
            return
        try:
            # One put, which object stores show when it is whole.
            self.system.pipe_file(self._at(name), content)
        except Exception as error:  # each file system raises its own
            raise OutputError(f"{self.url}/{name} cannot be written: {told(error)}.") from error

    def remove(self, name: str) -> None:
        """Raises StorageError."""
        with reaching(f"{self.url}/{name}"):
            self.system.rm_file(self._at(name))

    def names(self) -> list[str]:
        """Of the files directly in it, sorted; none where the folder is not there. Raises StorageError."""
        with reaching(self.url):
            self.system.invalidate_cache()
            try:
                found = self.system.ls(self.path, detail=True)
            except FileNotFoundError:
                return []
        return sorted(file["name"].rsplit("/", 1)[-1] for file in found if file["type"] == "file")

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"


def open_store(url: str) -> Store:
    """The folder at an address; it need not be there. Raises StorageError for an address of no known kind."""
    system, path = resolve(url)
    return Store(str(path) if is_local(system) else url.rstrip("/"), system, path)


def resolve(url: str) -> tuple[Any, str]:
    """The file system of an address, and the path on it. Raises StorageError."""
    import fsspec

    with reaching(url):
        system, path = fsspec.url_to_fs(url)
    return system, path


def is_local(system: Any) -> bool:
    """Whether a file system is this machine's own."""
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(system, LocalFileSystem)


@contextmanager
def reaching(url: str) -> Iterator[None]:
    """What the file systems of others raise, as a StorageError that names the address."""
    try:
        yield
    except ImportError as error:  # fsspec says which package reads this kind of address
        raise StorageError(f"{url} cannot be reached: {told(error)}.") from error
    except Exception as error:  # each file system raises its own
        raise StorageError(
            f"{url} cannot be reached: {told(error)}; check the address and your access."
        ) from error


def fetch(url: str, label: str) -> bytes:
    """A picture's file. label: what to call it in messages. Raises PhotoUnreadableError."""
    import fsspec

    try:
        with fsspec.open(url, "rb") as stream:
            data: bytes = stream.read(MAX_BYTES + 1)
    except Exception as error:  # each file system raises its own
        raise PhotoUnreadableError(f"{label} cannot be read: {told(error)}.") from error
    if len(data) > MAX_BYTES:
        raise PhotoUnreadableError(
            f"{label} has more than {MAX_BYTES >> 20} MiB; save it as an ordinary JPEG."
        )
    return data


def told(error: Exception) -> str:
    """What an error says, in one line."""
    reason = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    return str(reason).rstrip(".")
