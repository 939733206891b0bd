"""HTTP requests to an ASGI application in this process, as raw as a socket would carry them."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes


@dataclass(frozen=True)
class Request:
    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    @classmethod
    def parse(cls, data: bytes) -> Request:
        """As in HTTP/1.1, with bare line feeds: a line `METHOD target`, headers, an empty line, the body."""
        head, _, body = data.partition(b"\n\n")
        first, *lines = head.split(b"\n")
        method, _, target = first.partition(b" ")
        headers = []
        for line in lines:
            name, colon, value = line.partition(b":")
            if colon and name.strip():
                headers.append((name.strip().lower(), value.strip()))
        return cls(
            method.decode("ascii", "replace").upper()[:10] or "GET", target or b"/", tuple(headers), body
        )


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    def json(self) -> Any:
        """Raises ValueError for what is no JSON that other languages read: NaN, lone surrogates."""
        return json.loads(self.body.decode("utf-8"), parse_constant=_refuse)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


class Caller:
    """Calls an application; what it raises is raised here."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._runner = asyncio.Runner()

    def call(self, request: Request) -> Answer:
        return self._runner.run(self._call(request))

    async def _call(self, request: Request) -> Answer:
        path, _, query = request.target.partition(b"?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method,
            "scheme": "http", "path": unquote_to_bytes(path).decode("utf-8", "replace"), "raw_path": path,
            "query_string": query, "root_path": "", "client": ("127.0.0.1", 50_000),
            "server": ("127.0.0.1", 8000), "headers": [(b"host", b"127.0.0.1:8000"), *request.headers],
            "app": self._app,
        }  # fmt: skip
        sent = False
        status, headers, parts = 0, {}, []

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                return {"type": "http.disconnect"}
            sent = True
            return {"type": "http.request", "body": request.body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in message["headers"]
                }
            else:
                parts.append(message.get("body", b""))

        await self._app(scope, receive, send)
        return Answer(status, headers, b"".join(parts))
