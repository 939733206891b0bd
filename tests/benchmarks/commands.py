"""Other programs, run to their end."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]


class CommandFailedError(Exception):
    """A program that ended with an error; `str()` has its last lines."""


def run(words: Sequence[str | Path], **environment: str) -> str:
    """What a program printed, run in the clone's folder. Raises CommandFailedError."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        last = " / ".join(done.stderr.strip().splitlines()[-3:])
        raise CommandFailedError(f"{Path(words[0]).name} {words[2]} ended with {done.returncode}: {last}")
    return done.stdout
