"""Starting weights: trainable networks brought back from ONNX files.

Those of the PyPI package `mahjong-detector`, where training first started, and this project's own, so that
training goes on from what ships. Exports have batch normalisation folded into the convolutions: each folded
convolution is loaded as an unfolded one whose normalisation does nothing (gamma 1, beta = bias, mean 0,
variance 1 - eps), and `settle_norms` then gives it the statistics of real inputs without changing what the
network answers, so that training does not begin with a jump.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

from models.registry import ModelError


def mahjong_detector_file() -> Path:
    """The ONNX file inside the installed package. Raises FileNotFoundError when the package is absent."""
    spec = find_spec("mahjong_detector")
    if spec is None or spec.origin is None:
        raise FileNotFoundError(
            "The starting weights are missing; install them with: pip install mahjong-detector"
        )
    return Path(spec.origin).with_name("model.onnx")


def copy_convolutions(model: nn.Module, source: Path, last_layer: int) -> int:
    """Copy every convolution of layers 0..`last_layer` whose name and shape agree; returns how many.

    `model` is an Ultralytics network whose blocks `X` hold `X.conv` (no bias) and `X.bn`.
    """
    arrays = _arrays(source)
    copied = 0
    for name, block in _normalised(model):
        conv, norm = block.conv, block.bn
        parts = name.split(".")
        weight, bias = arrays.get(f"{name}.conv.weight"), arrays.get(f"{name}.conv.bias")
        if (
            int(parts[1]) > last_layer
            or weight is None
            or bias is None
            or weight.shape != tuple(conv.weight.shape)
        ):
            continue
        _unfold(conv, norm, weight, bias)
        copied += 1
    return copied


def thaw(model: nn.Module, source: Path) -> None:
    """Load the whole network of an export of `models.training.export` into `model`.

    `model` is the same Ultralytics network, not fused. Raises ModelError when a layer is missing in
    `source` or has another shape there.
    """
    arrays = _arrays(source)
    norms = {f"{name}.conv": block.bn for name, block in _normalised(model)}
    for name, layer in model.named_modules():
        if not isinstance(layer, nn.Conv2d | nn.Linear) or not any(
            p.requires_grad for p in layer.parameters()
        ):
            continue
        weight, bias = arrays.get(f"{name}.weight"), arrays.get(f"{name}.bias")
        if weight is None or bias is None or weight.shape != tuple(layer.weight.shape):
            raise ModelError(
                f"{source} holds another network ({name} is missing or has another shape); give an ONNX file "
                "that `hupai train export` wrote."
            )
        if name in norms:
            _unfold(layer, norms[name], weight, bias)
        else:
            with torch.no_grad():
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))


def settle_norms(model: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Give each normalisation the mean and variance of what it gets on `batches`; answers stay the same.

    batches: inputs of the network, each (N, 3, H, W) float32 in 0..1; a hundred pictures in all are enough.
    """
    seen: dict[nn.Module, list[tuple[torch.Tensor, torch.Tensor]]] = {}

    def note(norm: nn.Module, inputs: tuple[torch.Tensor]) -> None:
        values = inputs[0].detach().float()
        seen.setdefault(norm, []).append((values.mean(dim=(0, 2, 3)), values.square().mean(dim=(0, 2, 3))))

    hooks = [block.bn.register_forward_pre_hook(note) for _, block in _normalised(model)]
    training = model.training
    model.eval()
    with torch.no_grad():
        for batch in batches:
            model(batch)
        for norm, moments in seen.items():
            mean = torch.stack([m for m, _ in moments]).mean(dim=0)
            variance = (torch.stack([s for _, s in moments]).mean(dim=0) - mean.square()).clamp_min(1e-6)
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            norm.bias.add_((mean - norm.running_mean) * scale)
            norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
    for hook in hooks:
        hook.remove()
    model.train(training)


def _arrays(source: Path) -> dict[str, NDArray[np.float32]]:
    """The weights in an ONNX file by the names of an Ultralytics network's parameters.

    Raises ModelError for a file that is none.
    """
    try:
        # Weights kept in other files are not opened: a stranger's file may name any.
        model = onnx.load(str(source), load_external_data=False)
    except Exception as error:  # protobuf's exceptions differ between its implementations
        raise ModelError(
            f"{source} cannot be read as ONNX; it is damaged, cut short or something else: copy it again, or "
            "give another."
        ) from error
    return {
        item.name.removesuffix(".half").replace("model.model.", "model.", 1): (
            numpy_helper.to_array(item).astype(np.float32)
        )
        for item in model.graph.initializer
        if item.data_location != onnx.TensorProto.EXTERNAL
    }


def _normalised(model: nn.Module) -> list[tuple[str, nn.Module]]:
    """Blocks X with X.conv (no bias) and X.bn, by name."""
    return [
        (name, block)
        for name, block in model.named_modules()
        if isinstance(getattr(block, "conv", None), nn.Conv2d)
        and isinstance(getattr(block, "bn", None), nn.BatchNorm2d)
    ]


def _unfold(conv: nn.Module, norm: nn.Module, weight: NDArray[np.float32], bias: NDArray[np.float32]) -> None:
    with torch.no_grad():
        conv.weight.copy_(torch.from_numpy(weight))
        norm.weight.fill_(1.0)
        norm.bias.copy_(torch.from_numpy(bias))
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0 - norm.eps)
