"""Bad photos through the whole command: one sentence each, the right exit code, never a made-up score."""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_models import FakeLocator, FakeNamer
from PIL import Image
from typer.testing import CliRunner, Result

import models.cli
from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH
from vision.reader import Reader

Hupai = Callable[..., Result]

posix = pytest.mark.skipif(os.name != "posix", reason="permissions, pipes and devices as POSIX has them")


@pytest.fixture
def table_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lay tiles on the table: every photo that opens shows these rows."""

    def lay(*rows: list[str]) -> None:
        def with_fakes(scorer: Any) -> Reader:
            locator = FakeLocator(*rows)
            return Reader(scorer, locator, FakeNamer(locator))

        monkeypatch.setattr("vision.reader.Reader", with_fakes)

    return lay


def hupai(*arguments: str | Path) -> Result:
    return CliRunner().invoke(models.cli.app, [str(argument) for argument in arguments])


def encoded(kind: str, frames: int = 1, size: tuple[int, int] = (640, 480)) -> bytes:
    rng = np.random.default_rng(3)
    images = [Image.fromarray(rng.integers(0, 255, (*size[::-1], 3), np.uint8)) for _ in range(frames)]
    stream = io.BytesIO()
    more: dict[str, Any] = {"save_all": True, "append_images": images[1:]} if frames > 1 else {}
    images[0].save(stream, kind, **more)
    return stream.getvalue()


def bomb() -> bytes:
    """A valid PNG of 30,000 × 30,000 pixels in a few kilobytes, one bit each."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + 30_000 // 8)) for _ in range(30_000)) + packer.flush()
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


BAD_FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "text": (lambda: b"not a picture at all", "not a picture"),
    "empty": (lambda: b"", "empty"),
    "truncated JPEG": (lambda: encoded("JPEG")[:20_000], "cut short"),
    "truncated PNG": (lambda: encoded("PNG")[:20_000], "cut short"),
    "truncated WebP": (lambda: encoded("WEBP")[:20_000], "cut short"),
    "JPEG header only": (lambda: encoded("JPEG")[:4], "cut short"),
    "bomb": (bomb, "30000 × 30000 pixels"),
    "animated GIF": (lambda: encoded("GIF", 3), "animation"),
    "animated WebP": (lambda: encoded("WEBP", 3), "animation"),
    "thumbnail": (lambda: encoded("PNG", size=(16, 12)), "16 × 12 pixels"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_files_that_are_no_photo(case: str, tmp_path: Path, table_of: Callable[..., None]) -> None:
    table_of(["1m"])
    make, reason = BAD_FILES[case]
    path = tmp_path / "bad.jpg"
    path.write_bytes(make())
    for form in ([], ["--json"], ["--overlay", tmp_path / "overlay.jpg"]):
        result = hupai("read", path, *form)
        assert result.exit_code == 1
        assert result.stdout == ""
        (sentence,) = result.stderr.splitlines()
        assert reason in sentence
        assert str(path) in sentence
        assert sentence.endswith(".")
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.jpg"]


def read(tmp_path: Path, *options: str) -> tuple[Result, dict[str, Any] | None]:
    path = tmp_path / "hand.png"
    path.write_bytes(encoded("PNG"))
    result = hupai("read", path, "--json", *options)
    return result, json.loads(result.stdout) if result.stdout else None


def test_a_photo_without_a_tile(tmp_path: Path, table_of: Callable[..., None]) -> None:
    table_of([])
    result, answer = read(tmp_path)
    assert (result.exit_code, answer) == (1, None)
    (sentence,) = result.stderr.splitlines()
    assert "shows no tile" in sentence


ODD_TABLES: dict[str, tuple[list[list[str]], str]] = {
    "one tile": ([["5s"]], "not-a-hand"),
    "300 tiles": ([["1m", "9p", "E"] * 6 + ["5s", "5s"]] * 15, "not-a-hand"),
    "all face down": ([["B"] * 14], "all-face-down"),
    "a few unnamed": (
        [["1m", "2m", "3m", "?", "?", "6p", "7p", "8p", "E", "E", "E", "C", "C", "C"]],
        "unnamed-tiles",
    ),
    "13 tiles": ([["1m", "2m", "3m", "6p", "7p", "8p", "E", "E", "E", "C", "C", "C", "P"]], "too-few"),
    "15 tiles": (
        [["1m", "2m", "3m", "6p", "7p", "8p", "E", "E", "E", "C", "C", "C", "P", "P", "9s"]],
        "too-many",
    ),
    "no win": (
        [["1m", "2m", "4m", "6p", "7p", "9p", "E", "E", "E", "C", "C", "C", "P", "9s"]],
        "not-winning",
    ),
    "five of a kind": ([["9m"] * 5 + ["1m", "2m", "3m", "4p", "5p", "6p", "E", "E", "E"]], "five-of-a-kind"),
}


@pytest.mark.parametrize("case", ODD_TABLES)
def test_tiles_that_win_nothing_are_read_and_not_scored(
    case: str, tmp_path: Path, table_of: Callable[..., None]
) -> None:
    rows, status = ODD_TABLES[case]
    table_of(*rows)
    result, answer = read(tmp_path)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert answer is not None
    assert status in answer["status"]
    assert answer["status"] != ["complete"]
    score = answer["score"]
    assert score is None or (score["total"], score["wins"], score["fans"]) == (0, False, [])


@pytest.mark.parametrize("case", ODD_TABLES)
def test_the_table_and_the_overlay_say_so_too(
    case: str, tmp_path: Path, table_of: Callable[..., None]
) -> None:
    table_of(*ODD_TABLES[case][0])
    path = tmp_path / "hand.png"
    path.write_bytes(encoded("PNG"))
    result = hupai("read", path, "--overlay", tmp_path / "overlay.jpg")
    assert result.exit_code == 0
    assert "points" not in result.stdout
    assert (tmp_path / "overlay.jpg").is_file()


def test_a_winning_tile_that_is_not_there(tmp_path: Path, table_of: Callable[..., None]) -> None:
    table_of(["1m", "1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "7m", "8m", "9m", "9m", "9m"])
    result, answer = read(tmp_path, "--win", "C")
    assert result.exit_code == 0
    assert answer is not None
    assert any("C" in warning for warning in answer["warnings"])


def denied(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process to which permissions apply, also where the tests run as root."""
    drop: list[str] = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root may read every file, and there is no setpriv here (util-linux)")
        drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    code = "from models.start import main; main()"
    return subprocess.run(
        [*drop, sys.executable, "-c", code, *map(str, arguments)],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def shut(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may look into."""
    folder = tmp_path / "shut"
    folder.mkdir()
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@posix
def test_a_truth_folder_that_cannot_be_looked_into_stops_the_measuring(tmp_path: Path, shut: Path) -> None:
    (tmp_path / "hand.json").write_bytes(SAMPLE_TRUTH.read_bytes())
    result = denied("evaluate", tmp_path, "--photos", SAMPLE_PHOTO.parent)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        f"hupai: The folder {shut} cannot be read: Permission denied; make it readable or move it.\n"
    )


def one_sentence(result: subprocess.CompletedProcess[str], *codes: int) -> str:
    """What a process said that ended as it should, without a traceback."""
    assert result.returncode in codes, result.stderr
    assert "Traceback" not in result.stderr
    return " ".join(result.stderr.replace("│", " ").split())


@posix
@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("evaluate", "{shut}/sub", "--photos", "{photos}"), 1, "Permission denied"),
        (("evaluate", "{truths}", "--photos", "{shut}/sub"), 2, "is not a folder"),
        (("evaluate", "{truths}", "--photos", "{photos}", "--csv", "{shut}/sub/x.csv"), 2, "no folder"),
        (("evaluate", "{long}", "--photos", "{photos}"), 1, "File name too long"),
        (("evaluate", "{truths}", "--photos", "{long}"), 2, "is not a folder"),
        (("read", "{photo}", "--overlay", "{shut}/x.jpg"), 1, "Permission denied"),
        (("read", "{photo}", "--overlay", "{shut}/sub/x.jpg"), 2, "no folder"),
        (("read", "{photo}", "--overlay", "{long}.jpg"), 1, "File name too long"),
    ],
)
def test_names_at_which_nobody_may_look(
    arguments: tuple[str, ...], code: int, reason: str, tmp_path: Path, shut: Path
) -> None:
    truths = tmp_path / "truths"
    truths.mkdir()
    (truths / "hand.json").write_bytes(SAMPLE_TRUTH.read_bytes())
    places = {
        "shut": shut, "truths": truths, "photo": SAMPLE_PHOTO, "photos": SAMPLE_PHOTO.parent,
        "long": tmp_path / ("x" * 300),
    }  # fmt: skip
    result = denied(*(argument.format(**places) for argument in arguments))
    assert reason in one_sentence(result, code)


@posix
@pytest.mark.parametrize("kind", ["shut", "device"])
def test_a_data_folder_that_cannot_be_used(kind: str, shut: Path) -> None:
    home = str(shut) if kind == "shut" else os.devnull
    reason = "Permission denied" if kind == "shut" else "Not a directory"
    without = denied("read", SAMPLE_PHOTO, "--json", XDG_DATA_HOME=home)
    assert json.loads(without.stdout)["status"] == ["complete"]
    told = [one_sentence(without, 0)]
    for arguments in (
        ("read", SAMPLE_PHOTO, "--set", "mine"),
        ("teach", "--list"),
        ("teach", "--use", "mine"),
        ("teach", "--remove", "mine"),
        ("teach", SAMPLE_PHOTO, "--truth", SAMPLE_TRUTH),
    ):
        result = denied(*arguments, XDG_DATA_HOME=home)
        assert result.stdout == ""
        told.append(one_sentence(result, 1))
    for sentence in told:
        assert reason in sentence
        assert "delete it" not in sentence


def test_a_truth_that_names_a_photo_as_no_file_can_be_called(tmp_path: Path) -> None:
    truth = json.loads(SAMPLE_TRUTH.read_text(encoding="utf-8"))
    for name, photo in (("a", "hand.jpg"), ("b", f"{'x' * 400}.jpg")):
        (tmp_path / f"{name}.json").write_text(json.dumps({**truth, "photo": photo}))
    result = hupai("evaluate", tmp_path, "--photos", SAMPLE_PHOTO.parent, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["all"]["photos"] == 2
    assert f"there is no {'x' * 400}.jpg" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse names that are not text")
def test_figures_of_a_folder_whose_name_is_not_text_are_written(tmp_path: Path) -> None:
    (tmp_path / "hand.json").write_bytes(SAMPLE_TRUTH.read_bytes().replace(b'"sha256"', b'"other"'))
    photos = tmp_path / os.fsdecode(b"inv\xff")
    photos.mkdir()
    (photos / "hand.jpg").write_bytes(b"no picture")
    result = hupai("evaluate", tmp_path, "--photos", photos, "--csv", tmp_path / "out.csv")
    assert result.exit_code == 1
    assert "inv\\udcff/hand.jpg is not a picture" in (tmp_path / "out.csv").read_text()


def test_what_no_command_foresees_of_a_file_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", "some/file")

    monkeypatch.setattr(models.cli, "app", refuse)
    monkeypatch.setattr(models.cli, "_settle_streams", lambda: None)
    with pytest.raises(SystemExit) as ended:
        models.cli.main()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "hupai: some/file cannot be used: Permission denied.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
def test_messages_that_cannot_be_written_stop_no_work() -> None:
    code = "from models.start import main; main()"
    hands = b"11m\n12789m33s234999p3m|EE1000|0\n"
    cases = [(["score", "-"], hands, 1, 2), (["read", "absent.jpg", SAMPLE_PHOTO, "--json"], b"", 1, 1)]
    cases += [(["score"], b"", 2, 0), (["score", "11m"], b"", 1, 0)]
    for arguments, given, returned, answers in cases:
        with Path("/dev/full").open("wb") as full:
            result = subprocess.run(
                [sys.executable, "-c", code, *map(str, arguments)],
                cwd=Path(__file__).parent.parent,
                input=given,
                stdout=subprocess.PIPE,
                stderr=full,
                timeout=120,
                check=False,
            )
        assert (result.returncode, len(result.stdout.splitlines())) == (returned, answers), arguments


@posix
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("read", "{photo}", "--namer", "{pipe}"), 1),
        (("read", "{photo}", "--locator", "{pipe}"), 1),
        (("read", "{photo}", "--locator", "/dev/zero"), 1),
        (("score", "11m", "--rules", "{pipe}.toml"), 2),
        (("rules", "{pipe}.toml"), 2),
        (("serve", "--rules", "{pipe}.toml"), 2),
        (("teach", "{photo}", "--layout", "{pipe}"), 1),
        (("teach", "{photo}", "--truth", "{pipe}"), 1),
        (("evaluate", "{folder}", "--photos", "{folder}"), 1),
    ],
)
def test_pipes_that_nobody_fills_are_refused(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    for name in ("pipe", "pipe.toml", "pipe.json"):
        os.mkfifo(tmp_path / name)
    places = {"photo": SAMPLE_PHOTO, "pipe": tmp_path / "pipe", "folder": tmp_path}
    result = denied(*(argument.format(**places) for argument in arguments))
    assert "a pipe or a device" in one_sentence(result, code)


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="needs /dev/stdin")
def test_what_comes_through_a_pipe_is_drawn_on_too(tmp_path: Path) -> None:
    out = tmp_path / "out.jpg"
    code = "from models.start import main; main()"
    for data, returned in ((SAMPLE_PHOTO.read_bytes(), 0), (b"no picture", 1)):
        result = subprocess.run(
            [sys.executable, "-c", code, "read", "/dev/stdin", "--json", "--overlay", str(out)],
            cwd=Path(__file__).parent.parent,
            input=data,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert result.returncode == returned, result.stderr
        assert out.exists() == (returned == 0)
        if returned == 0:
            assert json.loads(result.stdout)["photo"] == "/dev/stdin"
            assert result.stderr == b""
            out.unlink()
        else:
            assert result.stderr.startswith(b"hupai: /dev/stdin is not a picture")


def test_training_ends_in_a_sentence_where_its_inputs_cannot_be_used(tmp_path: Path) -> None:
    from models.training.commands import app

    absent, empty, truths, bare = (tmp_path / name for name in ("absent", "empty", "truths", "bare"))
    for folder in (empty, truths, bare):
        folder.mkdir()
    (truths / "hand.json").write_bytes(SAMPLE_TRUTH.read_bytes())
    truth = json.loads(SAMPLE_TRUTH.read_text(encoding="utf-8"))
    (bare / "hand.json").write_text(json.dumps({**truth, "tiles": [], "groups": []}))
    (tmp_path / "cut.npz").write_bytes(b"PK\x03\x04" + bytes(40))
    (tmp_path / "text.npz").write_text("hello")
    for code, *arguments in (
        (1, "calibrate", absent, "--photos", empty),
        (1, "calibrate", empty, "--photos", empty),
        (1, "calibrate", truths, "--photos", absent),
        (1, "calibrate", bare, "--photos", SAMPLE_PHOTO.parent),
        (1, "locator", absent, "--minutes", "1", "--out", tmp_path / "out"),
        (1, "locator", empty, "--minutes", "1", "--out", tmp_path / "out"),
        (2, "scenes", "--faces", tmp_path / "cut.npz", "--out", tmp_path / "out"),
        (2, "scenes", "--faces", tmp_path / "text.npz", "--out", tmp_path / "out"),
        (2, "export", "--out", tmp_path / "out"),
    ):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == code, (arguments, result.output, result.exception)
        assert isinstance(result.exception, SystemExit)
        assert result.stderr
        assert "pickle" not in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (("--wild", "5m", "--option", "wild=1m"), 2),
        (("--option", "wild=5m", "--option", "wild=1m"), 2),
        (("--wild", "5m", "--option", "wild=5m"), 0),
        (("--dealer", "--option", "dealer=no", "--wild", "5m"), 2),
    ],
)
def test_an_option_said_twice_with_different_values_is_refused(said: tuple[str, ...], code: int) -> None:
    result = hupai("score", "12789m33s234999p3m|EE1000|0", "--rules", "dazhong", "--json", *said)
    assert result.exit_code == code
    assert ("is said twice" in result.stderr) == (code == 2)
    assert bool(result.stdout) == (code == 0)


@posix
def test_names_do_not_drive_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # long paths are cut to the width of the table
    named, rules = Path("\x1b[31m.jpg"), Path("\x1b[31m.toml")
    named.write_bytes(SAMPLE_PHOTO.read_bytes())
    truths = tmp_path / "truths"
    truths.mkdir()
    truth = json.loads(SAMPLE_TRUTH.read_text(encoding="utf-8"))
    (truths / "a.json").write_text(json.dumps({**truth, "series": "\x1b[31m [/red]"}))
    rules.write_text('start = "mcr"\nchinese = "\\u001b[31m"\n')
    for command in (
        ["read", named],
        ["teach", named, "--truth", SAMPLE_TRUTH, "--dry-run"],
        ["score", "12789m33s234999p3m|EE1000|0", "--rules", rules],
        ["rules", rules],
        ["evaluate", truths, "--photos", SAMPLE_PHOTO.parent],
    ):
        result = hupai(*command)
        assert result.exit_code == 0, result.stderr
        assert "\x1b" not in result.output
        assert "\\x1b[31m" in "".join(result.stdout.split())
