"""The overlay: all that was read is on the picture, at any size, with or without a Chinese font."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import vision.draw
from vision.draw import LONG_SIDE, draw_overlay
from vision.elements import Group, Reading, Tile

SCORE = {
    "hand": "123m|EE0000|0", "rules": "mcr", "edition": "2025", "total": 24, "minimum": 8, "wins": True,
    "legal": True, "verdict": "a legal win",
    "fans": [{"name": "清一色", "english": "Full Flush", "points": 24, "count": 1, "tiles": []}],
    "excluded": [{"name": "无字", "by": "清一色", "rule": "it follows " * 30}],
    "settlement": {"winner": 48, "others": [-32, -8, -8]}, "problems": [],
}  # fmt: skip


def square(number: int, name: str, x: float, y: float, side: float, confidence: float = 0.99) -> Tile:
    return Tile(number, name, confidence, ((x, y), (x + side, y), (x + side, y + side), (x, y + side)))


def reading(width: int, height: int) -> Reading:
    side = width / 10
    tiles = tuple(
        square(i, name, side * (1 + 2 * i), height / 2, side) for i, name in enumerate(["1m", "E", "?", "B"])
    )
    groups = (Group("concealed", (0, 1)), Group("winning", (2,)), Group("other", (3,)))
    return Reading(
        "a.jpg", (width, height), tiles, groups, "1mE", ("complete",), {"seat": "E"}, SCORE, ("It is dim.",)
    )


@pytest.fixture(params=["with a Chinese font", "without"])
def fonts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without":
        monkeypatch.setattr(vision.draw, "_CJK_FONTS", ())
    vision.draw._cjk_font.cache_clear()
    vision.draw._font.cache_clear()


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize(("width", "height"), [(640, 640), (4032, 3024), (3024, 4032), (400, 60), (60, 400)])
def test_photo_and_panel_in_a_readable_size(width: int, height: int) -> None:
    photo = np.full((height, width, 3), (10, 120, 60), np.uint8)
    picture = draw_overlay(photo, reading(width, height))
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    scale = np.clip(1.0, LONG_SIDE[0] / max(width, height), LONG_SIDE[1] / max(width, height))
    shown_height, shown_width = round(height * scale), round(width * scale)
    if width >= height:
        assert picture.shape[1] == shown_width
        panel = picture[shown_height:]
    else:
        assert picture.shape[0] >= shown_height
        panel = picture[:, shown_width:]
    assert panel.size
    assert panel.min() < 60 < 230 < panel.max()  # dark words on light paper


def test_each_tile_is_boxed_in_its_groups_colour() -> None:
    photo = np.zeros((1400, 1400, 3), np.uint8)
    read = reading(1400, 1400)
    picture = draw_overlay(photo, read)
    for tile, kind in zip(read.tiles, ["concealed", "concealed", "winning", "other"], strict=True):
        x, y = (int(value) for value in tile.quad[2])
        around = picture[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3).astype(int)
        assert np.abs(around - vision.draw._COLOURS[kind]).sum(axis=1).min() < 30


def test_the_photo_given_stays_as_it_was() -> None:
    photo = np.zeros((1400, 1400, 3), np.uint8)
    draw_overlay(photo, reading(1400, 1400))
    assert not photo.any()


def test_doubtful_names_are_marked() -> None:
    photo = np.zeros((1400, 1400, 3), np.uint8)
    sure = replace(reading(1400, 1400), tiles=(square(0, "1m", 200, 700, 140),), groups=())
    doubtful = replace(sure, tiles=(replace(sure.tiles[0], confidence=0.4),))
    yellow = [
        (np.abs(draw_overlay(photo, read)[:1400].astype(int) - (255, 221, 51)).sum(axis=2) < 30).sum()
        for read in (sure, doubtful)
    ]
    assert yellow[0] < 20 < yellow[1]


def test_a_reading_without_a_score_or_a_group() -> None:
    bare = replace(reading(640, 480), score=None, groups=(), hand=None, status=("not-a-hand",), assumed={})
    assert draw_overlay(np.zeros((480, 640, 3), np.uint8), bare).shape[1] == LONG_SIDE[0]


def test_tiles_at_and_beyond_the_border() -> None:
    read = replace(
        reading(640, 480), tiles=(square(0, "1m", -20, -20, 40), square(1, "2m", 630, 470, 40)), groups=()
    )
    assert draw_overlay(np.zeros((480, 640, 3), np.uint8), read).size
