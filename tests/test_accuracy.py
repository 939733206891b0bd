"""The page on accuracy: its tables are those of the results, and no failure goes unmentioned."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.accuracy import DOUBTS, PAGE, doubts_table, filled, load_results, mistakes_table, rules_table
from models.doubts import MISSED, WARNING, Doubt, doubts, doubts_of, main, read_csv, write_csv
from models.evaluation import PhotoResult, to_csv
from models.truth import Truth
from vision.elements import Group, Reading, Tile
from vision.errors import NoTilesError

ROOT = Path(__file__).parent.parent
TABLES = ("README.md", "models/weights/namer.md", "vision/docs/accuracy.md")
TEXT = PAGE.read_text(encoding="utf-8")


def tile(number: int, name: str, confidence: float = 0.999, own: str | None = None) -> Tile:
    x = 40.0 * number
    return Tile(number, name, confidence, ((x, 0), (x + 30, 0), (x + 30, 40), (x, 40)), (), own)


def truth(*tiles: Tile, unlabelled: str = "") -> Truth:
    return Truth("photos/x.jpg", "", "s", tiles, (), "partial", "clear", unlabelled)


def reading(*tiles: Tile, warnings: tuple[str, ...] = (), other: tuple[int, ...] = ()) -> Reading:
    ours = tuple(tile.id for tile in tiles if tile.id not in other)
    groups = (Group("concealed", ours), Group("other", other))
    return Reading("x.jpg", (640, 640), tiles, groups, None, (), warnings=warnings)


def test_tables_are_those_of_the_results() -> None:
    assert filled(TEXT) == TEXT, "run: python -m models.accuracy"


@pytest.mark.parametrize("page", TABLES)
def test_each_table_of_shares_says_the_same(page: str) -> None:
    pattern = re.compile(r"^\| ([\w-]+) \| (\d+ \| \d+(?: \| [\d.]+ %){6}) \|$", re.MULTILINE)
    told = dict(pattern.findall((ROOT / page).read_text(encoding="utf-8")))
    assert {"all", "phone", "stream"} <= told.keys()
    assert told.items() <= dict(pattern.findall(TEXT)).items()


def test_the_two_files_of_results_are_of_the_same_run() -> None:
    found = read_csv(DOUBTS)
    for result in load_results():
        here = [doubt for doubt in found if doubt.photo == result.photo]
        assert sum(doubt.kind == MISSED for doubt in here) == result.tiles - result.found
        misnamed = sum(bool(doubt.true and doubt.read) and doubt.true != doubt.read for doubt in here)
        assert misnamed == result.found - result.named
        made_up = sum(doubt.kind != WARNING and not doubt.true for doubt in here)
        assert made_up == result.predicted - result.found


def test_every_failure_is_told_once_under_its_heading() -> None:
    hands, layouts = (
        TEXT.partition(f"\n## {heading}")[2].partition("\n## ")[0]
        for heading in ("Every hand that was read wrong", "Every layout that was read wrong")
    )
    pattern = re.compile(r"^\| ([\w-]+) \|", re.MULTILINE)
    results = load_results()
    wrong_hands = {result.photo for result in results if not result.hand_right}
    wrong_layouts = {result.photo for result in results if not result.layout_right} - wrong_hands
    for text, wrong in ((hands, wrong_hands), (layouts, wrong_layouts)):
        rows = [name for name in pattern.findall(text) if name != "photo"]
        assert sorted(f"{name}.jpg" for name in rows if name.strip("-")) == sorted(wrong)


def test_doubts_of_a_photo() -> None:
    shown = truth(tile(0, "1m"), tile(1, "2m"), tile(2, "3m"), tile(3, "4m"))
    seen = reading(
        tile(0, "1m"),
        tile(1, "5m", 0.5),
        tile(2, "3m", own="3p"),
        tile(9, "P"),
        warnings=("Look.",),
        other=(9,),
    )
    assert list(doubts_of(shown, seen)) == [
        Doubt("x.jpg", "concealed", "2m", "5m", "", "0.500", True),
        Doubt("x.jpg", "concealed", "3m", "3m", "3p", "0.999", True),
        Doubt("x.jpg", "other", "", "P", "", "0.999", False),
        Doubt("x.jpg", MISSED, "4m", "", "", "", False),
        Doubt("x.jpg", WARNING, "", "Look.", "", "", True),
    ]


def test_what_nobody_labelled_is_no_mistake_where_there_is_more() -> None:
    seen = reading(tile(0, "1m"), tile(5, "P", 0.5))
    assert not list(doubts_of(truth(tile(0, "1m"), unlabelled="discards"), seen))
    assert len(list(doubts_of(truth(tile(0, "1m")), seen))) == 1


def test_a_photo_without_tiles_misses_all(tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_bytes(b"")

    def nothing(path: Path) -> Reading:
        raise NoTilesError("none")

    assert [doubt.kind for doubt in doubts([truth(tile(0, "1m"))], tmp_path, nothing)] == [MISSED]


def test_tables_count_what_their_rows_say() -> None:
    results = [
        PhotoResult(name, "s", "clear", 3, 3, 3, 2, right, right, None, "", "")
        for name, right in (("a.jpg", True), ("b.jpg", False), ("c.jpg", False))
    ]
    found = [
        Doubt("a.jpg", "concealed", "1m", "1m", "2m", "0.999", True),
        Doubt("b.jpg", "concealed", "1m", "2m", "", "0.500", True),
        Doubt("c.jpg", "concealed", "1m", "2m", "", "0.999", False),
        Doubt("c.jpg", "other", "", "P", "", "0.500", True),
        Doubt("c.jpg", MISSED, "3m", "", "", "", False),
    ]
    rows = [line.strip("| ").split(" | ") for line in doubts_table(results, found).splitlines()[2:]]
    assert [row[1:] for row in rows] == [
        ["1", "6"], ["1", "1"], ["0", "0"], ["1", "0"], ["0", "1"], ["1", "0"], ["1", "1"],
    ]  # fmt: skip
    assert "| a | 1m | 2m | 1m |" in rules_table(found)
    table = mistakes_table([*found, found[3]])
    assert "| b | 1m read as 2m ✓ |" in table
    assert "| c | 1m read as 2m, 2 × P made up beside the hand ✓, 3m missed |" in table


def test_files_of_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = [Doubt("a.jpg", WARNING, "", "With a comma, and “more”.", "", "", True)]
    write_csv(tmp_path / "doubts.csv", found)
    assert read_csv(tmp_path / "doubts.csv") == found
    results = [
        PhotoResult("a.jpg", "s", "clear", 3, 3, 3, 2, True, False, None, "1m>2m", ""),
        PhotoResult("b.jpg", "s", "hard", 3, 3, 3, 2, False, False, False, "", "no, none"),
    ]
    (tmp_path / "results.csv").write_text(to_csv(results), encoding="utf-8")
    assert load_results(tmp_path / "results.csv") == results


def test_doubts_of_what_cannot_be_used_end_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "doubts.csv"
    command = ["doubts", str(tmp_path / "absent"), "--photos", str(tmp_path), "--csv", str(out)]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.endswith(
        "absent is not a folder; give the folder that holds the truth files.\n"
    )
    assert not out.exists()
