"""`hupai doctor`: is this installation whole?"""

from __future__ import annotations

from typing import Annotated

import typer

from models.commands.output import complain, print_json


def doctor(
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object a check.")] = False,
) -> None:
    """Check that the installation is whole.

    Versions, the weights' hashes, and whether a golden picture is read right.
    """
    from dataclasses import asdict

    from models.doctor import checks
    from models.registry import ModelError

    sick = []
    try:
        for check in checks():
            if json_:
                print_json(asdict(check))
            else:
                print(f"{'ok ' if check.well else 'BAD'} {check.name}: {check.detail}", flush=True)
            if not check.well:
                sick.append(check.name)
    except ModelError as error:
        complain(str(error))
        raise typer.Exit(1) from error
    if sick:
        complain(f"not well: {', '.join(sick)}.")
        raise typer.Exit(1)
