"""A bar on stderr for long work: how much is done, how fast, how long it will take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(what: str, unit: str = "pictures") -> Iterator[Callable[[int, int], None]]:
    """Gives a function to call with how many are done and how many there are. Speed counts from the first
    call: what an earlier run did costs no time now."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None, rate="")
        begun: int | None = None

        def tell(done: int, total: int) -> None:
            nonlocal begun
            begun = done if begun is None else begun
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{(done - begun) / elapsed:.1f} {unit}/s" if elapsed > 1 else ""
            bar.update(task, completed=done, total=total, rate=rate)

        yield tell
