"""The command `hupai`. Nothing heavy is imported before a subcommand runs."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from typing import Annotated, Any

import typer

from models.commands.check import check
from models.commands.doctor import doctor
from models.commands.evaluate import evaluate
from models.commands.label import export, label
from models.commands.label_cluster import label_cluster
from models.commands.output import complain
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

_OUTPUT_LOST = {errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


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
    _settle_streams()
    # Pillow warns of oddities in a photo's metadata. Whoever gave the photo can do nothing about them.
    warnings.filterwarnings("ignore", module="PIL")
    try:
        try:
            app(prog_name="hupai")
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # of a file that no command has foreseen
            complain(f"{error.filename} cannot be used: {error.strerror}.")
            sys.exit(1)
        if error.errno not in _OUTPUT_LOST:
            raise
        # What is still in the buffer is tried once more on exit, and would complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno != errno.EPIPE:  # nobody listens any more: no mistake of anybody's
            complain(f"The output cannot be written: {error.strerror}.")
        sys.exit(1)


class _Unfailing(io.FileIO):
    """Where messages go: one that cannot be written (a full disk, nobody who reads) must not stop the work.
    The exit code still tells."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _settle_streams() -> None:
    """Text that goes out whatever the terminal, and streams where the caller closed them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    # Chinese names on a terminal of another encoding, and file names that are not text.
    unfailing = io.BufferedWriter(_Unfailing(sys.stderr.fileno(), "wb", closefd=False))
    sys.stderr = io.TextIOWrapper(unfailing, sys.stderr.encoding, "backslashreplace", line_buffering=True)
    encoding = None if sys.stdout.isatty() else "utf-8"
    sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
