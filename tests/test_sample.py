"""The shipped models on the shipped sample, through the command that a newcomer types."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import models.cli
from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH
from models.truth import load_truth


def hupai(*arguments: str | Path) -> Result:
    return CliRunner().invoke(models.cli.app, [str(argument) for argument in arguments])


def test_the_sample_is_read_right(tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.jpg"
    result = hupai("read", SAMPLE_PHOTO, "--json", "--overlay", overlay)
    assert result.exit_code == 0
    reading = json.loads(result.stdout)
    assert sorted(tile["tile"] for tile in reading["tiles"]) == sorted(
        tile.tile for tile in load_truth(SAMPLE_TRUTH).tiles
    )
    assert reading["status"] == ["complete"]
    assert reading["score"]["wins"]
    assert Image.open(overlay).width >= 1280


def test_a_turned_sample_is_the_same_hand(tmp_path: Path) -> None:
    hands = set()
    for turn in (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270):
        path = tmp_path / f"{turn.name}.png"
        Image.open(SAMPLE_PHOTO).transpose(turn).save(path)
        hands.add(json.loads(hupai("read", path, "--json").stdout)["hand"])
    assert hands == {json.loads(hupai("read", SAMPLE_PHOTO, "--json").stdout)["hand"]}


def test_the_sample_is_evaluated_as_all_right() -> None:
    result = hupai("evaluate", SAMPLE_TRUTH.parent, "--photos", SAMPLE_PHOTO.parent, "--json")
    assert result.exit_code == 0
    figures = json.loads(result.stdout)["all"]
    shares = ("recall", "precision", "found_and_named", "hands_right", "layouts_right", "scores_right")
    assert [figures[share] for share in shares] == [1.0] * len(shares)


def test_the_doctor_is_content() -> None:
    result = hupai("doctor")
    assert result.exit_code == 0, result.stdout
    assert "golden picture" in result.stdout


@pytest.mark.parametrize("value", [0, 128, 255])
def test_a_plain_surface_shows_no_tile(value: int, tmp_path: Path) -> None:
    path = tmp_path / "plain.png"
    Image.fromarray(np.full((1200, 1600, 3), value, np.uint8)).save(path)
    result = hupai("read", path, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"hupai: {path} shows no tile; photograph the hand from nearer, in good light.\n"


@pytest.mark.parametrize(("width", "height"), [(32, 32), (32, 4000), (4000, 32), (9000, 33)])
def test_photos_of_odd_shapes_do_not_crash(width: int, height: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(width)
    path = tmp_path / "odd.png"
    Image.fromarray(rng.integers(0, 255, (height, width, 3), np.uint8)).save(path)
    result = hupai("read", path, "--json")
    assert result.exit_code in {0, 1}
    assert result.exception is None or isinstance(result.exception, SystemExit)
