"""The server on a socket: how it is reached, and how long a client may take to ask."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from vision.serve.settings import HEADER_SECONDS
from vision.serve.stopping import LAST_SECONDS, STOP_SECONDS, Answered, Server

MOST_CONNECTIONS = 200
"""Open at once; a phone's browser opens up to six."""
_KEEP_ALIVE_SECONDS = 15


class ListenError(Exception):
    """The address cannot be listened on; `str()` is one sentence."""


class Listener:
    """An open socket, and the addresses by which it is reached."""

    def __init__(self, host: str, port: int) -> None:
        """port: 0 takes a free one. Raises ListenError."""
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self.socket = socket.create_server((host, port), family=family, backlog=MOST_CONNECTIONS)
        except (OSError, OverflowError, UnicodeError) as error:
            number = getattr(error, "errno", None)
            reason = os.strerror(number) if number and number > 0 else str(error)
            raise ListenError(
                f"Cannot listen on {host} port {port} ({reason}); choose another with --host and --port."
            ) from error
        self._host = host
        self._port: int = self.socket.getsockname()[1]

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach it."""
        try:
            return not ipaddress.ip_address(self.socket.getsockname()[0]).is_loopback
        except ValueError:
            return True

    @property
    def url(self) -> str:
        """For others on the network where it is open to them, else for this machine."""
        address = self.socket.getsockname()[0]
        if ipaddress.ip_address(address).is_unspecified:
            address = network_address() or socket.gethostname()
        return f"http://{f'[{address}]' if ':' in address else address}:{self._port}/"


def network_address() -> str | None:
    """This machine's address in its network; None where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # reserved for documentation; connecting a UDP socket sends nothing
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return address


class TimedProtocol(H11Protocol):
    """Uvicorn's protocol, with a limit to how long a request's head may take: a connection that says nothing,
    or a byte now and then, is closed."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._arm()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._arm()
        else:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        if self._timer is None and not self.transport.is_closing():
            self._timer = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def serve(app: FastAPI, listener: Listener) -> None:
    """Answer until interrupted."""
    server_of(app).run(sockets=[listener.socket])


def server_of(app: FastAPI) -> Server:
    """The server with its limits."""
    config = uvicorn.Config(
        Answered(app),
        http=TimedProtocol,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(STOP_SECONDS) + LAST_SECONDS,
    )
    return Server(config)
