"""What the tests of labelling on a cluster share: what a manifest says, and a labeller without models."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from labelled_folder import BOXES

from datasets.labelling.manifest import Manifest
from datasets.labelling.pool import Answer, Task
from datasets.labelling.records import Labelled


def content(folder: Path) -> list[tuple[Any, ...]]:
    """All that a manifest says of its images, but when it was said."""
    with Manifest.open(folder) as manifest:
        return [
            (replace(image, created="", updated=""), manifest.boxes(image.id), manifest.models_of(image.id))
            for image in manifest.images()
        ]


class FakePool:
    """In place of LabellingPool: every file holds BOXES but those that begin with `bad`. Last ones first."""

    seen: ClassVar[list[str]] = []

    def __init__(self, threshold: float, *, second_pass: bool, fast: bool, workers: int) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def label(self, tasks: Iterable[Task]) -> Iterator[Answer]:
        for task in reversed(list(tasks)):
            self.seen.append(task.label)
            data = Path(task.picture).read_bytes()
            if data.startswith(b"bad"):
                yield Answer(task, None, f"{task.label} is bad.")
            else:
                digest = hashlib.sha256(data).hexdigest()
                yield Answer(task, Labelled(digest, digest[:16], (320, 200), BOXES, ("tiny",)))
