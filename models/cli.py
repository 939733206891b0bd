"""The command `hupai`. Nothing heavy is imported before a subcommand runs."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

from models.commands.check import check
from models.commands.doctor import doctor
from models.commands.evaluate import evaluate
from models.commands.label import export, label
from models.commands.label_cluster import label_cluster
from models.commands.read import read
from models.commands.review import review
from models.commands.rules import rules
from models.commands.score import score
from models.commands.serve import serve
from models.commands.teach import teach
from models.commands.train import train

app = typer.Typer(
    name="hupai",
    help="Photo of a finished mahjong hand in; its tiles, fans and payment out.",
    epilog="Exit codes: 0 all well, 1 some input failed (named on stderr), 2 wrong usage.",
    no_args_is_help=True,
    add_completion=False,
    # Plain help: rich would be imported to print it, and tracebacks are for bugs only.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"hupai {version('hupai')}")
        raise typer.Exit


@app.callback()
def _hupai(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


app.command()(read)
app.command()(score)
app.command()(rules)
app.command()(evaluate)
app.command()(label)
app.command()(label_cluster)
app.command()(export)
app.command()(check)
app.command()(serve)
app.command()(review)
app.command()(teach)
app.command()(doctor)
app.command(
    add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)(train)


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        # Chinese names on a terminal of another encoding, and file names that are not text.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    # Pillow warns of oddities in a photo's metadata. Whoever gave the photo can do nothing about them.
    warnings.filterwarnings("ignore", module="PIL")
    app(prog_name="hupai")


if __name__ == "__main__":
    main()
