"""`hupai serve` as a process: what it prints, that it answers, and that it ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import serve_app  # skips where the extra is not installed
from typer.testing import CliRunner

import models.cli
from vision.serve.stopping import STOP_SECONDS

ROOT = Path(__file__).parent.parent

assert serve_app


@contextlib.contextmanager
def started(data: Path) -> Iterator[subprocess.Popen[str]]:
    """A server in a process group of its own, killed at the end where it still runs."""
    command = [sys.executable, "-m", "models.cli", "serve", "--port", "0", "--data", str(data)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    ) as server:
        try:
            yield server
        finally:
            if server.poll() is None:
                server.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_up_and_down(tmp_path: Path, how: signal.Signals) -> None:
    with started(tmp_path) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.fullmatch(r"hupai: (http://127\.0\.0\.1:\d+/)\n", line)
        assert found, line
        assert "--host 0.0.0.0" in server.stdout.readline()
        assert "not kept" in server.stdout.readline()
        with urllib.request.urlopen(found[1] + "api/service", timeout=60) as answer:
            assert json.load(answer)["keeps"] is False
        group = os.getpgid(server.pid)
        if how is signal.SIGINT:
            os.killpg(group, how)  # as Ctrl-C does: the workers get it too
        else:
            server.send_signal(how)
        _, err = server.communicate(timeout=60)
    assert "Traceback" not in err
    deadline = time.monotonic() + 20
    while _exists(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _exists(group)  # no worker is left


@pytest.mark.parametrize("signals", [1, 2], ids=["Ctrl-C", "twice"])
def test_stopping_with_a_request_under_way_ends_in_a_sentence(tmp_path: Path, signals: int) -> None:
    """The request's body does not come: it would be under way for a minute."""
    with started(tmp_path) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().rpartition(":")[2].strip("/\n"))
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall(
                b"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n"
                b"Content-Type: image/jpeg\r\nExpect: 100-continue\r\n\r\n"
            )
            assert client.recv(100).startswith(b"HTTP/1.1 100")  # it is being waited for
            began = time.monotonic()
            for _ in range(signals):
                os.killpg(server.pid, signal.SIGINT)
                time.sleep(0.3)
            answer = b"".join(iter(lambda: client.recv(4096), b""))
            took = time.monotonic() - began
        _, err = server.communicate(timeout=60)
    assert answer.startswith(b"HTTP/1.1 503") and b'"code":"stopped"' in answer
    assert (took >= STOP_SECONDS) is (signals == 1)
    assert "hupai: Stopped while 1 request was still under way." in err
    assert "Traceback" not in err and "CancelledError" not in err


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def hupai(*words: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(models.cli.app, ["serve", *map(str, words)])
    return result.exit_code, result.stderr


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, said = hupai("--port", "0", "--data", tmp_path / "file" / "data")
    assert (code, said.count("\n")) == (1, 1)
    assert "name another folder with --data" in said
    code, said = hupai("--port", "0", "--data", tmp_path, "--keep-corrections", tmp_path / "file")
    assert (code, said.count("\n")) == (1, 1)
    assert "name another folder" in said


def test_an_address_that_is_none(tmp_path: Path) -> None:
    code, said = hupai("--host", "no.such.host.invalid", "--data", tmp_path)
    assert (code, said.count("\n")) == (1, 1)
    assert "Cannot listen on no.such.host.invalid" in said


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_is_none(port: str) -> None:
    assert hupai("--port", port)[0] == 2


def test_house_rules_that_are_none(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text('start = "mcr"\nfoo = 3\n', encoding="utf-8")
    taken = tmp_path / "mcr.toml"
    taken.write_text('start = "mcr"\n', encoding="utf-8")
    for path, reason in (
        (tmp_path / "none.toml", "cannot be read"),
        (club, "foo"),
        (taken, "the name 'mcr'"),
    ):
        code, said = hupai("--port", "0", "--data", tmp_path, "--rules", path)
        assert code == 2
        assert reason in said
