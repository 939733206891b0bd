"""The same photo gives the same reading, byte for byte as `hupai read --json` prints it but for the times.

Whatever the number of threads, the photos before it, the readings beside it, the crops a run, the way in and
the order of Python's sets. The photos are the shipped, rendered sample as it is, on its side and far away,
and a few real ones where the shared data is there.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from models.registry import SAMPLE_PHOTO
from scoring import score
from vision.errors import VisionError
from vision.locator import Locator
from vision.namer import Namer
from vision.reader import Reader

ROOT = Path(__file__).parents[1]
REAL = Path(os.environ.get("HUPAI_SHARED", ROOT.parent / "shared")) / "data" / "eval" / "kimwong" / "photos"
NEEDS_REAL = pytest.mark.skipif(not REAL.is_dir(), reason="needs the real photos of data/eval in ../shared")
EVERY = 20
"""Of the real photos one in so many."""
THREADS = (1, 2, 4)

Printed = dict[Path, str]


def printed(reading: Mapping[str, Any]) -> str:
    """A line of `hupai read --json`; of the times only which there are, and where the photo lies left out."""
    return json.dumps({**reading, "seconds": list(reading["seconds"]), "photo": ""}, ensure_ascii=False)


def read(reader: Reader, photo: Path) -> str:
    try:
        return printed(reader.read(photo).to_dict())
    except VisionError as error:
        return str(error)


def read_all(reader: Reader, photos: Iterable[Path]) -> Printed:
    return {photo: read(reader, photo) for photo in photos}


def with_threads(threads: int) -> Reader:
    return Reader(score, Locator(threads), Namer(threads))


@pytest.fixture(scope="module", params=["rendered", pytest.param("real", marks=NEEDS_REAL)])
def photos(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sample upright, on its side (turned before it is read) and far away (looked at twice)."""
    if request.param == "real":
        return sorted(REAL.glob("*.jpg"))[::EVERY]
    folder = tmp_path_factory.mktemp("photos")
    sample = Image.open(SAMPLE_PHOTO).convert("RGB")
    far = Image.new("RGB", (2 * sample.width, 2 * sample.height), (90, 110, 90))
    far.paste(sample, (sample.width // 2, sample.height // 2))
    pictures = {"upright": sample, "side": sample.transpose(Image.Transpose.ROTATE_90), "far": far}
    for name, picture in pictures.items():
        picture.save(folder / f"{name}.jpg", quality=92)
    return [folder / f"{name}.jpg" for name in pictures]


@pytest.fixture(scope="module")
def once(photos: list[Path]) -> Printed:
    """What one reader of one thread says, photo after photo."""
    return read_all(with_threads(THREADS[0]), photos)


def test_the_rendered_photos_take_every_way_through_the_reader(once: Printed) -> None:
    """Else the tests below would say less than they seem to."""
    stages = {photo.stem: json.loads(text)["seconds"] for photo, text in once.items() if text[0] == "{"}
    if "upright" in stages:
        assert "turn" in stages["side"]
        assert "closer" in stages["far"]
        assert not {"turn", "closer"} & set(stages["upright"])
    assert len(stages) > 1


@pytest.mark.parametrize("threads", THREADS[1:])
def test_the_number_of_threads_changes_nothing(once: Printed, threads: int) -> None:
    assert read_all(with_threads(threads), once) == once


def test_the_threads_of_opencv_change_nothing(once: Printed) -> None:
    import cv2

    reader, before = with_threads(1), cv2.getNumThreads()
    try:
        cv2.setNumThreads(1 if before > 1 else 4)
        assert read_all(reader, once) == once
    finally:
        cv2.setNumThreads(before)


def test_photos_before_and_beside_change_nothing(once: Printed) -> None:
    """Backwards and forwards again, by four threads that share the reader."""
    reader, asked = with_threads(1), [*reversed(once), *once]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda photo: read(reader, photo), asked))
    assert answers == [once[photo] for photo in asked]


def test_crops_a_run_of_the_namer_change_nothing(once: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    """One by one instead of all together."""
    monkeypatch.setattr("vision.namer.BATCH", 1)
    assert read_all(with_threads(1), once) == once


def test_the_command_says_the_same_under_any_hash_seed(once: Printed) -> None:
    """Sets of strings have another order in each process; the photos come in another order too."""
    photos = [photo for photo, text in once.items() if text[0] == "{"][::-1]
    done = subprocess.run(
        [sys.executable, "-m", "models.cli", "read", "--json", *photos],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["photo"] for line in lines] == [str(photo) for photo in photos]
    assert [printed(line) for line in lines] == [once[photo] for photo in photos]


def test_a_worker_of_the_server_says_the_same(once: Printed) -> None:
    from vision.circumstances import Circumstances
    from vision.serve.asking import Asked
    from vision.serve.pool import Worker
    from vision.serve.worker import Failed, ReadJob

    worker = Worker(threads=2)
    worker.start()
    try:
        for photo, expected in once.items():
            answer = worker.do(ReadJob(photo.read_bytes(), Circumstances(), Asked()), 60)
            if isinstance(answer, Failed):
                assert expected[0] != "{"
            else:
                assert printed(answer) == expected
    finally:
        worker.stop()


def test_labelling_processes_say_what_one_labeller_says(photos: list[Path]) -> None:
    """Two of them, which take the pictures backwards."""
    pytest.importorskip("imagehash", reason="needs the extra `label`")
    from datasets.labelling.labeller import Labeller
    from datasets.labelling.pool import LabellingPool, Task

    labeller = Labeller(0.25, second_pass=True)
    expected = [labeller.label(str(photo), None, photo.name) for photo in photos]
    tasks = [Task(number, str(photo), None, photo.name) for number, photo in enumerate(photos)]
    with LabellingPool(0.25, second_pass=True, workers=2) as pool:
        answers = sorted(pool.label(reversed(tasks)), key=lambda answer: answer.task.id)
    assert [answer.result for answer in answers] == expected


def uneven_video(path: Path, frames: int) -> None:
    """A video whose frames last three times as long in its second half, each another grey.

    OpenCV writes frames of one length; MP4's table of lengths (stts) lies behind the frames, so it may grow
    when the boxes around it do.
    """
    import cv2

    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 30, (64, 64))  # type: ignore[attr-defined]
    for number in range(frames):
        writer.write(np.full((64, 64, 3), number % 250, np.uint8))
    writer.release()
    data = path.read_bytes()
    start, around = data.find(b"moov") - 4, []
    assert start > data.find(b"mdat") > 0
    for name in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stts"):
        start = data.index(name, start) - 4
        around.append(start)
    length = struct.unpack(">I", data[start + 20 : start + 24])[0]
    table = struct.pack(
        ">I4sIIIIII", 32, b"stts", 0, 2, frames // 2, length // 2, frames // 2, length * 3 // 2
    )
    grown = bytearray(data[:start] + table + data[start + 24 :])
    for box in around[:-1]:
        grown[box : box + 4] = struct.pack(">I", struct.unpack(">I", grown[box : box + 4])[0] + 8)
    path.write_bytes(grown)


def test_a_frame_of_a_video_is_the_same_whatever_was_opened_before(tmp_path: Path) -> None:
    """One process opens the frames in turn, another every fifth one, an export each alone."""
    from datasets.labelling.pictures import Pictures

    path = tmp_path / "uneven.mp4"
    uneven_video(path, 600)
    numbers = list(range(0, 600, 50))

    def digests(pictures: Pictures, numbers: Iterable[int]) -> dict[int, str]:
        return {number: pictures.open(str(path), number, "frame").sha256 for number in numbers}

    in_turn = digests(Pictures(), numbers)
    assert len(set(in_turn.values())) == len(numbers)
    assert digests(Pictures(), numbers[::5]).items() <= in_turn.items()
    assert digests(Pictures(), numbers[::-1]) == in_turn
    for number in numbers:
        assert digests(Pictures(), [number]).items() <= in_turn.items()
