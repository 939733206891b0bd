"""`hupai train`: make the shipped models again."""

from __future__ import annotations

import typer

from models.commands.output import complain


def train(context: typer.Context) -> None:
    """Make the models again (`hupai train --help`). Needs the extra `train`."""
    try:
        from models.training.commands import app

        app(context.args, prog_name="hupai train")
    except ModuleNotFoundError as error:
        missing = (error.name or "packages").partition(".")[0]
        complain(f"This command needs {missing}; install with: pip install 'hupai[train]'.")
        raise typer.Exit(1) from error
