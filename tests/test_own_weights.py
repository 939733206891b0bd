"""Weights that a user brings to `hupai read`: used when they fit, else refused in one sentence."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from models import registry
from models.cli import app
from models.registry import SAMPLE_PHOTO, ModelError
from vision.locator import Locator
from vision.photo import load_photo

SHIPPED = registry.entry("locator").file


def other_file(kind: str, folder: Path) -> Path:
    path = folder / "own.onnx"
    if kind == "random":
        path.write_bytes(np.random.default_rng(5).bytes(5000))
    elif kind == "cut short":
        path.write_bytes(SHIPPED.read_bytes()[:100_000])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps({}))
    elif kind == "pickle":
        path.write_bytes(pickle.dumps({"model": None}))
    elif kind == "namer":
        path.write_bytes(registry.entry("namer").file.read_bytes())
    elif kind == "folder":
        path.mkdir()
    return path


REFUSALS = {
    "random": "cannot be loaded",
    "cut short": "cannot be loaded",
    "empty": "cannot be loaded",
    "zip": "PyTorch checkpoint.*hupai train export --locator",
    "pickle": "PyTorch checkpoint.*hupai train export --locator",
    "namer": "another network than the locator",
    "folder": "cannot be read",
    "missing": "cannot be read",
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_what_cannot_be_used_is_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    path = other_file(kind, tmp_path)
    with pytest.raises(ModelError, match=REFUSALS[kind]):
        Locator(weights=path)
    result = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), "--locator", str(path)])
    assert result.exit_code == 1
    assert not result.stdout
    assert result.stderr.startswith("hupai: The weights ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(("channels", "fixed"), [(6, False), (7, True), (84, False)])
def test_other_shapes_are_refused(channels: int, fixed: bool, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="needs the extra `train`")
    shape = [1, 3, 640, 640] if fixed else [1, 3, "height", "width"]
    given = onnx.helper.make_tensor_value_info("in", onnx.TensorProto.FLOAT, shape)
    answer = onnx.helper.make_tensor_value_info("out", onnx.TensorProto.FLOAT, [1, channels, "n"])
    fill = onnx.numpy_helper.from_array(np.zeros((1, channels, 42), np.float32), "fill")
    node = onnx.helper.make_node("Identity", ["fill"], ["out"])
    graph = onnx.helper.make_graph([node], "g", [given], [answer], [fill])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(tmp_path / "own.onnx"))
    with pytest.raises(ModelError, match="640 x 640" if fixed else f"answers 1 x {channels} x 42"):
        Locator(weights=tmp_path / "own.onnx")


def test_weights_that_fit_are_used(tmp_path: Path) -> None:
    path = tmp_path / "own.onnx"
    path.write_bytes(SHIPPED.read_bytes())
    pixels = load_photo(SAMPLE_PHOTO).pixels
    own, shipped = Locator(weights=path).locate(pixels), Locator().locate(pixels)
    assert len(own.quads) > 10
    assert np.array_equal(own.quads, shipped.quads)
    result = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), "--locator", str(path), "--json"])
    assert result.exit_code == 0
    assert '"hand"' in result.stdout


def test_the_doctor_names_weights_that_are_not_the_registered_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    wrong = dict(registry.entries())
    wrong["locator"] = replace(wrong["locator"], file=other_file("cut short", tmp_path))
    registry.verified_path.cache_clear()
    monkeypatch.setattr(registry, "entries", lambda *_: wrong)
    try:
        result = CliRunner().invoke(app, ["doctor"])
    finally:
        registry.verified_path.cache_clear()
    assert result.exit_code == 1
    assert "BAD locator: The weights own.onnx of the locator are not the registered ones" in result.stdout
    assert "golden picture" not in result.stdout
    assert "not well" in result.stderr
    assert "locator" in result.stderr
