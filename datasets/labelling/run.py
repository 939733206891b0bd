"""The run behind `hupai label`: list, label, group, split; to be killed and resumed at any point."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from datasets.labelling.bake import PICTURES, unbake
from datasets.labelling.changes import PhotoChangedError, read_labelled
from datasets.labelling.files import LOCK, stamp
from datasets.labelling.inputs import Listing
from datasets.labelling.labeller import current_models
from datasets.labelling.manifest import FILE, Manifest, ManifestError
from datasets.labelling.pictures import Pictures
from datasets.labelling.pool import Answer, LabellingPool, Task
from datasets.labelling.records import Models
from models import registry
from vision.errors import PhotoError
from vision.paths import is_folder

COMMIT_EVERY = 0.5
"""Seconds of work that a kill may cost, at most: so often finished labels go to disk."""


@dataclass(frozen=True)
class Settings:
    """What a folder is labelled with; a resumed run must say the same.

    threshold: least confidence of an exported label. every: frames of a video from one to the next.
    split: shares of train, val and test. by: what stays in one split besides duplicates, `source` (folder or
    video) or `nothing`. fast: look at fewer pixels where tiles are large.
    """

    threshold: float = 0.25
    every: int = 30
    second_pass: bool = False
    split: tuple[float, float, float] = (0.8, 0.1, 0.1)
    by: str = "source"
    seed: int = 0
    fast: bool = False


@dataclass(frozen=True)
class Summary:
    """Of a run. failures: the first few reasons, `failed` counts all. problems: folders not to be read."""

    done: int
    failed: int
    failures: tuple[str, ...]
    problems: tuple[str, ...]


FAILURES_TOLD = 50
"""Failures named at the end; all are in the manifest."""


@contextmanager
def opened(folder: Path, settings: Settings, resume: bool) -> Iterator[Manifest]:
    """The manifest of a new or resumed run. The caller holds the folder's lock.

    Raises ManifestError: the folder is not empty, or was labelled with other settings or models.
    """
    if not resume:
        if is_folder(folder) and any(entry.name != LOCK for entry in folder.iterdir()):
            raise ManifestError(
                f"{folder} is not empty; name a new folder, or go on with what is there by --resume."
            )
        manifest = Manifest.create(folder)
    elif not Manifest.is_blank(folder):
        manifest = Manifest.open(folder)
    else:  # killed before the first image was listed
        if is_folder(folder / PICTURES):  # under names that a new manifest would give to other pictures
            raise ManifestError(
                f"{folder} has pictures, but nothing is in its {FILE}; put a copy of that back, or label "
                "into a new folder."
            )
        (folder / FILE).unlink(missing_ok=True)
        manifest = Manifest.create(folder)
    with manifest:
        _agree(manifest, settings, current_models())
        yield manifest


def _agree(manifest: Manifest, settings: Settings, models: Models) -> None:
    # JSON has no tuples.
    said = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in {**asdict(settings), **asdict(models)}.items()
    }
    kept = manifest.setting("run")
    if kept is None:
        manifest.keep_setting("run", said)
        return
    if other := [key for key in said if kept.get(key) != said[key]]:
        was = ", ".join(f"{key.replace('_', '-')} {kept.get(key)}" for key in other)
        raise ManifestError(
            f"{manifest.folder} was begun with {was}; resume with the same, or label into a new folder."
        )


def label_all(
    manifest: Manifest,
    listing: Listing,
    settings: Settings,
    workers: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Summary:
    """List the inputs, label what is not labelled yet, group duplicates and split.

    tell: called with how many are done and how many there are. Pictures that failed before are tried again.

    Raises InputError, ManifestError, models.registry.ModelError.
    """
    for model in ("locator", "namer"):
        registry.verified_path(model)
    manifest.register(listing)
    listing.problems += look_again(manifest)
    total, ready = manifest.count(), manifest.count("new", "reviewed", "rejected")
    if tell is not None:
        tell(ready, total)
    if ready < total:
        with LabellingPool(
            settings.threshold, second_pass=settings.second_pass, fast=settings.fast, workers=workers
        ) as pool:
            _keep(manifest, pool.label(_tasks(manifest)), lambda done: tell and tell(ready + done, total))
    arrange(manifest, settings)
    failures = [image.reason or "" for image in islice(manifest.images("failed"), FAILURES_TOLD)]
    return Summary(total, manifest.count("failed"), tuple(failures), tuple(listing.problems))


def look_again(manifest: Manifest) -> list[str]:
    """Make pending again what has changed since it was labelled; a sentence for each that a person has looked
    at, which stays as it is."""
    problems: list[str] = []
    same: dict[int, str] = {}
    pictures = Pictures()
    for image in manifest.images("new", "reviewed"):
        now = stamp(image.picture)
        if now is None or now == manifest.stamped(image.id):
            continue
        try:
            read_labelled(image, pictures)
        except PhotoChangedError:
            with manifest.transaction():
                if manifest.forget(image.id, now):
                    unbake(manifest.folder / PICTURES, image.name)
                else:
                    problems.append(
                        f"{image.source} has changed since it was reviewed, and its labels are of the old "
                        "picture; put that back, or label the new one into a new folder."
                    )
        except PhotoError:  # gone or damaged since: an export that needs it says so
            continue
        else:
            same[image.id] = now
    pictures.close()
    manifest.keep_stamps(same)
    return problems


def _tasks(manifest: Manifest) -> Iterator[Task]:
    """Pictures without labels. Those registered by now: what is added meanwhile waits for the next run."""
    for image in manifest.images("pending", "failed"):
        yield Task(image.id, image.picture, image.frame, image.source)


def _keep(manifest: Manifest, answers: Iterable[Answer], tell: Callable[[int], object]) -> None:
    """Write answers as they come, some at a time: a transaction costs a disk's turn."""
    models = current_models()
    batch: list[Answer] = []
    last, done = time.monotonic(), 0

    def flush() -> None:
        with manifest.transaction():
            for answer in batch:
                if answer.result is None:
                    manifest.fail(answer.task.id, answer.reason or "unknown")
                else:
                    manifest.record(answer.task.id, answer.result, models)
        batch.clear()

    try:
        for answer in answers:
            batch.append(answer)
            done += 1
            if time.monotonic() - last > COMMIT_EVERY:
                flush()
                last = time.monotonic()
                tell(done)
    finally:
        flush()
        tell(done)


def arrange(manifest: Manifest, settings: Settings) -> None:
    """Group pictures that look the same, and split what is labelled; the same images always fall alike."""
    from datasets.labelling.duplicates import group_alike
    from datasets.labelling.splits import joined, split_groups

    rows = manifest.connection.execute(
        "SELECT id, phash, source_group, name FROM images WHERE phash IS NOT NULL ORDER BY id"
    ).fetchall()
    if not rows:
        return
    first = group_alike([row[1] for row in rows]).tolist()
    sizes = Counter(first)
    sources = [row[2] for row in rows]
    apart = settings.by != "source" or len(set(sources)) == 1
    groups = joined(first, range(len(rows)) if apart else sources)
    names: dict[int, str] = {}
    for group, row in zip(groups, rows, strict=True):
        names.setdefault(group, row[3])  # a group goes by its first image
    counts = Counter(names[group] for group in groups)
    split = split_groups(counts, settings.split, settings.seed)
    with manifest.transaction() as connection:
        connection.executemany(
            "UPDATE images SET duplicate_group = ?, split = ? WHERE id = ?",
            (
                (rows[of][0] if sizes[of] > 1 else None, split[names[group]], row[0])
                for of, group, row in zip(first, groups, rows, strict=True)
            ),
        )
