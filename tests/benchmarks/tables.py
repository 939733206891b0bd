"""Results as tables: drawn on a terminal, Markdown elsewhere, and all values as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table as Drawn


@dataclass(frozen=True)
class Table:
    """A title, columns and rows of text; the first column names the row. notes: what must be read with it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """What one benchmark gave.

    data: the values behind the tables, each round's, as JSON takes them.
    missing: what could not be measured and what it needs, a sentence each. failed: why it broke off, or "".
    """

    name: str
    tables: tuple[Table, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    failed: str = ""


def as_markdown(table: Table) -> str:
    """The table in GitHub's Markdown."""
    lines = [f"### {table.title}", "", *_markdown_rows(table), ""]
    return "\n".join([*lines, *(f"{note}\n" for note in table.notes)])


def draw(table: Table, console: Console) -> None:
    """The table with lines and columns, on a terminal."""
    drawn = Drawn(title=table.title, title_justify="left", title_style="bold")
    for index, column in enumerate(table.columns):
        drawn.add_column(column, justify="right" if index else "left")
    for row in table.rows:
        drawn.add_row(*row)
    console.print(drawn)
    for note in table.notes:
        console.print(note, style="dim", highlight=False)
    console.print()


def _markdown_rows(table: Table) -> Iterator[str]:
    yield _line(table.columns)
    yield _line(["---", *(["---:"] * (len(table.columns) - 1))])
    for row in table.rows:
        yield _line(row)


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
