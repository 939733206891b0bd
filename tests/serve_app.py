"""The server for tests: the real application, called as a browser on this machine would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the server's tests need the extra `serve`")
pytest.importorskip("httpx2", reason="the server's tests need httpx2, of the extra `test`")

from starlette.testclient import TestClient

from vision.serve.app import create_app
from vision.serve.settings import Settings

SAMPLE = Path(__file__).parent.parent / "datasets" / "sample" / "hand.jpg"
"""A rendered scene, not a photo."""


def client(folder: Path, **settings: Any) -> TestClient:
    """Without `with` no worker starts, and no photo can be read."""
    app = create_app(Settings(folder, **settings))
    return TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False)


def problem(response: Any, status: int, code: str) -> str:
    """The sentence of a refused request, all else checked."""
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert (response.status_code, told["status"], told["code"]) == (status, status, code)
    assert "Traceback" not in response.text
    assert told["detail"].endswith((".", "。"))
    sentence: str = told["detail"]
    return sentence
