"""Weights that a user brings: ONNX files that no hash vouches for, tried out before they are used."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.registry import ModelError
from vision.elements import FloatArray
from vision.paths import is_pipe
from vision.trial import Report

PICKLES = (b"PK\x03\x04", b"\x80")
"""How PyTorch's checkpoints begin (a zip file; a bare pickle). No ONNX file does."""
LARGEST = 512 << 20
"""Bytes of a file: the largest YOLO11 has 230 MB in single precision."""
SECONDS = 60
"""Of processor time: a trial takes one. Not by the clock, which runs on while a busy machine does not."""
PATIENCE = 20
"""So many times as long is waited by the clock, where a system does not limit processor time."""
OLDEST = (1, 25)
"""ONNX Runtime before this reads other files, and addresses of memory, that a stranger's file names (seen of
1.20, 1.22, 1.23 and 1.24)."""
_TRIAL = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); from vision.trial import main; main()"

Shape = tuple[int | None, ...]
"""None: any side."""


def own_path(weights: Path, name: str) -> Path:
    """`weights`, when it can be read and is no pickle. name: of the model that they stand in for.

    A checkpoint (.pt) is refused unopened: opening a pickle can run any code that its maker put there. Raises
    ModelError.
    """
    if is_pipe(weights):
        raise ModelError(f"The weights {weights} are a pipe or a device; give an ONNX file.")
    try:
        with weights.open("rb") as stream:
            head = stream.read(4)
        size = weights.stat().st_size
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"The weights {weights} cannot be read ({reason}); give an ONNX file.") from error
    if head.startswith(PICKLES) or weights.suffix in {".pt", ".pth"}:
        raise ModelError(
            f"The weights {weights} are a PyTorch checkpoint, which could run code when it is opened; make "
            f"them an ONNX file with `hupai train export --{name} {weights} --out FOLDER`, which reads its "
            "numbers alone."
        )
    if size > LARGEST:
        raise ModelError(f"The weights {weights} have more than {LARGEST >> 20} MiB; give a smaller network.")
    return weights


def try_out(
    weights: Path, name: str, takes: Sequence[int], answers: Sequence[Shape]
) -> tuple[tuple[int, ...], ...]:
    """The shapes of what the network answers, run once in a process of its own, which may use so much memory
    and time and no more.

    takes: shape of its only input. answers: shapes that are wanted, of which the first must be there.

    Raises ModelError unless it takes that input and gives those answers, in finite numbers.
    """
    report = _trial(own_path(weights, name).resolve(), takes)
    if report.refused and not report.loaded:
        raise ModelError(
            f"The weights {weights} of the {name} cannot be loaded by ONNX Runtime; they are damaged, cut "
            "short, no ONNX file, lie partly in other files or need another runtime "
            f"({_brief(report.refused)})."
        )
    if len(report.inputs) != 1:
        raise ModelError(_other(weights, name, f"it has {len(report.inputs)} inputs instead of 1"))
    if report.refused:
        wanted = "pictures of any size are" if name == "locator" else f"{_sides(takes[1:])} for each tile is"
        raise ModelError(_other(weights, name, f"it takes {report.inputs[0]}, and {wanted} needed"))
    if not _fits(report.shapes, answers):
        found = ", ".join(_sides(shape) or "no array" for shape in report.shapes)
        raise ModelError(_other(weights, name, f"it answers {found} instead of {_sides(answers[0])}"))
    if not report.finite:
        raise ModelError(
            f"The weights {weights} of the {name} answer with something else than finite numbers of single "
            "precision; train them again, or export them in single precision."
        )
    return report.shapes


def be_finite(answer: FloatArray, name: str) -> None:
    """Raises ModelError where a network answers a photo with something that is no number.

    The weights that ship never do; it costs 20 microseconds a photo."""
    if not np.isfinite(answer).all():
        raise ModelError(f"The weights of the {name} answer this photo with no numbers; train them again.")


def digest(weights: Path) -> str:
    """SHA-256 of a file, lower-case hex."""
    with weights.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _trial(weights: Path, takes: Sequence[int]) -> Report:
    """Raises ModelError where the trial ends before its report."""
    import onnxruntime

    if tuple(int(part) for part in onnxruntime.__version__.split(".")[:2]) < OLDEST:
        raise ModelError(
            f"Own weights need ONNX Runtime {'.'.join(map(str, OLDEST))} or newer, not "
            f"{onnxruntime.__version__}, which would open whatever other file they name; "
            "`pip install --upgrade onnxruntime`."
        )
    # Isolated: nothing of the user's settings or of the folder decides what is imported.
    arguments = [json.dumps(_import_path()), str(SECONDS), str(weights), *map(str, takes)]
    command = [sys.executable, "-I", "-c", _TRIAL, *arguments]
    try:
        with tempfile.TemporaryDirectory(prefix="hupai-") as empty:
            ended = subprocess.run(
                command,
                cwd=empty,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE * SECONDS,
                check=False,
            )
        over = -ended.returncode == getattr(signal, "SIGXCPU", None)
    except subprocess.TimeoutExpired:
        over = True
    if over:
        raise ModelError(
            f"The weights {weights} were given up after {SECONDS} seconds on a tiny picture; give a network "
            "that answers at once."
        )
    try:
        told = json.loads(ended.stdout)
    except ValueError as error:
        raise ModelError(
            f"The weights {weights} ended the process in which they were tried (exit status "
            f"{ended.returncode}); they need too much memory, or are damaged: give others."
        ) from error
    shapes = tuple(tuple(shape) for shape in told.pop("shapes"))
    return Report(inputs=tuple(told.pop("inputs")), shapes=shapes, **told)


def _import_path() -> list[str]:
    """Absolute, for the trial works in another folder."""
    return [str(Path(entry).resolve()) for entry in sys.path]


def _fits(shapes: Sequence[Sequence[int]], answers: Sequence[Shape]) -> bool:
    return 1 <= len(shapes) <= len(answers) and all(
        len(shape) == len(wanted) and all(b is None or a == b for a, b in zip(shape, wanted, strict=True))
        for shape, wanted in zip(shapes, answers, strict=False)
    )


def _sides(shape: Sequence[int | None]) -> str:
    return " x ".join(map(str, shape))


def _brief(reason: str) -> str:
    reason = reason.rsplit(" : ", 1)[-1].rstrip(".")
    return reason if len(reason) <= 200 else f"{reason[:199]}…"


def _other(weights: Path, name: str, reason: str) -> str:
    also = (
        ", or by Ultralytics from a network with rotated boxes of face and back, dynamic=True"
        if name == "locator"
        else ""
    )
    return (
        f"The weights {weights} are of another network than the {name} ({reason}); make them with `hupai "
        f"train export`{also}."
    )
