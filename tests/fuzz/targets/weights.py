"""Weights that users bring: ONNX files for `--locator`, checkpoints for `hupai train`."""

from __future__ import annotations

import importlib.util
import io
import re
import tempfile
import zipfile
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from models import registry
from models.registry import ModelError

from ..mutator import mutate_bytes
from ..target import BrokenPromiseError, Target, check_sentence


@cache
def _file(name: str) -> Path:
    return Path(tempfile.mkdtemp(prefix="hupai-fuzz-")) / name


def run_onnx(data: bytes) -> None:
    """What `hupai read --locator` does with a file, on a small grey picture."""
    from vision.locator import Locator

    path = _file("own.onnx")
    path.write_bytes(data)
    try:
        locator = Locator(threads=1, weights=path)
    except ModelError as error:
        check_sentence(error)
        return
    found = locator.locate(np.full((64, 96, 3), 128, np.uint8), side=96)
    if found.quads.shape != (len(found), 4, 2):
        raise BrokenPromiseError(f"quads of {found.quads.shape}")


@cache
def seeds_onnx() -> tuple[bytes, ...]:
    """A small network with the locator's input and output, mostly; the registered locator."""
    registered = registry.entry("locator").file.read_bytes()
    if importlib.util.find_spec("onnx") is None:
        return (registered,)
    return (*[_small_network()] * 20, registered)


def _small_network() -> bytes:
    """Means over cells of the three strides, mixed to what the locator says of a cell."""
    from onnx import TensorProto, helper, numpy_helper

    mix = np.linspace(-1, 1, 7 * 3, dtype=np.float32).reshape(7, 3, 1, 1)
    constants = [
        numpy_helper.from_array(mix, "mix"), numpy_helper.from_array(np.array([1, 7, -1], np.int64), "flat"),
    ]  # fmt: skip
    nodes = []
    for stride in (8, 16, 32):
        window = {"kernel_shape": [stride, stride], "strides": [stride, stride]}
        nodes += [
            helper.make_node("AveragePool", ["images"], [f"mean{stride}"], **window),
            helper.make_node("Conv", [f"mean{stride}", "mix"], [f"mixed{stride}"], kernel_shape=[1, 1]),
            helper.make_node("Sigmoid", [f"mixed{stride}"], [f"sure{stride}"]),
            helper.make_node("Reshape", [f"sure{stride}", "flat"], [f"cells{stride}"]),
        ]
    nodes.append(helper.make_node("Concat", ["cells8", "cells16", "cells32"], ["output0"], axis=2))
    images = helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, "height", "width"])
    output = helper.make_tensor_value_info("output0", TensorProto.FLOAT, [1, 7, "cells"])
    graph = helper.make_graph(nodes, "small", [images], [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    written: bytes = model.SerializeToString()
    return written


@lru_cache(maxsize=4)
def _names(data: bytes) -> list[int]:
    """Where the graph's names stand. All around them is structure; the rest of the file is weights."""
    return [found.start() for found in re.finditer(rb"[A-Za-z_/.0-9:]{5,}", data)]


def mutate_onnx(data: bytes, rng: Random) -> bytes:
    """A few changes where the graph's structure is."""
    places = _names(data) or [0]
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at = max(0, rng.choice(places) - rng.randrange(0, 24))
        part = data[at : at + 64]
        changed = mutate_bytes(part, rng)
        if rng.random() < 0.8:  # nothing behind it moves
            changed = changed[:64].ljust(len(part), b"\0")
        data = data[:at] + changed + data[at + 64 :]
    return data


ONNX = Target("onnx", run_onnx, seeds_onnx, mutate_onnx, ("vision.own_weights",), 60.0, 4096)


def run_checkpoint(data: bytes) -> None:
    """What `hupai train export --locator FILE.pt` does before it exports."""
    import torch

    from models.training.checkpoints import load_common_weights, load_weights

    path = _file("own.pt")
    path.write_bytes(data)
    for load in (load_weights, load_common_weights):
        try:
            load(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)), path, "the locator")
        except ModelError as error:
            check_sentence(error)


@cache
def seeds_checkpoint() -> tuple[bytes, ...]:
    """A state dict, a network as Ultralytics saves it, both also in PyTorch's old format."""
    import torch

    network = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    ema: dict[str, Any] = {"epoch": 3, "ema": None, "model": network, "train_args": {"imgsz": 640}}
    return tuple(
        _torch_saved(content, new) for new in (True, False) for content in (network.state_dict(), ema)
    )


def _torch_saved(content: object, new: bool) -> bytes:
    import torch

    stream = io.BytesIO()
    torch.save(content, stream, _use_new_zipfile_serialization=new)
    return stream.getvalue()


def mutate_checkpoint(data: bytes, rng: Random) -> bytes:
    """The file, or one part of the archive that it is."""
    if rng.random() < 0.3:
        return mutate_bytes(data, rng)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError, EOFError):
        return mutate_bytes(data, rng)
    if not parts:
        return mutate_bytes(data, rng)
    chosen = rng.choice([name for name in parts if name.endswith("data.pkl")] * 6 + list(parts))
    parts[chosen] = mutate_bytes(parts[chosen], rng)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


CHECKPOINT = Target(
    "checkpoint", run_checkpoint, seeds_checkpoint, mutate_checkpoint,
    ("models.training.checkpoints",), 60.0, 4096,
)  # fmt: skip
