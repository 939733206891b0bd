"""Labelling on a cluster, without a cluster: listings, shards, one worker, the way into a manifest."""

# ruff: noqa: E402 (nothing of this imports without the extra)

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs the extra `cluster`")
fsspec = pytest.importorskip("fsspec", reason="needs the extra `cluster`")

from cluster_rows import FakePool, content
from labelled_folder import BOXES, photo
from typer.testing import CliRunner

import datasets.labelling.cluster.engine as engine_module
import datasets.labelling.cluster.worker as worker_module
import models.cli
from datasets.labelling.cluster.engine import Cluster, ClusterError, label_shards
from datasets.labelling.cluster.importer import import_shards, read_rows, settings_of
from datasets.labelling.cluster.listing import Everything, Shard, cut
from datasets.labelling.cluster.shards import RUN, Row, Run, decode, encode, write_index
from datasets.labelling.cluster.storage import StorageError, Store, open_store
from datasets.labelling.cluster.worker import ShardLabeller
from datasets.labelling.files import OutputError
from datasets.labelling.inputs import InputError, Listing
from datasets.labelling.labeller import current_models
from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Labelled, Listed
from datasets.labelling.run import Settings, Summary, label_all, opened
from models.registry import SAMPLE_PHOTO
from vision.errors import PhotoUnreadableError

TREE = (
    "b.jpg",
    "a.JPG",
    "c/d.png",
    "c/.hidden.jpg",
    "c/notes.txt",
    "c/e/f.jpg",
    "a/z.jpg",
    "牌.jpg",
    "bad.jpg",
)


@pytest.fixture
def bucket(tmp_path: Path) -> str:
    """The same files under an address in memory and under tmp_path / "photos"."""
    url = f"memory://{tmp_path.name}-{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:8]}"
    system, root = fsspec.url_to_fs(url)
    for name in TREE:
        data = name.encode()
        path = tmp_path / "photos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        system.pipe_file(f"{root}/photos/{name}", data)
    return url


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run in small shards, whose pictures are labelled without models."""
    monkeypatch.setattr(worker_module, "LabellingPool", FakePool)
    monkeypatch.setattr(FakePool, "seen", [])
    return Run(current_models(), size=2)


def shards_of(inputs: str, run: Run) -> list[Shard]:
    return list(cut(Everything([inputs]), run.size, run.to_json()))


def labelled(inputs: str, target: str, run: Run) -> Store:
    """A finished run of one worker."""
    store, worker = open_store(target), ShardLabeller(target, run)
    shards = shards_of(inputs, run)
    store.write(RUN, run.to_json().encode())
    for shard in shards:
        assert worker.label(shard).stopped is None
    write_index(store, [shard.name for shard in shards], sum(len(shard.images) for shard in shards))
    return store


def test_rows_are_read_back_as_they_were_and_the_same_rows_are_the_same_bytes() -> None:
    frame = Listed("v.mp4#30", "/v.mp4", "v-000030", "/v.mp4", 30)
    rows = [
        Row(frame, Labelled("1" * 64, "f" * 16, (320, 200), BOXES, ("tiny", "unnamed"))),
        Row(Listed("空.jpg", "s3://b/空.jpg", "image-1", "s3://b"), Labelled("2", "3", (1, 2), ())),
        Row(Listed("x", "/x", "x", "/"), None, "x is not a picture."),
    ]
    assert decode(encode(7, rows)) == rows
    assert encode(7, rows) == encode(7, list(rows))


def test_object_storage_is_listed_in_the_order_of_a_folder(bucket: str, tmp_path: Path) -> None:
    folder, remote = str(tmp_path / "photos"), f"{bucket}/photos"
    here = [item.listed for item in Everything([folder])]
    assert here == list(Listing([folder]))
    there = [item.listed for item in Everything([remote])]
    assert [item.name for item in there] == [item.name for item in here]
    assert [item.picture.split("/photos/")[1] for item in there] == [
        str(Path(item.picture).relative_to(folder)) for item in here
    ]
    assert [item.listed for item in Everything([f"file://{folder}"])] == here


def test_a_shard_has_another_name_when_a_picture_a_setting_or_its_place_changes(tmp_path: Path) -> None:
    paths = [photo(tmp_path / "p" / f"{k}.png") for k in range(5)]
    run = Run(current_models(), size=2)
    first = shards_of(str(tmp_path / "p"), run)
    assert [len(shard.images) for shard in first] == [2, 2, 1]
    assert shards_of(str(tmp_path / "p"), run) == first
    assert [Shard.from_row(json.loads(json.dumps(shard.to_row()))) for shard in first] == first
    paths[2].write_bytes(b"another")
    assert [a == b for a, b in zip(first, shards_of(str(tmp_path / "p"), run), strict=True)] == [
        True, False, True,
    ]  # fmt: skip
    others = shards_of(str(tmp_path / "p"), Run(current_models(), threshold=0.5, size=2))
    assert not {shard.name for shard in first} & {shard.name for shard in others}


@pytest.mark.parametrize("target", ["memory", "folder"])
def test_pictures_of_object_storage_are_labelled_and_bad_ones_are_rows_with_a_reason(
    bucket: str, run: Run, target: str, tmp_path: Path
) -> None:
    store = labelled(
        f"{bucket}/photos", f"{bucket}/out" if target == "memory" else str(tmp_path / "out"), run
    )
    rows = list(read_rows(store))
    assert [row.listed for row in rows] == [item.listed for item in Everything([f"{bucket}/photos"])]
    for row in rows:
        name = row.listed.picture.split("/photos/")[1]
        if name == "bad.jpg":
            assert row.result is None
            assert row.reason == f"{row.listed.source} is bad."
        else:
            assert row.result is not None
            assert row.result.sha256 == hashlib.sha256(name.encode()).hexdigest()
            assert row.result.boxes == BOXES


def test_a_shard_that_is_there_is_not_labelled_again_but_what_failed_in_it(bucket: str, run: Run) -> None:
    inputs, target = f"{bucket}/photos", f"{bucket}/out"
    store = labelled(inputs, target, run)
    before = {name: store.read(name) for name in store.names()}
    FakePool.seen.clear()
    labelled(inputs, target, run)
    assert {name: store.read(name) for name in store.names()} == before
    assert [label.rsplit("/", 1)[1] for label in FakePool.seen] == ["bad.jpg"]


def test_a_shard_that_was_cut_short_is_made_again(bucket: str, run: Run) -> None:
    inputs, target = f"{bucket}/photos", f"{bucket}/out"
    store = labelled(inputs, target, run)
    name = next(name for name in store.names() if name.endswith(".parquet"))
    whole = store.read(name)
    assert whole
    fsspec.url_to_fs(target)[0].pipe_file(f"{store.path}/{name}", whole[:-20])
    with pytest.raises(StorageError, match=f"{name} is damaged"):
        list(read_rows(store))
    labelled(inputs, target, run)
    assert store.read(name) == whole


def test_a_picture_that_is_gone_before_a_worker_comes_to_it_is_a_failed_row(bucket: str, run: Run) -> None:
    shards = shards_of(f"{bucket}/photos", run)
    system, root = fsspec.url_to_fs(bucket)
    system.rm_file(f"{root}/photos/b.jpg")
    worker = ShardLabeller(f"{bucket}/out", run)
    done = [worker.label(shard) for shard in shards]
    reasons = [reason for part in done for reason in part.reasons]
    assert [reason for reason in reasons if "b.jpg cannot be read" in reason]
    assert sum(part.images for part in done) == sum(len(shard.images) for shard in shards)


def test_other_models_on_a_worker_stop_the_run_in_a_sentence(bucket: str, run: Run) -> None:
    other = Run(type(run.models)("locator", "0" * 64, "namer", "0" * 64), size=2)
    done = ShardLabeller(f"{bucket}/out", other).label(shards_of(f"{bucket}/photos", run)[0])
    assert done.stopped is not None
    assert "install the same hupai on every machine" in done.stopped
    assert open_store(f"{bucket}/out").names() == []


def test_a_target_that_cannot_be_written_stops_the_run_in_a_sentence(tmp_path: Path, run: Run) -> None:
    photo(tmp_path / "p" / "a.png")
    (tmp_path / "out").write_text("a file")
    done = ShardLabeller(str(tmp_path / "out"), run).label(shards_of(str(tmp_path / "p"), run)[0])
    assert done.stopped is not None
    assert "out" in done.stopped


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path / "out"))
    store.write("x", b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        store.write("x", b"new")
    assert store.read("x") == b"old"
    assert store.names() == ["x"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("memory://nowhere/photos", "There is no file or folder"),
        ("nonsense://bucket/photos", "nonsense://bucket/photos cannot be reached"),
        ("no-such-folder", "There is no file or folder no-such-folder"),
    ],
)
def test_inputs_that_are_not_there_are_named_in_one_sentence(address: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        list(Everything([address]))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_video_in_object_storage_fails_by_name(bucket: str, run: Run) -> None:
    system, root = fsspec.url_to_fs(bucket)
    system.pipe_file(f"{root}/videos/v.mp4", b"video")
    store = labelled(f"{bucket}/videos", f"{bucket}/out", run)
    (row,) = read_rows(store)
    assert row.reason is not None
    assert row.reason.startswith(f"{row.listed.source} is a video in object storage")


def test_a_run_is_not_begun_over_another_one(bucket: str, run: Run, tmp_path: Path) -> None:
    """All of this is said before a cluster is asked for anything."""
    inputs = [f"{bucket}/photos"]
    store = labelled(inputs[0], f"{bucket}/out", run)
    with pytest.raises(ClusterError, match="has a run already"):
        label_shards(inputs, store, run, Cluster())
    with pytest.raises(ClusterError, match="other settings or models"):
        label_shards(inputs, store, Run(run.models, threshold=0.5, size=2), Cluster(), resume=True)
    with pytest.raises(ClusterError, match="is not empty"):
        label_shards(inputs, open_store(str(tmp_path / "photos")), run, Cluster())


def test_taking_over_keeps_what_a_person_decided(bucket: str, run: Run, tmp_path: Path) -> None:
    store = labelled(f"{bucket}/photos", f"{bucket}/out", run)
    settings = settings_of(store, Settings())
    with opened(tmp_path / "labels", settings, resume=False) as manifest:
        summary = import_shards(manifest, store, settings)
        assert (summary.done, summary.failed) == (7, 1)
        manifest.decide(1, state="reviewed", boxes=BOXES[:1])
    before = content(tmp_path / "labels")
    with opened(tmp_path / "labels", settings, resume=True) as manifest:
        assert import_shards(manifest, store, settings).done == 7
    after = content(tmp_path / "labels")
    unfailed = [row for row in before if row[0].state != "failed"]
    assert [row for row in after if row[0].state != "failed"] == unfailed
    assert after[0][0].state == "reviewed"


def test_what_is_not_finished_is_not_taken_over(bucket: str, run: Run, tmp_path: Path) -> None:
    store = open_store(f"{bucket}/out")
    with pytest.raises(StorageError, match="has no shards"):
        settings_of(store, Settings())
    store.write(RUN, run.to_json().encode())
    with Manifest.create(tmp_path / "m") as manifest, pytest.raises(StorageError, match="no finished run"):
        import_shards(manifest, store, settings_of(store, Settings()))


def test_the_command_makes_label_files_of_shards(run: Run, tmp_path: Path) -> None:
    photo(tmp_path / "p" / "a.jpg", orientation=6, size=(200, 320))
    (tmp_path / "p" / "z.jpg").write_bytes(b"bad")
    labelled(str(tmp_path / "p"), str(tmp_path / "shards"), run)
    arguments = ["label", "--from-shards", str(tmp_path / "shards"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(models.cli.app, arguments)
    assert done.exit_code == 1
    assert "z.jpg is bad." in done.stderr
    (names,) = (tmp_path / "out" / "yolo" / "labels").rglob("a.txt")
    assert len(names.read_text().splitlines()) == len([box for box in BOXES if box.tile != "?"])


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    away = CliRunner().invoke(
        models.cli.app, ["label", "--from-shards", str(tmp_path / "no"), "--out", str(tmp_path / "out")]
    )
    assert away.exit_code == 2
    assert "has no shards" in away.stderr


@pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'hupai[cluster]'")
def test_the_cluster_command_says_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def three(inputs: list[str], store: Store, run: Run, cluster: Cluster, **said: Any) -> Summary:
        assert (inputs, run.size, run.fast, cluster) == (["p"], 7, True, Cluster("auto", 5))
        said["tell"](3, 3)
        return Summary(3, 1, ("x.jpg is bad.",), ())

    monkeypatch.setattr(engine_module, "label_shards", three)
    arguments = ["label-cluster", "p", "--shards", str(tmp_path / "s"), "--shard-size", "7", "--fast"]
    done = CliRunner().invoke(models.cli.app, [*arguments, "--address", "auto", "--workers", "5"])
    assert done.exit_code == 1
    assert "x.jpg is bad." in done.stderr
    assert "2 of 3 pictures are labelled" in done.stderr


@pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'hupai[cluster]'")
def test_the_cluster_command_does_not_begin_over_another_run(bucket: str, run: Run) -> None:
    labelled(f"{bucket}/photos", f"{bucket}/out", run)
    done = CliRunner().invoke(
        models.cli.app, ["label-cluster", f"{bucket}/photos", "--shards", f"{bucket}/out"]
    )
    assert done.exit_code == 1
    assert "go on with it by --resume" in done.stderr


def test_exports_read_pictures_where_they_lie(bucket: str) -> None:
    from datasets.labelling.pictures import read_bytes

    assert read_bytes(f"{bucket}/photos/b.jpg", "b") == b"b.jpg"
    with pytest.raises(PhotoUnreadableError, match=r"^b cannot be read"):
        read_bytes(f"{bucket}/photos/none.jpg", "b")


def test_a_worker_finds_what_one_machine_finds(tmp_path: Path) -> None:
    """With the real models, on the rendered sample, a damaged file and one of noise."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "hand.jpg").write_bytes(SAMPLE_PHOTO.read_bytes())
    (folder / "cut.jpg").write_bytes(SAMPLE_PHOTO.read_bytes()[:20_000])
    (folder / "no.jpg").write_bytes(b"no picture")
    photo(folder / "noise.png")
    settings = Settings()
    with opened(tmp_path / "here", settings, resume=False) as manifest:
        label_all(manifest, Listing([str(folder)]), settings, workers=1)

    run = Run(current_models(), size=3)
    shards = shards_of(str(folder), run)
    store, worker = open_store(str(tmp_path / "shards")), ShardLabeller(str(tmp_path / "shards"), run)
    store.write(RUN, run.to_json().encode())
    try:
        assert [worker.label(shard).stopped for shard in shards] == [None, None]
    finally:
        worker.close()
    write_index(store, [shard.name for shard in shards], 4)
    with opened(tmp_path / "there", settings_of(store, settings), resume=False) as manifest:
        import_shards(manifest, store, settings)
    assert content(tmp_path / "there") == content(tmp_path / "here")
    assert {image.state for image, _, _ in content(tmp_path / "here")} == {"new", "failed"}
