"""Readings and scores as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from vision.elements import FACE_DOWN, UNNAMED, Reading
from vision.summary import ScoreSummary, summarise, summarise_score

_SUIT_STYLES = {"m": "red", "p": "blue", "s": "green"}
NARROWEST = 60
"""Columns that a table needs to be read."""


def print_reading(reading: Reading, console: Console) -> None:
    """Print what was read from a photo: groups, score, assumptions, and what to check."""
    summary = summarise(reading)
    groups, facts = _grid(), _grid()
    for title, names in summary.groups:
        groups.add_row(title, _tiles(names))
    if reading.hand is not None:
        facts.add_row("hand", Text(reading.hand))
    facts.add_row("status", Text(summary.status))
    if summary.assumed:
        facts.add_row("assumed", Text(summary.assumed))
    parts: list[RenderableType] = [groups, "", facts, ""]
    if summary.score is not None:
        parts += [*_score_parts(summary.score), ""]
    parts += [Text(warning, style="yellow") for warning in summary.warnings]
    parts.append(Text(_seconds(reading.seconds), style="dim"))
    _print(Group(*parts), reading.photo, console)


def print_score(score: Mapping[str, Any], console: Console) -> None:
    """Print the score of a hand that wins: fans, what they leave out, and payment."""
    _print(Group(*_score_parts(summarise_score(score))), str(score["hand"]), console)


def _score_parts(score: ScoreSummary) -> Iterator[RenderableType]:
    yield Text(score.headline, style="bold")
    if score.fans:
        table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
        table.add_column()
        table.add_column(justify="right")
        for row in score.fans:
            table.add_row(Text(row.left), Text(row.right))
        yield table
    if score.excluded:
        yield Text("left out:", style="dim")
        for line in score.excluded:
            yield Padding(Text(line, style="dim"), (0, 0, 0, 2))
    if score.settlement:
        yield Text(f"payment: {score.settlement}")
    yield from (Text(line) for line in score.beside)
    if score.candidates:
        totals = ", ".join(f"{row.left} {row.right}" for row in score.candidates)
        yield Text(f"total by winning tile: {totals}")
    for problem in score.problems:
        yield Text(f"problem: {problem}", style="yellow")


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    return grid


def _tiles(names: tuple[str, ...]) -> Text:
    text = Text()
    for name in names:
        style = "bold yellow" if name in {FACE_DOWN, UNNAMED} else _SUIT_STYLES.get(name[-1], "magenta")
        text.append(f"{name} ", style=style)
    return text


def _seconds(seconds: Mapping[str, float]) -> str:
    total = sum(seconds.values())
    stages = ", ".join(f"{stage} {value * 1000:.0f}" for stage, value in seconds.items())
    return f"{total * 1000:.0f} ms: {stages}"


def _print(content: RenderableType, title: str, console: Console) -> None:
    console.print(Panel(content, title=Text(title), title_align="left"))
