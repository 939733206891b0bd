"""A phone in front of a running `hupai serve`: a real Chromium at phone size, for the tests of the pages.

Photos are rendered ones (`datasets/sample`). What the page is told of the sample is its truth file, altered
where a test needs a reading of a certain kind; after `reads_itself` the server reads. The browser is that of
conftest.py.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets" / "sample" / "hand.jpg"
SAMPLE_HAND = "[456s,1]12378sEECCC9s|EE0000|cf"
SAMPLE_TILES = sorted(read["tile"] for read in json.loads(SAMPLE.with_suffix(".json").read_text())["tiles"])
PHONE = {"width": 390, "height": 844}
START_SECONDS = 300
Alter = Callable[[dict[str, Any]], None]


class Server:
    """A running server. kept: the folder of corrected photos."""

    def __init__(self, address: str, kept: Path) -> None:
        self.address = address
        self.kept = kept


def sample_reading() -> dict[str, Any]:
    """The sample's truth as the reading that a faultless server gives."""
    truth = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    sure = {"confidence": 0.999, "alternatives": [], "changed_from": None}
    return {
        "photo": "photo.jpg",
        "size": truth["size"],
        "tiles": [{**read, **sure} for read in truth["tiles"]],
        "groups": truth["groups"],
        "hand": SAMPLE_HAND,
        "status": ["complete"],
        "assumed": {},
        "score": None,
        "warnings": [],
        "seconds": {},
    }


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    pytest.importorskip("fastapi", reason="No server here: pip install 'hupai[serve]'")
    with running_server() as started:
        yield started


@contextlib.contextmanager
def running_server() -> Iterator[Server]:
    """`hupai serve` on a free port, with folders of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        data, kept = Path(folder) / "data", Path(folder) / "kept"
        command = [sys.executable, "-m", "models.cli", "serve", "--port", str(port), "--data", str(data)]
        with subprocess.Popen(
            [*command, "--keep-corrections", str(kept)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            address = f"http://127.0.0.1:{port}"
            try:
                _wait_for(address, process)
                yield Server(address, kept)
            finally:
                process.terminate()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                process.kill()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError(f"The server ended with {process.returncode}.")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api/service", timeout=5):
            return
        time.sleep(0.2)
    raise AssertionError("The server does not answer.")


class Phone:
    """One page of a fresh browser. What the page asks for, and its complaints, are written down."""

    def __init__(self, context: Any, server: Server) -> None:
        self.context = context
        self.server = server
        self.page = context.new_page()
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.set_default_timeout(60_000)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._heard)

    def _heard(self, message: Any) -> None:
        # A refused request is told in the console too; tests of refusals look at the page.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def open(self, path: str = "/") -> Any:
        self.page.goto(self.server.address + path)
        self.page.wait_for_selector("body[data-ready]")
        return self.page

    def reads(self, alter: Alter | None = None) -> None:
        """Let the page see the sample's reading, with changes."""
        reading = sample_reading()
        if alter is not None:
            alter(reading)
        self.page.unroute("**/api/read")
        self.page.route("**/api/read", lambda route: route.fulfill(json=reading))

    def reads_itself(self) -> None:
        """Let the server read what the page sends."""
        self.page.unroute("**/api/read")

    def photograph(self, photo: Path = SAMPLE) -> None:
        """Choose a photo and wait for its score."""
        self.page.set_input_files("#take", photo)
        self.page.wait_for_selector("body[data-scored]:not(.busy)")

    def total(self) -> str:
        """The large line above the fans, once what was changed is scored."""
        self.page.wait_for_selector("body[data-scored]")
        return str(self.page.inner_text("#total"))

    def hand(self) -> str:
        """The hand that is scored, in GB notation."""
        self.total()
        return str(self.page.get_attribute("body", "data-scored"))

    def tiles(self, place: str) -> list[str]:
        """Names of the tiles drawn at a place."""
        found = self.page.locator(f'[data-place="{place}"] [data-tile]')
        return [str(found.nth(number).get_attribute("data-tile")) for number in range(found.count())]

    def tap_tile(self, tile: str, place: str = "concealed", nth: int = 0) -> None:
        self.page.locator(f'[data-place="{place}"] [data-tile="{tile}"]').nth(nth).tap()
        self.page.wait_for_selector("#sheet[open]")

    def choose(self, tile: str) -> None:
        """Name the tile of the open sheet by the palette."""
        self.page.locator(f'#sheet .palette [data-tile="{tile}"]').tap()

    def elsewhere(self) -> list[str]:
        """Requests that left the server's address."""
        own = urlsplit(self.server.address).netloc
        return [url for url in self.asked if url.startswith("http") and urlsplit(url).netloc != own]


def _phone(browser: Any, server: Server, **options: Any) -> Iterator[Phone]:
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce", **options
    )
    phone = Phone(context, server)
    phone.reads()
    yield phone
    heard, elsewhere = phone.complaints, phone.elsewhere()
    context.close()
    assert heard == []
    assert elsewhere == []


@pytest.fixture
def phone(browser: Any, server: Server) -> Iterator[Phone]:
    yield from _phone(browser, server, locale="en-US")


@pytest.fixture(params=["en-US", "zh-CN"])
def any_phone(browser: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Phone]:
    """The same in each language."""
    yield from _phone(browser, server, locale=request.param)


@pytest.fixture(params=["light", "dark"])
def lit_phone(browser: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Phone]:
    """In each colour scheme; scripts may be put into the page, which its own policy would forbid."""
    yield from _phone(browser, server, locale="en-US", color_scheme=request.param, bypass_csp=True)


def doubt(reading: dict[str, Any], tile: str, mistaken: str, belief: float = 0.55) -> None:
    """Let one tile of a reading be taken for another, with its right name as the next likeliest."""
    wrong = next(read for read in reading["tiles"] if read["tile"] == tile)
    wrong.update(tile=mistaken, confidence=belief, alternatives=[[tile, 0.3], ["P", 0.05]])
