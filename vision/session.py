"""ONNX Runtime sessions of registered models: hash checked, threads set, one place for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models import registry

if TYPE_CHECKING:
    import onnxruntime


def open_session(name: str, threads: int = 0) -> onnxruntime.InferenceSession:
    """A session of the registered model `name`; `threads` 0 takes all cores.

    Raises models.registry.ModelError when the weights are missing or not the registered ones.
    """
    import onnxruntime

    path = registry.verified_path(name)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's exceptions share no public base class
        raise registry.ModelError(
            f"The weights {path.name} of the {name} cannot be loaded by ONNX Runtime; reinstall hupai."
        ) from error
