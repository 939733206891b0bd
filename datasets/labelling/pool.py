"""Label many pictures on all cores: processes of one thread each, a bounded number of pictures under way."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING

from datasets.labelling.records import Labelled
from vision.errors import VisionError
from vision.interrupts import without_interrupts

if TYPE_CHECKING:
    from datasets.labelling.labeller import Labeller

AHEAD = 4
"""Pictures under way for each process, so that none waits and memory stays flat."""


@dataclass(frozen=True)
class Task:
    """A picture to label. id: whatever the caller knows it by. label: what to call it in messages."""

    id: int
    picture: str
    frame: int | None
    label: str


@dataclass(frozen=True)
class Answer:
    """What came of a task: `result`, or the reason why there is none."""

    task: Task
    result: Labelled | None
    reason: str | None = None


class LabellingPool:
    """Processes that label. Use it as a context manager."""

    def __init__(
        self,
        threshold: float,
        *,
        second_pass: bool = False,
        fast: bool = False,
        workers: int | None = None,
    ) -> None:
        self._workers = workers or usable_cores()
        self._settings = (threshold, second_pass, fast)
        self._executor = self._start(self._workers)

    def __enter__(self) -> LabellingPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def label(self, tasks: Iterable[Task]) -> Iterator[Answer]:
        """Answers as they come, not in the order of the tasks. A process that dies fails the one picture
        that it dies of, and is replaced."""
        source = iter(tasks)
        under_way: dict[Future[Answer], Task] = {}
        while True:
            while len(under_way) < AHEAD * self._workers and (task := next(source, None)) is not None:
                under_way[_submit(self._executor, task)] = task
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            broken = False
            for future in done:
                if isinstance(future.exception(), BrokenProcessPool):
                    broken = True
                else:
                    under_way.pop(future)
                    yield future.result()
            if broken:
                lost = [task for future, task in under_way.items() if not _finished(future)]
                yield from (f.result() for f in under_way if _finished(f))
                under_way.clear()
                yield from self._one_by_one(lost)
                self._executor = self._start(self._workers)

    def _one_by_one(self, tasks: list[Task]) -> Iterator[Answer]:
        """After a process has died: which picture it died of shows when each is labelled alone."""
        self._executor.shutdown(wait=True, cancel_futures=True)
        executor = self._start(1)
        for task in tasks:
            try:
                yield _submit(executor, task).result()
            except BrokenProcessPool:
                reason = f"{task.label}: the process that read it died, perhaps for want of memory."
                yield Answer(task, None, reason)
                executor.shutdown()
                executor = self._start(1)
        executor.shutdown()

    def _start(self, workers: int) -> ProcessPoolExecutor:
        # Spawned, not forked: ONNX Runtime and OpenCV have threads.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, context, initializer=_prepare, initargs=self._settings)


def usable_cores() -> int:
    """Cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _submit(executor: ProcessPoolExecutor, task: Task) -> Future[Answer]:
    with without_interrupts():  # a process may start here; Ctrl-C is the parent's to answer
        return executor.submit(_label, task)


def _finished(future: Future[Answer]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


_labeller: Labeller | None = None


def _prepare(threshold: float, second_pass: bool, fast: bool) -> None:
    import signal
    import threading

    from datasets.labelling.labeller import Labeller

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was not blocked from the start (Windows)
    threading.Thread(target=_follow_parent, daemon=True).start()
    global _labeller
    _labeller = Labeller(threshold, second_pass=second_pass, fast=fast)


def _follow_parent() -> None:
    """End with the parent, also with one that was killed: it cannot tell its processes to stop."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _label(task: Task) -> Answer:
    assert _labeller is not None
    try:
        return Answer(task, _labeller.label(task.picture, task.frame, task.label))
    except VisionError as error:
        return Answer(task, None, str(error))
    except MemoryError:
        return Answer(task, None, f"{task.label} needs more memory than there is; make it smaller.")
    except Exception as error:  # noqa: BLE001 (one picture must not end the run; the reason says what it was)
        return Answer(task, None, f"{task.label} cannot be labelled: {type(error).__name__}: {error}")
