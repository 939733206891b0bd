"""A process of its own in which weights of strangers are loaded and run for the first time.

What a network costs is known only by running it: a file of a few hundred bytes can ask for all of the memory,
or for a loop without end. Here that ends this process, and `vision.own_weights` says so. The file is loaded
as bytes, in an empty folder, so that weights which lie in other files are not found.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

MEMORY = 4 << 30
"""Bytes of address space that a trial may take, where the system can limit it."""


@dataclass(frozen=True)
class Report:
    """What came of a trial.

    inputs: what the network takes, one text an input. shapes: of its answers. refused: what ONNX Runtime
    said, with `loaded` telling whether of the file or of the run. finite: whether all answers are finite
    numbers of single precision.
    """

    inputs: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    refused: str = ""
    loaded: bool = False
    finite: bool = True


def try_file(path: Path, shape: Sequence[int]) -> Report:
    """Load an ONNX file and run it once on numbers from 0 to 1 in this shape."""
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 (ONNX Runtime's exceptions share no public base class)
        return Report(refused=_line(error))
    given = session.get_inputs()
    inputs = tuple(f"{' x '.join(str(side) for side in one.shape)} {one.type}" for one in given)
    if len(inputs) != 1:
        return Report(inputs, loaded=True)
    blob = np.linspace(0, 1, math.prod(shape), dtype=np.float32).reshape(shape)
    try:
        answers = session.run(None, {given[0].name: blob})
    except Exception as error:  # noqa: BLE001
        return Report(inputs, refused=_line(error), loaded=True)
    arrays = [np.asarray(answer) for answer in answers]
    numeric = all(array.dtype == np.float32 for array in arrays)
    return Report(
        inputs,
        tuple(array.shape for array in arrays),
        loaded=True,
        finite=numeric and all(bool(np.isfinite(array).all()) for array in arrays),
    )


def main() -> None:
    """argv: seconds of processor time, the file, the sides of its input. Prints a `Report` as JSON."""
    seconds, path, *sides = sys.argv[1:]
    with suppress(ImportError, ValueError, OSError):  # not every system has limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(asdict(try_file(Path(path), [int(side) for side in sides]))))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
