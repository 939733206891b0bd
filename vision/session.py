"""ONNX Runtime sessions of registered models: hash checked, threads set, one place for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from models import registry
from vision.own_weights import own_path

if TYPE_CHECKING:
    import onnxruntime

# ONNX Runtime's official builds send usage data to Microsoft and keep a number for the device in the user's
# cache (seen of 1.32, seconds after a model was loaded), unless told otherwise before they are imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def open_session(name: str, threads: int = 0, weights: Path | None = None) -> onnxruntime.InferenceSession:
    """A session of the registered model `name`, or of the ONNX file `weights` in its place.

    threads: 0 takes all cores.

    Raises models.registry.ModelError when the weights are missing, not the registered ones, or no ONNX file.
    """
    import onnxruntime

    path = registry.verified_path(name) if weights is None else own_path(weights, name)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # Its threads wait for work by spinning; those of the one model would take a core from the other's, and
    # from OpenCV's: 12 megapixels on two cores in 117 ms instead of 132.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's exceptions share no public base class
        remedy = "reinstall hupai" if weights is None else "they are damaged, cut short or no ONNX file"
        raise registry.ModelError(
            f"The weights {path.name} of the {name} cannot be loaded by ONNX Runtime; {remedy}."
        ) from error
