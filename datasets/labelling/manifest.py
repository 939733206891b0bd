"""The manifest: one SQLite file that holds every image, every box and every decision about them.

Any SQLite tool may read it while it is written to (write-ahead log). Every method that changes something is
one transaction, on disk when it returns (`synchronous=FULL`). One Manifest is for one thread; open as many
as there are threads.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

from datasets.labelling.records import Box, Decision, Image, Labelled, Listed, Models, State
from datasets.labelling.schema import DAMAGE, LAST_STANDING, LAST_UNDONE, SCHEMA, SCHEMA_VERSION, connect
from datasets.labelling.trouble import FILE, ManifestError, StaleError, damaged, unopened, unwritable

T = TypeVar("T")

_IMAGE = (
    "id, source, picture, frame, name, sha256, phash, width, height, state, reason, flags, "
    "lowest_confidence, lowest_margin, duplicate_group, source_group, split, version, created, updated"
)
_BOX = "tile, confidence, margin, x1, y1, x2, y2, x3, y3, x4, y4, alternatives, origin"


class Manifest:
    """An open manifest. Use it as a context manager, or call `close`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.connection = connection

    @classmethod
    def create(cls, folder: Path) -> Manifest:
        """A new, empty manifest in `folder`, which is made where it is absent.

        Raises ManifestError where there is one already, or the folder cannot be written.
        """
        path = folder / FILE
        if path.exists():
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

    @classmethod
    def open(cls, folder: Path) -> Manifest:
        """The manifest in `folder`. Raises ManifestError where there is none that this version reads."""
        path = folder / FILE
        if not path.is_file():
            raise ManifestError(f"{folder} has no {FILE}; make one with `hupai label FOLDER --out {folder}`.")
        try:
            connection = connect(path)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
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

    def __enter__(self) -> Manifest:
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

    # Labelling

    def setting(self, key: str) -> Any:
        """A value kept under `key`, None where there is none."""
        row = self.connection.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._made(json.loads, row[:1])[0]

    def keep_setting(self, key: str, value: Any) -> None:
        """Keep what JSON can say under `key`."""
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, json.dumps(value)))

    def register(self, listed: Iterable[Listed]) -> int:
        """Add images as `pending`, in this order; one that is there already stays as it is. How many are new.

        A name that is taken, in whatever case, gets a number: of two `IMG_1` the second is `IMG_1-2`.
        """
        now, new = _now(), 0
        with self.transaction() as connection:
            for item in listed:
                key = (item.picture, -1 if item.frame is None else item.frame)
                known = "SELECT 1 FROM images WHERE picture = ? AND ifnull(frame, -1) = ?"
                if connection.execute(known, key).fetchone():
                    continue
                connection.execute(
                    "INSERT INTO images (source, picture, frame, name, source_group, created, updated) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (item.source, item.picture, item.frame, self._free(item.name), item.group, now, now),
                )
                new += 1
        return new

    def _free(self, wanted: str) -> str:
        """The name, or with the least number that makes it one nobody has."""
        name, number = wanted, 1
        while self.connection.execute("SELECT 1 FROM images WHERE name = ?", (name,)).fetchone():
            number += 1
            name = f"{wanted}-{number}"
        return name

    def record(self, image: int, result: Labelled, models: Models | None = None) -> None:
        """Keep what labelling found in a pending, failed or new image; one that a person has corrected or
        decided about stays as it is."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE images SET state = 'new', reason = NULL, sha256 = ?, phash = ?, width = ?, "
                "height = ?, flags = ?, model = ?, version = version + 1, updated = ? "
                "WHERE id = ? AND state IN ('pending', 'failed', 'new') "
                "AND NOT EXISTS (SELECT 1 FROM decisions WHERE image = images.id)",
                (
                    result.sha256, result.phash, *result.size, _json(result.flags),
                    None if models is None else self._model(models), _now(), image,
                ),
            ).rowcount  # fmt: skip
            if changed:
                self._write_boxes(image, result.boxes)

    def fail(self, image: int, reason: str) -> None:
        """Keep why an image could not be labelled; reviewed ones stay as they are."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE images SET state = 'failed', reason = ?, version = version + 1, updated = ? "
                "WHERE id = ? AND state IN ('pending', 'failed')",
                (reason, _now(), image),
            )

    # Reading

    def count(self, *states: State) -> int:
        """How many images are in one of these states, or in any."""
        where, values = _in_states(states)
        (number,) = self.connection.execute(f"SELECT count(*) FROM images{where}", values).fetchone()
        return int(number)

    def image(self, image: int) -> Image:
        """Raises KeyError for an id that is not there."""
        row = self.connection.execute(f"SELECT {_IMAGE} FROM images WHERE id = ?", (image,)).fetchone()
        if row is None:
            raise KeyError(image)
        return self._made(_image, [row])[0]

    def images(self, *states: State, batch: int = 200) -> Iterator[Image]:
        """Images in one of these states, or all, by id; read in batches, so that memory stays flat and the
        manifest may be written to between two of them."""
        where, values = _in_states(states)
        where += " AND id > ?" if where else " WHERE id > ?"
        last = 0
        while rows := self.connection.execute(
            f"SELECT {_IMAGE} FROM images{where} ORDER BY id LIMIT ?", (*values, last, batch)
        ).fetchall():
            yield from self._made(_image, rows)
            if not rows[-1][0] > last:
                raise damaged(self.folder, "its pictures go round in circles")
            last = rows[-1][0]

    def boxes(self, image: int) -> tuple[Box, ...]:
        """The boxes of an image, in their order."""
        rows = self.connection.execute(
            f"SELECT {_BOX} FROM boxes WHERE image = ? ORDER BY position", (image,)
        ).fetchall()
        return tuple(self._made(_box, rows))

    def models_of(self, image: int) -> Models | None:
        """The models that labelled an image, None where none did."""
        row = self.connection.execute(
            "SELECT locator, locator_sha256, namer, namer_sha256 FROM models "
            "WHERE id = (SELECT model FROM images WHERE id = ?)",
            (image,),
        ).fetchone()
        return None if row is None else Models(*row)

    # Deciding

    def decide(
        self,
        image: int,
        version: int | None = None,
        *,
        state: State | None = None,
        boxes: Sequence[Box] | None = None,
    ) -> Image:
        """A person's decision: a new state, new boxes or both. On disk when this returns the image as it is
        then.

        version: the image's when the person saw it; None does not look. Boxes that differ from those before
        should say `origin="human"`.

        Raises KeyError for an unknown image, StaleError when it was changed since.
        """
        with self.transaction():
            now = self.image(image)
            if version is not None and version != now.version:
                raise StaleError(
                    f"{now.source} was changed in the meantime; look at it again and repeat what you did."
                )
            before = self._snapshot(now)
            after = {
                "state": state or now.state,
                "boxes": before["boxes"] if boxes is None else [_box_json(box) for box in boxes],
            }
            self._apply(image, after)
            self._append(image, "edit", None, before, after)
            return self.image(image)

    def undo(self, image: int | None = None) -> Image | None:
        """Take back the last decision that stands, of this image or of all; None where there is none."""
        return self._step("undo", image)

    def redo(self, image: int | None = None) -> Image | None:
        """Do again what was last taken back, unless the image was edited since; None where nothing was."""
        return self._step("redo", image)

    def decisions(self, image: int | None = None) -> list[Decision]:
        """All that was decided of an image, or of all, oldest first."""
        where, values = ("", ()) if image is None else (" WHERE image = ?", (image,))
        rows = self.connection.execute(
            f"SELECT id, image, action, refers, at FROM decisions{where} ORDER BY id", values
        )
        return [Decision(*row) for row in rows]

    def _step(self, action: Literal["undo", "redo"], image: int | None) -> Image | None:
        with self.transaction() as connection:
            query = LAST_STANDING if action == "undo" else LAST_UNDONE
            row = connection.execute(query, {"image": image}).fetchone()
            if row is None:
                return None
            refers, of, before, after = row
            (target,) = self._made(json.loads, [before if action == "undo" else after])
            now = self._snapshot(self.image(of))
            self._apply(of, target)
            self._append(of, action, refers, now, target)
            return self.image(of)

    def _snapshot(self, image: Image) -> dict[str, Any]:
        return {"state": image.state, "boxes": [_box_json(box) for box in self.boxes(image.id)]}

    def _apply(self, image: int, content: dict[str, Any]) -> None:
        self.connection.execute(
            "UPDATE images SET state = ?, version = version + 1, updated = ? WHERE id = ?",
            (content["state"], _now(), image),
        )
        self._write_boxes(image, self._made(_box_from, content["boxes"]))

    def _append(
        self, image: int, action: str, refers: int | None, before: dict[str, Any], after: dict[str, Any]
    ) -> None:
        self.connection.execute(
            "INSERT INTO decisions (image, action, refers, before, after, at) VALUES (?, ?, ?, ?, ?, ?)",
            (image, action, refers, _json(before), _json(after), _now()),
        )

    def _write_boxes(self, image: int, boxes: Sequence[Box]) -> None:
        self.connection.execute("DELETE FROM boxes WHERE image = ?", (image,))
        self.connection.executemany(
            f"INSERT INTO boxes (image, position, {_BOX}) VALUES ({', '.join('?' * 15)})",
            [
                (
                    image, position, box.tile, box.confidence, box.margin,
                    *(value for corner in box.quad for value in corner),
                    _json(box.alternatives), box.origin,
                )
                for position, box in enumerate(boxes)
            ],
        )  # fmt: skip
        self.connection.execute(
            "UPDATE images SET lowest_confidence = ?, lowest_margin = ? WHERE id = ?",
            (
                min((box.confidence for box in boxes), default=None),
                min((box.margin for box in boxes), default=None),
                image,
            ),
        )

    def _made(self, make: Callable[[Any], T], rows: Iterable[Any]) -> list[T]:
        """Rows as values. Raises ManifestError for those that are none: the file is damaged."""
        try:
            return [make(row) for row in rows]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise damaged(self.folder, error) from error

    def _model(self, models: Models) -> int:
        values = (models.locator, models.locator_sha256, models.namer, models.namer_sha256)
        self.connection.execute(
            "INSERT OR IGNORE INTO models (locator, locator_sha256, namer, namer_sha256) VALUES (?, ?, ?, ?)",
            values,
        )
        (number,) = self.connection.execute(
            "SELECT id FROM models WHERE (locator, locator_sha256, namer, namer_sha256) = (?, ?, ?, ?)",
            values,
        ).fetchone()
        return int(number)


def _in_states(states: Sequence[State]) -> tuple[str, tuple[str, ...]]:
    return (f" WHERE state IN ({', '.join('?' * len(states))})" if states else ""), tuple(states)


def _image(row: tuple[Any, ...]) -> Image:
    """Raises ValueError for values of another type, which SQLite would hold in any column."""
    image = Image(*row)
    if any(not isinstance(value, int | None) for value in (image.id, image.frame, image.width, image.height)):
        raise ValueError(f"image {image.id} has a number that is none")
    return replace(image, flags=tuple(str(flag) for flag in json.loads(row[11])))


def _box(row: tuple[Any, ...]) -> Box:
    tile, confidence, margin, x1, y1, x2, y2, x3, y3, x4, y4, alternatives, origin = row
    others = tuple((name, share) for name, share in json.loads(alternatives))
    return Box(tile, ((x1, y1), (x2, y2), (x3, y3), (x4, y4)), confidence, margin, others, origin)


def _box_json(box: Box) -> dict[str, Any]:
    return asdict(box)


def _box_from(item: dict[str, Any]) -> Box:
    a, b, c, d = ((float(x), float(y)) for x, y in item["quad"])
    others = tuple((str(name), float(share)) for name, share in item["alternatives"])
    return Box(item["tile"], (a, b, c, d), item["confidence"], item["margin"], others, item["origin"])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
