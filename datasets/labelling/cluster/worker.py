"""One worker: it labels a shard at a time, and keeps it as one file."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.labelling.cluster.listing import Shard
from datasets.labelling.cluster.shards import Row, Run, decode, encode
from datasets.labelling.cluster.storage import StorageError, Store, fetch, open_store
from datasets.labelling.files import OutputError, unwritable
from datasets.labelling.inputs import VIDEOS
from datasets.labelling.labeller import current_models
from datasets.labelling.pool import LabellingPool, Task
from datasets.labelling.records import Listed
from models.registry import ModelError
from vision.errors import PhotoError, PhotoUnreadableError

TOLD = 5
"""Reasons of failures that a shard hands on; all are in its file."""


@dataclass(frozen=True)
class Done:
    """A shard that is kept. failed: images of it that could not be labelled. reasons: the first few.

    stopped: why nothing more can be done, where it is not kept.
    """

    name: str
    images: int
    failed: int
    reasons: tuple[str, ...] = ()
    stopped: str | None = None

    def to_row(self) -> dict[str, Any]:
        """As values that Arrow holds."""
        return {
            "name": self.name, "images": self.images, "failed": self.failed,
            "reasons": json.dumps(self.reasons), "stopped": self.stopped or "",
        }  # fmt: skip

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Done:
        """Back from `to_row`."""
        reasons = tuple(json.loads(row["reasons"]))
        return cls(row["name"], int(row["images"]), int(row["failed"]), reasons, row["stopped"] or None)


class ShardLabeller:
    """Labels shards; Ray Data keeps one of these in each of its actors.

    The models live in a process of their own, which is loaded once: a picture that kills a decoder costs that
    picture, as on one machine, and not the worker, which Ray would set on the same picture again for ever.
    """

    def __init__(self, url: str, run: Run) -> None:
        self._store: Store = open_store(url)
        self._run = run
        self._pool: LabellingPool | None = None

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """A `Shard` as a row in, its `Done` as a row out."""
        return self.label(Shard.from_row(row)).to_row()

    def label(self, shard: Shard) -> Done:
        """Label what is not labelled yet of a shard, and keep it. `Done.stopped` says what stops all."""
        try:
            rows = self._rows(shard)
        except (OutputError, StorageError, ModelError) as error:
            return Done(shard.name, 0, 0, stopped=str(error))
        reasons = [row.reason or "" for row in rows if row.result is None]
        return Done(shard.name, len(rows), len(reasons), tuple(reasons[:TOLD]))

    def close(self) -> None:
        """End the models' process."""
        if self._pool is not None:
            self._pool.__exit__()
            self._pool = None

    def _rows(self, shard: Shard) -> list[Row]:
        """A shard that was kept before counts, but for the images that failed: these are tried again."""
        kept = self._kept(shard)
        rows = dict(enumerate(kept or ()))
        missing = {
            k: listed for k, listed in enumerate(shard.images) if k not in rows or rows[k].result is None
        }
        if missing:
            rows.update(self._label(missing))
            whole = [rows[k] for k in range(len(shard.images))]
            if whole != kept:
                self._store.write(shard.name, encode(shard.first, whole))
        return [rows[k] for k in range(len(shard.images))]

    def _kept(self, shard: Shard) -> list[Row] | None:
        content = self._store.read(shard.name)
        if content is None:
            return None
        with suppress(ValueError):  # cut short: it is made again
            rows = decode(content)
            if [row.listed for row in rows] == list(shard.images):
                return rows
        return None

    def _label(self, images: dict[int, Listed]) -> dict[int, Row]:
        if self._pool is None:
            if (here := current_models()) != self._run.models:
                wanted = self._run.models
                raise ModelError(
                    f"A worker has the models {here.locator_sha256[:12]} and {here.namer_sha256[:12]}, not "
                    f"{wanted.locator_sha256[:12]} and {wanted.namer_sha256[:12]} as at the run's start; "
                    "install the same hupai on every machine."
                )
            self._pool = LabellingPool(
                self._run.threshold, second_pass=self._run.second_pass, fast=self._run.fast, workers=1
            )
        with _Copies() as copies:
            rows: dict[int, Row] = {}
            for answer in self._pool.label(copies.tasks(images)):
                copies.drop(answer.task)
                listed = images[answer.task.id]
                rows[answer.task.id] = Row(listed, answer.result, answer.reason)
            for k, reason in copies.failed:
                rows[k] = Row(images[k], None, reason)
        return rows


class _Copies:
    """Pictures of object storage as files for the models' process, fetched while it works on earlier ones."""

    def __init__(self) -> None:
        self.failed: deque[tuple[int, str]] = deque()

    def __enter__(self) -> _Copies:
        self._folder = Path(tempfile.mkdtemp(prefix="hupai-"))
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def tasks(self, images: dict[int, Listed]) -> Iterator[Task]:
        """Tasks for the pool; what cannot be fetched is in `failed` instead."""
        for k, listed in images.items():
            if "://" not in listed.picture:
                yield Task(k, listed.picture, listed.frame, listed.source)
                continue
            try:
                yield Task(k, str(self._copy(k, listed)), None, listed.source)
            except PhotoError as error:
                self.failed.append((k, str(error)))

    def _copy(self, k: int, listed: Listed) -> Path:
        suffix = Path(listed.picture).suffix.lower()
        if suffix in VIDEOS:
            raise PhotoUnreadableError(
                f"{listed.source} is a video in object storage; copy it to a folder that all workers see."
            )
        path = self._folder / f"{k}{suffix}"
        try:
            path.write_bytes(fetch(listed.picture, listed.source))
        except OSError as error:
            raise unwritable(path, error) from error
        return path

    def drop(self, task: Task) -> None:
        """An answered task's copy is not needed any more."""
        path = Path(task.picture)
        if path.parent == self._folder:
            path.unlink(missing_ok=True)
