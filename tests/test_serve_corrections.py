"""Corrected photos that are kept: what lies in the folder, who reads it, and that nothing else is kept. The
picture is a rendered one."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from serve_app import SAMPLE, client, problem

from datasets.labelled import read_folder
from models.truth import load_truths
from vision.serve import corrections
from vision.serve.corrections import CLASSES, Corrections, CorrectionsError
from vision.serve.schemas import Correction

TRUTH = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
LAYOUT = {"size": TRUTH["size"], "tiles": TRUTH["tiles"], "groups": TRUTH["groups"]}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("data")
    with client(folder, corrections=kept, workers=1, photo_seconds=120.0) as running:
        yield running


@pytest.fixture(autouse=True)
def emptied(kept: Path) -> Iterator[None]:
    yield
    for path in files(kept):
        path.unlink()


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*/*") if path.is_file())


def with_metadata() -> bytes:
    """The sample as a phone would store it: lying on its side, with a place and a maker in its EXIF block."""
    with Image.open(SAMPLE) as image:
        exif = Image.Exif()
        exif[0x0112] = 6
        exif[0x010F] = "SECRET MAKER"
        exif.get_ifd(0x8825)[1] = "N"
        stream = io.BytesIO()
        image.transpose(Image.Transpose.ROTATE_90).save(stream, "JPEG", quality=95, exif=exif)
    return stream.getvalue()


def send(server: Any, photo: bytes, layout: dict[str, Any], keep: str | None = "true") -> Any:
    fields = {"layout": json.dumps(layout), **({"keep": keep} if keep is not None else {})}
    return server.post("/api/corrections", files={"photo": ("a.jpg", photo, "image/jpeg")}, data=fields)


def test_a_photo_and_its_labels(server: Any, kept: Path) -> None:
    photo = with_metadata()
    assert b"SECRET MAKER" in photo
    answer = send(server, photo, LAYOUT)
    assert answer.status_code == 201, answer.text
    name = answer.json()["name"]
    assert [path.relative_to(kept).as_posix() for path in files(kept)] == [
        f"images/{name}.jpg",
        f"labels/{name}.txt",
        f"truth/{name}.json",
    ]
    stored = (kept / "images" / f"{name}.jpg").read_bytes()
    assert b"SECRET" not in stored
    assert b"Exif" not in stored
    with Image.open(io.BytesIO(stored)) as image:
        assert image.size == tuple(TRUTH["size"])  # upright


def test_evaluation_reads_it(server: Any, kept: Path) -> None:
    name = send(server, SAMPLE.read_bytes(), LAYOUT).json()["name"]
    (truth,) = load_truths(kept / "truth")
    assert truth.photo == f"images/{name}.jpg"
    assert truth.hand == TRUTH["hand"]
    assert [(tile.id, tile.tile) for tile in truth.tiles] == [
        (tile["id"], tile["tile"]) for tile in TRUTH["tiles"]
    ]
    assert [(group.kind, list(group.tiles)) for group in truth.groups] == [
        (group["kind"], group["tiles"]) for group in TRUTH["groups"]
    ]


def test_training_reads_it(server: Any, kept: Path) -> None:
    layout = {**LAYOUT, "tiles": [dict(tile) for tile in LAYOUT["tiles"]]}
    layout["tiles"][0]["tile"] = "B"
    layout["tiles"][1]["tile"] = "?"
    send(server, SAMPLE.read_bytes(), layout)
    (photo,) = read_folder(kept)
    named = layout["tiles"][2:]
    assert [CLASSES[number] for number in photo.tiles] == [tile["tile"] for tile in named]
    quads = np.array([tile["quad"] for tile in named])
    boxes = np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
    np.testing.assert_allclose(photo.boxes, boxes, atol=0.05)
    (truth,) = load_truths(kept / "truth")
    assert "1 tile" in truth.unlabelled


def test_ultralytics_reads_the_folder(server: Any, kept: Path) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra `train`")
    described = yaml.safe_load((kept / "data.yaml").read_text(encoding="utf-8"))
    assert described["names"] == list(CLASSES)
    name = send(server, SAMPLE.read_bytes(), LAYOUT).json()["name"]
    rows = [line.split() for line in (kept / "labels" / f"{name}.txt").read_text().splitlines()]
    assert [len(row) for row in rows] == [9] * len(TRUTH["tiles"])
    assert all(0 <= float(value) <= 1 for row in rows for value in row[1:])


def test_the_same_photo_corrected_again(server: Any, kept: Path) -> None:
    send(server, SAMPLE.read_bytes(), LAYOUT)
    layout = {**LAYOUT, "tiles": [{**LAYOUT["tiles"][0], "tile": "9p"}, *LAYOUT["tiles"][1:]]}
    send(server, SAMPLE.read_bytes(), layout)
    (truth,) = load_truths(kept / "truth")
    assert truth.tiles[0].tile == "9p"
    assert len(files(kept)) == 3


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another size": ({"size": [10, 10]}, "layout"),
    "a tile twice": ({"tiles": LAYOUT["tiles"] + LAYOUT["tiles"][:1]}, "layout"),
    "a stranger": ({"groups": [{"kind": "concealed", "tiles": [999]}]}, "layout"),
    "no tile name": ({"tiles": [{**LAYOUT["tiles"][0], "tile": "x"}], "groups": []}, "layout"),
    "outside": (
        {"tiles": [{**LAYOUT["tiles"][0], "quad": [[-900, 0], [1, 0], [1, 1], [0, 1]]}], "groups": []},
        "layout",
    ),
    "not a number": (
        {
            "tiles": [{**LAYOUT["tiles"][0], "quad": [[float("nan"), 0], [1, 0], [1, 1], [0, 1]]}],
            "groups": [],
        },
        "layout",
    ),
    "nothing": ({"tiles": []}, "invalid"),
    "three corners": ({"tiles": [{**LAYOUT["tiles"][0], "quad": [[1, 0], [1, 1], [0, 1]]}]}, "invalid"),
}


@pytest.mark.parametrize("case", WRONG)
def test_layouts_of_another_photo(server: Any, kept: Path, case: str) -> None:
    change, code = WRONG[case]
    problem(send(server, SAMPLE.read_bytes(), {**LAYOUT, **change}), 422, code)
    assert files(kept) == []


@pytest.mark.parametrize("keep", [None, "false", "", "yes"])
def test_without_consent_nothing_is_kept(server: Any, kept: Path, keep: str | None) -> None:
    problem(send(server, SAMPLE.read_bytes(), LAYOUT, keep), 422, "not-agreed")
    assert files(kept) == []


def test_reading_keeps_nothing(server: Any, kept: Path) -> None:
    answer = server.post("/api/read", files={"photo": SAMPLE.read_bytes()})
    assert answer.status_code == 200
    assert files(kept) == []


def test_a_file_that_is_no_photo(server: Any, kept: Path) -> None:
    problem(send(server, b"no photo", LAYOUT), 415, "no-picture")
    assert files(kept) == []


def test_a_server_that_keeps_none(tmp_path: Path) -> None:
    server = client(tmp_path)
    assert server.get("/api/service").json()["keeps"] is False
    problem(send(server, SAMPLE.read_bytes(), LAYOUT), 404, "keeps-none")


@pytest.mark.parametrize("fails", range(3))
def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    store = Corrections(tmp_path)
    before = files(tmp_path)
    synced = iter(range(3))

    def fsync(_: int) -> None:
        if next(synced) == fails:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(corrections.os, "fsync", fsync)
    with pytest.raises(corrections.ApiError) as caught:
        store.keep(b"jpeg", Correction.model_validate(LAYOUT))
    assert (caught.value.status, caught.value.code) == (507, "not-kept")
    assert files(tmp_path) == before


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CorrectionsError, match="name another folder"):
        Corrections(tmp_path / "file")
