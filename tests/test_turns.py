"""A hand is read the same however its photo is turned."""

from __future__ import annotations

import numpy as np
import pytest
from layout_scene import Table

from models.registry import SAMPLE_PHOTO
from vision.elements import Reading
from vision.photo import load_photo
from vision.reader import Reader
from vision.turns import quarter_turns, turn, turn_back

TURNS = [0, 1, 2, 3]


def hand() -> Table:
    table = Table()
    table.row("123m456p789s11EE", 300, 600)
    table.row("CCCab", 300, 440, scale=0.9)
    return table


@pytest.fixture(scope="module")
def readings() -> list[Reading]:
    """The shipped, rendered sample, turned clockwise by each number of quarter turns."""
    pixels, reader = load_photo(SAMPLE_PHOTO).pixels, Reader()
    return [reader.read(turn(pixels, quarter)) for quarter in TURNS]


@pytest.mark.parametrize("rolled", TURNS)
@pytest.mark.parametrize("first", [0, 3])
def test_how_far_to_turn_is_seen_from_the_tiles(rolled: int, first: int) -> None:
    """A quarter turn one way needs one the other way."""
    clockwise = quarter_turns(*hand().stages(roll=-90.0 * rolled, first=first))
    counter = quarter_turns(*hand().stages(roll=90.0 * rolled, first=first))
    assert {clockwise, counter} == {rolled, -rolled % 4}


def test_a_photo_without_tiles_is_not_turned() -> None:
    assert quarter_turns(*Table().stages()) == 0


@pytest.mark.parametrize("quarter", TURNS)
def test_points_turn_back_to_where_they_are_in_the_picture(quarter: int) -> None:
    pixels = np.zeros((30, 50, 3), np.uint8)
    pixels[7, 21] = 255  # its middle is (21.5, 7.5)
    ((y, x),) = np.argwhere(turn(pixels, quarter)[..., 0])
    back = turn_back(np.array([[x + 0.5, y + 0.5]], np.float32), quarter, (50, 30))
    assert back.tolist() == [[21.5, 7.5]]


@pytest.mark.parametrize("quarter", TURNS[1:])
def test_a_turned_photo_gives_the_same_reading(readings: list[Reading], quarter: int) -> None:
    upright, turned = readings[0], readings[quarter]
    assert turned.size == (upright.size if quarter == 2 else upright.size[::-1])
    assert turned.groups == upright.groups
    for before, after in zip(upright.tiles, turned.tiles, strict=True):
        back = turn_back(np.array(after.quad, np.float32), quarter, upright.size)
        assert (after.tile, after.confidence) == (before.tile, before.confidence)
        assert np.allclose(back, before.quad, atol=0.1)
