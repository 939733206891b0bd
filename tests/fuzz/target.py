"""What a fuzz target is, and what came of running it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Target:
    """Something that takes bytes from strangers.

    run: takes one input; whatever it raises is a finding. Errors that the project documents for bad input it
        must swallow itself, after looking at their sentence.
    seeds: good inputs, from which bad ones are made.
    mutate: makes another input of one.
    instrumented: modules whose branches guide atheris.
    seconds: an input that takes the processor for longer is a finding.
    megabytes: a process that has held more is a finding.
    """

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    mutate: Callable[[bytes, Random], bytes]
    instrumented: tuple[str, ...] = ()
    seconds: float = 10.0
    megabytes: int = 2048


@dataclass(frozen=True)
class Finding:
    """An input that was not answered as it should be. key: what tells findings apart. told: the traceback, or
    how the process ended."""

    key: str
    data: bytes
    told: str


@dataclass(frozen=True)
class Run:
    """What came of fuzzing a target."""

    target: str
    engine: str
    executions: int
    seconds: float
    findings: tuple[Finding, ...]


class BrokenPromiseError(AssertionError):
    """The answer to an input is not what the project promises."""


def check_sentence(error: BaseException) -> None:
    """An error for people is a sentence, with no part of a traceback. Raises BrokenPromiseError."""
    text = str(error)
    if not text.endswith(".") or text != text.strip() or "Traceback" in text:
        raise BrokenPromiseError(f"no sentence: {text[:300]!r}") from error
