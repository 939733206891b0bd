"""The model registry: entries are complete, and only the registered weights are handed out."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import onnxruntime
import pytest

from models import registry
from models.registry import ModelError
from vision.locator import Locator
from vision.namer import Namer
from vision.own_weights import OLDEST

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

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
    with pytest.raises(ModelError, match=r"not the registered ones.*reinstall hupai, or.*registry\.toml"):
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
    assert len(set(model.classes)) == len(model.classes)


@pytest.mark.parametrize("name", sorted(registry.entries()))
def test_shipped_models_say_their_hash_their_licence_and_what_they_were_made_from(name: str) -> None:
    model = registry.entry(name)
    assert re.fullmatch("[0-9a-f]{64}", model.sha256)
    assert model.licence == PROJECT["license"]
    card = model.card.read_text(encoding="utf-8")
    assert f"`{model.file.name}`" in card
    assert f"| licence | {model.licence}; sources and credits in [LICENCES.md](LICENCES.md) |" in card
    sources = (model.card.parent / "LICENCES.md").read_text(encoding="utf-8")
    assert re.search(rf"`{re.escape(model.file.name)}`[^|]* are {re.escape(model.licence)}", sources)
    rows = [line.strip("|").split("|") for line in sources.splitlines() if line.startswith("| ")][1:]
    assert [row for row in rows if name in row[1] or "both models" in row[1]]
    for row in rows:
        assert len(row) == 4
        assert all(cell.strip() for cell in row), row


def test_all_weights_that_ship_are_registered() -> None:
    models = registry.entries().values()
    (folder,) = {model.file.parent for model in models}
    binary = {path for path in folder.iterdir() if path.suffix not in {".md", ".csv", ".json"}}
    assert binary == {model.file for model in models}


@pytest.mark.skipif(
    tuple(map(int, onnxruntime.__version__.split(".")[:2])) < OLDEST, reason="ONNX Runtime is too old for it"
)
@pytest.mark.parametrize("name", sorted(registry.entries()))
def test_shipped_weights_are_of_the_network_that_the_registry_describes(name: str) -> None:
    """By the checks that own weights have to pass."""
    {"locator": Locator, "namer": Namer}[name](weights=registry.entry(name).file)


def test_the_sample_ships() -> None:
    assert registry.SAMPLE_PHOTO.is_file()
    assert registry.SAMPLE_TRUTH.is_file()
