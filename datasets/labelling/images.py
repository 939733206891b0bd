"""The manifest's images: listed, labelled, and read again with their boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from datasets.labelling.files import stamp
from datasets.labelling.records import Box, Image, Labelled, Listed, Models, State
from datasets.labelling.rows import BOX, IMAGE, as_json, box_of, image_of, timestamp
from datasets.labelling.store import Store
from datasets.labelling.trouble import damaged


class Images(Store):
    """The images of an open manifest, and what labelling found in them."""

    # Labelling

    def register(self, listed: Iterable[Listed]) -> int:
        """Add images as `pending`, in this order; one that is there already stays as it is. How many are new.

        A name that is taken, in whatever case, gets a number: of two `IMG_1` the second is `IMG_1-2`.
        """
        now, new = timestamp(), 0
        with self.transaction() as connection:
            for item in listed:
                key = (item.picture, -1 if item.frame is None else item.frame)
                known = "SELECT 1 FROM images WHERE picture = ? AND ifnull(frame, -1) = ?"
                if connection.execute(known, key).fetchone():
                    continue
                connection.execute(
                    "INSERT INTO images "
                    "(source, picture, frame, name, source_group, stamp, created, updated) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        item.source, item.picture, item.frame, self._free(item.name), item.group,
                        stamp(item.picture), now, now,
                    ),
                )  # fmt: skip
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
                    result.sha256, result.phash, *result.size, as_json(result.flags),
                    None if models is None else self._model(models), timestamp(), image,
                ),
            ).rowcount  # fmt: skip
            if changed:
                self.write_boxes(image, result.boxes)

    def fail(self, image: int, reason: str) -> None:
        """Keep why an image could not be labelled; reviewed ones stay as they are."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE images SET state = 'failed', reason = ?, version = version + 1, updated = ? "
                "WHERE id = ? AND state IN ('pending', 'failed')",
                (reason, timestamp(), image),
            )

    def stamped(self, image: int) -> str | None:
        """`files.stamp` of an image's file while that was the labelled one, None where nobody looked."""
        (kept,) = self.connection.execute("SELECT stamp FROM images WHERE id = ?", (image,)).fetchone()
        return None if kept is None else str(kept)

    def keep_stamps(self, stamps: Mapping[int, str]) -> None:
        """Keep that the files with these stamps are those that were labelled; by image."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE images SET stamp = ? WHERE id = ?", ((text, image) for image, text in stamps.items())
            )

    def forget(self, image: int, stamp: str) -> bool:
        """Make an image pending, to be labelled by the file with that stamp; False for one that a person has
        corrected or decided about, which stays as it is."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE images SET state = 'pending', sha256 = NULL, phash = NULL, stamp = ?, "
                "version = version + 1, updated = ? WHERE id = ? AND state = 'new' "
                "AND NOT EXISTS (SELECT 1 FROM decisions WHERE image = images.id)",
                (stamp, timestamp(), image),
            ).rowcount
            if changed:
                self.write_boxes(image, ())
        return bool(changed)

    # Reading

    def count(self, *states: State) -> int:
        """How many images are in one of these states, or in any."""
        where, values = _in_states(states)
        (number,) = self.connection.execute(f"SELECT count(*) FROM images{where}", values).fetchone()
        return int(number)

    def image(self, image: int) -> Image:
        """Raises KeyError for an id that is not there."""
        row = self.connection.execute(f"SELECT {IMAGE} FROM images WHERE id = ?", (image,)).fetchone()
        if row is None:
            raise KeyError(image)
        return self.made(image_of, [row])[0]

    def images(self, *states: State, batch: int = 200) -> Iterator[Image]:
        """Images in one of these states, or all, by id; read in batches, so that memory stays flat and the
        manifest may be written to between two of them."""
        where, values = _in_states(states)
        where += " AND id > ?" if where else " WHERE id > ?"
        last = 0
        while rows := self.connection.execute(
            f"SELECT {IMAGE} FROM images{where} ORDER BY id LIMIT ?", (*values, last, batch)
        ).fetchall():
            yield from self.made(image_of, rows)
            if not rows[-1][0] > last:
                raise damaged(self.folder, "its pictures go round in circles")
            last = rows[-1][0]

    def boxes(self, image: int) -> tuple[Box, ...]:
        """The boxes of an image, in their order."""
        rows = self.connection.execute(
            f"SELECT {BOX} FROM boxes WHERE image = ? ORDER BY position", (image,)
        ).fetchall()
        return tuple(self.made(box_of, rows))

    def models_of(self, image: int) -> Models | None:
        """The models that labelled an image, None where none did."""
        row = self.connection.execute(
            "SELECT locator, locator_sha256, namer, namer_sha256 FROM models "
            "WHERE id = (SELECT model FROM images WHERE id = ?)",
            (image,),
        ).fetchone()
        return None if row is None else Models(*row)

    def write_boxes(self, image: int, boxes: Sequence[Box]) -> None:
        """Put these in place of an image's boxes, as part of a transaction."""
        self.connection.execute("DELETE FROM boxes WHERE image = ?", (image,))
        self.connection.executemany(
            f"INSERT INTO boxes (image, position, {BOX}) VALUES ({', '.join('?' * 15)})",
            [
                (
                    image, position, box.tile, box.confidence, box.margin,
                    *(value for corner in box.quad for value in corner),
                    as_json(box.alternatives), box.origin,
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
