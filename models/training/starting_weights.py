"""Starting weights: the YOLO11n of the PyPI package `mahjong-detector`, brought back from its ONNX file.

The package ships a detector exported with batch normalisation folded into the convolutions. Each folded
convolution is loaded as an unfolded one whose normalisation does nothing: gamma 1, beta = bias, mean 0,
variance 1 - eps.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn


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
    arrays: dict[str, NDArray[np.float32]] = {
        item.name: numpy_helper.to_array(item).astype(np.float32)
        for item in onnx.load(str(source)).graph.initializer
    }
    copied = 0
    for name, block in model.named_modules():
        conv, norm = getattr(block, "conv", None), getattr(block, "bn", None)
        parts = name.split(".")
        if not isinstance(conv, nn.Conv2d) or not isinstance(norm, nn.BatchNorm2d) or len(parts) < 2:
            continue
        weight, bias = arrays.get(f"{name}.conv.weight"), arrays.get(f"{name}.conv.bias")
        if (
            int(parts[1]) > last_layer
            or weight is None
            or bias is None
            or weight.shape != tuple(conv.weight.shape)
        ):
            continue
        with torch.no_grad():
            conv.weight.copy_(torch.from_numpy(weight.copy()))
            norm.weight.fill_(1.0)
            norm.bias.copy_(torch.from_numpy(bias.copy()))
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
        copied += 1
    return copied
