"""The extras of the package, and the sentence that a command says where its own is not installed."""

from __future__ import annotations

import importlib.util

import typer

from models.commands.output import complain

_LABEL = ("filelock", "imagehash", "scipy", "yaml")
PACKAGES = {
    "cluster": ("fsspec", "pyarrow", "ray", *_LABEL),
    "label": _LABEL,
    "review": ("cachetools", "fastapi", "h11", "starlette", "uvicorn"),
    "serve": ("fastapi", "h11", "jinja2", "python_multipart", "segno", "starlette", "uvicorn"),
}
"""Modules of each extra, as they are imported."""


def need(extra: str, *packages: str) -> None:
    """End the command with a sentence where a package of the extra (or of those named) is missing."""
    # Found, not imported: some are needed only by a worker, others long after the server has started.
    missing = [name for name in packages or PACKAGES[extra] if importlib.util.find_spec(name) is None]
    if missing:
        complain(f"This command needs {', '.join(missing)}; install with: pip install 'hupai[{extra}]'.")
        raise typer.Exit(1)
