"""Hands with right answers from rule books, calculators' own tests and judged games, where the shared data is
at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from scoring import parse_hand, score

SHARED = Path(os.environ.get("HUPAI_SHARED", Path(__file__).parents[2] / "shared"))
CASES = SHARED / "cases" / "mcr.jsonl"
EQUIVALENT = {
    "一般高",
    "喜相逢",
    "连六",
    "老少副",
}  # answers of equal points may differ in which of these they name

pytestmark = pytest.mark.skipif(
    not CASES.exists(), reason=f"no {CASES}: set HUPAI_SHARED to the folder that holds cases/"
)


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def test_totals(cases: list[dict[str, Any]]) -> None:
    wrong = [
        (case["hand"], case["edition"], answer.total, case["total"])
        for case in cases
        if (answer := score(case["hand"], edition=case["edition"])).total != case["total"]
    ]
    assert not wrong
    assert len(cases) > 500


def test_fans(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        if case["fans"] is not None:
            answer = score(case["hand"], edition=case["edition"])
            found = {(fan.name, fan.points, fan.count) for fan in answer.fans if fan.name not in EQUIVALENT}
            assert found == {tuple(fan) for fan in case["fans"] if fan[0] not in EQUIVALENT}, case["hand"]


def test_texts_are_canonical(cases: list[dict[str, Any]]) -> None:
    assert all(str(parse_hand(case["hand"])) == case["hand"] for case in cases)
