"""What every request passes: names, origins, sizes, slowness; and the headers of every answer."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_app import client, problem

from vision.serve import run
from vision.serve.app import create_app
from vision.serve.guard import HEADERS, Guard
from vision.serve.settings import MAX_BODY, MAX_JSON, Settings


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return client(tmp_path_factory.mktemp("data"), hosts=("mahjong.example",))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8000",
        "localhost",
        "192.168.1.7:8000",
        "[::1]:8000",
        "MAHJONG.example",
        socket.gethostname(),
    ],
)
def test_names_that_are_ours(server: Any, host: str) -> None:
    assert server.get("/api/service", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil", "[::1"])
def test_names_that_are_not(server: Any, host: str) -> None:
    problem(server.get("/api/service", headers={"Host": host}), 421, "unknown-host")


OURS: list[dict[str, str]] = [
    {},
    {"Origin": "http://127.0.0.1:8000"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8000"},
    {"Sec-Fetch-Site": "none"},
]
FOREIGN: list[dict[str, str]] = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:9000"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:9000"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
]


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_may_write(server: Any, headers: dict[str, str]) -> None:
    assert server.post("/api/score", json={"hand": "1m"}, headers=headers).status_code == 200


@pytest.mark.parametrize("headers", FOREIGN)
def test_others_may_not(server: Any, headers: dict[str, str]) -> None:
    names = {"names": ["A", "B", "C", "D"]}
    problem(server.post("/api/tables", json=names, headers=headers), 403, "cross-origin")
    problem(server.delete("/api/tables/x/hands/last?expected=1", headers=headers), 403, "cross-origin")
    assert server.get("/api/service", headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/service", "/api/nothing", "/static/nothing", "/api/tables/x"])
def test_headers_of_every_answer(server: Any, path: str) -> None:
    answer = server.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in answer.headers


def test_our_own_faults_tell_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("vision.serve.api.score_answer", broken)
    answer = client(tmp_path).post("/api/score", json={"hand": "1m"})
    problem(answer, 500, "failed")
    assert "secret" not in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(("path", "most"), [("/api/score", MAX_JSON), ("/api/read", MAX_BODY)])
@pytest.mark.parametrize("told", [True, False], ids=["length told", "chunked"])
def test_too_large(server: Any, path: str, most: int, told: bool) -> None:
    chunks = [b"x" * 65_536] * (most // 65_536 + 1)
    body: Any = b"".join(chunks) if told else iter(chunks)
    headers = {"Content-Type": "image/jpeg" if path == "/api/read" else "application/json"}
    answer = server.post(path, content=body, headers=headers)
    assert "MiB" in problem(answer, 413, "too-large") or most == MAX_JSON


def test_a_body_that_never_ends_is_neither_kept_nor_awaited() -> None:
    """Through the guard alone: the application waits for the body, as it does for a form."""
    taken = 0

    async def application(scope: Any, receive: Any, send: Any) -> None:
        with contextlib.suppress(Exception):
            while True:
                await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        nonlocal taken
        taken += 1
        if taken > 3:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": b"x", "more_body": True}

    statuses = []

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/read",
        "headers": [(b"host", b"127.0.0.1")],
        "query_string": b"",
    }
    began = time.monotonic()
    asyncio.run(Guard(application, body_seconds=0.2)(scope, receive, send))
    assert statuses == [408]
    assert time.monotonic() - began < 10


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Of a real server whose patience is short, in a thread."""
    monkeypatch.setattr(run, "HEADER_SECONDS", 0.5)
    listener = run.Listener("127.0.0.1", 0)
    app = create_app(Settings(tmp_path, workers=0))
    server = run.server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]})
    thread.start()
    yield listener.socket.getsockname()[:2]
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()


@pytest.mark.parametrize("start", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_a_slow_head_is_cut_off(address: tuple[str, int], start: bytes) -> None:
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(start)
        assert connection.recv(100) == b""  # closed by the server


def test_the_second_head_may_not_be_slow_either(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=30) as connection:
        connection.sendall(b"GET /api/service HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /api")
        while connection.recv(10_000):
            pass


def test_a_port_that_is_taken() -> None:
    listener = run.Listener("127.0.0.1", 0)
    port = listener.socket.getsockname()[1]
    with listener.socket, pytest.raises(run.ListenError, match=f"port {port} "):
        run.Listener("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "300.1.1.1", "x" * 300])
def test_an_address_that_is_none(host: str) -> None:
    with pytest.raises(run.ListenError):
        run.Listener(host, 0)


@pytest.mark.parametrize(("host", "is_open"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_the_address_that_is_told(host: str, is_open: bool) -> None:
    listener = run.Listener(host, 0)
    with listener.socket:
        assert listener.is_open == is_open
        assert listener.url.endswith(f":{listener.socket.getsockname()[1]}/")
        assert "0.0.0.0" not in listener.url
