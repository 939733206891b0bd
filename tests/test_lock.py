"""The locked versions that `.ci/run` installs are those of all that pyproject.toml names, and fit it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

packaging = pytest.importorskip("packaging.requirements", reason="needs packaging: pip install packaging")
from packaging.requirements import Requirement  # noqa: E402
from packaging.utils import canonicalize_name  # noqa: E402
from packaging.version import Version  # noqa: E402

ROOT = Path(__file__).parents[1]
LOCK = ROOT / ".ci" / "constraints.txt"
if not LOCK.is_file():
    pytest.skip("needs the checkout: .ci/constraints.txt is not here", allow_module_level=True)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = [Requirement(line) for line in LOCK.read_text(encoding="utf-8").splitlines()]


def pinned(name: str) -> Version | None:
    """The version for this machine."""
    for pin in PINS:
        if canonicalize_name(pin.name) == canonicalize_name(name) and (
            not pin.marker or pin.marker.evaluate()
        ):
            (clause,) = pin.specifier
            return Version(clause.version)
    return None


def named(extra: str) -> Iterator[Requirement]:
    """What an extra of the project asks for, and those that it names."""
    for line in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(line)
        if requirement.name == PROJECT["name"]:
            for other in sorted(requirement.extras):
                yield from named(other)
        else:
            yield requirement


def test_every_line_pins_one_version() -> None:
    for pin in PINS:
        assert [clause.operator for clause in pin.specifier] == ["=="], pin
        assert "*" not in str(pin.specifier), pin
    names = [(canonicalize_name(pin.name), str(pin.marker)) for pin in PINS]
    assert len(set(names)) == len(names)


DIRECT = [*map(Requirement, PROJECT["dependencies"]), *named("dev")]


@pytest.mark.parametrize("requirement", DIRECT, ids=str)
def test_what_the_project_names_is_locked_at_a_version_that_it_allows(requirement: Requirement) -> None:
    version = pinned(requirement.name)
    assert version is not None, "write the lock anew: bash .ci/lock"
    assert requirement.specifier.contains(version, prereleases=True), "write the lock anew: bash .ci/lock"


def test_what_these_need_in_turn_is_locked_too() -> None:
    """As far as it is installed here: each package says what it needs."""
    waiting = [(r.name, frozenset(r.extras)) for r in DIRECT]
    seen, missing = set(waiting), []
    while waiting:
        name, extras = waiting.pop()
        if pinned(name) is None:
            missing.append(name)
            continue
        try:
            lines = requires(name) or []
        except PackageNotFoundError:
            continue
        for requirement in map(Requirement, lines):
            wanted = requirement.marker is None or any(
                requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            )
            key = (requirement.name, frozenset(requirement.extras))
            if wanted and key not in seen:
                seen.add(key)
                waiting.append(key)
    assert not missing
    assert len(seen) > len(DIRECT)


def test_extras_without_a_lock_are_those_that_are_meant() -> None:
    """Training's PyTorch differs by platform. Every other extra is part of `dev`."""
    locked = {requirement.name for requirement in DIRECT}
    loose = {
        extra
        for extra in PROJECT["optional-dependencies"]
        if not {requirement.name for requirement in named(extra)} <= locked
    }
    assert loose == {"fuzz", "train"}
