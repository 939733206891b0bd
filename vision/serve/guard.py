"""What every request passes: who may call, how much may come and how slowly, which headers go out."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vision.serve.problems import ApiError, Sentence, language_of, problem_response
from vision.serve.settings import BODY_SECONDS, MAX_BODY, MAX_DRAINED, MAX_JSON

PHOTO_PATHS = frozenset({"/api/read", "/api/corrections"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def own_names() -> frozenset[str]:
    """The names of this machine, in a home network too."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({"localhost", name, short, f"{short}.local", f"{short}.lan"})


class Guard:
    """ASGI middleware around the application.

    A name that is neither this machine's, nor allowed, nor an IP address is refused: with one, a page from
    elsewhere could point its own name here (DNS rebinding). Writing needs the page to be ours.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = (), body_seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._hosts = own_names() | {host.lower() for host in hosts}
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        language = language_of(headers.get("accept-language"))
        api = str(scope["path"]).startswith("/api/")
        send = _with_headers(send, api)
        most = MAX_BODY if scope["path"] in PHOTO_PATHS else MAX_JSON
        refused = (
            _address(scope)
            or self._host(headers)
            or _origin(scope["method"], headers)
            or _length(headers, most)
        )
        body = _Body(receive, send, most, self._body_seconds)
        if refused is not None:
            if "expect" not in headers:
                await body.drain()
            await problem_response(refused, language)(scope, receive, send)
            return
        try:
            await self._app(scope, body.receive, body.send)
        except ApiError:
            if body.refused is None:
                raise
        if body.refused is not None and not body.started:
            await body.drain()
            await problem_response(body.refused, language)(scope, receive, send)

    def _host(self, headers: Headers) -> ApiError | None:
        host = _name_in(f"//{headers.get('host', '')}")
        if host.lower().rstrip(".") in self._hosts or _is_address(host):
            return None
        return ApiError(
            421,
            "unknown-host",
            Sentence(
                "This server does not answer to that name; call it by its IP address, or start it with "
                "--allow-host NAME.",
                "服务器不以此名称应答；请用 IP 地址访问，或启动时加 --allow-host 名称。",
            ),
        )


class _Body:
    """A request's body as it comes, and the answer as it goes. Past a limit the application's own answer to
    the broken body is dropped, and `refused` says what to answer."""

    def __init__(self, receive: Receive, send: Send, most: int, seconds: float) -> None:
        self._receive, self._send = receive, send
        self._most = most
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._length = 0
        self._whole = False
        self.refused: ApiError | None = None
        self.started = False

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            self.refused = _too_slow()
            raise self.refused from None
        if message["type"] == "http.request":
            self._length += len(message.get("body", b""))
            self._whole = not message.get("more_body", False)
            if self._length > self._most:
                self.refused = _too_large(self._most)
                raise self.refused
        return message

    async def drain(self) -> None:
        """Take what is still coming and drop it, within limits: a client that is refused while it sends does
        not look at the answer, and sees its connection reset."""
        while not self._whole and self._length < MAX_DRAINED:
            try:
                async with asyncio.timeout_at(self._deadline):
                    message = await self._receive()
            except TimeoutError:
                return
            self._length += len(message.get("body", b""))
            self._whole = not message.get("more_body", False)

    async def send(self, message: Message) -> None:
        if self.refused is None or self.started:
            self.started = True
            await self._send(message)


def _with_headers(send: Send, api: bool) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            # Pages and scripts are asked for again each time, by ETag: after an update they fit together.
            headers.setdefault("Cache-Control", "no-store" if api else "no-cache")
        await send(message)

    return with_headers


def _address(scope: Scope) -> ApiError | None:
    """Addresses are ASCII (RFC 3986). Some servers let other bytes through, which Starlette decodes."""
    if scope.get("raw_path", b"").isascii() and scope["query_string"].isascii():
        return None
    return ApiError(
        400,
        "bad-address",
        Sentence(
            "The address has bytes that none may have; encode them as %XX.",
            "地址含有非法字节，请用 %XX 编码。",
        ),
    )


def _name_in(url: str) -> str:
    """The host of a URL without port; nothing for one that is damaged."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _origin(method: str, headers: Headers) -> ApiError | None:
    """Browsers say where a request comes from (Fetch Metadata, or Origin in older ones); others need not."""
    if method in SAFE_METHODS:
        return None
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    ours = site in ("same-origin", "none") if site is not None else True
    if origin is not None:
        ours = ours and origin.partition("://")[2].lower() == headers.get("host", "").lower()
    if ours:
        return None
    return ApiError(
        403,
        "cross-origin",
        Sentence("Only this server's own pages may write here.", "只有本服务器自己的页面可以提交。"),
    )


def _length(headers: Headers, most: int) -> ApiError | None:
    length = headers.get("content-length", "0")
    return _too_large(most) if length.isdigit() and (len(length) > 18 or int(length) > most) else None


def _too_large(most: int) -> ApiError:
    said = f"{most >> 20} MiB" if most >= 2**20 else f"{most >> 10} KiB"
    return ApiError(
        413,
        "too-large",
        Sentence(
            f"The request has more than {said}; send a smaller one.", f"请求超过 {said}，请缩小后再发送。"
        ),
        {"Connection": "close"},
    )


def _too_slow() -> ApiError:
    return ApiError(
        408,
        "too-slow",
        Sentence("The request came too slowly; send it again.", "请求传输太慢，请重新发送。"),
        {"Connection": "close"},
    )
