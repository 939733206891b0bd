"""Weights that a user brings: ONNX files that no hash vouches for, tried out before they are used."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from models.registry import ModelError
from vision.elements import FloatArray

if TYPE_CHECKING:
    import onnxruntime

PICKLES = (b"PK\x03\x04", b"\x80")
"""How PyTorch's checkpoints begin (a zip file; a bare pickle). No ONNX file does."""


def own_path(weights: Path, name: str) -> Path:
    """`weights`, when it can be read and is no pickle. name: of the model that they stand in for.

    A checkpoint (.pt) is refused unopened: opening a pickle can run any code that its maker put there. Raises
    ModelError.
    """
    try:
        with weights.open("rb") as stream:
            head = stream.read(4)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ModelError(f"The weights {weights} cannot be read ({reason}); give an ONNX file.") from error
    if head.startswith(PICKLES) or weights.suffix in {".pt", ".pth"}:
        raise ModelError(
            f"The weights {weights} are a PyTorch checkpoint, which could run code when it is opened; make "
            f"them an ONNX file with `hupai train export --{name} {weights} --out FOLDER`, which reads its "
            "numbers alone."
        )
    return weights


def try_out(
    session: onnxruntime.InferenceSession, weights: Path, name: str, blob: FloatArray, answer: tuple[int, ...]
) -> None:
    """Run the network once. Raises ModelError unless it takes `blob` and its only answer has that shape."""
    inputs = session.get_inputs()
    if len(inputs) != 1:
        raise ModelError(_other(weights, name, f"it has {len(inputs)} inputs instead of 1"))
    try:
        answers = session.run(None, {inputs[0].name: blob})
    except Exception as error:  # ONNX Runtime's exceptions share no public base class
        takes = " x ".join(str(side) for side in inputs[0].shape)
        raise ModelError(
            _other(weights, name, f"it takes {takes} {inputs[0].type}, and pictures of any size are needed")
        ) from error
    shapes = [tuple(getattr(one, "shape", ())) for one in answers]
    if shapes != [answer]:
        found = ", ".join(" x ".join(map(str, shape)) or "no array" for shape in shapes)
        wanted = " x ".join(map(str, answer))
        raise ModelError(_other(weights, name, f"it answers {found} instead of {wanted}"))


def _other(weights: Path, name: str, reason: str) -> str:
    return (
        f"The weights {weights} are of another network than the {name} ({reason}); make them with `hupai "
        "train export`, or by Ultralytics from a network with rotated boxes of face and back, dynamic=True."
    )
