"""Small tiles are looked at again, at their part of the photo alone."""

from __future__ import annotations

import numpy as np
import pytest
from fake_models import FakeLocator, FakeNamer
from layout_scene import Table

from vision.closer import SMALL, View, closer, tile_width, with_part
from vision.codecs import Pixels
from vision.elements import Located
from vision.reader import Reader

SIDE = 640
"""Of the locator's input."""
HAND = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "E", "C", "C"]


def scene(scale: float) -> Table:
    table = Table()
    table.row(HAND, 3000, 3000, scale=scale)
    return table


def test_large_tiles_are_not_looked_at_again() -> None:
    located, named = scene(1.0).stages()
    longest = int(tile_width(located.quads) * SIDE / SMALL)
    assert closer(located, named, (longest - 20, 1000)) is None
    assert closer(located, named, (3 * longest, 2 * longest)) is not None


def test_the_part_holds_the_tiles_and_what_may_have_been_missed_around_them() -> None:
    located, named = scene(1.0).stages()
    window = closer(located, named, (8000, 6000))
    assert window is not None
    middles = located.quads.mean(axis=1)
    assert window.holds(middles).all()
    row = np.array([0.0, 240.0], np.float32)
    assert window.holds(middles + row).all()
    assert window.holds(middles - row).all()
    assert not window.holds(middles + 4 * row).any()
    assert max(window.size) < 2000


def test_a_leaning_row_is_looked_at_along_itself() -> None:
    located, named = scene(1.0).stages(roll=15)
    window = closer(located, named, (3000, 3000))
    assert window is not None
    assert abs(window.lean) == pytest.approx(15, abs=1)
    seen, back = window.of(np.zeros((3000, 3000, 3), np.uint8))
    there = (located.quads - back[:, 2]) @ np.linalg.inv(back[:, :2]).T  # the tiles in the view
    assert there.min() > 0
    assert (there.max(axis=(0, 1)) < (seen.shape[1], seen.shape[0])).all()
    assert np.ptp(there.mean(axis=1)[:, 1]) < 1  # side by side
    assert closer(*scene(1.0).stages(roll=4), (1500, 1500)) is None


def test_tiles_that_fill_the_photo_cannot_be_seen_closer() -> None:
    table = Table()
    for place in range(60):
        table.row(HAND[:4], place * 60 * 4, 1000)
    located, named = table.stages()
    assert closer(located, named, (60 * 60 * 4, 3000)) is None


def test_finds_of_the_closer_look_take_the_place_of_the_first_ones() -> None:
    def found(*corners: tuple[float, float]) -> Located:
        quads = np.array([[[x, y], [x + 8, y], [x + 8, y + 10], [x, y + 10]] for x, y in corners], np.float32)
        return Located(quads, np.zeros(len(quads), bool), np.full(len(quads), 0.9, np.float32))

    view = View((50.0, 50.0), (90, 90), 0.0)
    _, back = view.of(np.zeros((600, 600, 3), np.uint8))
    both = with_part(found((10, 10), (500, 500)), found((3, 4), (13, 4)), view, back)
    assert both.quads[:, 0].tolist() == [[8, 9], [18, 9], [500, 500]]
    assert len(both.backs) == len(both.scores) == 3


class SharpEyed(FakeLocator):
    """Finds the hand's first tiles in a whole photo, all of them in a part of it."""

    def locate(self, pixels: Pixels) -> Located:
        located = super().locate(pixels)
        if pixels.shape[1] == 4000:
            few = slice(0, 10)
            return Located(located.quads[few] + 1500, located.backs[few], located.scores[few])
        middle = np.array([pixels.shape[1], pixels.shape[0]], np.float32) / 2
        return Located(
            located.quads - located.quads.mean(axis=(0, 1)) + middle, located.backs, located.scores
        )


class Forgiving(FakeNamer):
    """Names as many tiles as were found."""

    def name(self, pixels, quads):  # type: ignore[no-untyped-def]
        self._names = HAND[: len(quads)]
        return super().name(pixels, quads)


def test_a_reader_finds_small_tiles_by_looking_closer() -> None:
    locator = SharpEyed(HAND)
    reading = Reader(locator=locator, namer=Forgiving(locator)).read(np.full((3000, 4000, 3), 80, np.uint8))
    assert [tile.tile for tile in reading.tiles] == HAND
    assert "closer" in reading.seconds
