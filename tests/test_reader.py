"""The reader: five steps in a row, each timed, and everything the contract asks for in the reading."""

from __future__ import annotations

import json
from functools import partial

import cv2
import numpy as np
import pytest
from fake_models import FakeLocator, FakeNamer

import scoring
from models.registry import SAMPLE_PHOTO
from vision.circumstances import Circumstances
from vision.codecs import Pixels
from vision.elements import FloatArray, Named, Reading
from vision.errors import NoTilesError
from vision.reader import Reader

PHOTO = np.full((480, 640, 3), 80, np.uint8)
FLUSH = ["1m", "1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "7m", "8m", "9m", "9m", "9m"]


def reader(*rows: list[str], **options: str) -> Reader:
    locator = FakeLocator(*rows)
    return Reader(partial(scoring.score, **options), locator, FakeNamer(locator))


def test_a_hand_is_read_and_scored() -> None:
    reading = reader(FLUSH).read(PHOTO, name="hand.jpg")
    assert reading.photo == "hand.jpg"
    assert reading.size == (640, 480)
    assert [tile.tile for tile in reading.tiles] == FLUSH
    assert reading.status == ("complete",)
    assert reading.score is not None
    assert reading.score["wins"]
    assert scoring.score(reading.hand or "").total == reading.score["total"]


def test_the_json_is_the_contracts_and_round_trips() -> None:
    data = reader(FLUSH).read(PHOTO, name="hand.jpg").to_dict()
    assert set(data) == {
        "photo", "size", "tiles", "groups", "hand", "status", "assumed", "score", "warnings", "seconds",
    }  # fmt: skip
    again = json.loads(json.dumps(data))
    assert Reading.from_dict(again).to_dict() == again


def test_every_step_is_timed() -> None:
    seconds = reader(FLUSH).read(PHOTO).seconds
    assert list(seconds) == ["decode", "detect", "name", "layout", "score"]
    assert all(value >= 0 for value in seconds.values())


def test_what_is_not_said_is_assumed_and_listed() -> None:
    reading = reader(FLUSH).read(PHOTO)
    assert reading.assumed["seat"] == "E"
    assert reading.assumed["round"] == "E"
    assert reading.assumed["self_drawn"] is False
    assert reading.assumed["winning"] in FLUSH
    assert reading.score is not None
    assert max(reading.score["by_winning_tile"].values()) == reading.score["total"]


def test_what_is_said_is_used_and_not_assumed() -> None:
    said = Circumstances(seat="S", round="W", winning="4m", self_drawn=True)
    reading = reader(FLUSH).read(PHOTO, said)
    assert reading.assumed == {}
    assert reading.hand is not None
    assert reading.hand.split("|")[0].endswith("4m")
    assert reading.hand.split("|")[1] == "WS1000"
    assert reading.score is not None
    assert "by_winning_tile" not in reading.score


def test_the_table_scores_as_it_was_told_to() -> None:
    kongs = (["2p", "2p", "5s", "6s", "7s", "3m", "4m", "5m"], ["C", "C", "C", "C"], ["B", "9s", "9s", "B"])
    totals = {
        edition: (reader(*kongs, edition=edition).read(PHOTO).score or {}).get("total")
        for edition in ("2025", "1998")
    }
    assert None not in totals.values()
    assert totals["2025"] != totals["1998"]


def test_a_hand_one_tile_short_is_a_reading_without_a_win() -> None:
    reading = reader(FLUSH[:-1]).read(PHOTO)
    assert "too-few" in reading.status
    assert reading.score is None or not reading.score["wins"]


def test_no_tile_is_an_error() -> None:
    with pytest.raises(NoTilesError, match=r"hand\.jpg shows no tile"):
        reader([]).read(PHOTO, name="hand.jpg")


def test_the_score_of_a_layout_is_that_of_its_reading() -> None:
    from vision.elements import Layout

    flush = reader(FLUSH)
    reading = flush.read(PHOTO)
    assert flush.score_layout(Layout(reading.tiles, reading.groups, reading.status)) == reading.score
    short = reader(FLUSH[:-1]).read(PHOTO)
    assert flush.score_layout(Layout(short.tiles, short.groups, short.status)) is None


def test_a_hand_whose_tiles_are_all_a_little_unclear_is_a_hand() -> None:
    locator = FakeLocator(FLUSH)
    unclear = Reader(scoring.score, locator, FakeNamer(locator, belief=0.972)).read(PHOTO)
    assert unclear.status == reader(FLUSH).read(PHOTO).status
    assert len(unclear.tiles) == len(FLUSH)


@pytest.mark.parametrize("bad", [{"seat": "X"}, {"round": "e"}, {"winning": "a"}, {"winning": "10m"}])
def test_circumstances_that_cannot_be(bad: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="say"):
        Circumstances(**bad)  # type: ignore[arg-type]


def test_at_a_table_where_honours_are_flowers_they_are_laid_with_them() -> None:
    rows = (
        ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "2s", "2s", "3p", "3p", "3p"],
        ["a", "E", "C"],
    )
    locator = FakeLocator(*rows)
    table = Reader(partial(scoring.score, rules="fuzhou"), locator, FakeNamer(locator))
    reading = table.read(PHOTO, Circumstances(honours_are_flowers=True))
    assert (reading.hand or "").endswith("|aEC")
    assert reading.score is not None
    assert reading.score["wins"]


class SeenBy(FakeNamer):
    """Keeps the size of what it looked at."""

    sizes: tuple[tuple[int, ...], ...] = ()

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        self.sizes = (*self.sizes, pixels.shape[1::-1])
        self.widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
        return super().name(pixels, quads)


@pytest.mark.parametrize(
    ("enlarged", "looked_at"), [(3, (1300, 1000)), (2, (2600, 2000))], ids=["large tiles", "small tiles"]
)
def test_a_large_photo_is_read_at_half_size_where_its_tiles_are_large(
    enlarged: int, looked_at: tuple[int, int]
) -> None:
    """Wherever it looks, the reading is in pixels of the photo."""
    locator = FakeLocator(FLUSH)
    locator.quads = locator.quads * enlarged - 60 * (enlarged - 1)
    namer = SeenBy(locator)
    photo = cv2.imencode(".jpg", np.full((2000, 2600, 3), 80, np.uint8))[1].tobytes()
    reading = Reader(scoring.score, locator, namer).read(photo)
    assert namer.sizes == (looked_at,)
    assert namer.widths == pytest.approx(30 * enlarged * looked_at[0] / 1300)
    assert reading.size == (2600, 2000)
    assert [tile.tile for tile in reading.tiles] == FLUSH
    corners = np.array([tile.quad for tile in reading.tiles])
    assert corners.mean(axis=1) == pytest.approx(2 * locator.quads.mean(axis=1))


def test_a_damaged_photo_is_read_with_a_warning() -> None:
    """The rendered sample, 64 bytes of it gone."""
    data = SAMPLE_PHOTO.read_bytes()
    middle = len(data) // 2
    first, *rest = reader(FLUSH).read(data[:middle] + data[middle + 64 :]).warnings
    assert "damaged" in first
    assert rest == [*reader(FLUSH).read(data).warnings]
