"""Options that labelling on one machine and on many share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Lists = Annotated[
    list[Path] | None, typer.Option("--list", metavar="FILE", help="A file with one path a line, like @FILE.")
]
Every = Annotated[int, typer.Option(metavar="N", min=1, help="Of a video take every so many frames.")]
SecondPass = Annotated[
    bool, typer.Option("--second-pass", help="Look twice, at two scales, and flag where the two differ.")
]
Fast = Annotated[
    bool, typer.Option("--fast", help="Look at fewer pixels where tiles are large; finds a little less.")
]
