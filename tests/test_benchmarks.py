"""The benchmark of everything: it measures what is there, tells what is not, and its figures agree.

Times differ from machine to machine; tested is that they fit together. Pictures are the rendered sample.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH
from models.truth import load_truth
from vision.elements import Group, Reading, Tile

BENCHMARKS = Path(__file__).parent / "benchmarks"
ROOT = BENCHMARKS.parents[1]


def run(words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS), *words]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of the benchmarks, which find each other by their own folder."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def test_a_quick_run_tells_all_of_it(tmp_path: Path) -> None:
    photos, absent, written = tmp_path / "photos", tmp_path / "absent", tmp_path / "all.json"
    (photos / "truth").mkdir(parents=True)
    shutil.copy(SAMPLE_PHOTO, photos)
    shutil.copy(SAMPLE_TRUTH, photos / "truth")
    absent.mkdir()
    for package in ("mahjong_detector", "MahjongGB"):  # found before those that may be installed
        (absent / f"{package}.py").write_text(f"raise ImportError('there is no {package} here')\n")
    done = run(
        [
            "--quick",
            "--only",
            "photo,scoring",
            "--without",
            "yolo",
            "--photos",
            str(photos),
            "--json",
            str(written),
        ],
        PYTHONPATH=str(absent),
    )
    assert done.returncode == 0, done.stderr
    assert (
        "Not measured: mahjong-detector: there is no mahjong_detector here; needs pip install" in done.stdout
    )
    assert "Not measured: PyMahjongGB: there is no MahjongGB here; needs the extra `peers`." in done.stdout
    titles = [line for line in done.stdout.splitlines() if line.startswith("### ")]
    assert [title.split()[1] for title in titles] == ["Photo", "From", "All", "Hands"]
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert {"decode", "locate", "name", "lay out", "score", "total", "hupai"} <= {
        row.split("|")[1].strip() for row in rows
    }

    told = json.loads(written.read_text(encoding="utf-8"))
    assert told["machine"]["cores"] >= 1
    assert "numpy" in told["machine"]["packages"]
    data = told["sections"]["photo"]["data"]
    assert set(data["stages"]) == {"rendered sample, 12 MP", "1 real photos"}
    for kind, stages in data["stages"].items():
        totals = stages.pop("total")
        assert len(totals) == told["rounds"] == 2
        assert totals == data["seconds"][kind]["hupai"]
        for total, *parts in zip(totals, *stages.values(), strict=True):
            assert 0.7 * total < sum(parts) <= total
    (accuracy,) = data["accuracy"].values()
    whole, finds = accuracy["hupai"], accuracy["hupai, locator alone"]
    assert whole["figures"]["tiles"] == finds["figures"]["tiles"] == 16
    assert whole["hands"] == whole["all_tiles"] == 1
    assert finds["figures"]["recall"] == 1
    assert finds["figures"]["named_of_found"] == 0  # it tells no names

    scoring = told["sections"]["scoring"]["data"]
    assert scoring["totals_that_differ"] is None
    assert all(rate > 0 for rate in scoring["hands_per_second"]["hupai"])
    for section in told["sections"].values():
        for table in section["tables"]:
            assert all(len(row) == len(table["columns"]) for row in table["rows"])


@pytest.mark.parametrize("words", [["--only", "photos"], ["--without", "hupai"], ["--rounds", "0"]])
def test_wrong_words_are_refused_in_a_sentence(words: list[str]) -> None:
    done = run(words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert words[1] in done.stderr.splitlines()[-1]


def test_rounds_take_turns_and_none_is_always_first(part: Any) -> None:
    order: list[str] = []

    def noted(name: str) -> Any:
        return lambda: order.append(name) or len(order)

    results = part("rounds").interleave({name: noted(name) for name in "abc"}, 4)
    assert order == list("abcbcacababc")
    assert results == {"a": [1, 6, 8, 10], "b": [2, 4, 9, 11], "c": [3, 5, 7, 12]}


def test_ratios_are_those_of_one_round(part: Any) -> None:
    rounds = part("rounds")
    # The machine was ten times slower in the second round; the ratio was not.
    assert rounds.ratios([2.0, 20.0, 2.0], [1.0, 10.0, 1.0]) == rounds.Spread(2.0, 2.0, 2.0)
    assert rounds.spread([7.0]) == rounds.Spread(7.0, 7.0, 7.0)
    assert rounds.spread([1.0, 2.0, 3.0, 4.0, 10.0]).told(1) == "3.0 (2.0–4.0)"


def reading(names: list[tuple[str, float]]) -> Reading:
    """Tiles where the sample's truth has its first ones."""
    quads = [tile.quad for tile in load_truth(SAMPLE_TRUTH).tiles]
    tiles = tuple(Tile(number, name, sure, quads[number]) for number, (name, sure) in enumerate(names))
    return Reading("hand.jpg", (1600, 1200), tiles, (Group("concealed", tuple(range(len(tiles)))),), None, ())


def test_the_threshold_that_does_best_is_found_and_cuts(part: Any) -> None:
    accuracy, contenders = part("photo_accuracy"), part("contenders")
    truth = load_truth(SAMPLE_TRUTH)
    right = [(tile.tile, 0.35) for tile in truth.tiles]
    found = reading([*right[:10], ("9m", 0.22), ("9m", 0.22)])
    assert accuracy.best_threshold([found], [truth]) == 0.25
    assert contenders.surer(found, 0.25).tiles == found.tiles[:10]
    counted = accuracy.count([found], [truth])
    assert counted.figures.found_and_named == 10 / 16
    assert (counted.all_tiles, counted.with_tiles, counted.hands, counted.with_hand) == (0, 1, 0, 1)
    whole = accuracy.count([reading(right)], [truth])
    assert (whole.all_tiles, whole.hands) == (1, 1)


def test_a_photo_without_a_hand_is_no_hand_read_right(part: Any) -> None:
    truth = replace(load_truth(SAMPLE_TRUTH), tiles=(), groups=(), hand="not-a-hand")
    counted = part("photo_accuracy").count([reading([])], [truth])
    assert (counted.all_tiles, counted.with_tiles, counted.hands, counted.with_hand) == (0, 0, 0, 0)


def test_mahjong_detector_is_asked_as_it_asks_itself(part: Any) -> None:
    package = pytest.importorskip("mahjong_detector", reason="pip install mahjong-detector==0.0.6")
    contenders = part("contenders")
    names = dict(zip(package.CLASS_NAMES, contenders.detector_names(), strict=True))
    assert len(set(names.values())) == 34
    shipped = contenders.detector_finds(None)(SAMPLE_PHOTO)
    assert shipped.tiles
    expected = [names[name] for name in package.detect_tiles(SAMPLE_PHOTO)]
    assert Counter(tile.tile for tile in shipped.tiles) == Counter(expected)
    # Cutting afterwards is what its own threshold does: of two finds of one tile the surer stays either way.
    cut = contenders.surer(contenders.detector_finds(contenders.LEAST)(SAMPLE_PHOTO), 0.5)
    assert [(tile.tile, tile.quad) for tile in cut.tiles] == [
        (tile.tile, tile.quad) for tile in shipped.tiles
    ]


def test_a_program_that_fails_is_told_with_its_last_words(part: Any) -> None:
    commands = part("commands")
    assert commands.run([sys.executable, "-c", "print('well')"]) == "well\n"
    with pytest.raises(commands.CommandFailedError, match="ended with 3: out of paint"):
        commands.run(
            [sys.executable, "-c", "import sys; print('out of paint', file=sys.stderr); sys.exit(3)"]
        )


def test_markdown_cells_cannot_break_the_table(part: Any) -> None:
    tables = part("tables")
    table = tables.Table("Hands", ("hand", "total"), (("1m|EE0000", "8"),), ("A note.",))
    assert tables.as_markdown(table).splitlines()[2:5] == [
        "| hand | total |",
        "| --- | ---: |",
        "| 1m\\|EE0000 | 8 |",
    ]


def test_rounds_that_a_busy_machine_spoilt_are_left_out(part: Any) -> None:
    measurable = part("section_labelling").measurable
    assert measurable({"hupai label": [0.1, -0.2, 0.3], "yolo": [0.2, 0.3, 0.6]}) == {
        "hupai label": [0.1, 0.3],
        "yolo": [0.2, 0.6],
    }
    assert measurable({"hupai label": [-0.1]}) == {"hupai label": []}
