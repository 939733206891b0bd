"""Files that labelling itself wrote, damaged since: the manifest (SQLite), and the shards of a cluster
(Parquet)."""

from __future__ import annotations

import asyncio
import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from review_folder import labelled_folder

from datasets.labelling.manifest import FILE, Manifest, ManifestError
from datasets.labelling.records import Box, Labelled, Listed, Models
from datasets.labelling.review import decisions, queries
from datasets.labelling.review.desk import Desk
from datasets.labelling.schema import connect

from ..mutator import mutate_bytes
from ..target import Target, check_sentence

_PAGE = 1024


@cache
def seeds_manifest() -> tuple[bytes, ...]:
    """A folder of four pictures, one of them corrected."""
    folder = labelled_folder(Path(tempfile.mkdtemp(prefix="hupai-fuzz-")))
    with Manifest.open(folder) as manifest:
        manifest.decide(2, state="reviewed")
        manifest.undo()
        manifest.keep_setting("run", {"threshold": 0.25})
    connection = connect(folder / FILE)
    connection.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    connection.execute("VACUUM")
    connection.close()
    return ((folder / FILE).read_bytes(),)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="hupai-fuzz-"))


def run_manifest(data: bytes) -> None:
    """What exporting, resuming and reviewing do with a manifest."""
    folder = _folder()
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / FILE).write_bytes(data)
    for use in (_use, _review):
        try:
            use(folder)
        except ManifestError as error:
            check_sentence(error)


def _use(folder: Path) -> None:
    with Manifest.open(folder) as manifest:
        (manifest.setting("run") or {}).get("threshold")
        manifest.count("new")
        for image in list(manifest.images()):
            for box in manifest.boxes(image.id):
                max(box.bounds)
            manifest.models_of(image.id)
        manifest.register([Listed("x", "/x.jpg", "x", "g")])
        manifest.record(
            1, Labelled("0" * 64, "0" * 16, (9, 9), (Box("1m", ((0, 0), (1, 0), (1, 1), (0, 1))),))
        )
        manifest.undo()
        manifest.decisions()


def _review(folder: Path) -> None:
    desk = Desk(folder)
    try:
        for work in (
            lambda m: queries.image_page(m, queries.Filters("any", tile="9m", flag="tiny"), None, 60),
            lambda m: queries.wall_page(m, queries.Filters(), "9m", None, 60),
            queries.choices,
            queries.progress,
            lambda m: decisions.next_step(m, "undo"),
        ):
            asyncio.run(desk.ask(work))
    finally:
        desk.close()


def mutate_manifest(data: bytes, rng: Random) -> bytes:
    """Anywhere: what matters is spread over a SQLite file's pages."""
    if rng.random() < 0.3 or len(data) < _PAGE:
        return mutate_bytes(data, rng)
    page = rng.randrange(len(data) // _PAGE) * _PAGE
    end = page + rng.choice((32, 128, _PAGE))
    return data[:page] + mutate_bytes(data[page:end], rng)[: end - page].ljust(end - page, b"\0") + data[end:]


MANIFEST = Target(
    "manifest", run_manifest, seeds_manifest, mutate_manifest,
    ("datasets.labelling.manifest", "datasets.labelling.review.queries", "datasets.labelling.review.doubt"),
)  # fmt: skip


@cache
def seeds_shards() -> tuple[bytes, ...]:
    from datasets.labelling.cluster import shards

    box = Box("5m", ((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, 0.8, (("6m", 0.1),))
    found = Labelled("0" * 64, "f" * 16, (400, 300), (box, box), ("tiny",))
    rows = [
        shards.Row(Listed("a.jpg", "/a.jpg", "a", "/"), found),
        shards.Row(Listed("b.mp4#30", "/b.mp4", "b-000030", "/", 30), None, "It is damaged."),
    ]
    run = shards.Run(Models("l", "0" * 64, "n", "1" * 64)).to_json()
    index = json.dumps({"version": 1, "images": 2, "shards": ["0.parquet"]})
    return (b"S" + shards.encode(0, rows), b"R" + run.encode(), b"I" + index.encode())


def run_shards(data: bytes) -> None:
    """One byte says what the rest is: a shard, the run, the index."""
    from datasets.labelling.cluster import shards
    from datasets.labelling.cluster.storage import StorageError, open_store

    kind, content = data[:1], data[1:]
    if kind in b"RI" and kind:
        folder = _folder()
        (folder / (shards.RUN if kind == b"R" else shards.INDEX)).write_bytes(content)
        try:
            store = open_store(str(folder))
            shards.read_run(store) if kind == b"R" else shards.read_index(store)
        except StorageError as error:
            check_sentence(error)
        return
    try:
        rows = shards.decode(content)
    except ValueError:
        return  # the caller names the shard
    with _fresh() as manifest:
        for row in rows:
            manifest.register([row.listed])
            if row.result is not None:
                manifest.record(1, row.result)


def _fresh() -> Manifest:
    (_folder() / FILE).unlink(missing_ok=True)
    for name in (f"{FILE}-wal", f"{FILE}-shm"):
        (_folder() / name).unlink(missing_ok=True)
    return Manifest.create(_folder())


def mutate_shards(data: bytes, rng: Random) -> bytes:
    return data[:1] + mutate_bytes(data[1:], rng)


SHARDS = Target("shards", run_shards, seeds_shards, mutate_shards, ("datasets.labelling.cluster.shards",))
