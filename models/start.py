"""Entry point of the console script: Ctrl-C ends it without a traceback even while the commands load."""

from __future__ import annotations

import sys

_INTERRUPTED = 130  # that of models.commands.output, which is not loaded yet


def main() -> None:
    """Run `hupai`."""
    try:
        from models.cli import main as run
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()
