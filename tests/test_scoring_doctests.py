"""The examples in the docstrings of `scoring`."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import scoring

MODULES = [scoring.__name__, *(found.name for found in pkgutil.walk_packages(scoring.__path__, "scoring."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) >= 15
