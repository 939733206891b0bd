"""Scoreboards in SQLite: how each was set up, and what was entered, one row a hand.

Every call opens its own connection, so threads and processes may call at the same time; what a hand is
entered after is checked inside the writing transaction.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

MOST_TABLES = 20_000
MOST_HANDS = 500
"""Of a table; a game has 16 deals."""
_BUSY_SECONDS = 10.0
_ID_BYTES = 16
"""128 random bits: an id is all that one needs to write to a table."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, setup TEXT NOT NULL, at TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS hands (
    table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, entry TEXT NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (table_id, number)
) STRICT;
"""


class StoreError(Exception):
    """The scoreboards' file cannot be used; `str()` is one sentence."""


class UnknownTableError(Exception):
    """There is no table of that id."""


class ConflictError(Exception):
    """Others entered something meanwhile, or took it back."""


class FullError(Exception):
    """No more tables, or no more hands at this table."""


@dataclass(frozen=True)
class Entry:
    """What was entered for one hand; data is JSON."""

    data: dict[str, Any]
    at: str


@dataclass(frozen=True)
class Stored:
    """A table as it was set up (JSON), and its entries in order."""

    id: str
    setup: dict[str, Any]
    entries: tuple[Entry, ...]


class Store:
    """The scoreboards of one folder."""

    def __init__(self, folder: Path) -> None:
        """Make the file if there is none. Raises StoreError."""
        self._path = folder / "tables.sqlite3"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with self._open() as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise StoreError(
                f"The scoreboards cannot be kept in {folder} ({reason}); name another folder with --data."
            ) from error

    def create(self, setup: dict[str, Any]) -> str:
        """A new table's id. Raises FullError."""
        name = secrets.token_urlsafe(_ID_BYTES)
        with self._writing() as database:
            (count,) = database.execute("SELECT count(*) FROM tables").fetchone()
            if count >= MOST_TABLES:
                raise FullError
            database.execute("INSERT INTO tables VALUES (?, ?, ?)", (name, _json(setup), _now()))
        return name

    def table(self, name: str) -> Stored:
        """A table with all its entries. Raises UnknownTableError."""
        with self._open() as database:
            found = database.execute("SELECT setup FROM tables WHERE id = ?", (name,)).fetchone()
            if found is None:
                raise UnknownTableError
            rows = database.execute(
                "SELECT entry, at FROM hands WHERE table_id = ? ORDER BY number", (name,)
            ).fetchall()
        return Stored(name, json.loads(found[0]), tuple(Entry(json.loads(entry), at) for entry, at in rows))

    def add(self, name: str, expected: int, entry: dict[str, Any]) -> None:
        """Enter a hand after `expected` others. Raises UnknownTableError, ConflictError, FullError."""
        with self._writing() as database:
            self._check(database, name, expected)
            if expected >= MOST_HANDS:
                raise FullError
            row = (name, expected + 1, _json(entry), _now())
            database.execute("INSERT INTO hands VALUES (?, ?, ?, ?)", row)

    def undo(self, name: str, expected: int) -> None:
        """Take back the last of `expected` entries, if there is any. Raises UnknownTableError,
        ConflictError."""
        with self._writing() as database:
            self._check(database, name, expected)
            database.execute("DELETE FROM hands WHERE table_id = ? AND number = ?", (name, expected))

    def _check(self, database: sqlite3.Connection, name: str, expected: int) -> None:
        if database.execute("SELECT 1 FROM tables WHERE id = ?", (name,)).fetchone() is None:
            raise UnknownTableError
        (count,) = database.execute("SELECT count(*) FROM hands WHERE table_id = ?", (name,)).fetchone()
        if count != expected:
            raise ConflictError

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS, isolation_level=None)
        with closing(connection):
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer shares."""
        with self._open() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
