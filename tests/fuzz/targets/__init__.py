"""The targets, each loaded when asked for: some need packages that others do without."""

from __future__ import annotations

from importlib import import_module

from ..target import Target

_MODULES = {
    "photo": "photo",
    "notation": "scoring",
    "lines": "scoring",
    "house": "scoring",
    "api": "api",
    "review": "api",
    "labels": "labels",
    "manifest": "manifest",
    "shards": "manifest",
    "onnx": "weights",
    "checkpoint": "weights",
    "probe": "probe",
}
TARGETS = tuple(_MODULES)


def load(name: str) -> Target:
    """The target of that name."""
    target: Target = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name.upper())
    return target
