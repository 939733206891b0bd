"""The manifest's tables, and the connection that keeps them safe."""

from __future__ import annotations

import sqlite3
from pathlib import Path

SCHEMA_VERSION = 1
"""`PRAGMA user_version` of the files that this code writes and reads."""
DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file raises; SQLite quotes its content in messages, and that need be no text."""
WAIT_SECONDS = 30.0
"""How long a writer waits for another one."""

SCHEMA = """
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    locator TEXT NOT NULL, locator_sha256 TEXT NOT NULL,
    namer TEXT NOT NULL, namer_sha256 TEXT NOT NULL,
    UNIQUE (locator, locator_sha256, namer, namer_sha256)
);
CREATE TABLE images (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    picture TEXT NOT NULL,
    frame INTEGER,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    sha256 TEXT, phash TEXT, width INTEGER, height INTEGER,
    model INTEGER REFERENCES models (id),
    state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'new', 'reviewed', 'rejected', 'failed')),
    reason TEXT,
    flags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(flags)),
    lowest_confidence REAL, lowest_margin REAL,
    duplicate_group INTEGER REFERENCES images (id),
    source_group TEXT NOT NULL,
    split TEXT,
    stamp TEXT,
    version INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL, updated TEXT NOT NULL
);
CREATE UNIQUE INDEX images_once ON images (picture, ifnull(frame, -1));
CREATE INDEX images_state ON images (state, id);
CREATE INDEX images_doubt ON images (lowest_margin);
CREATE INDEX images_sha256 ON images (sha256);
CREATE TABLE boxes (
    id INTEGER PRIMARY KEY,
    image INTEGER NOT NULL REFERENCES images (id),
    position INTEGER NOT NULL,
    tile TEXT NOT NULL,
    confidence REAL NOT NULL, margin REAL NOT NULL,
    x1 REAL NOT NULL, y1 REAL NOT NULL, x2 REAL NOT NULL, y2 REAL NOT NULL,
    x3 REAL NOT NULL, y3 REAL NOT NULL, x4 REAL NOT NULL, y4 REAL NOT NULL,
    alternatives TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(alternatives)),
    origin TEXT NOT NULL CHECK (origin IN ('model', 'human')),
    UNIQUE (image, position)
);
CREATE INDEX boxes_tile ON boxes (tile, confidence);
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY,
    image INTEGER NOT NULL REFERENCES images (id),
    action TEXT NOT NULL CHECK (action IN ('edit', 'undo', 'redo')),
    refers INTEGER REFERENCES decisions (id),
    before TEXT NOT NULL CHECK (json_valid(before)),
    after TEXT NOT NULL CHECK (json_valid(after)),
    at TEXT NOT NULL
);
CREATE INDEX decisions_image ON decisions (image, id);
CREATE INDEX decisions_refers ON decisions (refers, id);
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
BEGIN SELECT raise(ABORT, 'decisions are only ever added to'); END;
CREATE TRIGGER decisions_remain BEFORE DELETE ON decisions
BEGIN SELECT raise(ABORT, 'decisions are only ever added to'); END;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value)));
"""

# An edit stands unless the last word about it is an undo.
_LAST_WORD = "(SELECT action FROM decisions r WHERE r.refers = d.id ORDER BY r.id DESC LIMIT 1)"
_LAST_TIME = "(SELECT max(r.id) FROM decisions r WHERE r.refers = d.id)"
_EDITS = (
    "SELECT id, image, before, after FROM decisions d "
    "WHERE action = 'edit' AND (:image IS NULL OR image = :image) AND "
)
LAST_STANDING = f"{_EDITS} coalesce({_LAST_WORD}, 'redo') <> 'undo' ORDER BY id DESC LIMIT 1"
"""The edit that an undo takes back."""
LAST_UNDONE = (
    f"{_EDITS} d.id IN (SELECT refers FROM decisions WHERE action = 'undo') AND {_LAST_WORD} = 'undo' "
    f"AND NOT EXISTS (SELECT 1 FROM decisions e WHERE e.action = 'edit' AND e.image = d.image "
    f"AND e.id > {_LAST_TIME}) ORDER BY {_LAST_TIME} DESC LIMIT 1"
)
"""The edit that a redo does again: nothing was decided about its image since it was taken back."""


def add_missing(connection: sqlite3.Connection) -> None:
    """Add the column `stamp` to a manifest of a version of hupai that had none, and that still reads it."""
    columns = "SELECT name FROM pragma_table_info('images')"
    if connection.execute(f"{columns} WHERE name = 'state'").fetchone() is None:
        return  # damaged: whoever asks for an image finds out
    if connection.execute(f"{columns} WHERE name = 'stamp'").fetchone() is None:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute(f"{columns} WHERE name = 'stamp'").fetchone() is None:  # by nobody meanwhile
            connection.execute("ALTER TABLE images ADD COLUMN stamp TEXT")
        connection.execute("COMMIT")


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose transactions are begun and ended by hand, each on disk when it is committed."""
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection
