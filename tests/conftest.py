"""Fixtures that several test modules share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from serve_phone import any_phone, lit_phone, phone, server

__all__ = ["any_phone", "browser", "lit_phone", "phone", "server"]

CHROMIUM = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium driven by Playwright. Of a module and not of the session: while Playwright runs it holds the
    thread's event loop, which tests elsewhere need, and it cannot be started twice at once."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="No Playwright here: pip install playwright"
    )
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("No Chromium here: apt-get install chromium")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=found, args=list(CHROMIUM))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps tests away from the sets that whoever runs them has taught, and their sets from that folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
