"""`hupai check`: data sets of others read, class names understood, wrong labels found."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from labelled_folder import turned

from datasets.labelling.check.compare import Compared, compare, rank
from datasets.labelling.check.dataset import check_dataset, find_dataset
from datasets.labelling.check.given import DatasetError, GivenBox
from datasets.labelling.classes import BUILT_IN, ClassesError, guess_tiles, named_classes, tiles_by
from datasets.labelling.records import Box, Labelled
from models.registry import SAMPLE_PHOTO
from scoring.tiles import TILES

ROOT = Path(__file__).parent.parent
NATURAL = ROOT.parent / "shared" / "data" / "hands" / "natural"
KNOWN_WRONG = ("n0346", "n0348", "n0349", "n0350", "n0351", "n0352")
SIZE = (640, 480)
OURS = {name: name for name in TILES}


def quad_of(place: int) -> tuple[tuple[float, float], ...]:
    return turned(50 + 40 * place, 100, 30, 40, 0)


def see(names: str, confidence: float = 0.95) -> Labelled:
    """Finds side by side; "-" leaves a place empty."""
    boxes = tuple(
        Box(name, turned(50 + 40 * n, 100, 30, 40, 0), confidence, 0.9)
        for n, name in enumerate(names.split())
        if name != "-"
    )
    return Labelled("", "", SIZE, boxes)


def say(names: str, shift: float = 0.0) -> list[GivenBox]:
    """Labels side by side, a share of a tile to the right."""
    return [
        GivenBox((35 + 40 * n + shift, 80, 65 + 40 * n + shift, 120), name, f"labels.txt:{n + 1}")
        for n, name in enumerate(names.split())
        if name != "-"
    ]


def one(path: str, said: str, seen: str, shift: float = 0.0) -> Compared:
    return compare(Path(path), say(said, shift), OURS, see(seen))


def test_the_kinds_of_errors_are_told_apart() -> None:
    good = [one(f"good{n}", "1m 2m 3m 4m", "1m 2m 3m 4m") for n in range(20)]
    bad = [
        one("class", "1m 2m 3m 4m", "1m 2m 9s 4m"),
        one("missing", "1m 2m - 4m", "1m 2m 3m 4m"),
        one("nothing", "1m 2m 3m 4m", "1m 2m 3m -"),
        one("place", "1m 2m", "1m 2m", shift=16),
    ]
    doubted = {str(d.path): d for d in rank([*good, *bad], OURS)}
    assert set(doubted) == {"class", "missing", "nothing", "place"}
    for name, found in doubted.items():
        assert {issue.kind for issue in found.issues} == {name}
    (issue,) = doubted["class"].issues
    assert (issue.label, issue.seen, issue.where) == ("3m", "9s", "labels.txt:3")
    assert issue.score > 0.9


def test_a_picture_whose_labels_are_all_wrong_comes_first() -> None:
    some = [one(f"one wrong {n}", "1m 2m 3m 4m", "1m 2m 3m 9p") for n in range(3)]
    doubted = rank([*some, one("all wrong", "1p 1p 1p 1p", "1m 2m 3m 4m")], OURS)
    assert str(doubted[0].path) == "all wrong"
    assert len(doubted[0].issues) == 4


def test_a_confusion_that_is_usual_speaks_against_the_model() -> None:
    usual = [one(f"usual {n}", "g 1m", "h 1m") for n in range(10)]
    rare = one("rare", "1m 2m", "1m 5p")
    scores = {
        str(d.path): d.score for d in rank([*usual, rare, *(one(f"{n}", "2m", "2m") for n in range(9))], OURS)
    }
    assert scores["rare"] > max(score for name, score in scores.items() if name != "rare")


def test_pictures_labelled_in_part_are_no_list_of_missing_labels() -> None:
    parts = [one(f"part {n}", "1m - - - - -", "1m 2m 3m 4m 5m 6m") for n in range(10)]
    assert rank(parts, OURS) == []


def test_what_the_models_do_not_see_is_no_list_of_labels_on_nothing() -> None:
    assert rank([one("blind", "1m 2m 3m 4m", "1m - - -")], OURS) == []


def test_classes_that_a_set_has_not_are_not_missed() -> None:
    found = compare(Path("p"), say("1m 2m 3m 4m 5m 6m"), {"1m": "1m"}, see("1m 2m 3m 4m 5m 6m a"))
    assert rank([found], {"1m": "1m"}) == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_our_own_class_names_are_understood(name: str) -> None:
    classes = named_classes(name)
    by_name = {class_name: tile for tile, class_name in BUILT_IN[name].items()}
    assert tiles_by(classes) == by_name
    guessed = guess_tiles(classes.names)
    assert guessed == by_name


@pytest.mark.parametrize(
    ("name", "tile"),
    [("1 Character", "1m"), ("dot-9", "9p"), ("Bamboo_3", "3s"), ("5w", "5m"), ("2t", "2p"), ("八萬", "8m"),
     ("三筒", "3p"), ("East Wind", "E"), ("red_dragon", "C"), ("白", "P"), ("0m", "5m"), ("Spring", "a"),
     ("nine of bamboo", "9s"), ("dice", None)],
)  # fmt: skip
def test_names_of_public_sets_are_guessed(name: str, tile: str | None) -> None:
    assert guess_tiles([name]) == {name: tile}


def test_class_maps_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("N: north\n1m: one\na: flower\nb: flower\nB: ''\n", encoding="utf-8")
    classes = named_classes(str(path))
    assert classes.names == ("north", "one", "flower")
    assert classes.number == {"N": 0, "1m": 1, "a": 2, "b": 2}
    assert tiles_by(classes) == {"north": "N", "one": "1m"}
    with pytest.raises(ClassesError, match="neither a class map"):
        named_classes("x" * 300)
    for text, said in (
        ("10m: ten", "10m, no tile"),
        ("- a", "one `tile: name`"),
        ("a: [", "YAML"),
        ("a: ''", "no tile a name"),
    ):
        path.write_text(text)
        with pytest.raises(ClassesError, match=said):
            named_classes(str(path))


def yolo(folder: Path, names: str, line: str) -> Path:
    for part in ("train/images", "train/labels"):
        (folder / part).mkdir(parents=True)
    shutil.copy(SAMPLE_PHOTO, folder / "train" / "images" / "a.jpg")
    (folder / "train" / "labels" / "a.txt").write_text(line)
    (folder / "data.yaml").write_text(f"train: ../train/images\nval: ../valid/images\nnames: {names}\n")
    return folder


def test_a_roboflow_folder_is_found_and_bad_lines_are_named(tmp_path: Path) -> None:
    dataset = find_dataset(
        yolo(tmp_path / "set", "['1m', '2m']", "0 .5 .5 .1 .1\n7 .5 .5 .1 .1\n1 .1 .1 .2 .1 .2 .2 .1 .2\nx\n")
    )
    (image,) = dataset
    assert [(box.name, box.bounds) for box in image.boxes] == [
        ("1m", pytest.approx((0.45, 0.45, 0.55, 0.55))),
        ("2m", pytest.approx((0.1, 0.1, 0.2, 0.2))),
    ]
    assert [problem.split(" ")[0][-8:] for problem in dataset.problems] == ["/a.txt:2", "/a.txt:4"]


def test_labels_that_nobody_can_look_at_are_named(tmp_path: Path) -> None:
    """A link to itself stands for want of permission, which does not bind root."""
    folder = yolo(tmp_path / "set", "['1m', '2m']", "0 .5 .5 .1 .1\n")
    shutil.copy(SAMPLE_PHOTO, folder / "train" / "images" / "b.jpg")
    (folder / "train" / "labels" / "b.txt").symlink_to("b.txt")
    (folder / "train" / "images" / "without.jpg").touch()
    dataset = find_dataset(folder)
    assert len(list(dataset)) == 1
    (problem,) = dataset.problems
    assert "b.txt cannot be read" in problem
    (folder / "train" / "labels" / "a.txt").unlink()
    with pytest.raises(DatasetError, match=r"b\.txt cannot be read"):
        check_dataset(folder)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '{"images": [], "annotations": [], "categories": []}'),
        ("a.xml", "<annotation><filename>a.jpg</filename></annotation>"),
    ],
)
def test_a_label_file_among_others_that_cannot_be_read_is_named(
    tmp_path: Path, name: str, content: str
) -> None:
    (tmp_path / name).write_text(content)
    (tmp_path / f"b{name}").symlink_to("nothing")
    (problem,) = find_dataset(tmp_path).problems
    assert f"b{name} cannot be read" in problem


def test_what_is_no_data_set_is_said(tmp_path: Path) -> None:
    nowhere = tmp_path / ("nowhere" * 50)
    for folder, said in (
        (tmp_path, "holds no labels"),
        (tmp_path / "nowhere", "no folder"),
        (nowhere, "no f"),
    ):
        with pytest.raises(DatasetError, match=said):
            find_dataset(folder)
    with pytest.raises(DatasetError, match="mean no tile"):
        check_dataset(yolo(tmp_path / "cats", "['cat', 'dog']", "0 .5 .5 .1 .1\n"))


def test_the_command_prints_a_line_a_doubted_picture(tmp_path: Path) -> None:
    """The rendered sample with its truth, but for one wrong name."""
    truth = json.loads(SAMPLE_PHOTO.with_suffix(".json").read_text())
    width, height = truth["size"]
    lines = []
    for number, tile in enumerate(truth["tiles"]):
        corners = tile.get("quad") or [tile["box"][:2], tile["box"][2:]]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        name = "9m" if number == 2 else tile["tile"]
        numbers = (
            (min(xs) + max(xs)) / 2 / width, (min(ys) + max(ys)) / 2 / height,
            (max(xs) - min(xs)) / width, (max(ys) - min(ys)) / height,
        )  # fmt: skip
        lines.append(" ".join(map(str, (TILES.index(name), *numbers))))
    folder = yolo(tmp_path / "set", json.dumps(list(TILES)), "\n".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "models.cli", "check", str(folder), "--json", "--workers", "1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    first = json.loads(line)["issues"][0]
    assert (first["kind"], first["label"], first["seen"]) == ("class", "9m", truth["tiles"][2]["tile"])
    assert first["where"].endswith("a.txt:3")


def test_known_label_errors_of_a_public_set_come_first(tmp_path: Path) -> None:
    """Real photos: the six whose labels are known to be all wrong, among thirty others."""
    if not NATURAL.is_dir():
        pytest.skip(f"{NATURAL} is not there: the photos are not part of the project")
    names = [path.stem for path in sorted((NATURAL / "images").iterdir())][::14]
    for part, suffix in (("images", ".jpg"), ("labels", ".txt")):
        (tmp_path / part).mkdir()
        for name in dict.fromkeys((*names, *KNOWN_WRONG)):
            (tmp_path / part / f"{name}{suffix}").symlink_to(NATURAL / part / f"{name}{suffix}")
    shutil.copy(NATURAL.parent / "data.yaml", tmp_path / "data.yaml")
    (tmp_path / "data.yaml").write_text(
        (NATURAL.parent / "data.yaml").read_text().replace("natural/images", "images")
    )
    checked = check_dataset(tmp_path)
    assert checked.pictures > len(KNOWN_WRONG) + 25
    assert not checked.failures and not checked.unknown
    assert {doubted.path.stem for doubted in checked.doubted[:6]} == set(KNOWN_WRONG)
