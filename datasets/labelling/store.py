"""The manifest's file: made, opened, closed, and written to in transactions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from datasets.labelling.schema import DAMAGE, SCHEMA, SCHEMA_VERSION, add_missing, connect
from datasets.labelling.trouble import FILE, ManifestError, damaged, unopened, unwritable
from vision.paths import is_file, is_there

T = TypeVar("T")


class Store:
    """An open manifest's file, with its settings. Use it as a context manager, or call `close`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A new, empty manifest in `folder`, which is made where it is absent.

        Raises ManifestError where there is one already, or the folder cannot be written.
        """
        path = folder / FILE
        if is_there(path):
            raise ManifestError(f"{folder} has a manifest already; go on with it by --resume.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection = connect(path)
            # Schema and version in one transaction: a kill in between leaves an empty file.
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{SCHEMA}\nPRAGMA user_version = {SCHEMA_VERSION};\nCOMMIT;"
            )
        except (OSError, sqlite3.Error) as error:
            raise unwritable(folder, error) from error
        return cls(folder, connection)

    @staticmethod
    def is_blank(folder: Path) -> bool:
        """Whether nothing was ever kept in `folder`: its manifest is absent, empty, or killed while made."""
        path = folder / FILE
        if not is_there(path) or not path.stat().st_size:
            return True
        try:
            with closing(sqlite3.connect(path)) as connection:
                return connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
        except DAMAGE:  # whoever opens it says so
            return False

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The manifest in `folder`. Raises ManifestError where there is none that this version reads."""
        path = folder / FILE
        if not is_file(path):
            raise ManifestError(f"{folder} has no {FILE}; make one with `hupai label FOLDER --out {folder}`.")
        try:
            connection = connect(path)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == SCHEMA_VERSION:
                add_missing(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise unopened(folder, error) from error
        if version != SCHEMA_VERSION:
            connection.close()
            raise ManifestError(
                f"{path} has schema {version}, and this version of hupai reads {SCHEMA_VERSION}; "
                + ("update hupai." if version > SCHEMA_VERSION else "label the photos again.")
            )
        return cls(folder, connection)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, DAMAGE):
            raise damaged(self.folder, error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing, on disk at the end; within another one it is part of that.

        Raises ManifestError, with nothing changed, when the disk is full or the file cannot be written.
        """
        if self.connection.in_transaction:
            yield self.connection
            return
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
        except DAMAGE as error:
            raise unwritable(self.folder, error) from error

    def setting(self, key: str) -> Any:
        """A value kept under `key`, None where there is none."""
        row = self.connection.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return None if row is None else self.made(json.loads, row[:1])[0]

    def keep_setting(self, key: str, value: Any) -> None:
        """Keep what JSON can say under `key`."""
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, json.dumps(value)))

    def made(self, make: Callable[[Any], T], rows: Iterable[Any]) -> list[T]:
        """Rows as values. Raises ManifestError for those that are none: the file is damaged."""
        try:
            return [make(row) for row in rows]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise damaged(self.folder, error) from error
