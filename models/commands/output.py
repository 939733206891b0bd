"""What every subcommand prints the same way: JSON lines to stdout, sentences to stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_ESCAPES = {
    code: chr(code).encode("unicode_escape").decode()
    for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
}
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def print_json(value: Any) -> None:
    """One object, one line, at once: the reader may be another program that waits for it."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def complain(sentence: str) -> None:
    """Tell the person what went wrong, in a line."""
    print(f"hupai: {plain(sentence)}", file=sys.stderr)


def plain(text: str) -> str:
    """Control codes in a file's name or a hand as their escapes: they neither drive the terminal nor add
    lines."""
    return text.translate(_ESCAPES)


def counted(number: int, thing: str) -> str:
    """`1 picture`, `2 pictures`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def console(narrowest: int) -> Console:
    """Where tables go, at least so many columns wide: a cut figure is worse than a folded line."""
    from rich.console import Console

    return Console(width=max(Console().width, narrowest))
