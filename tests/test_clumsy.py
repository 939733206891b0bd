"""The command as a process, used clumsily: closed and full streams, odd names, Ctrl-C, mistyped inputs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
CODE = "from models.cli import main; main()"
WIN = "12789m33s234999p3m|EE1000|0"
SAMPLE = ROOT / "datasets" / "sample" / "hand.jpg"  # rendered

posix = pytest.mark.skipif(os.name != "posix", reason="shell redirections as POSIX has them")


def hupai(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", CODE, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, timeout=120, check=False, **options)


def shell(redirected: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command with its streams redirected by a shell: `>&-` closes one."""
    line = f'exec "$0" -c "{CODE}" "$@" {redirected}'
    return subprocess.run(
        ["sh", "-c", line, sys.executable, *arguments],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=False,
    )


@posix
@pytest.mark.parametrize(
    ("closed", "arguments", "code"),
    [
        (">&-", ["score", WIN], 0),
        (">&-", ["score", "11m"], 1),
        ("2>&-", ["score", "11m"], 1),
        ("<&-", ["score", "-"], 0),
        ("<&- >&- 2>&-", ["score", WIN], 0),
        (">&-", ["--help"], 0),
    ],
)
def test_closed_streams_change_no_answer(closed: str, arguments: list[str], code: int) -> None:
    result = shell(closed, *arguments)
    assert result.returncode == code
    assert b"Traceback" not in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
@pytest.mark.parametrize(
    "arguments", [["score", WIN], ["score", "--json", WIN], ["rules", "mcr"], ["--help"]]
)
def test_a_full_disk_is_told_in_a_sentence(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = hupai(*arguments, stdout=full)
    assert result.returncode == 1
    assert result.stderr.decode() == "hupai: The output cannot be written: No space left on device.\n"


@posix
@pytest.mark.parametrize("arguments", [["rules", "mcr"], ["rules", "mcr", "--json"]])
def test_nobody_reads_the_output_to_its_end(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        result = hupai(*arguments, stdout=write)
    finally:
        os.close(write)
    assert result.stderr == b""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse names that are not text")
def test_a_photo_whose_name_is_not_text(tmp_path: Path) -> None:
    photo = Path(os.fsdecode(os.fsencode(tmp_path) + b"/inv\xff.jpg"))
    photo.write_bytes(SAMPLE.read_bytes())
    result = hupai("read", "--json", photo, stdout=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (0, b"")
    assert json.loads(result.stdout)["photo"] == str(photo)
    assert hupai("read", photo, stdout=subprocess.PIPE).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="needs named pipes and /dev/stdin")
def test_a_pipe_that_nobody_fills_is_refused_and_one_that_the_shell_opened_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    reading = subprocess.PIPE
    result = hupai("read", "--json", pipe, "/dev/stdin", input=SAMPLE.read_bytes(), stdout=reading)
    assert result.returncode == 1
    assert json.loads(result.stdout)["photo"] == "/dev/stdin"
    assert result.stderr.decode().startswith(f"hupai: {pipe} is a pipe or a device")
    assert len(result.stderr.splitlines()) == 1


def test_ctrl_c_while_the_commands_are_loaded(tmp_path: Path) -> None:
    """As if it came while typer is imported."""
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, function = project["scripts"]["hupai"].partition(":")
    code = f"from {module} import {function} as run; run()"
    result = subprocess.run(
        [sys.executable, "-c", code, "--help"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"")


def test_a_mistyped_input_leaves_no_folder_behind(tmp_path: Path) -> None:
    pytest.importorskip("filelock", reason="labelling needs filelock (the label extra)")
    photos = tmp_path / "photos"
    photos.mkdir()
    for inputs in ([photos], [photos, tmp_path / "fotos"], [tmp_path / "*.jpg"], [f"@{tmp_path}/list"]):
        result = hupai("label", *inputs, "--out", tmp_path / "labels")
        assert result.returncode == 2
        assert result.stderr.startswith(b"hupai: ") and len(result.stderr.splitlines()) == 1
        assert not (tmp_path / "labels").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse names that are not text")
def test_a_name_that_is_not_text_is_left_out_of_the_labels(tmp_path: Path) -> None:
    inputs = pytest.importorskip("datasets.labelling.inputs")
    (tmp_path / "good.jpg").touch()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/inv\xff.jpg")).touch()
    listing = inputs.Listing([str(tmp_path)])
    assert [Path(listed.picture).name for listed in listing] == ["good.jpg"]
    (problem,) = listing.problems
    assert "not UTF-8" in problem


def heed_ctrl_c() -> None:
    """As from a terminal: what a shell script starts with `&` ignores Ctrl-C, and so would the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@posix
@pytest.mark.parametrize("seconds", [1.0, 2.0])
def test_ctrl_c_while_labelling(tmp_path: Path, seconds: float) -> None:
    """A terminal sends it to the processes that label as well, and those load for a second or two."""
    pytest.importorskip("filelock", reason="labelling needs filelock (the label extra)")
    (tmp_path / "photos").mkdir()
    for number in range(200):
        Image.new("RGB", (640, 480), (number, 90, 30)).save(tmp_path / "photos" / f"{number}.jpg")
    command = [
        sys.executable,
        "-c",
        CODE,
        "label",
        str(tmp_path / "photos"),
        "--out",
        str(tmp_path / "labels"),
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed_ctrl_c
    ) as run:
        while not (tmp_path / "labels" / "manifest.sqlite").exists():
            assert run.poll() is None
            time.sleep(0.01)
        time.sleep(seconds)
        os.killpg(run.pid, signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130, said.decode()
    assert b"Traceback" not in said
    assert b"go on with --resume" in said
