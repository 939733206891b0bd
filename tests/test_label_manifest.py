"""The manifest: names, states, decisions that can be taken back, and what outlives a process."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_folder import BOXES, MODELS, labelled_folder, photo, record, turned

from datasets.labelling.bake import PICTURES, bake, baked
from datasets.labelling.files import stamp
from datasets.labelling.manifest import FILE, Manifest, ManifestError, StaleError
from datasets.labelling.pictures import Pictures
from datasets.labelling.records import Box, Labelled, Listed
from datasets.labelling.run import look_again


def listed(path: str, name: str, frame: int | None = None) -> Listed:
    return Listed(path, path, name, str(Path(path).parent), frame)


def test_names_are_unique_in_whatever_case_and_listing_twice_adds_nothing(tmp_path: Path) -> None:
    images = [
        listed("/a/IMG_1.jpg", "IMG_1"),
        listed("/b/img_1.jpg", "img_1"),
        listed("/c/IMG_1.png", "IMG_1"),
    ]
    with Manifest.create(tmp_path / "m") as manifest:
        assert manifest.register(images) == 3
        assert manifest.register(images) == 0
        assert [image.name for image in manifest.images()] == ["IMG_1", "img_1-2", "IMG_1-3"]


def test_frames_of_one_video_are_images_of_their_own(tmp_path: Path) -> None:
    with Manifest.create(tmp_path / "m") as manifest:
        assert manifest.register([listed("/v.mp4", "v-0", 0), listed("/v.mp4", "v-30", 30)]) == 2


def test_what_is_recorded_is_read_back(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        assert manifest.boxes(1) == BOXES
        image = manifest.image(1)
        assert (image.state, image.width, image.height) == ("new", 320, 200)
        assert (image.lowest_confidence, image.lowest_margin) == (0.4, 0.1)
        assert manifest.models_of(1) == MODELS
    with Manifest.open(tmp_path / "labels") as manifest:
        assert manifest.boxes(1) == BOXES


def test_labelling_never_overwrites_a_person(tmp_path: Path) -> None:
    with labelled_folder(tmp_path, reviewed=True) as manifest:
        manifest.decide(1, boxes=BOXES[:1])
        manifest.record(1, Labelled("1", "1", (1, 1), ()), MODELS)
        manifest.fail(1, "gone")
        assert manifest.boxes(1) == BOXES[:1]
        assert manifest.image(1).state == "reviewed"


def test_a_decision_is_on_disk_when_the_call_returns(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        manifest.decide(1, state="rejected")
        # Another process would read the file as this connection does.
        with sqlite3.connect(tmp_path / "labels" / FILE) as other:
            assert other.execute("SELECT state FROM images WHERE id = 1").fetchone() == ("rejected",)
            assert other.execute("PRAGMA synchronous").fetchone()
        assert manifest.connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_two_writers_do_not_overwrite_each_other_unseen(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        version = manifest.image(1).version
        manifest.decide(1, version, state="reviewed")
        with pytest.raises(StaleError, match=r"a\.jpg was changed"):
            manifest.decide(1, version, state="rejected")
        assert manifest.image(1).state == "reviewed"


def test_a_new_decision_ends_what_could_be_done_again(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        manifest.decide(1, state="reviewed")
        manifest.undo()
        manifest.decide(1, state="rejected")
        assert manifest.redo() is None
        assert manifest.image(1).state == "rejected"


def test_decisions_are_only_added_to(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        manifest.decide(1, state="reviewed")
        for attempt in ("DELETE FROM decisions", "UPDATE decisions SET at = ''"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
                manifest.connection.execute(attempt)


@settings(max_examples=25, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from(["reviewed", "rejected", "boxes"])), max_size=8
    )
)
def test_all_can_be_undone_and_done_again(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, str]]
) -> None:
    def content(manifest: Manifest) -> list[object]:
        return [(manifest.image(i).state, manifest.boxes(i)) for i in (1, 2, 3)]

    folder = tmp_path_factory.mktemp("undo")
    with labelled_folder(folder) as manifest:
        states = [content(manifest)]
        for number, (image, what) in enumerate(steps):
            if what == "boxes":
                quad = turned(50 + number, 50, 30, 40, 0)
                manifest.decide(image, boxes=[Box("9s", quad, origin="human")])
            else:
                manifest.decide(image, state="reviewed" if what == "reviewed" else "rejected")
            states.append(content(manifest))
        for expected in states[-2::-1]:
            assert manifest.undo() is not None
            assert content(manifest) == expected
        assert manifest.undo() is None
    with Manifest.open(folder / "labels") as manifest:
        for expected in states[1:]:
            assert manifest.redo() is not None
            assert content(manifest) == expected
        assert manifest.redo() is None


@pytest.mark.parametrize("version", [0, 99])
def test_a_manifest_of_another_schema_is_refused_in_words(tmp_path: Path, version: int) -> None:
    with labelled_folder(tmp_path) as manifest:
        manifest.connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(ManifestError, match=f"schema {version}"):
        Manifest.open(tmp_path / "labels")


def test_a_manifest_without_stamps_is_opened_and_gets_them(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        manifest.connection.execute("ALTER TABLE images DROP COLUMN stamp")
    for _ in range(2):
        with Manifest.open(tmp_path / "labels") as manifest:
            assert manifest.boxes(1) == BOXES
            assert look_again(manifest) == []
            assert manifest.stamped(1) == stamp(manifest.image(1).picture)
            assert manifest.count("new") == 3


def test_a_picture_that_was_replaced_is_labelled_again_unless_a_person_looked_at_it(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        bake(manifest.image(1), manifest.folder / PICTURES, Pictures())
        manifest.decide(2, state="reviewed")
        (tmp_path / "photos" / "c.png").touch()  # as copied
        for name in ("a.jpg", "b.jpg"):
            photo(tmp_path / "photos" / name, seed=9)
        (said,) = look_again(manifest)
        assert "b.jpg has changed since it was reviewed" in said
        assert [image.state for image in manifest.images()] == ["pending", "reviewed", "new"]
        assert manifest.boxes(1) == () and manifest.boxes(2) == BOXES
        assert baked(manifest.folder / PICTURES, "a") is None
        record(manifest, 1)
        assert look_again(manifest) == [said]
        assert manifest.image(1).state == "new"


def test_what_is_no_database_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database, and long enough to be looked at" * 50)
    with pytest.raises(ManifestError, match="cannot be opened"):
        Manifest.open(tmp_path)
    with pytest.raises(ManifestError, match="hupai label"):
        Manifest.open(tmp_path / "nowhere")
    with pytest.raises(ManifestError, match="hupai label"):
        Manifest.open(tmp_path / ("x" * 300))


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    with labelled_folder(tmp_path) as manifest:
        pages = manifest.connection.execute("PRAGMA page_count").fetchone()[0]
        # SQLite's own limit answers as a full disk does: SQLITE_FULL.
        manifest.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(ManifestError, match=r"is full; free some space.*--resume"):
            manifest.decide(1, boxes=BOXES * 2000)
        manifest.connection.execute("PRAGMA max_page_count = 1000000")
        assert manifest.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert len(manifest.boxes(2)) == len(BOXES)
        manifest.decide(2, state="reviewed")


@pytest.mark.parametrize(
    ("free", "said"), [(4096, "is full; free some space"), (1 << 40, "cannot be written: disk I/O error")]
)
def test_an_error_of_the_disk_is_that_of_a_full_one_only_where_it_is_full(
    free: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says "disk I/O error" of a full disk where its shared memory finds no room."""

    def fail() -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise error

    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with labelled_folder(tmp_path) as manifest, pytest.raises(ManifestError, match=said):  # noqa: SIM117
        with manifest.transaction():
            fail()


def test_a_full_disk_is_not_taken_for_damage(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    with pytest.raises(ManifestError, match="is full; free some space"), labelled_folder(tmp_path):
        raise error


@pytest.mark.parametrize("tile", ["", "10m", "x", "1M"])
def test_what_is_no_tile_is_no_box(tile: str) -> None:
    with pytest.raises(ValueError, match="no tile"):
        Box(tile, turned(0, 0, 1, 1, 0))
