"""Annotated photos as benchmarks take them: by three arguments, and where real ones may lie."""

from __future__ import annotations

import argparse
from pathlib import Path

from models.truth import Truth, load_truths

BESIDE = Path(__file__).parents[3] / "shared" / "data" / "eval" / "kimwong"
"""80 real photos with truth files, no part of the repository; a clone may have them beside it."""


def photo_arguments(description: str) -> argparse.ArgumentParser:
    """A parser that takes TRUTH_DIR, --photos and --every; more may be added."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("truth", type=Path, help="folder of truth files")
    parser.add_argument("--photos", type=Path, required=True, help="folder of the photos that they name")
    parser.add_argument("--every", type=int, default=1, help="take every so many photos")
    return parser


def truths_of(arguments: argparse.Namespace) -> list[Truth]:
    """The truth files that were asked for. Raises models.truth.TruthError."""
    return load_truths(arguments.truth)[:: arguments.every]
