"""Labelling on a cluster from and into S3, as a server on this machine speaks it (moto)."""

# ruff: noqa: E402 (nothing of this imports without the packages)

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra `cluster`")
s3fs = pytest.importorskip("s3fs", reason="needs s3fs: pip install s3fs")
moto_server = pytest.importorskip("moto.server", reason="needs moto: pip install 'moto[s3,server]'")

from cluster_rows import FakePool, content
from labelled_folder import photo
from typer.testing import CliRunner

import datasets.labelling.cluster.worker as worker_module
import models.cli
from datasets.labelling.cluster.importer import import_shards, read_rows, settings_of
from datasets.labelling.cluster.listing import Everything, Shard, cut
from datasets.labelling.cluster.shards import INDEX, RUN, Run, write_index
from datasets.labelling.cluster.storage import StorageError, Store, open_store
from datasets.labelling.cluster.worker import ShardLabeller
from datasets.labelling.files import OutputError
from datasets.labelling.inputs import InputError, Listing
from datasets.labelling.labeller import current_models
from datasets.labelling.run import Settings, label_all, opened
from models.registry import SAMPLE_PHOTO

TREE = ("b.jpg", "a.JPG", "c/d.png", "c/.hidden.jpg", "c/notes.txt", "c/e/f.jpg", "牌 #1?.jpg", "bad.jpg")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A file system with the empty bucket `tiles`, reached as users reach theirs: by their own settings."""
    settings = {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdir("tiles")
    yield system
    system.rm("tiles", recursive=True)
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run in small shards, whose pictures are labelled without models."""
    monkeypatch.setattr(worker_module, "LabellingPool", FakePool)
    monkeypatch.setattr(FakePool, "seen", [])
    return Run(current_models(), size=2)


@pytest.fixture
def photos(s3: Any, tmp_path: Path) -> Path:
    """The same files in a folder and in the bucket."""
    for name in TREE:
        path = tmp_path / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
        s3.pipe_file(f"tiles/photos/{name}", name.encode())
    return tmp_path / "photos"


def shards_of(inputs: str, run: Run) -> list[Shard]:
    s3fs.S3FileSystem.clear_instance_cache()  # another process, as far as what it remembers goes
    return list(cut(Everything([inputs]), run.size, run.to_json()))


def labelled(inputs: str, target: str, run: Run) -> Store:
    """A finished run of one worker."""
    shards = shards_of(inputs, run)
    store, worker = open_store(target), ShardLabeller(target, run)
    store.write(RUN, run.to_json().encode())
    try:
        assert [worker.label(shard).stopped for shard in shards] == [None] * len(shards)
    finally:
        worker.close()
    write_index(store, [shard.name for shard in shards], sum(len(shard.images) for shard in shards))
    return store


def test_a_bucket_is_listed_in_the_order_of_a_folder(s3: Any, photos: Path) -> None:
    there = [item.listed for item in Everything(["s3://tiles/photos"])]
    here = list(Listing([str(photos)]))
    assert [item.name for item in there] == [item.name for item in here]
    assert [item.picture for item in there] == [
        f"s3://tiles/photos/{Path(item.picture).relative_to(photos).as_posix()}" for item in here
    ]


def test_labels_go_from_bucket_to_bucket(s3: Any, photos: Path, run: Run, tmp_path: Path) -> None:
    store = labelled("s3://tiles/photos", "s3://tiles/labels", run)
    assert store.names() == sorted(name.rsplit("/", 1)[1] for name in s3.ls("tiles/labels", refresh=True))
    there = list(read_rows(store))
    here = list(read_rows(labelled(str(photos), str(tmp_path / "labels"), run)))
    assert [row.result for row in there] == [row.result for row in here]
    assert [row.listed.name for row in there] == [row.listed.name for row in here]
    assert [row.reason for row in there if row.reason] == ["s3://tiles/photos/bad.jpg is bad."]


def test_what_is_labelled_is_labelled_once(s3: Any, photos: Path, run: Run) -> None:
    store = labelled("s3://tiles/photos", "s3://tiles/labels", run)
    before = {name: s3.info(f"tiles/labels/{name}")["LastModified"] for name in store.names()}
    FakePool.seen.clear()
    labelled("s3://tiles/photos", "s3://tiles/labels", run)
    assert FakePool.seen == ["s3://tiles/photos/bad.jpg"]
    parts = [name for name in before if name.endswith(".parquet")]
    s3.invalidate_cache()
    assert [s3.info(f"tiles/labels/{name}")["LastModified"] for name in parts] == [before[n] for n in parts]


def test_a_picture_that_changed_is_another_shard(s3: Any, photos: Path, run: Run) -> None:
    first = shards_of("s3://tiles/photos", run)
    s3.pipe_file("tiles/photos/b.jpg", b"x.jpg")  # as long as before: only its ETag tells
    again = shards_of("s3://tiles/photos", run)
    changed = [a for a, b in zip(first, again, strict=True) if a != b]
    assert [any(i.picture.endswith("/b.jpg") for i in shard.images) for shard in changed] == [True]


def test_a_shard_that_was_cut_short_is_made_again(s3: Any, photos: Path, run: Run) -> None:
    store = labelled("s3://tiles/photos", "s3://tiles/labels", run)
    part = next(name for name in store.names() if name.endswith(".parquet"))
    whole = store.read(part)
    assert whole
    s3.pipe_file(f"tiles/labels/{part}", whole[:-20])
    with pytest.raises(StorageError, match=f"{part} is damaged"):
        list(read_rows(store))
    labelled("s3://tiles/photos", "s3://tiles/labels", run)
    assert store.read(part) == whole


def test_a_bucket_that_is_not_there_is_named_in_one_sentence(s3: Any, photos: Path, run: Run) -> None:
    with pytest.raises((InputError, StorageError), match="s3://nowhere/photos") as caught:
        list(Everything(["s3://nowhere/photos"]))
    assert "\n" not in str(caught.value)
    with pytest.raises(OutputError, match="s3://nowhere/labels"):
        open_store("s3://nowhere/labels").write(RUN, b"{}")
    done = ShardLabeller("s3://nowhere/labels", run).label(shards_of("s3://tiles/photos", run)[0])
    assert done.stopped is not None
    assert "s3://nowhere/labels" in done.stopped


def test_a_server_that_does_not_answer_is_named_in_one_sentence(
    s3: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(StorageError, match="s3://tiles/photos cannot be reached") as caught:
        list(Everything(["s3://tiles/photos"]))
    assert "\n" not in str(caught.value)


def test_a_worker_finds_in_a_bucket_what_one_machine_finds_in_a_folder(s3: Any, tmp_path: Path) -> None:
    """With the real models, on the rendered sample, a damaged file and one of noise, to label files."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "hand.jpg").write_bytes(SAMPLE_PHOTO.read_bytes())
    (folder / "cut.jpg").write_bytes(SAMPLE_PHOTO.read_bytes()[:20_000])
    photo(folder / "noise.png")
    s3.put(f"{folder}/", "tiles/photos/", recursive=True)
    settings = Settings()
    with opened(tmp_path / "here", settings, resume=False) as manifest:
        label_all(manifest, Listing([str(folder)]), settings, workers=1)
    store = labelled("s3://tiles/photos", "s3://tiles/labels", Run(current_models(), size=2))
    assert INDEX in store.names()
    with opened(tmp_path / "there", settings_of(store, settings), resume=False) as manifest:
        import_shards(manifest, store, settings)
    here, there = content(tmp_path / "here"), content(tmp_path / "there")
    assert [(image.sha256, image.state, boxes) for image, boxes, _ in there] == [
        (image.sha256, image.state, boxes) for image, boxes, _ in here
    ]
    arguments = ["label", "--from-shards", "s3://tiles/labels", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(models.cli.app, arguments)
    assert done.exit_code == 1  # the damaged file
    assert "cut.jpg" in done.stderr
    (labels,) = (tmp_path / "out" / "yolo" / "labels").rglob("hand.txt")
    assert len(labels.read_text().splitlines()) >= 14
