"""The models that ship with hupai: what each is, where its weights lie, and that they are the right ones."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).parent
REGISTRY_FILE = _HERE / "registry.toml"

SAMPLE_PHOTO = _HERE.parent / "datasets" / "sample" / "hand.jpg"
"""The photo that README and `hupai doctor` read: a rendered scene."""
SAMPLE_TRUTH = SAMPLE_PHOTO.with_suffix(".json")
"""What `SAMPLE_PHOTO` shows, as a truth file."""


class ModelError(Exception):
    """A model that cannot be used; `str()` is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Entry:
    """One model of the registry.

    file, card: paths of the weights and of the model card.
    sha256: of the weights, lower-case hex.
    classes: names of the model's output classes, in order.
    input_size: side of the square input, in pixels.
    licence: SPDX expression of the weights.
    parameters: thresholds, temperatures and the like, each named by the code that uses it.
    """

    name: str
    file: Path
    sha256: str
    task: str
    classes: tuple[str, ...]
    input_size: int
    licence: str
    card: Path
    parameters: Mapping[str, float]


@lru_cache(maxsize=4)
def entries(registry: Path = REGISTRY_FILE) -> Mapping[str, Entry]:
    """All models by name. Raises ModelError when the registry itself is missing or damaged."""
    try:
        tables = tomllib.loads(registry.read_text(encoding="utf-8"))
        return {name: _entry(name, table, registry.parent) for name, table in tables.items()}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(
            f"The model registry {registry.name} is damaged ({error}); reinstall hupai."
        ) from error


def entry(name: str, registry: Path = REGISTRY_FILE) -> Entry:
    """The model of this name. Raises ModelError for an unknown name."""
    known = entries(registry)
    if name not in known:
        raise ModelError(f"There is no model named {name!r}; the registry has {', '.join(sorted(known))}.")
    return known[name]


@lru_cache(maxsize=16)
def verified_path(name: str, registry: Path = REGISTRY_FILE) -> Path:
    """Path of the model's weights, after their SHA-256 was found right (once per process).

    Raises ModelError when the name is unknown, or the file is missing, unreadable or not the registered one.
    """
    model = entry(name, registry)
    try:
        with model.file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(
            f"The weights {model.file.name} of the {name} cannot be read ({reason}); reinstall hupai."
        ) from error
    if digest != model.sha256:
        raise ModelError(
            f"The weights {model.file.name} of the {name} are not the registered ones (SHA-256 "
            f"{digest[:12]}… instead of {model.sha256[:12]}…); reinstall hupai, or, where you trained them "
            f"yourself, write the SHA-256 that `hupai train export` printed into {registry.name}."
        )
    return model.file


def _entry(name: str, table: Mapping[str, object], folder: Path) -> Entry:
    """Raises KeyError for a missing field, TypeError or ValueError for one of the wrong kind."""
    classes, parameters, size = table["classes"], table.get("parameters", {}), table["input_size"]
    if not isinstance(classes, list) or not isinstance(parameters, dict) or not isinstance(size, int):
        raise TypeError(f"{name}: classes, parameters or input_size is of the wrong kind")
    return Entry(
        name=name,
        file=folder / str(table["file"]),
        sha256=str(table["sha256"]),
        task=str(table["task"]),
        classes=tuple(str(item) for item in classes),
        input_size=size,
        licence=str(table["licence"]),
        card=folder / str(table["card"]),
        parameters={str(key): float(value) for key, value in parameters.items()},
    )
