"""How the shipped weights were made, for anyone to make them again: `hupai train`. Needs the extra
`train`."""

import os

# Ultralytics sends usage data to Google Analytics where it finds a network, unless it is told that there is
# none before it is imported. Nothing here needs one.
os.environ.setdefault("YOLO_OFFLINE", "true")


def main(arguments: list[str]) -> None:
    """Run `hupai train ARGUMENTS...`. Raises ModuleNotFoundError where the extra `train` is not installed."""
    from models.training.commands import app

    app(arguments, prog_name="hupai train")
