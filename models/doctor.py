"""Is this installation whole: versions, weights, and a golden picture read right."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata

from models.registry import SAMPLE_PHOTO, SAMPLE_TRUTH, ModelError, entries, verified_path

_LIBRARIES = ("numpy", "onnxruntime", "opencv-python-headless", "pillow", "pillow-heif", "rich", "typer")


@dataclass(frozen=True)
class Check:
    """One thing looked at. detail: what was found, one phrase."""

    name: str
    well: bool
    detail: str


def checks() -> Iterator[Check]:
    """All checks, each made when it is asked for."""
    yield Check("python", True, f"{platform.python_version()} on {platform.platform()}")
    yield _version("hupai")
    for library in _LIBRARIES:
        yield _version(library)
    yield _cv2()
    weights = [_weights(name) for name in sorted(entries())]
    yield from weights
    if all(check.well for check in weights):
        yield _guarded("golden picture", _read_sample)


def _version(library: str) -> Check:
    try:
        return Check(library, True, metadata.version(library))
    except metadata.PackageNotFoundError:
        return Check(library, False, f"is not installed; run: pip install {library}")


def _cv2() -> Check:
    """opencv-python and opencv-python-headless install the same folder: whichever came last is imported."""
    try:
        import cv2
    except ImportError as error:
        return Check(
            "cv2",
            False,
            f"cannot be imported ({error}); run: pip uninstall opencv-python, then "
            "pip install --force-reinstall --no-deps opencv-python-headless",
        )
    return Check("cv2", True, f"{cv2.__version__}")


def _weights(name: str) -> Check:
    try:
        return Check(name, True, f"{verified_path(name).name} has the registered SHA-256")
    except ModelError as error:
        return Check(name, False, str(error))


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except ModelError as error:
        return Check(name, False, str(error))
    except Exception as error:  # noqa: BLE001 - whatever breaks a reading is what the doctor is asked to find
        return Check(name, False, f"{type(error).__name__}: {error}")


def _read_sample() -> Check:
    from models.evaluation import compare
    from models.truth import load_truth
    from vision.reader import Reader

    truth = load_truth(SAMPLE_TRUTH)
    reader = Reader()
    reading = reader.read(SAMPLE_PHOTO)
    result = compare(reading, truth, reader.score_layout(truth.layout()))
    well = (
        result.named == result.tiles == result.predicted and result.layout_right and bool(result.score_right)
    )
    detail = f"{SAMPLE_PHOTO}: {result.named} of {result.tiles} tiles right"
    if not result.layout_right:
        detail += ", laid out wrongly"
    if not result.score_right:
        detail += ", scored wrongly"
    return Check("golden picture", well, f"{detail}{': ' if result.mistakes else ''}{result.mistakes}")
