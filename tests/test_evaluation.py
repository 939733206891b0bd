"""Evaluation: truth files are read strictly, and each figure counts what its name says."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.evaluation import (
    PhotoResult,
    boxes,
    compare,
    evaluate,
    failed,
    figures,
    figures_by_group,
    match,
    to_csv,
)
from models.truth import Truth, TruthError, load_truth, load_truths
from vision.elements import Group, Layout, Reading, Tile

NAMES = ["1m", "2m", "3m", "E", "E", "a"]


def tile(number: int, name: str, shift: float = 0.0) -> Tile:
    """A tile of 30 × 40 pixels in a row, moved sideways by `shift`."""
    x, y = 30.0 * number + shift, 100.0
    return Tile(number, name, 0.99, ((x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40)))


def truth_data(**changes: Any) -> dict[str, Any]:
    data = {
        "photo": "photos/a.jpg",
        "sha256": hashlib.sha256(b"a").hexdigest(),
        "size": [640, 480],
        "series": "desk",
        "tiles": [
            {"id": i, "tile": name, "box": [30 * i, 100, 30 * i + 30, 140]} for i, name in enumerate(NAMES)
        ],
        "groups": [
            {"kind": "chow", "tiles": [0, 1, 2]},
            {"kind": "concealed", "tiles": [3, 4]},
            {"kind": "flowers", "tiles": [5]},
        ],
        "hand": "partial",
        "quality": "clear",
        "unlabelled": "",
        "notes": "",
    }
    return data | changes


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data))
    return path


@pytest.fixture
def truth(tmp_path: Path) -> Truth:
    return load_truth(write(tmp_path / "a.json", truth_data()))


def reading(names: list[str] = NAMES, shift: float = 0.0, groups: tuple[Group, ...] | None = None) -> Reading:
    usual = (Group("flowers", (5,)), Group("concealed", (4, 3)), Group("chow", (0, 1, 2)))
    tiles = tuple(tile(i, name, shift) for i, name in enumerate(names))
    return Reading("a.jpg", (640, 480), tiles, usual if groups is None else groups, None, ("not-a-hand",))


def test_a_faultless_reading(truth: Truth) -> None:
    result = compare(reading(), truth, None)
    assert (result.tiles, result.predicted, result.found, result.named) == (6, 6, 6, 6)
    assert (result.hand_right, result.layout_right, result.score_right) == (True, True, None)
    assert (result.mistakes, result.error) == ("", "")


def test_a_misnamed_tile(truth: Truth) -> None:
    result = compare(reading(["1m", "2m", "3m", "E", "S", "a"]), truth, None)
    assert (result.found, result.named) == (6, 5)
    assert (result.hand_right, result.layout_right) == (False, False)
    assert result.mistakes == "E>S"


def test_a_moved_reading_counts_as_found_down_to_half_overlap(truth: Truth) -> None:
    # Two boxes 30 wide, moved by d, overlap (30 - d) / (30 + d): 0.5 at d = 10.
    assert compare(reading(shift=9.5), truth, None).found == 6
    result = compare(reading(shift=10.5), truth, None)
    assert result.found == 0
    assert result.mistakes.split() == [f"-{name}" for name in NAMES] + [f"+{name}" for name in NAMES]


def test_tiles_beyond_the_labelled_ones(tmp_path: Path, truth: Truth) -> None:
    extra = replace(reading(), tiles=(*reading().tiles, tile(9, "9s")))
    assert compare(extra, truth, None).predicted == 7
    assert compare(extra, truth, None).mistakes == "+9s"
    open_truth = load_truth(write(tmp_path / "b.json", truth_data(unlabelled="a heap behind")))
    assert compare(extra, open_truth, None).predicted == 6
    assert compare(extra, open_truth, None).mistakes == ""


def test_the_right_hand_in_other_groups(truth: Truth) -> None:
    groups = (Group("concealed", (0, 1, 2, 3, 4)), Group("flowers", (5,)))
    result = compare(reading(groups=groups), truth, None)
    assert (result.hand_right, result.layout_right) == (True, False)


def test_a_hand_tile_set_aside(truth: Truth) -> None:
    groups = (Group("chow", (0, 1, 2)), Group("concealed", (3, 4)), Group("other", (5,)))
    assert not compare(reading(groups=groups), truth, None).hand_right


def test_scores_are_compared_by_total(truth: Truth) -> None:
    scored = replace(reading(), score={"total": 24})
    assert compare(scored, truth, {"total": 24}).score_right is True
    assert compare(scored, truth, {"total": 25}).score_right is False
    assert compare(reading(), truth, {"total": 24}).score_right is False


def test_a_box_matches_once_and_the_best_first() -> None:
    true = boxes([tile(0, "E")])
    near = boxes([tile(0, "E", 5.0), tile(0, "E", 1.0)])
    assert match(near, true) == [(1, 0)]
    assert match(np.zeros((0, 4), np.float32), true) == []


def test_a_photo_without_tiles_in_reading_and_truth(tmp_path: Path) -> None:
    empty = load_truth(write(tmp_path / "a.json", truth_data(tiles=[], groups=[])))
    result = compare(Reading("a.jpg", (640, 480), (), (), None, ()), empty, None)
    assert (result.tiles, result.found, result.hand_right) == (0, 0, True)
    assert figures([result]).recall is None


def result(**changes: Any) -> PhotoResult:
    usual = PhotoResult("a.jpg", "desk", "clear", 10, 10, 10, 10, True, True, None, "", "")
    return replace(usual, **changes)


def test_figures_are_shares_of_tiles_and_of_photos() -> None:
    over = figures(
        [
            result(),
            result(tiles=30, predicted=20, found=15, named=12, hand_right=False, layout_right=False),
        ]
    )
    assert over.photos == 2
    assert over.recall == pytest.approx(25 / 40)
    assert over.precision == pytest.approx(25 / 30)
    assert over.named_of_found == pytest.approx(22 / 25)
    assert over.found_and_named == pytest.approx(22 / 40)
    assert (over.hands_right, over.layouts_right, over.scores_right) == (0.5, 0.5, None)


def test_scores_right_counts_only_photos_that_have_a_score() -> None:
    assert figures([result(), result(score_right=True), result(score_right=False)]).scores_right == 0.5


def test_groups_of_figures() -> None:
    grouped = figures_by_group(
        [
            result(),
            result(series="stream-green", named=5),
            result(series="stream-brown", quality="hard"),
        ]
    )
    assert {key: f.photos for key, f in grouped["source"].items()} == {"phone": 1, "stream": 2}
    assert set(grouped["series"]) == {"desk", "stream-green", "stream-brown"}
    assert {key: f.photos for key, f in grouped["quality"].items()} == {"clear": 2, "hard": 1}
    assert grouped["source"]["stream"].found_and_named == 0.75
    assert grouped["all"]["all"].photos == 3


def test_csv_holds_what_the_figures_need() -> None:
    bad = result(photo="b.jpg", mistakes="E>S -a", error='ValueError: no, "x"')
    results = [result(score_right=True), bad]
    rows = list(csv.DictReader(io.StringIO(to_csv(results))))
    assert [row["photo"] for row in rows] == ["a.jpg", "b.jpg"]
    assert rows[0]["hand_right"] == "1"
    assert [row["score_right"] for row in rows] == ["1", ""]
    assert rows[1]["error"] == 'ValueError: no, "x"'


def test_texts_of_truth_files_begin_no_formula() -> None:
    foreign = result(photo="=cmd()", series=" +1", quality="@x", error="-1", mistakes="-5p +5p")
    (row,) = csv.DictReader(io.StringIO(to_csv([foreign])))
    assert [row[key] for key in ("photo", "series", "quality", "error")] == ["'=cmd()", "' +1", "'@x", "'-1"]
    assert row["mistakes"] == "-5p +5p"


def run(truth: Truth, photos: Path, read: Any, score: dict[str, Any] | None = None) -> PhotoResult:
    (only,) = evaluate([truth], photos, read, lambda _: score)
    return only


def test_photos_are_found_by_path_or_by_name(truth: Truth, tmp_path: Path) -> None:
    for folder in (tmp_path / "one" / "photos", tmp_path / "two"):
        folder.mkdir(parents=True)
        (folder / "a.jpg").write_bytes(b"a")
    for photos in (tmp_path / "one", tmp_path / "one" / "photos", tmp_path / "two"):
        assert run(truth, photos, lambda _: reading()).named == 6


def test_a_crash_is_a_result(truth: Truth, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"a")

    def crash(_: Path) -> Reading:
        raise ZeroDivisionError("deep inside")

    crashed = run(truth, tmp_path, crash, {"total": 8})
    assert (crashed.tiles, crashed.found, crashed.hand_right, crashed.score_right) == (6, 0, False, False)
    assert crashed.error == "ZeroDivisionError: deep inside"


def test_a_missing_or_other_photo_is_named(truth: Truth, tmp_path: Path) -> None:
    assert "no photos/a.jpg" in run(truth, tmp_path, lambda _: reading()).error
    (tmp_path / "a.jpg").write_bytes(b"b")
    assert "not the photo that was labelled" in run(truth, tmp_path, lambda _: reading()).error


def test_the_score_asked_for_is_that_of_the_true_layout(truth: Truth, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"a")
    asked: list[Layout] = []
    list(evaluate([truth], tmp_path, lambda _: reading(), asked.append))
    assert [t.tile for t in asked[0].tiles] == NAMES
    assert asked[0].groups == truth.groups


def test_all_wrong_is_zero_everywhere(truth: Truth) -> None:
    over = figures([failed(truth, None, "lost")])
    assert (over.recall, over.precision, over.named_of_found) == (0.0, None, None)
    assert (over.found_and_named, over.hands_right) == (0.0, 0.0)


@pytest.mark.parametrize(("changes", "reason"), [
    ({"tiles": [{"id": 0, "tile": "0m", "box": [0, 0, 1, 1]}]}, "no tile is named '0m'"),
    ({"tiles": [{"id": 0, "tile": "1m", "box": [0, 0, 1]}]}, "not in the format"),
    ({"tiles": [{"id": 0, "tile": "1m"}]}, "box"),
    ({"tiles": [{"id": 0, "tile": "1m", "box": [0, 0, 1, 1]}] * 2}, "same id"),
    ({"groups": [{"kind": "meld", "tiles": []}]}, "no group is of kind 'meld'"),
    ({"groups": [{"kind": "chow", "tiles": [7]}]}, "not listed"),
    ({"groups": None}, "not in the format"),
])  # fmt: skip
def test_bad_truth_files_are_refused(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with pytest.raises(TruthError, match=reason):
        load_truth(write(tmp_path / "a.json", truth_data(**changes)))


def test_truth_folders(tmp_path: Path) -> None:
    with pytest.raises(TruthError, match="not a folder"):
        load_truths(tmp_path / "absent")
    with pytest.raises(TruthError, match="no truth file"):
        load_truths(tmp_path)
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "b.json", truth_data())
    write(tmp_path / "a.json", truth_data())
    assert len(load_truths(tmp_path)) == 2
    (tmp_path / "c.json").write_text("{")
    with pytest.raises(TruthError, match=r"c\.json cannot be read"):
        load_truths(tmp_path)


def test_quads_are_read_as_their_upright_boxes(tmp_path: Path) -> None:
    quad = [[10, 0], [20, 10], [10, 20], [0, 10]]
    data = truth_data(tiles=[{"id": 0, "tile": "1m", "quad": quad}], groups=[])
    assert boxes(load_truth(write(tmp_path / "a.json", data)).tiles).tolist() == [[0, 0, 20, 20]]
