"""A hand is read the same however its photo is turned."""

from __future__ import annotations

import numpy as np
import pytest
from fake_models import FakeLocator, FakeNamer
from layout_scene import Table

from models.registry import SAMPLE_PHOTO
from vision.codecs import Pixels
from vision.elements import FloatArray, Named, Reading
from vision.photo import load_photo
from vision.reader import Reader
from vision.turns import quarter_odds, settled, turn, turn_back, unsettled

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


def looks_worth_it(table: Table, roll: float = 0.0, first: int = 0) -> list[int]:
    return unsettled(quarter_odds(*table.stages(roll, first)))


@pytest.mark.parametrize("rolled", TURNS)
@pytest.mark.parametrize("first", [0, 3])
def test_how_far_to_turn_is_seen_from_the_tiles(rolled: int, first: int) -> None:
    """A quarter turn one way needs one the other way."""
    ways = [looks_worth_it(hand(), roll, first) for roll in (-90.0 * rolled, 90.0 * rolled)]
    assert sorted(ways) == sorted([[rolled], [-rolled % 4]])


@pytest.mark.parametrize("rolled", TURNS)
def test_faces_that_look_the_same_upside_down_are_looked_at_both_ways(rolled: int) -> None:
    table = hand()
    table.turns = [np.array([0.48, 0.02, 0.48, 0.02]) for _ in table.turns]
    assert sorted(looks_worth_it(table, 90.0 * rolled)) == ([1, 3] if rolled % 2 else [0, 2])


@pytest.mark.parametrize(
    ("odds", "ways"),
    [
        ([0, -9, -4, -9], [0]),
        ([-9, -4, -9, 0], [3]),
        ([0, -20, -1, -20], [0, 2]),
        ([-20, -1, -20, 0], [3, 1]),
        # A row that may as well run the other way.
        ([0, -9, -1, -20], [0, 1, 2, 3]),
        ([0, -20, -1, -9], [0, 1, 2, 3]),
        ([-1, -20, 0, -9], [2, 3, 0, 1]),
    ],
)
def test_which_ways_are_worth_a_look(odds: list[float], ways: list[int]) -> None:
    """The likeliest first, and each once."""
    assert unsettled(np.array(odds, np.float64)) == ways


def test_looks_count_by_their_sum() -> None:
    """One sure look does not outweigh two that are half as sure and a little more."""
    looks = {0: np.array([5.0, 0, 0, 0]), 1: np.roll([0.0, 0, 3, 0], -1), 2: np.roll([0.0, 0, 3, 0], -2)}
    assert settled(looks) == 2


def test_where_neither_row_nor_faces_tell_all_ways_are_looked_at() -> None:
    table = Table()
    for place in range(4):
        table.tile("5p", 300 + 200 * place, 300 + 170 * place)
    table.turns = [np.full(4, 0.25) for _ in table.turns]
    assert sorted(looks_worth_it(table)) == TURNS


def test_a_photo_without_tiles_is_looked_at_all_ways_and_left_as_it_is() -> None:
    nothing = quarter_odds(*Table().stages())
    assert not nothing.any()
    assert sorted(unsettled(nothing)) == TURNS
    assert settled(dict.fromkeys(unsettled(nothing), nothing)) == 0


@pytest.mark.parametrize("taken", TURNS)
def test_looks_that_disagree_are_settled_alike_however_the_photo_was_taken(taken: int) -> None:
    """Of four looks at one hand, two say that it stands upright, one the other way and one neither."""
    seen = [[9.0, 0, 6, 0], [2.0, 0, 8, 0], [7.0, 0, 3, 0], [5.0, 0, 5, 0]]
    # Of a photo taken turned by `taken`, turning by `quarter` shows what it shows upright turned by both.
    looks = {q: np.roll(seen[(q + taken) % 4], -(q + taken)) for q in TURNS}
    assert settled(looks) == -taken % 4


class Doubtful(FakeNamer):
    """Sees whether a picture of black, with one white corner, is upside down only where it is not."""

    def __init__(self, locator: FakeLocator) -> None:
        super().__init__(locator)
        self.seen: list[int] = []

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        height, width = pixels.shape[0] - 1, pixels.shape[1] - 1
        corners = [(0, 0), (0, width), (height, width), (height, 0)]
        (quarter,) = (k for k, corner in enumerate(corners) if pixels[corner][0] > 0)
        self.seen.append(quarter)
        named = super().name(pixels, quads)
        turns = np.array([0.55, 0.01, 0.43, 0.01] if quarter == 0 else [0.49, 0.01, 0.49, 0.01])
        return Named(named.faces, np.tile(turns.astype(np.float32), (len(quads), 1)))


@pytest.mark.parametrize("taken", [0, 2])
def test_a_doubtful_photo_is_read_the_way_that_all_looks_speak_for(taken: int) -> None:
    pixels = np.zeros((300, 700, 3), np.uint8)
    pixels[0, 0] = 255
    locator = FakeLocator(["1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P"])
    namer = Doubtful(locator)
    reading = Reader(locator=locator, namer=namer).read(turn(pixels, taken))
    assert sorted(namer.seen) == [0, 2]
    assert reading.tiles[0].quad[0] == pytest.approx((40, 60) if taken == 0 else (660, 240), abs=3)


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
