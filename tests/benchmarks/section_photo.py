"""Photo to breakdown, stage by stage; and what else looks at the same photos, how fast and how well."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from contenders import CONTENDERS, OURS
from photo_accuracy import measure_accuracy
from pictures import enlarged_sample
from processes import Process, Taken
from rounds import interleave, ratios, spread
from settings import Settings
from tables import Section, Table

from models.evaluation import find_photo
from models.truth import load_truths

STAGES = {
    "decode": "decode", "detect": "locate", "name": "name", "turn": "look again", "closer": "look again",
    "layout": "lay out", "score": "score",
}  # fmt: skip
"""The reader's stages in the table's words. A turned photo's second look is in locate and name."""

TIMED = 20
"""So many of the real photos are timed, evenly taken; all are read for the figures."""
WARM, QUICK_WARM = 3, 1
"""Looks that are not counted, before the first that is."""

Rounds = dict[str, list[list[Taken]]]
"""By program what it gave in each round, photo by photo."""


def measure(settings: Settings) -> Section:
    """Time and hold against the truth all that is installed."""
    truths, missing = [], []
    if (settings.photos / "truth").is_dir():
        truths = load_truths(settings.photos / "truth")[:: 20 if settings.quick else 1]
    else:
        missing.append("real photos: none here; give their folder by --photos.")
    paths = [find_photo(truth, settings.photos) for truth in truths]
    sample = settings.folder / "sample-12mp.jpg"
    enlarged_sample(sample)
    photos = {"rendered sample, 12 MP": [sample]}
    if paths:
        timed = paths[:: max(1, len(paths) // TIMED)][:TIMED]
        photos[f"{len(timed)} real photos"] = timed
    with contextlib.ExitStack() as stack:
        processes = []
        for contender in settings.wanted(CONTENDERS):
            try:
                opened = Process(contender, settings.folder / "weights")
            except ImportError as error:
                missing.append(f"{contender.name}: {error}; needs {contender.needs}.")
            else:
                processes.append(stack.enter_context(opened))
        taken = {title: _timed(processes, some, settings) for title, some in photos.items()}
        stages = {title: seconds_by_stage(rounds[OURS]) for title, rounds in taken.items()}
        seconds = {title: _seconds(rounds) for title, rounds in taken.items()}
        peaks = {process.contender.name: process.peak() for process in processes}
        tables = [_stage_table(stages), _program_table(processes, seconds, peaks)]
        data: dict[str, Any] = {"stages": stages, "seconds": seconds, "peak_mb": peaks}
        if truths:
            more, data["accuracy"] = measure_accuracy(processes, truths, paths, settings.folder)
            tables += more
    return Section("photo", tuple(tables), data, tuple(missing))


def seconds_by_stage(rounds: Sequence[Sequence[Taken]]) -> dict[str, list[float]]:
    """Of each round the mean seconds a photo, by stage in the table's words, and `total`."""
    stages: dict[str, list[float]] = {name: [] for name in (*dict.fromkeys(STAGES.values()), "total")}
    for taken in rounds:
        sums = dict.fromkeys(stages, 0.0)
        for one in taken:
            for stage, value in one.reading.seconds.items():
                sums[STAGES[stage]] += value
            sums["total"] += one.seconds
        for stage, value in sums.items():
            stages[stage].append(value / len(taken))
    return stages


def _timed(processes: Sequence[Process], paths: Sequence[Path], settings: Settings) -> Rounds:
    def look(process: Process) -> list[Taken]:
        return [process.look(path) for path in paths]

    for process in processes:
        for _ in range(QUICK_WARM if settings.quick else WARM):
            process.look(paths[0])
    runs: dict[str, Callable[[], list[Taken]]] = {
        process.contender.name: partial(look, process) for process in processes
    }
    return interleave(runs, settings.rounds)


def _seconds(rounds: Rounds) -> dict[str, list[float]]:
    """By program the mean seconds a photo of each round."""
    return {
        name: [sum(one.seconds for one in taken) / len(taken) for taken in found]
        for name, found in rounds.items()
    }


def _stage_table(stages: Mapping[str, Mapping[str, Sequence[float]]]) -> Table:
    rows = tuple(
        (stage, *(spread([1000 * value for value in one[stage]]).told(1) for one in stages.values()))
        for stage in next(iter(stages.values()))
    )
    rounds = len(next(iter(stages.values()))["total"])
    return Table(
        "Photo to breakdown by stage, milliseconds a photo",
        ("stage", *stages),
        rows,
        (f"Median of {rounds} rounds (quartiles); a round's value is the mean of its photos.",),
    )


def _program_table(
    processes: Sequence[Process],
    seconds: Mapping[str, Mapping[str, Sequence[float]]],
    peaks: Mapping[str, float],
) -> Table:
    rows = []
    for process in processes:
        name = process.contender.name
        cells = [name, process.contender.tells]
        for one in seconds.values():
            cells.append(spread([1000 * value for value in one[name]]).told())
            cells.append(ratios(one[name], one[OURS]).told(2))
        rows.append((*cells, f"{peaks[name]:.0f}"))
    heads = [head for title in seconds for head in (title, "times hupai")]
    return Table(
        "From the file to what each program tells, milliseconds a photo",
        ("program", "tells", *heads, "peak MB"),
        tuple(rows),
        ("Each in a process of its own, warm; the programs take turns round by round. Median (quartiles).",),
    )
