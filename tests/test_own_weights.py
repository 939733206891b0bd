"""Weights that a user brings to `hupai read`: used when they fit, else refused in one sentence."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as Pillow
from typer.testing import CliRunner

from models import registry
from models.cli import app
from models.registry import SAMPLE_PHOTO, ModelError
from vision import own_weights
from vision.locator import Locator
from vision.namer import Namer

KINDS: dict[str, Callable[[Path], object]] = {
    "locator": lambda weights: Locator(weights=weights),
    "namer": lambda weights: Namer(weights=weights),
}
OTHER = {"locator": "namer", "namer": "locator"}
TAKES: Mapping[str, Sequence[int | str]] = {
    "locator": [1, 3, "height", "width"],
    "namer": ["count", 3, 96, 96],
}
ANSWERS = {"locator": [1, 7, 42], "namer": [3, 47]}
"""What they answer when they are tried out."""


def other_file(kind: str, folder: Path, name: str = "locator") -> Path:
    path = folder / "own.onnx"
    shipped = registry.entry(name).file
    if kind == "random":
        path.write_bytes(np.random.default_rng(5).bytes(5000))
    elif kind == "cut short":
        path.write_bytes(shipped.read_bytes()[:100_000])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps({}))
    elif kind == "pickle":
        path.write_bytes(pickle.dumps({"model": None}))
    elif kind == "other":
        path.write_bytes(registry.entry(OTHER[name]).file.read_bytes())
    elif kind == "large":
        with path.open("wb") as stream:
            stream.truncate((512 << 20) + 1)  # no room is taken
    elif kind == "folder":
        path.mkdir()
    return path


REFUSALS = {
    "random": "cannot be loaded",
    "cut short": "cannot be loaded",
    "empty": "cannot be loaded",
    "zip": "PyTorch checkpoint.*hupai train export --{name}",
    "pickle": "PyTorch checkpoint.*hupai train export --{name}",
    "other": "another network than the {name}",
    "large": "more than 512 MiB",
    "folder": "cannot be read",
    "missing": "cannot be read",
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("kind", REFUSALS)
def test_what_cannot_be_used_is_refused_in_one_line(kind: str, name: str, tmp_path: Path) -> None:
    path = other_file(kind, tmp_path, name)
    result = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), f"--{name}", str(path)])
    assert result.exit_code == 1
    assert not result.stdout
    assert result.stderr.startswith("hupai: The weights ")
    assert re.search(REFUSALS[kind].format(name=name), result.stderr)
    assert result.stderr.count("\n") == 1


class Network:
    """An ONNX file made by hand. It takes what the network `name` takes, and looks at none of it."""

    def __init__(self, name: str, path: Path) -> None:
        self.onnx = pytest.importorskip("onnx", reason="needs onnx: pip install onnx")
        self.name, self.path = name, path
        self.takes, self.shape = TAKES[name], ANSWERS[name]
        self.opset, self.ir = 17, 8
        self.nodes = [self.onnx.helper.make_node("Identity", ["fill"], ["out"])]
        self.arrays = [self.array("fill", np.zeros(self.shape, np.float32))]
        self.domains: list[str] = []

    def array(self, name: str, values: NDArray[Any]) -> Any:
        return self.onnx.numpy_helper.from_array(values, name)

    def answer(self, values: NDArray[Any]) -> Network:
        self.arrays = [self.array("fill", values)]
        return self

    def kept_in(self, location: str) -> Network:
        """Its numbers lie in another file."""
        array = self.arrays[0]
        array.ClearField("raw_data")
        array.data_location = self.onnx.TensorProto.EXTERNAL
        entry = array.external_data.add()
        entry.key, entry.value = "location", location
        return self

    def operator(self, kind: str, domain: str = "") -> Network:
        self.nodes = [self.onnx.helper.make_node(kind, ["fill"], ["out"], domain=domain)]
        self.domains = [domain] if domain else []
        return self

    def filling(self, count: int) -> Network:
        """So many numbers are made, and summed up, before it answers."""
        make = self.onnx.helper.make_node
        self.arrays += [
            self.array("count", np.array([count], np.int64)),
            self.array("one", np.zeros(1, np.float32)),
        ]
        value = self.onnx.helper.make_tensor("value", self.onnx.TensorProto.FLOAT, [1], [0.5])
        self.nodes = [
            make("ConstantOfShape", ["count"], ["many"], value=value),
            make("ReduceMax", ["many"], ["top"], keepdims=1),
            make("Add", ["fill", "top"], ["out"]),
        ]
        return self

    def endless(self) -> Network:
        helper, kinds = self.onnx.helper, self.onnx.TensorProto
        body = helper.make_graph(
            [
                helper.make_node("Identity", ["going"], ["still"]),
                helper.make_node("Identity", ["value"], ["next"]),
            ],
            "body",
            [
                helper.make_tensor_value_info("round", kinds.INT64, []),
                helper.make_tensor_value_info("going", kinds.BOOL, []),
                helper.make_tensor_value_info("value", kinds.FLOAT, self.shape),
            ],
            [
                helper.make_tensor_value_info("still", kinds.BOOL, []),
                helper.make_tensor_value_info("next", kinds.FLOAT, self.shape),
            ],
        )
        self.arrays.append(self.array("go", np.array(True)))
        self.nodes = [helper.make_node("Loop", ["", "go", "fill"], ["out"], body=body)]
        return self

    def save(self) -> Path:
        helper, kinds = self.onnx.helper, self.onnx.TensorProto
        given = helper.make_tensor_value_info("in", kinds.FLOAT, self.takes)
        answer = helper.make_tensor_value_info("out", self.arrays[0].data_type, None)
        graph = helper.make_graph(self.nodes, "g", [given], [answer], self.arrays)
        opsets = [helper.make_opsetid("", self.opset), *(helper.make_opsetid(d, 1) for d in self.domains)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=self.ir)
        self.path.write_bytes(model.SerializeToString())
        return self.path


@pytest.fixture(params=KINDS)
def network(request: pytest.FixtureRequest, tmp_path: Path) -> Network:
    return Network(request.param, tmp_path / "own.onnx")


def refused(network: Network, match: str) -> None:
    with pytest.raises(ModelError, match=match) as caught:
        KINDS[network.name](network.save())
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_network_made_by_hand_is_taken(network: Network) -> None:
    """What the refusals below are held against."""
    KINDS[network.name](network.save())


@pytest.mark.parametrize("wrong", [[1, 84, 42], [7, 42], [3, 48]])
def test_other_shapes_are_refused(network: Network, wrong: list[int]) -> None:
    answers = " x ".join(map(str, wrong))
    refused(network.answer(np.zeros(wrong, np.float32)), f"answers {answers} instead of")


@pytest.mark.parametrize("takes", [[1, 3, 640, 640], ["n", "h", "w", 3]])
def test_what_takes_other_pictures_is_refused(network: Network, takes: Sequence[int | str]) -> None:
    network.takes = takes
    network.nodes.append(network.onnx.helper.make_node("Identity", ["in"], ["seen"]))
    refused(network, "another network than")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_answers_that_are_no_numbers_are_refused(network: Network, value: float) -> None:
    refused(network.answer(np.full(network.shape, value, np.float32)), "finite numbers")


def test_answers_in_another_precision_are_refused(network: Network) -> None:
    refused(network.answer(np.zeros(network.shape, np.float64)), "single precision")


@pytest.mark.parametrize("place", ["beside.bin", "../above.bin", "/dev/zero", "absolute"])
def test_what_lies_partly_in_other_files_is_refused(network: Network, place: str, tmp_path: Path) -> None:
    numbers = np.zeros(network.shape, np.float32).tobytes()
    network.path = tmp_path / "folder" / "own.onnx"
    network.path.parent.mkdir()
    for path in (tmp_path / "folder" / "beside.bin", tmp_path / "above.bin"):
        path.write_bytes(numbers)
    refused(network.kept_in(str(tmp_path / "above.bin") if place == "absolute" else place), "in other files")


def test_operators_of_others_are_refused(network: Network) -> None:
    refused(network.operator("Steal", "com.example"), "cannot be loaded.*Steal")


def test_operators_of_a_later_standard_are_refused(network: Network) -> None:
    network.opset = 9999
    refused(network, "cannot be loaded.*need another runtime")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits a process's memory")
@pytest.mark.parametrize("gibibytes", [6, 1 << 20])
def test_what_takes_all_memory_is_refused(network: Network, gibibytes: int) -> None:
    refused(network.filling(gibibytes << 28), "The weights")


def test_what_does_not_end_is_refused(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_weights, "SECONDS", 2)
    refused(network.endless(), "given up after 2 seconds")


def test_a_trial_that_dies_is_told(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_weights, "_TRIAL", "import os; os.abort()")
    refused(network, "ended the process")


@pytest.mark.parametrize("version", ["1.20.0", "1.24.1"])
def test_an_onnx_runtime_that_opens_other_files_is_refused(
    network: Network, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxruntime.__version__", version)
    refused(network, f"need ONNX Runtime 1.25 or newer, not {version}")


@pytest.mark.parametrize(("name", "least"), [("locator", 10), ("namer", 14)])
def test_weights_that_fit_are_used(name: str, least: int, tmp_path: Path) -> None:
    """On the rendered sample."""
    path = tmp_path / "own.onnx"
    path.write_bytes(registry.entry(name).file.read_bytes())
    result = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), f"--{name}", str(path), "--json"])
    assert result.exit_code == 0
    shipped = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), "--json"])
    own, wanted = json.loads(result.stdout), json.loads(shipped.stdout)
    assert len(own["tiles"]) >= least
    assert {**own, "seconds": 0} == {**wanted, "seconds": 0}


def test_a_namer_without_features_names(tmp_path: Path) -> None:
    made = Namer(weights=Network("namer", tmp_path / "own.onnx").save())
    named = made.look(np.zeros((3, 96, 96, 3), np.uint8))
    assert (named.logits.shape, named.features.shape) == ((3, 47), (3, 0))
    assert made.sha256 == hashlib.sha256((tmp_path / "own.onnx").read_bytes()).hexdigest()


def test_numbers_that_fail_on_a_photo_fail_that_photo_in_one_line(tmp_path: Path) -> None:
    """A network that is sound on the picture of the trial and not on the (rendered) sample."""
    made = Network("locator", tmp_path / "own.onnx")
    make = made.onnx.helper.make_node
    axes = made.array("axes", np.array([0, 1, 2, 3], np.int64))
    limit = made.array("limit", np.array(0.55, np.float32))
    far = made.array("far", np.array([np.nan], np.float32))
    made.arrays += [axes, limit, far]
    made.nodes = [
        make("ReduceMean", ["in"], ["mean"], keepdims=0),
        make("Greater", ["mean", "limit"], ["bright"]),
        make("Where", ["bright", "fill", "fill"], ["a"]),
        make("Where", ["bright", "far", "a"], ["out"]),
    ]
    photo = tmp_path / "white.png"
    Pillow.new("RGB", (640, 480), "white").save(photo)
    result = CliRunner().invoke(app, ["read", str(photo), "--locator", str(made.save())])
    assert result.exit_code == 1
    assert "answer this photo with no numbers" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_taught_set_is_not_for_a_namer_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.onnx"
    path.write_bytes(registry.entry("namer").file.read_bytes())
    result = CliRunner().invoke(app, ["read", str(SAMPLE_PHOTO), "--namer", str(path), "--set", "mine"])
    assert result.exit_code == 2
    assert "--namer or --set" in result.stderr


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
