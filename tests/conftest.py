"""Fixtures that several test modules share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium driven by Playwright. One for the process: Playwright cannot be started twice in a thread."""
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
