"""The API of `hupai serve` against its own description: schemathesis sends what `/openapi.json` allows, and
what it forbids, and holds each answer against the shape that is promised."""

from __future__ import annotations

import itertools
import json
import logging
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from .asgi import Caller, Request
from .target import Finding, Run
from .targets.api import serve_app

HOST = {"host": "127.0.0.1:8000"}
CHECKS = (
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
)


def explore(examples: int = 1 << 40, seconds: float = float("inf"), number: int = 0) -> Run:
    """Requests to each operation, about half of them wrong on purpose, until so many were sent to each or the
    time is over. number: another one sends others."""
    began, sent, findings = time.monotonic(), 0, {}
    with tempfile.TemporaryDirectory(prefix="hupai-fuzz-") as folder:
        app = serve_app(Path(folder))
        table = _table(app)
        schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)
        operations = [found.ok() for found in schema.get_all_operations()]
        logging.getLogger("schemathesis").setLevel(logging.ERROR)
        for batch in itertools.count():
            wanted = min(20, examples - 20 * batch)
            if wanted <= 0 or time.monotonic() - began >= seconds:
                break
            for operation in operations:
                for error, told in _try(operation, wanted, 1000 * number + batch, table):
                    findings.setdefault(error, Finding(error, b"", told))
                sent += wanted
    return Run("openapi", "schemathesis", sent, time.monotonic() - began, tuple(findings.values()))


def _table(app: Any) -> str:
    body = json.dumps({"names": ["a", "b", "c", "d"]}).encode()
    told = ((b"content-type", b"application/json"),)
    answer = Caller(app).call(Request("POST", b"/api/tables", told, body))
    name: str = answer.json()["id"]
    return name


def _try(operation: Any, examples: int, number: int, table: str) -> list[tuple[str, str]]:
    """What went wrong: a key that tells failures apart, and the whole story."""
    wrong: list[tuple[str, str]] = []
    strategy = st.one_of(
        *(
            operation.as_strategy(generation_mode=mode)
            for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
        )
    )

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy, st.booleans())
    def send(case: Any, known: bool) -> None:
        if known and "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = table
        try:
            case.validate_response(case.call(headers=HOST), checks=list(CHECKS))
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 (failed checks; what the server raises)
            reason = str(error).strip().splitlines()
            key = f"{operation.label}: {type(error).__name__} {' '.join(reason[:3])[:120]}"
            wrong.append((key, "".join(traceback.format_exception(error))[-6000:]))

    try:
        send()
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 (what schemathesis cannot make an example of)
        wrong.append((f"{operation.label}: {type(error).__name__}", traceback.format_exc()[-6000:]))
    return wrong
