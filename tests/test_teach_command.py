"""`hupai teach` with the shipped models, on rendered pictures: the sample, every house face."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import models.cli
from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH
from models.truth import load_truth
from scoring import TILES
from vision.errors import VisionError
from vision.reader import Reader
from vision.taught.namer import TaughtNamer, taught_namer
from vision.taught.store import Store

FACE, GAP, COLUMNS = (96, 132), 10, 11


def hupai(*arguments: str | Path) -> Result:
    return CliRunner().invoke(models.cli.app, [str(argument) for argument in arguments])


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *args, **options: tmp_path / "data")
    return Store()


@pytest.fixture(scope="module")
def every_face(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rendered: the 42 faces of the house set, shuffled, on a green table."""
    from datasets.faces.draw import draw_face
    from datasets.faces.house import house_style
    from datasets.faces.typefaces import FontsMissingError

    try:
        style = house_style()
    except FontsMissingError as error:
        pytest.skip(str(error))
    order = np.random.default_rng(8).permutation(len(TILES))
    rows = -(-len(TILES) // COLUMNS)
    size = (rows * (FACE[1] + 4 * GAP) + 200, COLUMNS * (FACE[0] + GAP) + 200, 3)
    picture = np.full(size, (58, 110, 72), np.uint8)
    for place, tile in enumerate(order):
        row, column = divmod(place, COLUMNS)
        x, y = 100 + column * (FACE[0] + GAP), 100 + row * (FACE[1] + 4 * GAP)
        face = draw_face(TILES[tile], style, FACE)
        picture[y : y + FACE[1], x : x + FACE[0]] = face
    folder = tmp_path_factory.mktemp("faces")
    Image.fromarray(picture).save(folder / "faces.png")
    names = [TILES[tile] for tile in order]
    text = "\n".join(" ".join(names[start : start + COLUMNS]) for start in range(0, len(names), COLUMNS))
    (folder / "layout.txt").write_text(text)
    return folder / "faces.png"


def test_a_set_taught_by_a_truth_file_is_used_from_then_on(store: Store) -> None:
    taught = hupai("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH, "--name", "house", "--json")
    assert taught.exit_code == 0, taught.stderr
    (answer,) = lines(taught)
    hand = [tile.tile for tile in load_truth(SAMPLE_TRUTH).tiles if tile.tile in TILES]
    assert sorted(tile["tile"] for tile in answer["tiles"] if tile["tile"] != "?") == sorted(hand)
    (entry,) = lines(hupai("teach", "--list", "--json"))
    assert (entry["set"], entry["in_use"], entry["tiles"], entry["photos"]) == ("house", True, len(hand), 1)
    (reading,) = lines(hupai("read", SAMPLE_PHOTO, "--json"))
    (named,) = lines(hupai("read", SAMPLE_PHOTO, "--json", "--set", "house"))
    (plain,) = lines(hupai("read", SAMPLE_PHOTO, "--json", "--set", "none"))
    assert reading["assumed"]["set"] == "house"
    assert "set" not in {**named["assumed"], **plain["assumed"]}
    assert reading["hand"] == named["hand"] == plain["hand"]
    assert reading["warnings"] == plain["warnings"]
    assert hupai("teach", "--use", "none").exit_code == 0
    assert "set" not in lines(hupai("read", SAMPLE_PHOTO, "--json"))[0]["assumed"]
    assert hupai("teach", "--remove", "house").exit_code == 0
    assert store.names() == []


def test_a_set_taught_by_the_hand_it_shows(store: Store) -> None:
    (reading,) = lines(hupai("read", SAMPLE_PHOTO, "--json"))
    for _ in range(2):  # the same photo twice teaches nothing twice
        result = hupai("teach", SAMPLE_PHOTO, "--hand", reading["hand"], "--json")
        assert result.exit_code == 0, result.stderr
        assert "has taught" not in result.stderr
    other = hupai("teach", SAMPLE_PHOTO, "--hand", reading["hand"], "--name", "other")
    assert f"{SAMPLE_PHOTO} has taught the set 'mine' before" in other.stderr
    taught = [TILES[tile] for tile in store.load("mine").tiles]
    assert sorted(taught) == sorted(tile["tile"] for tile in reading["tiles"] if tile["tile"] in TILES)


def test_every_face_once_in_any_order(every_face: Path, tmp_path: Path, store: Store) -> None:
    sheet = tmp_path / "sheet.png"
    dry = hupai("teach", every_face, "--json", "--dry-run", "--sheet", sheet)
    assert dry.exit_code == 0, dry.stderr
    assert store.names() == []
    assert Image.open(sheet).width > 500
    true = (every_face.parent / "layout.txt").read_text().split()
    (answer,) = lines(dry)
    assert len(answer["tiles"]) == len(true)
    sure = [(tile["tile"], true[tile["id"]]) for tile in answer["tiles"] if tile["sure"]]
    assert len(sure) > 30
    assert all(got == wanted for got, wanted in sure)
    asked = [f"{tile['id']}={true[tile['id']]}" for tile in answer["tiles"] if not tile["sure"]]
    asked = asked or [f"0={true[0]}"]
    result = hupai("teach", every_face, *(word for text in asked for word in ("--correct", text)))
    assert result.exit_code == 0, result.stderr
    assert sorted(store.load("mine").tiles) == list(range(len(TILES)))
    assert "has 42 tiles and is in use" in result.stdout
    layout = hupai("teach", every_face, "--layout", every_face.parent / "layout.txt", "--name", "said")
    assert layout.exit_code == 0, layout.stderr
    assert (store.load("said").tiles == [TILES.index(name) for name in true]).all()


def test_a_set_of_another_namer_is_made_again_from_its_crops(store: Store) -> None:
    from dataclasses import replace

    hupai("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH)
    kept = store.load("mine")
    store.save(replace(kept, namer="0" * 64))
    namer = taught_namer("mine")
    again = store.load("mine")
    assert again.namer == kept.namer
    assert np.abs(again.looks.logits - kept.looks.logits).max() < 1e-3
    assert isinstance(namer, TaughtNamer)


def test_a_set_that_is_taught_wrongly_is_warned_of(store: Store, tmp_path: Path) -> None:
    truth = json.loads(SAMPLE_TRUTH.read_text())
    names = [tile["tile"] for tile in truth["tiles"]]
    for tile, name in zip(truth["tiles"], names[1:] + names[:1], strict=True):
        tile["tile"] = name
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(truth))
    result = hupai("teach", SAMPLE_PHOTO, "--truth", wrong)
    assert result.exit_code == 0
    assert "looks like" in result.stderr
    (reading,) = lines(hupai("read", SAMPLE_PHOTO, "--json"))
    assert any("overrules" in warning for warning in reading["warnings"])


def test_a_broken_set_in_use_stops_nobody(store: Store) -> None:
    store.folder.mkdir(parents=True)
    (store.folder / "mine.npz").write_bytes(b"PK nothing")
    store.use("mine")
    result = hupai("read", SAMPLE_PHOTO, "--json")
    assert result.exit_code == 0
    assert "mine.npz" in result.stderr
    assert "set" not in lines(result)[0]["assumed"]
    asked = hupai("read", SAMPLE_PHOTO, "--json", "--set", "mine")
    assert (asked.exit_code, asked.stdout) == (1, "")
    assert hupai("teach", "--list").exit_code == 0
    assert hupai("teach", "--remove", "mine").exit_code == 0


def test_what_cannot_be_taught(store: Store, tmp_path: Path) -> None:
    plain = tmp_path / "plain.png"
    Image.fromarray(np.full((480, 640, 3), 90, np.uint8)).save(plain)
    bad = [
        ("teach", plain), ("teach", tmp_path / "absent.jpg"), ("teach", SAMPLE_PHOTO),
        ("teach", SAMPLE_PHOTO, SAMPLE_PHOTO), ("teach", SAMPLE_PHOTO, "--truth", tmp_path / "absent.json"),
        ("teach", SAMPLE_PHOTO, "--layout", tmp_path / "absent.txt"),
        ("teach", SAMPLE_PHOTO, "--layout", plain),
        ("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH, "--name", "../x"),
        ("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH, "--correct", "999=1m"),
        ("teach", "--use", "absent"), ("teach", "--remove", "absent"),
        ("read", SAMPLE_PHOTO, "--set", "absent"),
    ]  # fmt: skip
    for arguments in bad:
        result = hupai(*arguments)
        assert result.exit_code == 1, arguments
        assert result.stderr.startswith("hupai: "), arguments
        assert len(result.stderr.splitlines()) == 1
    assert store.names() == []


def test_wrong_usage(tmp_path: Path) -> None:
    bad = [
        ("teach",), ("teach", "a.jpg", "--list"), ("teach", "--list", "--use", "none"),
        ("teach", "a.jpg", "--hand", "123m", "--truth", "a.json"),
        ("teach", "a.jpg", "b.jpg", "--hand", "123m"), ("teach", "a.jpg", "--correct", "3s"),
    ]  # fmt: skip
    for arguments in bad:
        assert hupai(*arguments).exit_code == 2, arguments


def test_a_reader_takes_a_taught_set_or_a_namer() -> None:
    with pytest.raises(VisionError):
        Reader(taught="absent")
    hupai("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH)
    assert Reader(taught="mine").read(SAMPLE_PHOTO).status == ("complete",)
    with pytest.raises(ValueError, match="not both"):
        Reader(taught="mine", namer=taught_namer("mine"))
