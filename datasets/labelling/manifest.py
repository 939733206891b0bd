"""The manifest: one SQLite file that holds every image, every box and every decision about them.

Any SQLite tool may read it while it is written to (write-ahead log). Every method that changes something is
one transaction, on disk when it returns (`synchronous=FULL`). One Manifest is for one thread; open as many
as there are threads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from datasets.labelling.images import Images
from datasets.labelling.records import Box, Decision, Image, State
from datasets.labelling.rows import as_json, box_from, box_json, timestamp
from datasets.labelling.schema import LAST_STANDING, LAST_UNDONE
from datasets.labelling.trouble import FILE as FILE
from datasets.labelling.trouble import ManifestError as ManifestError
from datasets.labelling.trouble import StaleError
from datasets.labelling.trouble import damaged as damaged


class Manifest(Images):
    """An open manifest, and what a person decides about its images, which can be taken back."""

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
                "boxes": before["boxes"] if boxes is None else [box_json(box) for box in boxes],
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
            (target,) = self.made(json.loads, [before if action == "undo" else after])
            now = self._snapshot(self.image(of))
            self._apply(of, target)
            self._append(of, action, refers, now, target)
            return self.image(of)

    def _snapshot(self, image: Image) -> dict[str, Any]:
        return {"state": image.state, "boxes": [box_json(box) for box in self.boxes(image.id)]}

    def _apply(self, image: int, content: dict[str, Any]) -> None:
        self.connection.execute(
            "UPDATE images SET state = ?, version = version + 1, updated = ? WHERE id = ?",
            (content["state"], timestamp(), image),
        )
        self.write_boxes(image, self.made(box_from, content["boxes"]))

    def _append(
        self, image: int, action: str, refers: int | None, before: dict[str, Any], after: dict[str, Any]
    ) -> None:
        self.connection.execute(
            "INSERT INTO decisions (image, action, refers, before, after, at) VALUES (?, ?, ?, ?, ?, ?)",
            (image, action, refers, as_json(before), as_json(after), timestamp()),
        )
