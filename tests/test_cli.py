"""The command line: what goes where, exit codes, and files that are never lost."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import models.cli
from vision.circumstances import Circumstances
from vision.elements import Group, Layout, Reading, Tile
from vision.errors import NoTilesError
from vision.photo import load_photo

ROOT = Path(__file__).parent.parent
WIN = "12789m33s234999p3m|EE1000|0"
Hupai = Callable[..., Result]


@pytest.fixture
def hupai() -> Hupai:
    def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(models.cli.app, [str(argument) for argument in arguments], input=stdin)

    return run


def process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own."""
    code = "from models.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, **options)


def photo(path: Path) -> Path:
    Image.fromarray(np.full((120, 160, 3), 90, np.uint8)).save(path)
    return path


class FakeReader:
    """Opens photos for real and sees one tile in each; a photo named `bare` shows none."""

    said: Circumstances

    def __init__(self, score: object = None) -> None:
        pass

    def read(self, source: Path, said: Circumstances | None = None, *, name: str | None = None) -> Reading:
        FakeReader.said = said or Circumstances()
        opened = load_photo(source, name)
        if "bare" in opened.name:
            raise NoTilesError(f"{opened.name} shows no tile.")
        tile = Tile(0, "1m", 0.5, ((10, 10), (40, 10), (40, 50), (10, 50)))
        groups = (Group("concealed", (0,)),)
        return Reading(
            opened.name, opened.size, (tile,), groups, None, ("too-few",), seconds={"decode": 0.01}
        )

    def score_layout(self, layout: Layout) -> dict[str, Any] | None:
        return None


@pytest.fixture
def fake_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.Reader", FakeReader)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_score_prints_a_table(hupai: Hupai) -> None:
    result = hupai("score", WIN)
    assert result.exit_code == 0
    assert "8 points" in result.stdout
    assert "不求人" in result.stdout
    assert result.stderr == ""


def test_score_prints_json(hupai: Hupai) -> None:
    result = hupai("score", WIN, "--json")
    (answer,) = lines(result.stdout)
    assert result.exit_code == 0
    assert (answer["total"], answer["wins"], answer["legal"]) == (8, True, True)
    assert sum(fan["points"] * fan["count"] for fan in answer["fans"]) == 8
    assert answer["settlement"] == {"winner": 48, "others": [-16, -16, -16]}


def test_score_of_a_stream_keeps_lines_paired(hupai: Hupai) -> None:
    stdin = f"{WIN}\n\n11x\n\xff\n123m\n{WIN}".encode("latin-1")
    result = hupai("score", "-", stdin=stdin)
    answers = lines(result.stdout)
    assert result.exit_code == 1
    assert [answer["wins"] for answer in answers] == [True, False, False, False, True]
    assert [answer["total"] for answer in answers] == [8, 0, 0, 0, 8]
    assert all(answer["problems"] for answer in answers[1:4])
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines()] == [
        "line 3",
        "line 4",
        "line 5",
    ]


def test_a_stream_may_begin_with_a_byte_order_mark(hupai: Hupai) -> None:
    result = hupai("score", "-", stdin=b"\xef\xbb\xbf" + f"{WIN}\r\n{WIN}\r\n".encode())
    assert result.exit_code == 0
    assert [answer["total"] for answer in lines(result.stdout)] == [8, 8]
    assert hupai("score", "-", stdin=b"\xef\xbb\xbf\n").stdout == ""


def test_only_lines_of_no_characters_get_no_answer(hupai: Hupai) -> None:
    stdin = f"\n\r\n{WIN}\r\n \n\u3000\u2028\x1c\x85\n\ufeff\n\n{WIN}".encode()
    result = hupai("score", "-", stdin=stdin)
    assert [answer["wins"] for answer in lines(result.stdout)] == [True, False, False, False, True]
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == [" line 4", " line 5", " line 6"]


def test_a_hand_below_the_minimum_is_an_answer(hupai: Hupai) -> None:
    result = hupai("score", "[123m,1][345m,1]56s678pWW7s", "--json")
    assert result.exit_code == 0
    assert [(a["wins"], a["legal"]) for a in lines(result.stdout)] == [(True, True)] or lines(result.stdout)[
        0
    ]["wins"]


@pytest.mark.parametrize("hand", ["", "hello", "1m", "[1m", "11111m", "123456789m12355p|XX0000|", "B" * 14])
def test_score_refuses_what_is_no_winning_hand_in_sentences(hand: str, hupai: Hupai) -> None:
    result = hupai("score", hand)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("hupai: ")
    assert "Traceback" not in result.stderr


def test_score_names_every_reason_at_once(hupai: Hupai) -> None:
    result = hupai("score", "[ESW,1]111112344m5m|EE0011")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) >= 3


@pytest.mark.parametrize("arguments", [
    ["score"], ["score", WIN, "--rules", "riichi"], ["score", WIN, "--edition", "1872"],
    ["score", WIN, "--event", "robbing-gold"], ["score", WIN, "--gold", "5s"], ["score", WIN, "--dealer"],
    ["score", WIN, "--streak", "two"], ["score", WIN, "--colour"], ["scores", WIN], ["read"],
    ["read", "a.jpg", "--seat", "Q"], ["read", "a.jpg", "--win", "a"], ["read", "a.jpg", "--round", "east"],
    ["read", "a.jpg", "--overlay", "a.txt"], ["read", "a.jpg", "--overlay", "no/such/folder/b.jpg"],
    ["read", "a.jpg", "b.jpg", "--overlay", "c.jpg"], ["evaluate"], ["evaluate", "."],
    ["evaluate", ".", "--photos", "no/such/folder"], ["doctor", "now"], [],
])  # fmt: skip
@pytest.mark.usefixtures("fake_reader")
def test_wrong_usage(arguments: list[str], hupai: Hupai) -> None:
    result = hupai(*arguments)
    assert result.exit_code == 2
    assert result.stdout == "" or not arguments
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("fake_reader")
def test_read_prints_one_object_a_photo(tmp_path: Path, hupai: Hupai) -> None:
    photos = [photo(tmp_path / name) for name in ("a.png", "b.png")]
    result = hupai("read", *photos, "--json")
    answers = lines(result.stdout)
    assert result.exit_code == 0
    assert [answer["photo"] for answer in answers] == [str(path) for path in photos]
    assert answers[0]["size"] == [160, 120]
    assert Reading.from_dict(answers[0]).to_dict() == answers[0]


@pytest.mark.usefixtures("fake_reader")
def test_read_prints_a_table(tmp_path: Path, hupai: Hupai) -> None:
    result = hupai("read", photo(tmp_path / "a.png"))
    assert result.exit_code == 0
    assert "concealed" in result.stdout
    assert "1m" in result.stdout
    assert "too few tiles" in result.stdout


@pytest.mark.usefixtures("fake_reader")
def test_a_photo_that_fails_does_not_stop_the_rest(tmp_path: Path, hupai: Hupai) -> None:
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff")
    good = photo(tmp_path / "good.png")
    bad = [tmp_path / "absent.jpg", tmp_path / "broken.jpg", tmp_path, photo(tmp_path / "bare.png")]
    result = hupai("read", *bad, good, "--json")
    assert result.exit_code == 1
    assert [answer["photo"] for answer in lines(result.stdout)] == [str(good)]
    complaints = result.stderr.splitlines()
    assert len(complaints) == len(bad)
    assert all(str(path) in line for path, line in zip(bad, complaints, strict=True))


@pytest.mark.usefixtures("fake_reader")
def test_what_is_said_reaches_the_reader(tmp_path: Path, hupai: Hupai) -> None:
    path = photo(tmp_path / "a.png")
    hupai("read", path, "--seat", "S", "--round", "W", "--self-drawn", "--win", "5s", "--last-copy", "--kong")
    assert FakeReader.said == Circumstances("S", "W", "5s", True, last_copy=True, kong=True)
    hupai("read", path, "--claimed", "--last-tile")
    assert FakeReader.said == Circumstances(self_drawn=False, last_tile=True)
    hupai("read", path)
    assert FakeReader.said == Circumstances()


@pytest.mark.usefixtures("fake_reader")
@pytest.mark.parametrize("name", ["out.jpg", "out.JPEG", "out.png", "out.webp"])
def test_overlay(name: str, tmp_path: Path, hupai: Hupai) -> None:
    result = hupai("read", photo(tmp_path / "a.png"), "--overlay", tmp_path / name)
    assert result.exit_code == 0
    assert Image.open(tmp_path / name).width >= 1280
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a.png", name])


@pytest.mark.usefixtures("fake_reader")
def test_overlays_of_several_photos_go_to_a_folder(tmp_path: Path, hupai: Hupai) -> None:
    out = tmp_path / "out"
    out.mkdir()
    result = hupai("read", photo(tmp_path / "a.png"), photo(tmp_path / "b.png"), "--overlay", out)
    assert result.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a-overlay.jpg", "b-overlay.jpg"]


@pytest.mark.usefixtures("fake_reader")
def test_an_overlay_never_replaces_a_photo(tmp_path: Path, hupai: Hupai) -> None:
    path = photo(tmp_path / "a.png")
    before = path.read_bytes()
    (tmp_path / "link.png").symlink_to(path)
    for target in (path, tmp_path / "link.png", tmp_path / ".." / tmp_path.name / "a.png"):
        result = hupai("read", path, "--overlay", target)
        assert result.exit_code == 2
        assert path.read_bytes() == before


@pytest.mark.usefixtures("fake_reader")
def test_overlays_that_would_replace_each_other(tmp_path: Path, hupai: Hupai) -> None:
    for folder in ("one", "two", "out"):
        (tmp_path / folder).mkdir()
    photos = [photo(tmp_path / folder / "a.png") for folder in ("one", "two")]
    result = hupai("read", *photos, "--overlay", tmp_path / "out")
    assert result.exit_code == 2
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.usefixtures("fake_reader")
def test_an_overlay_that_cannot_be_written(
    tmp_path: Path, hupai: Hupai, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jpg"
    out.write_bytes(b"old")

    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    path = tmp_path / "a.png"
    path.touch()
    Image.new("RGB", (160, 120)).save(path)
    result = hupai("read", path, "--overlay", out)
    assert result.exit_code == 1
    assert "No space left" in result.stderr
    assert out.read_bytes() == b"old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.png", "out.jpg"]


@pytest.mark.usefixtures("fake_reader")
def test_an_overlay_whose_disk_lets_nothing_be_written_is_told_in_a_sentence(
    tmp_path: Path, hupai: Hupai, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(self: Path, *_: object, **__: object) -> int:
        raise OSError(30, "Read-only file system", str(self))

    path, out = photo(tmp_path / "a.png"), tmp_path / "out.jpg"
    monkeypatch.setattr(Path, "write_bytes", read_only)
    monkeypatch.setattr(Path, "unlink", read_only)
    result = hupai("read", path, "--overlay", out)
    assert result.exit_code == 1
    assert result.stderr == f"hupai: The picture {out} cannot be written: Read-only file system.\n"


@pytest.mark.usefixtures("fake_reader")
def test_an_overlay_whose_name_is_as_long_as_names_can_be(tmp_path: Path, hupai: Hupai) -> None:
    path = photo(tmp_path / "a.png")
    longest = tmp_path / f"{'x' * 251}.jpg"
    assert hupai("read", path, "--overlay", longest).exit_code == 0
    assert longest.stat().st_size


def no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


def truth_folder(folder: Path, names: list[str]) -> Path:
    folder.mkdir()
    for name in names:
        truth = {
            "photo": f"{name}.png", "series": "stream-x" if name == "b" else "desk", "size": [160, 120],
            "tiles": [{"id": 0, "tile": "1m", "box": [10, 10, 40, 50]}],
            "groups": [{"kind": "concealed", "tiles": [0]}], "hand": "partial", "quality": "clear",
        }  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(truth))
    return folder


@pytest.mark.usefixtures("fake_reader")
def test_evaluate(tmp_path: Path, hupai: Hupai) -> None:
    truths = truth_folder(tmp_path / "truth", ["a", "b"])
    photo(tmp_path / "a.png")
    photo(tmp_path / "b.png")
    result = hupai("evaluate", truths, "--photos", tmp_path, "--json", "--csv", tmp_path / "out.csv")
    (report,) = lines(result.stdout)
    assert result.exit_code == 0
    assert report["all"]["found_and_named"] == 1.0
    assert set(report["source"]) == {"phone", "stream"}
    assert report["failed"] == []
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3
    table = hupai("evaluate", truths, "--photos", tmp_path)
    assert "100.0%" in table.stdout


@pytest.mark.usefixtures("fake_reader")
def test_evaluate_names_photos_that_fail(tmp_path: Path, hupai: Hupai) -> None:
    truths = truth_folder(tmp_path / "truth", ["a", "b"])
    photo(tmp_path / "a.png")
    result = hupai("evaluate", truths, "--photos", tmp_path, "--json")
    (report,) = lines(result.stdout)
    assert result.exit_code == 1
    assert report["all"]["found_and_named"] == 0.5
    assert [failure["photo"] for failure in report["failed"]] == ["b.png"]
    assert "b.png" in result.stderr


@pytest.mark.usefixtures("fake_reader")
def test_evaluate_without_any_of_the_photos_is_wrong_usage(tmp_path: Path, hupai: Hupai) -> None:
    truths = truth_folder(tmp_path / "truth", ["a", "b"])
    result = hupai("evaluate", truths, "--photos", tmp_path)
    assert result.exit_code == 2
    assert "none of the photos" in " ".join(result.stderr.split())


@pytest.mark.usefixtures("fake_reader")
def test_figures_are_out_where_their_file_cannot_be_written(tmp_path: Path, hupai: Hupai) -> None:
    truths = truth_folder(tmp_path / "truth", ["a"])
    photo(tmp_path / "a.png")
    (tmp_path / "out.csv").mkdir()
    result = hupai("evaluate", truths, "--photos", tmp_path, "--json", "--csv", tmp_path / "out.csv")
    assert result.exit_code == 1
    assert lines(result.stdout)[0]["all"]["found_and_named"] == 1.0
    assert result.stderr.startswith(f"hupai: {tmp_path / 'out.csv'} cannot be written: ")


@pytest.mark.usefixtures("fake_reader")
def test_the_file_of_figures_replaces_no_truth_and_no_photo(tmp_path: Path, hupai: Hupai) -> None:
    truths = truth_folder(tmp_path / "truth", ["a"])
    truth, named = truths / "a.json", tmp_path / "a.csv"
    picture = photo(tmp_path / "a.png")
    picture.rename(named)  # a photo, whatever its name
    truth.write_text(truth.read_text().replace("a.png", "a.csv"))
    before = [path.read_bytes() for path in (truth, named)]
    for target in (truth, picture, named, tmp_path / "truth" / ".." / "a.csv"):
        result = hupai("evaluate", truths, "--photos", tmp_path, "--csv", target)
        assert (result.exit_code, result.stdout) == (2, "")
        assert [path.read_bytes() for path in (truth, named)] == before


@pytest.mark.usefixtures("fake_reader")
def test_a_full_disk_costs_nobody_the_figures_of_before(
    tmp_path: Path, hupai: Hupai, monkeypatch: pytest.MonkeyPatch
) -> None:
    truths, out = truth_folder(tmp_path / "truth", ["a"]), tmp_path / "out.csv"
    photo(tmp_path / "a.png")
    out.write_text("old")
    monkeypatch.setattr(Path, "replace", no_space)
    result = hupai("evaluate", truths, "--photos", tmp_path, "--json", "--csv", out)
    assert result.exit_code == 1
    assert result.stderr == f"hupai: {out} cannot be written: No space left on device.\n"
    assert out.read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.png", "out.csv", "truth"]


@pytest.mark.usefixtures("fake_reader")
def test_evaluate_refuses_bad_truth(tmp_path: Path, hupai: Hupai) -> None:
    (tmp_path / "a.json").write_text("[]")
    for folder in (tmp_path, tmp_path / "absent"):
        result = hupai("evaluate", folder, "--photos", tmp_path)
        assert result.exit_code == 1
        assert result.stderr.startswith("hupai: ")


def test_version(hupai: Hupai) -> None:
    assert hupai("--version").stdout.startswith("hupai ")


def test_help_names_every_command(hupai: Hupai) -> None:
    text = hupai("--help").stdout
    assert all(f"  {command} " in text for command in ("read", "score", "evaluate", "doctor", "train"))


def test_output_in_any_encoding() -> None:
    done = process("score", WIN, "--json", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert json.loads(done.stdout)["fans"][0]["name"] == "不求人"
    assert process("score", WIN, env={**os.environ, "PYTHONIOENCODING": "latin-1"}).returncode == 0


def test_a_reader_that_closes_its_end_early_is_no_error() -> None:
    code = "from models.cli import main; main()"
    command = [sys.executable, "-c", code, "score", "-"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        try:
            running.stdin.write(f"{WIN}\n".encode() * 2000)
            running.stdin.close()
        except BrokenPipeError:
            pass
        assert running.stderr.read() == b""
        assert running.wait(30) == 1


def test_doctor_reports_sick_weights(hupai: Hupai, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from models import doctor, registry

    entry = registry.Entry("toy", tmp_path / "toy.onnx", "00", "", (), 8, "MIT", tmp_path / "toy.md", {})
    monkeypatch.setattr(doctor, "entries", lambda: {"toy": entry})
    monkeypatch.setattr(registry, "entries", lambda path=None: {"toy": entry})
    result = hupai("doctor", "--json")
    assert result.exit_code == 1
    checks = {check["name"]: check for check in lines(result.stdout)}
    assert not checks["toy"]["well"]
    assert "golden picture" not in checks
    assert "toy" in result.stderr


def test_stdin_is_read_as_it_comes() -> None:
    done = process("score", "-", input=io.BytesIO(f"{WIN}\n".encode()).read())
    assert done.returncode == 0
    assert json.loads(done.stdout)["total"] == 8


def test_ctrl_c_while_exporting_names_no_option_that_there_is_not(
    tmp_path: Path, hupai: Hupai, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("filelock", reason="needs the extra `label`")

    def stop(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("models.commands.label._export_only", stop)
    monkeypatch.setattr("models.commands.label._label", stop)
    exported = hupai("export", tmp_path)
    assert exported.exit_code == 130
    assert "--resume" not in exported.stderr
    assert "start the same command again" in exported.stderr
    labelled = hupai("label", tmp_path, "--out", tmp_path / "out")
    assert "--resume" in labelled.stderr
