"""From the Parquet files of a cluster to a manifest, which review, checks and exports work on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from datasets.labelling.cluster.shards import Row, Run, decode, read_index, read_run
from datasets.labelling.cluster.storage import StorageError, Store
from datasets.labelling.labeller import current_models
from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Models
from datasets.labelling.run import FAILURES_TOLD, Settings, Summary, arrange


def settings_of(store: Store, settings: Settings) -> Settings:
    """These settings, with what the run in `store` was labelled with.

    Raises StorageError where there is no run, or one of other models than this version's.
    """
    run = _run(store)
    if run.models != current_models():
        raise StorageError(
            f"{store.url} was labelled by other models than this version of hupai has; import it with the "
            "version that labelled it, or label it again."
        )
    return replace(
        settings, threshold=run.threshold, every=run.every, second_pass=run.second_pass, fast=run.fast
    )


def import_shards(
    manifest: Manifest, store: Store, settings: Settings, tell: Callable[[int, int], None] | None = None
) -> Summary:
    """Take over a finished run, then group duplicates and split, as `label_all` does for one machine.

    Images that have labels already, or a person's decision, stay as they are. tell: called with how many
    images are done and how many there are.

    Raises StorageError where the run is not finished or a shard is missing, ManifestError.
    """
    models = _run(store).models
    names, total = read_index(store)
    done = 0
    for name in names:
        rows = _rows(store, name)
        with manifest.transaction():
            for row in rows:
                _keep(manifest, row, models)
        done += len(rows)
        if tell is not None:
            tell(done, total)
    arrange(manifest, settings)
    failures = tuple(image.reason or "" for image in islice(manifest.images("failed"), FAILURES_TOLD))
    return Summary(manifest.count(), manifest.count("failed"), failures, ())


def read_rows(store: Store) -> Iterator[Row]:
    """The rows of a finished run, in the order of its listing. Raises StorageError."""
    for name in read_index(store)[0]:
        yield from _rows(store, name)


def _run(store: Store) -> Run:
    run = read_run(store)
    if run is None:
        raise StorageError(
            f"{store.url} has no shards; make them with `hupai label-cluster ... --shards {store.url}`."
        )
    return run


def _rows(store: Store, name: str) -> list[Row]:
    content = store.read(name)
    try:
        return decode(content or b"")
    except ValueError as error:
        what = "missing" if content is None else "damaged"
        raise StorageError(
            f"{store.url}/{name} is {what}; run `hupai label-cluster` again with --resume."
        ) from error


def _keep(manifest: Manifest, row: Row, models: Models) -> None:
    manifest.register([row.listed])
    image, state = manifest.connection.execute(
        "SELECT id, state FROM images WHERE picture = ? AND ifnull(frame, -1) = ?",
        (row.listed.picture, -1 if row.listed.frame is None else row.listed.frame),
    ).fetchone()
    if state not in {"pending", "failed"}:
        return
    if row.result is None:
        manifest.fail(image, row.reason or "unknown")
    else:
        manifest.record(image, row.result, models)
