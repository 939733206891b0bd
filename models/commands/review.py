"""`hupai review`: look at doubtful labels in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from models.commands.extras import need
from models.commands.output import complain


def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that `hupai label` wrote.")],
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; only this machine by default.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Look at labels in the browser and correct them.

    The doubtful ones come first.
    """
    need("review")
    from datasets.labelling.manifest import ManifestError
    from datasets.labelling.review.app import create_app
    from vision.serve.run import Listener, ListenError, serve

    try:
        listener = Listener(host, port)
        app = create_app(folder)
    except (ManifestError, ListenError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
    print(listener.url, flush=True)
    if listener.is_open:
        complain("Everybody in this network can see these pictures and change their labels.")
    complain("The review page is at this address; Ctrl-C ends it.")
    # The socket listens already: the browser waits until the server answers.
    if open_ and _has_screen():
        import webbrowser

        webbrowser.open(listener.url)
    serve(app, listener)


def _has_screen() -> bool:
    """Without one, `webbrowser` would start a browser in this terminal."""
    return sys.platform in {"win32", "darwin"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
