"""Checkpoints of others: read without running what they hold, or refused in one sentence."""

from __future__ import annotations

import collections
import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")

from typer import Typer  # noqa: E402
from typer.testing import CliRunner  # noqa: E402
from ultralytics.nn.tasks import OBBModel  # noqa: E402

from models.registry import ModelError  # noqa: E402
from models.training.checkpoints import load_common_weights, load_weights, read_weights  # noqa: E402
from models.training.commands import app  # noqa: E402


class Attack:
    """What a pickle can hold: opening it makes the folder `trace`."""

    def __init__(self, trace: Path, call: Callable[..., Any] = os.mkdir) -> None:
        self.trace, self.call = trace, call

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, ...]]:
        return self.call, (str(self.trace),)


@pytest.fixture(scope="module")
def network() -> Any:
    return OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)


def one_sentence(error: BaseException) -> bool:
    text = str(error)
    return "\n" not in text and text.endswith(".") and "Traceback" not in text


def test_an_ultralytics_checkpoint_gives_what_unpickling_it_gives(network: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.pt"
    torch.save({"epoch": 3, "ema": None, "model": network.half(), "train_args": {"imgsz": 640}}, path)
    network.float()
    wanted = torch.load(path, weights_only=False)["model"].float().state_dict()  # this test wrote the file
    got = read_weights(path)
    assert list(got) == list(wanted)
    assert all(torch.equal(got[name], value) for name, value in wanted.items())
    other = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    load_weights(other, path, "the locator")
    assert all(torch.equal(value, wanted[name]) for name, value in other.state_dict().items())


def test_the_moving_average_comes_first(tmp_path: Path) -> None:
    last, average = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    torch.save({"model": last, "ema": average}, tmp_path / "both.pt")
    assert torch.equal(read_weights(tmp_path / "both.pt")["weight"], average.weight)


def test_a_state_dict_is_read_as_it_is(tmp_path: Path) -> None:
    weights = torch.nn.Linear(3, 2).state_dict()
    torch.save(weights, tmp_path / "plain.pt")
    got = read_weights(tmp_path / "plain.pt")
    assert got.keys() == weights.keys()
    assert all(torch.equal(got[name], value) for name, value in weights.items())


@pytest.mark.parametrize("legacy", [False, True], ids=["zip", "legacy"])
@pytest.mark.parametrize("where", ["model", "train_args"])
def test_nothing_in_a_checkpoint_is_run(where: str, legacy: bool, tmp_path: Path) -> None:
    path, trace = tmp_path / "gift.pt", tmp_path / "trace"
    saved = {"model": torch.nn.Linear(1, 1), where: Attack(trace)}
    torch.save(saved, path, _use_new_zipfile_serialization=not legacy)
    refusal = "cannot be read" if legacy else "nothing of it was run.*mkdir"
    with pytest.raises(ModelError, match=refusal) as caught:
        read_weights(path)
    assert one_sentence(caught.value)
    assert not trace.exists()
    torch.load(path, weights_only=False)
    assert trace.exists(), "the file does run code where it is unpickled: the test above could fail"


def test_constructors_of_a_networks_classes_are_not_called(tmp_path: Path) -> None:
    # Ultralytics evaluates the text under "activation" of a network's description.
    trace = tmp_path / "trace"
    code = f"__import__('os').mkdir({str(trace)!r})"
    description = {"nc": 2, "activation": code, "backbone": [], "head": []}

    class Built:
        def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
            return OBBModel, (description,)

    torch.save({"model": Built()}, tmp_path / "gift.pt")
    with pytest.raises(ModelError, match="holds no weights"):
        read_weights(tmp_path / "gift.pt")
    assert not trace.exists()


def test_a_bare_pickle_is_not_opened(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    (tmp_path / "gift.pt").write_bytes(pickle.dumps(Attack(trace)))
    with pytest.raises(ModelError, match="cannot be read as a PyTorch checkpoint"):
        read_weights(tmp_path / "gift.pt")
    assert not trace.exists()


def damaged(kind: str) -> bytes:
    whole = io.BytesIO()
    torch.save(torch.nn.Linear(64, 64).state_dict(), whole)
    return {
        "empty": b"",
        "random": bytes(range(256)) * 40,
        "cut": whole.getvalue()[:9000],
        "text": b"<html>404 Not Found</html>",
    }[kind]


@pytest.mark.parametrize("kind", ["empty", "random", "cut", "text"])
def test_a_damaged_checkpoint_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.pt"
    path.write_bytes(damaged(kind))
    with pytest.raises(ModelError, match=r"broken\.pt cannot be read as a PyTorch checkpoint") as caught:
        read_weights(path)
    assert one_sentence(caught.value)


@pytest.mark.parametrize("saved", [{}, {"model": None}, [1, 2], collections.OrderedDict(epoch=3)])
def test_a_checkpoint_without_weights_is_refused(saved: object, tmp_path: Path) -> None:
    torch.save(saved, tmp_path / "empty.pt")
    with pytest.raises(ModelError, match="holds no weights"):
        read_weights(tmp_path / "empty.pt")


def test_another_network_is_refused(network: Any, tmp_path: Path) -> None:
    torch.save(torch.nn.Linear(3, 2).state_dict(), tmp_path / "other.pt")
    for load in (load_weights, load_common_weights):
        with pytest.raises(ModelError, match=r"other\.pt holds another network than the locator") as caught:
            load(network, tmp_path / "other.pt", "the locator")
        assert one_sentence(caught.value)


def test_training_starts_from_a_network_with_other_classes(network: Any, tmp_path: Path) -> None:
    fifteen = OBBModel("yolo11n-obb.yaml", nc=15, verbose=False)
    torch.save({"model": fifteen}, tmp_path / "fifteen.pt")
    fresh = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    load_common_weights(fresh, tmp_path / "fifteen.pt", "the locator")
    assert torch.equal(fresh.state_dict()["model.0.conv.weight"], fifteen.state_dict()["model.0.conv.weight"])
    with pytest.raises(ModelError, match="another network"):
        load_weights(fresh, tmp_path / "fifteen.pt", "the locator")


@pytest.mark.parametrize("model", ["locator", "namer"])
def test_export_refuses_in_one_line_and_leaves_no_file(model: str, tmp_path: Path) -> None:
    trace, out = tmp_path / "trace", tmp_path / "out"
    torch.save({"model": Attack(trace, os.mkdir)}, tmp_path / "gift.pt")
    result = CliRunner().invoke(app, ["export", f"--{model}", str(tmp_path / "gift.pt"), "--out", str(out)])
    assert result.exit_code == 1
    assert result.stderr.startswith("hupai: The checkpoint")
    assert result.stderr.count("\n") == 1
    assert not trace.exists()
    assert not list(out.iterdir())


@pytest.mark.parametrize(
    "arguments", [["export", "--locator"], ["locator", ".", "--start"], ["namer", "--resume"]]
)
def test_weights_that_are_not_there_are_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*arguments, str(tmp_path / "none.pt"), "--out", str(tmp_path)])
    assert result.exit_code == 2
    assert "does not exist" in " ".join(result.stderr.replace("│", "").split())


@pytest.mark.parametrize("kind", ["random", "text"])
def test_training_from_a_file_that_is_no_onnx(kind: str, network: Any, tmp_path: Path) -> None:
    from models.training.starting_weights import thaw

    (tmp_path / "broken.onnx").write_bytes(damaged(kind))
    with pytest.raises(ModelError, match=r"broken\.onnx cannot be read as ONNX") as caught:
        thaw(network, tmp_path / "broken.onnx")
    assert one_sentence(caught.value)


def test_no_module_unpickles() -> None:
    root = Path(__file__).parent.parent
    sources = [p for part in ("models", "vision", "datasets", "scoring") for p in (root / part).rglob("*.py")]
    assert len(sources) > 50
    loose = [p.name for p in sources if "weights_only=False" in p.read_text(encoding="utf-8")]
    assert not loose


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("locator", "another network than the namer"),
        ("random", "cannot be loaded"),
        ("attack.pt", "is refused, nothing of it was run"),
        ("locator.pt", "holds another network than the namer"),
        ("missing", "cannot be read"),
    ],
)
def test_teaching_is_not_measured_with_another_kind_of_model(
    kind: str, said: str, network: Any, tmp_path: Path
) -> None:
    from models import registry
    from models.training.teaching import main

    path = tmp_path / (kind if kind.endswith(".pt") else "own.onnx")
    if kind == "locator":
        path.write_bytes(registry.entry("locator").file.read_bytes())
    elif kind == "random":
        path.write_bytes(bytes(range(256)) * 20)
    elif kind == "attack.pt":
        torch.save(Attack(tmp_path / "trace"), path)
    elif kind == "locator.pt":
        torch.save({"model": network}, path)
    command = Typer()
    command.command()(main)
    out = tmp_path / "teach.md"
    result = CliRunner().invoke(command, [str(tmp_path), "--out", str(out), "--namer", str(path)])
    assert result.exit_code == 1
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "trace").exists()
    assert not out.exists()


def test_teaching_is_measured_with_the_namer_of_a_file(tmp_path: Path) -> None:
    from models import registry
    from models.training.teaching import look_with
    from vision.namer import Namer

    path = tmp_path / "own.onnx"
    path.write_bytes(registry.entry("namer").file.read_bytes())
    crops = np.random.default_rng(3).integers(0, 256, (5, 96, 96, 3), np.uint8)
    own, shipped = look_with(path)(crops), Namer().look(crops)
    assert np.array_equal(own.logits, shipped.logits)
    assert np.array_equal(own.features, shipped.features)
