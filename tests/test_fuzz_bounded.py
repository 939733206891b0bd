"""A bounded run of each fuzz target: the same inputs each time, in processes of their own. `tests/fuzz` tells
how to run them for longer."""

from __future__ import annotations

import importlib.util

import pytest
from fuzz.drive import drive
from fuzz.target import Finding, Run

NEEDS = {
    "api": ("fastapi", "multipart", "segno"),
    "review": ("fastapi", "cachetools"),
    "labels": ("yaml",),
    "manifest": ("cachetools",),
    "shards": ("pyarrow", "fsspec"),
    "checkpoint": ("torch",),
}
EXECUTIONS = {
    "photo": 400,
    "notation": 300,
    "lines": 10,
    "house": 150,
    "api": 250,
    "review": 250,
    "labels": 300,
    "manifest": 30,
    "shards": 100,
    "onnx": 3,
    "checkpoint": 60,
}


def test_each_way_to_go_wrong_is_seen() -> None:
    """With this seed the five inputs are all different."""
    run = drive("probe", executions=5, seed=5)
    assert run.executions == 5
    ways = {finding.data: finding.key for finding in run.findings}
    assert ways.keys() == {b"error", b"loop", b"crash", b"memory"}
    assert ways[b"error"].startswith("KeyError at probe.py")
    assert ways[b"loop"].startswith("took too long")
    assert ways[b"crash"].startswith("died of SIGSEGV")
    assert ways[b"memory"].startswith("held too much memory")


@pytest.mark.parametrize("target", EXECUTIONS)
def test_what_is_damaged_by_a_machine_is_read_or_refused(target: str) -> None:
    for module in NEEDS.get(target, ()):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"no {module} here: pip install 'hupai[dev,train]'")
    run = drive(target, executions=EXECUTIONS[target], seconds=300, seed=1)
    assert not run.findings, _story(run)
    assert run.executions == EXECUTIONS[target]


def test_answers_of_the_api_are_as_described() -> None:
    pytest.importorskip("schemathesis", reason="no schemathesis here: pip install 'hupai[test]'")
    pytest.importorskip("fastapi", reason="no fastapi here: pip install 'hupai[serve]'")
    from fuzz.openapi import explore

    run = explore(examples=4)
    assert not run.findings, _story(run)
    assert run.executions >= 4 * 10


def _story(run: Run) -> str:
    def told(finding: Finding) -> str:
        return f"{finding.key}\n{finding.told[-1500:]}\n{finding.data[:500]!r}"

    return "\n\n".join(map(told, run.findings))
