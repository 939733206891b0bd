"""Turn checkpoints into the ONNX files that ship: weights stored in half precision, computed in single."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from ultralytics.nn.tasks import OBBModel

from models.training.checkpoints import load_weights
from models.training.namer import build
from models.training.sparse_head import SparseHead

OPSET = 17
FEATURES = "features"
SMALLEST = 256
"""Arrays with fewer numbers keep single precision: they are constants of the arithmetic, not weights."""


def export_locator(checkpoint: Path, out: Path) -> str:
    """Write the locator of an Ultralytics checkpoint to `out`; returns the file's SHA-256.

    Input (1, 3, H, W) float32 in 0..1, sides multiples of 32.
    Output (1, 7, N): x, y, w, h, face, back, angle. Raises ModelError for a checkpoint of anything else.
    """
    model = OBBModel("yolo11n-obb.yaml", nc=2, verbose=False)
    load_weights(model, checkpoint, "the locator (YOLO11n with rotated boxes of two classes)")
    model.eval().fuse(verbose=False)
    model.model[-1] = SparseHead(model.model[-1])
    example = torch.zeros(1, 3, 640, 640)
    axes = {"images": {2: "height", 3: "width"}, "boxes": {2: "anchors"}}
    return _write(model, example, out, "images", "boxes", axes)


def export_namer(checkpoint: Path, out: Path, size: int = 96) -> str:
    """Write the namer of a checkpoint to `out`; returns the file's SHA-256.

    Input (N, 3, size, size) float32 in 0..1.
    Outputs: "logits" (N, 47) of the 42 faces, "no face", and the 4 turns; "features" (N, 1280), what the last
    layer sees, by which a player's own tile set is told (`vision.taught`).
    """
    model = build(start=False)
    load_weights(model, checkpoint, "the namer")
    model.eval().fuse(verbose=False)
    wrapped = _Logits(model)
    axes = {"crops": {0: "count"}, "logits": {0: "count"}}
    _write(wrapped, torch.zeros(2, 3, size, size), out, "crops", "logits", axes)
    return add_features(out)


def add_features(path: Path) -> str:
    """Give a namer's file the output "features", the input of its last layer; returns the file's SHA-256.

    A file that has the output stays as it is. Raises ValueError for one that does not end in a linear layer.
    """
    model = onnx.load(str(path))
    graph = model.graph
    if not any(output.name == FEATURES for output in graph.output):
        last = next(node for node in graph.node if "logits" in node.output)
        if last.op_type != "Gemm":
            raise ValueError(f"{path.name} ends in {last.op_type}, not in a linear layer")
        inner = last.input[0]
        for node in graph.node:
            for names in (node.input, node.output):
                names[:] = [FEATURES if name == inner else name for name in names]
        weights = next(array for array in graph.initializer if array.name.startswith(last.input[1]))
        width = max(weights.dims)
        graph.output.append(helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, ["count", width]))
        onnx.checker.check_model(model)
        partial = path.with_suffix(".partial")
        onnx.save(model, str(partial))
        partial.replace(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class _Logits(torch.nn.Module):
    """Ultralytics' classifier answers with probabilities when it does not train; the namer's are not over
    one set."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        answer = self.model(crops)
        return answer[1] if isinstance(answer, tuple) else answer


def _write(
    model: torch.nn.Module,
    example: torch.Tensor,
    out: Path,
    input_name: str,
    output_name: str,
    axes: dict[str, dict[int, str]],
) -> str:
    partial = out.with_suffix(".partial")
    with warnings.catch_warnings():
        # The tracing exporter, announced as legacy, needs no further package and writes one file.
        warnings.filterwarnings("ignore", "You are using the legacy TorchScript", DeprecationWarning)
        torch.onnx.export(
            model,
            (example,),
            str(partial),
            input_names=[input_name],
            output_names=[output_name],
            dynamic_axes=axes,
            opset_version=OPSET,
            # ONNX Runtime folds constants when it loads; folded here, weights would lose their names.
            do_constant_folding=False,
            dynamo=False,
        )
    halved = store_in_half(onnx.load(str(partial)))
    onnx.checker.check_model(halved)
    onnx.save(halved, str(partial))
    partial.replace(out)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def store_in_half(model: onnx.ModelProto) -> onnx.ModelProto:
    """Keep weights as float16 behind a Cast, which ONNX Runtime folds once at load: half the file, the same
    speed."""
    graph = model.graph
    casts = []
    for array in graph.initializer:
        if array.data_type != TensorProto.FLOAT or int(np.prod(array.dims)) < SMALLEST:
            continue
        values = numpy_helper.to_array(array).astype(np.float16)
        name = array.name
        array.CopyFrom(numpy_helper.from_array(values, f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    return model
