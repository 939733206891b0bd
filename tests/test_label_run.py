"""`hupai label` as a whole, with the shipped models, on rendered pictures: killed, resumed, fed bad input."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labelling import files
from datasets.labelling.export import FORMATS
from datasets.labelling.files import OutputError, locked, whole_file
from datasets.labelling.manifest import FILE, Manifest, ManifestError
from datasets.labelling.records import Listed
from datasets.labelling.run import Settings, opened
from datasets.labelling.schema import connect
from models.registry import SAMPLE_PHOTO

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "models.cli", *map(str, words)]


def hupai(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), env=ENVIRONMENT, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parts of the rendered sample, small so that labelling is quick: ten of different content."""
    return parts_of_the_sample(tmp_path_factory.mktemp("photos"), 10)


def parts_of_the_sample(folder: Path, count: int) -> Path:
    picture = cv2.imread(str(SAMPLE_PHOTO))
    for number in range(count):
        place, shift = number % 10, number // 10
        part = picture[300 + 20 * place + 5 * shift : 1000, 40 * place + 3 * shift : 700 + 70 * place]
        small = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        name = f"照片 {number}.png" if number % 3 == 0 else f"photo{number}.jpg"
        (folder / f"f{number % 2}").mkdir(exist_ok=True)
        good, data = cv2.imencode(Path(name).suffix, small)
        assert good
        (folder / f"f{number % 2}" / name).write_bytes(data.tobytes())
    return folder


def content(out: Path, formats: Sequence[str]) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for name in (*formats, "pictures")
        for path in sorted((out / name).rglob("*"))
        if path.is_file()
    }


def rows(out: Path) -> list[tuple[object, ...]]:
    """All that the manifest says but for when."""
    with Manifest.open(out) as manifest:
        return [
            (i.id, i.source, i.name, i.sha256, i.phash, i.state, i.reason, i.flags, i.lowest_margin,
             i.duplicate_group, i.split, manifest.boxes(i.id))
            for i in manifest.images()
        ]  # fmt: skip


def test_killed_anywhere_and_resumed_it_gives_what_one_run_gives(tmp_path: Path) -> None:
    count = 80  # what is done is kept twice a second, and a fast machine labels forty in one
    (tmp_path / "photos").mkdir()
    photos = parts_of_the_sample(tmp_path / "photos", count)
    formats = [word for name in FORMATS for word in ("--format", name)]
    whole = hupai("label", photos, "--out", tmp_path / "whole", "--workers", 2, *formats)
    assert whole.returncode == 0, whole.stderr
    killed = tmp_path / "killed"
    arguments = ("label", photos, "--out", killed, "--workers", 2, *formats)
    for _ in range(6):  # a run may be done before this process, on a busy machine, has looked
        shutil.rmtree(killed, ignore_errors=True)
        process = subprocess.Popen(
            command(*arguments), env=ENVIRONMENT, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while process.poll() is None and _done(killed) < 2:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        done = _done(killed)
        if done < count:
            break
    assert 2 <= done < count, "killed in the middle of the work"
    resumed = hupai(*arguments, "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert rows(killed) == rows(tmp_path / "whole")
    assert content(killed, list(FORMATS)) == content(tmp_path / "whole", list(FORMATS))
    assert len(content(killed, ["yolo"])) > 30
    _reviewed_labels_survive(photos, killed)


def _reviewed_labels_survive(photos: Path, out: Path) -> None:
    """What a person decided outlives another resumed run, and is what is exported from then on."""
    with Manifest.open(out) as manifest:
        one_box = manifest.boxes(1)[:1]
        manifest.decide(1, state="reviewed", boxes=one_box)
        name = manifest.image(1).name
    again = hupai("label", photos, "--out", out, "--resume")
    assert again.returncode == 0, again.stderr
    with Manifest.open(out) as manifest:
        assert manifest.boxes(1) == one_box
        assert manifest.image(1).state == "reviewed"
    (text,) = (out / "yolo" / "labels").rglob(f"{name}.txt")
    assert len(text.read_text().splitlines()) == 1
    other = hupai("label", photos, "--out", out, "--resume", "--seed", 5)
    assert other.returncode == 1
    assert "seed 0" in other.stderr and "Traceback" not in other.stderr
    assert hupai("export", out, "--format", "voc", "--reviewed", "--classes", "chinese").returncode == 0
    assert len(list((out / "voc" / "Annotations").iterdir())) == 1


def _done(out: Path) -> int:
    if not (out / "manifest.sqlite").exists():
        return 0
    try:
        with Manifest.open(out) as manifest:
            return manifest.count("new")
    except Exception:  # noqa: BLE001 (it is being made)
        return 0


def test_bad_input_is_named_and_the_rest_is_done(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "again").mkdir(parents=True)
    good = photos / "f1" / "photo1.jpg"
    shutil.copy(good, folder / "IMG.jpg")
    shutil.copy(good, folder / "again" / "IMG.jpg")
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "letter.jpg").write_text("Dear Sir")
    (folder / "cut.png").write_bytes((photos / "f0" / "照片 0.png").read_bytes()[:3000])
    (folder / "old.bmp").write_bytes(b"BM" + bytes(100))
    (folder / "clip.mp4").write_bytes(b"no video")
    (folder / "notes.txt").write_text("not a picture, and not taken for one")
    # 40,000 × 40,000 pixels by its header.
    huge = (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x9c\x40\0\0\x9c\x40\x08\2\0\0\0" + b"\x5b\x0d\x1e\x1a" + bytes(64)
    )
    (folder / "huge.png").write_bytes(huge)
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "gone.jpg").symlink_to(folder / "nothing.jpg")
    out = tmp_path / "out"
    done = hupai("label", folder, "--out", out, "--workers", 1)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    told = done.stderr.splitlines()
    for name in ("empty.jpg", "letter.jpg", "cut.png", "old.bmp", "clip.mp4", "huge.png", "gone.jpg"):
        assert any(name in line for line in told), name
    assert "notes.txt" not in done.stderr
    with Manifest.open(out) as manifest:
        assert sorted(image.name for image in manifest.images("new")) == ["IMG", "IMG-2"]
        assert manifest.count("failed") == 7
        one, two = manifest.images("new")
        assert one.duplicate_group == two.duplicate_group == one.id
        assert one.split == two.split
    assert len(list((out / "yolo" / "labels").rglob("*.txt"))) == 2


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere"], 2, "no file or folder nowhere"),
        (["*.nothing"], 2, "No file matches"),
        (["@nolist"], 2, "list nolist cannot be read"),
        ([], 2, "name a folder"),
        (["ROOT", "--format", "xml"], 2, "--format xml is not known"),
        (["ROOT", "--classes", "mine.yaml"], 2, "neither a class map"),
        (["ROOT", "--split", "80/20"], 2, "--split 80/20"),
        (["ROOT", "--split", "0/0/0"], 2, "--split 0/0/0"),
    ],
)
def test_wrong_usage_is_said_in_a_sentence(tmp_path: Path, words: list[str], code: int, said: str) -> None:
    done = hupai("label", *(str(ROOT) if w == "ROOT" else w for w in words), "--out", tmp_path / "out")
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    done = hupai("label", SAMPLE_PHOTO, "--out", tmp_path)
    assert done.returncode == 1
    assert "not empty" in done.stderr and "--resume" in done.stderr
    assert (tmp_path / "precious.txt").read_text() == "mine"


@pytest.mark.parametrize("made", [None, b"", "killed"])
def test_a_manifest_that_was_never_begun_is_begun_by_resume(tmp_path: Path, made: bytes | str | None) -> None:
    if isinstance(made, bytes):
        (tmp_path / FILE).write_bytes(made)
    elif made is not None:
        connect(tmp_path / FILE).close()  # SQLite has written its first page
    with opened(tmp_path, Settings(), resume=True) as manifest:
        assert manifest.register([Listed("a.jpg", "a.jpg", "a", "")]) == 1
    with opened(tmp_path, Settings(), resume=True) as manifest:
        assert manifest.count() == 1


def test_pictures_whose_manifest_is_emptied_are_not_taken_for_those_of_another(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    (tmp_path / "pictures").mkdir()
    with pytest.raises(ManifestError, match="has pictures, but"), opened(tmp_path, Settings(), resume=True):
        pass


def test_two_runs_into_one_folder_are_refused(tmp_path: Path) -> None:
    with locked(tmp_path):
        done = hupai("label", SAMPLE_PHOTO, "--out", tmp_path)
        assert done.returncode == 1
        assert "Another run is at work" in done.stderr
    with locked(tmp_path), pytest.raises(OutputError, match="Another run"), locked(tmp_path):
        pass


def test_the_lock_of_a_killed_run_is_no_obstacle(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from datasets.labelling.files import locked\n"
        f"with locked(Path({str(tmp_path)!r})): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(OutputError), locked(tmp_path):
            pass
        holder.kill()
        holder.wait()
    with locked(tmp_path):
        pass


def test_a_full_disk_leaves_the_file_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "labels.json"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    full = "No space left on device; free some space"
    with pytest.raises(OutputError, match=full), whole_file(path) as stream:
        stream.write(b"new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["labels.json"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = hupai("label", SAMPLE_PHOTO, "--out", tmp_path / "file" / "out")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr and "Traceback" not in done.stderr


def test_frames_of_a_video_are_labelled_and_baked(tmp_path: Path) -> None:
    picture = cv2.resize(cv2.imread(str(SAMPLE_PHOTO)), (640, 480), interpolation=cv2.INTER_AREA)
    path = tmp_path / "clip.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (640, 480))
    if not video.isOpened():
        pytest.skip("this OpenCV cannot write MJPG videos")
    for number in range(25):
        video.write(np.roll(picture, 4 * number, axis=1))
    video.release()
    done = hupai("label", path, "--out", tmp_path / "out", "--every", 10, "--workers", 1)
    assert done.returncode == 0, done.stderr
    with Manifest.open(tmp_path / "out") as manifest:
        images = list(manifest.images())
        assert [(image.frame, image.width, image.height) for image in images] == [
            (0, 640, 480), (10, 640, 480), (20, 640, 480),
        ]  # fmt: skip
        assert len({image.source_group for image in images}) == 1
        assert all(len(manifest.boxes(image.id)) > 10 for image in images)
        last = cv2.imread(str(next((tmp_path / "out" / "pictures").glob("clip-000020*"))))
    expected = np.roll(picture, 80, axis=1).astype(int)
    assert np.abs(last.astype(int) - expected).mean() < 6
