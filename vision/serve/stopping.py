"""The end of the server: requests under way may be answered for a while, and who still waits then is told."""

from __future__ import annotations

import asyncio
import logging
import socket
from types import FrameType

import uvicorn
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vision.serve.problems import ApiError, Sentence, language_of, problem_response

STOP_SECONDS = 5.0
"""For which requests under way may be answered after Ctrl-C; a photo takes a fraction of a second."""
LAST_SECONDS = 2
"""For which clients may then take the answer that there will be none."""

log = logging.getLogger("hupai.serve")

_STOPPED = Sentence(
    "The server was stopped before this was done; start it and try again.", "服务器已停止，请重新启动后再试。"
)


class Server(uvicorn.Server):
    """Uvicorn's server, which would cancel what is under way with a traceback for each request."""

    _given_up = False

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        timer = asyncio.get_running_loop().call_later(STOP_SECONDS, self._give_up)
        try:
            await super().shutdown(sockets)
        finally:
            timer.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal stops, a second one at once, a third without regard."""
        if self.should_exit and not self._given_up:
            self._give_up()
        else:
            super().handle_exit(sig, frame)

    def _give_up(self) -> None:
        self._given_up = True
        if tasks := list(self.server_state.tasks):
            under_way = "1 request was" if len(tasks) == 1 else f"{len(tasks)} requests were"
            log.warning("hupai: Stopped while %s still under way.", under_way)
        for task in tasks:
            task.get_loop().call_soon_threadsafe(task.cancel)


class Answered:
    """ASGI application around another one: a request that is cancelled is answered, 503 `stopped`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def note(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, note)
        except asyncio.CancelledError:
            if not begun:
                language = language_of(Headers(scope=scope).get("accept-language"))
                await problem_response(ApiError(503, "stopped", _STOPPED), language)(scope, receive, send)
