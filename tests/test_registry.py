"""The model registry: entries are complete, and only the registered weights are handed out."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from models import registry
from models.registry import ModelError

TABLE = """
[toy]
task = "nothing"
file = "toy.onnx"
sha256 = "{sha256}"
classes = ["face", "back"]
input_size = 64
licence = "MIT"
card = "toy.md"
[toy.parameters]
temperature = 2
"""


def toy_registry(folder: Path, weights: bytes | None = b"weights", registered: bytes = b"weights") -> Path:
    path = folder / "registry.toml"
    path.write_text(TABLE.format(sha256=hashlib.sha256(registered).hexdigest()))
    if weights is not None:
        (folder / "toy.onnx").write_bytes(weights)
    return path


def test_an_entry_has_everything(tmp_path: Path) -> None:
    toy = registry.entry("toy", toy_registry(tmp_path))
    assert toy.name == "toy"
    assert toy.classes == ("face", "back")
    assert toy.input_size == 64
    assert toy.parameters == {"temperature": 2.0}
    assert (toy.file, toy.card) == (tmp_path / "toy.onnx", tmp_path / "toy.md")


def test_verified_weights(tmp_path: Path) -> None:
    assert registry.verified_path("toy", toy_registry(tmp_path)) == tmp_path / "toy.onnx"


def test_an_unknown_name_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"'toi'.*toy"):
        registry.entry("toi", toy_registry(tmp_path))


def test_missing_weights(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"toy\.onnx.*reinstall"):
        registry.verified_path("toy", toy_registry(tmp_path, weights=None))


def test_other_weights(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"not the registered ones.*reinstall"):
        registry.verified_path("toy", toy_registry(tmp_path, weights=b"tampered"))


@pytest.mark.parametrize(
    "text", ["[toy", '[toy]\nfile = "x"', "toy = 1", "[toy]\nclasses = 1\ninput_size = 2"]
)
def test_a_damaged_registry(text: str, tmp_path: Path) -> None:
    path = tmp_path / "registry.toml"
    path.write_text(text)
    with pytest.raises(ModelError, match="reinstall"):
        registry.entries(path)


def test_a_missing_registry(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="reinstall"):
        registry.entries(tmp_path / "registry.toml")


@pytest.mark.parametrize("name", sorted(registry.entries()))
def test_shipped_models_are_whole(name: str) -> None:
    model = registry.entry(name)
    assert registry.verified_path(name) == model.file
    assert model.card.read_text(encoding="utf-8").strip()
    assert model.licence
    assert len(set(model.classes)) == len(model.classes)


def test_the_sample_ships() -> None:
    assert registry.SAMPLE_PHOTO.is_file()
    assert registry.SAMPLE_TRUTH.is_file()
