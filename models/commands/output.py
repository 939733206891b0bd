"""What every subcommand prints the same way: JSON lines to stdout, sentences to stderr."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


def print_json(value: Any) -> None:
    """One object, one line, at once: the reader may be another program that waits for it."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def complain(sentence: str) -> None:
    """Tell the person what went wrong."""
    print(f"hupai: {sentence}", file=sys.stderr)


def counted(number: int, thing: str) -> str:
    """`1 picture`, `2 pictures`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def console(narrowest: int) -> Console:
    """Where tables go, at least so many columns wide: a cut figure is worse than a folded line."""
    from rich.console import Console

    return Console(width=max(Console().width, narrowest))
