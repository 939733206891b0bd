"""`hupai serve`: pages for a phone, and the JSON API behind them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from models.commands.extras import need
from models.commands.options import refuse_endless
from models.commands.output import complain


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="Address to listen on; 0.0.0.0 lets phones on the same network in."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes a free one.")] = 8000,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of the scoreboards, by default in the user's data folder."),
    ] = None,
    keep_corrections: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep photos that a player corrected and agreed to keep, labelled, here."
        ),
    ] = None,
    rules: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.toml", help="House rules to choose besides the rule sets; repeatable."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A further name of this machine, as phones call it; repeatable."),
    ] = None,
) -> None:
    """Serve the pages for phones, and their API.

    Photograph a hand, correct it, score it, keep the evening's score.
    """
    need("serve")
    import platformdirs

    from scoring.house import read_rules
    from scoring.rules.fan_rules import RulesError
    from vision.serve.app import create_app
    from vision.serve.corrections import CorrectionsError
    from vision.serve.house import HouseRules
    from vision.serve.run import Listener, ListenError
    from vision.serve.run import serve as run
    from vision.serve.settings import Settings
    from vision.serve.store import StoreError

    folder = data or platformdirs.user_data_path("hupai", appauthor=False)
    try:
        for path in rules or ():
            refuse_endless(path)
        house = tuple(read_rules(path) for path in rules or ())
        HouseRules(house)
    except RulesError as error:
        raise typer.BadParameter(str(error)) from error
    try:
        listener = Listener(host, port)
        url = listener.url if listener.is_open else None
        app = create_app(Settings(folder, keep_corrections, tuple(allow_host or ()), url=url, house=house))
    except (ListenError, StoreError, CorrectionsError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
    _announce(listener.url, listener.is_open, keep_corrections)
    run(app, listener)


def _announce(url: str, is_open: bool, corrections: Path | None) -> None:
    import segno

    print(f"hupai: {url}")
    if is_open:
        if sys.stdout.isatty():
            segno.make(url, micro=False).terminal(compact=True, border=2)
        print("Scan the code or open the address on a phone in the same network. Ctrl-C ends.")
    else:
        print("For phones in the same network start it with --host 0.0.0.0. Ctrl-C ends.")
    if corrections is None:
        print("Photos are read in memory and not kept.")
    else:
        print(f"Corrected photos whose players agree are kept in {corrections}; no others.")
    sys.stdout.flush()
