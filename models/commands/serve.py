"""`hupai serve`: pages for a phone, and the JSON API behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from models.commands.output import complain


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 lets phones on the same network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    data: Annotated[Path | None, typer.Option(help="Folder of the scoreboards.")] = None,
    keep_corrections: Annotated[
        Path | None,
        typer.Option(help="Keep photos that a player corrected and agreed to keep, labelled, here."),
    ] = None,
) -> None:
    """Serve the pages for phones and the JSON API."""
    try:
        import platformdirs
        import uvicorn

        from vision.serve.app import create_app
        from vision.serve.settings import Settings
    except ImportError as error:
        complain(f"The server needs {error.name}; install it with: pip install 'hupai[serve]'.")
        raise typer.Exit(1) from error

    folder = data or platformdirs.user_data_path("hupai", appauthor=False)
    app = create_app(Settings(folder, keep_corrections))
    uvicorn.run(app, host=host, port=port, log_level="warning")
