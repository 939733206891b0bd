"""Processes that label: one that dies costs no picture."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

from datasets.labelling.pool import AHEAD, LabellingPool, Task
from models.registry import SAMPLE_PHOTO


def test_a_process_that_is_killed_costs_no_picture() -> None:
    """Labelled again one by one, and the rest by a new process; the tasks are taken as they are needed."""
    taken = 0

    def tasks() -> Iterator[Task]:
        nonlocal taken
        for number in range(AHEAD + 3):
            taken += 1
            yield Task(number, str(SAMPLE_PHOTO), None, f"photo {number}")

    answers = []
    with LabellingPool(0.25, workers=1) as pool:
        for answer in pool.label(tasks()):
            if not answers:
                assert taken <= AHEAD
                (process,) = pool._executor._processes.values()
                os.kill(process.pid, signal.SIGKILL)
            answers.append(answer)
    assert sorted(answer.task.id for answer in answers) == list(range(AHEAD + 3))
    assert all(answer.result is not None and answer.reason is None for answer in answers)
    assert len({answer.result.boxes for answer in answers if answer.result is not None}) == 1
