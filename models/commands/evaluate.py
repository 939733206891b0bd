"""`hupai evaluate`: measure the reader on photos with truth files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from models.commands.files import same_file, write_whole
from models.commands.output import complain, console, plain, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from models.evaluation import Figures

_NARROWEST = 110
_SHARES = {
    "recall": "recall",
    "precision": "precision",
    "named of found": "named_of_found",
    "found and named": "found_and_named",
    "hands": "hands_right",
    "layouts": "layouts_right",
    "scores": "scores_right",
}


def evaluate(
    truth_dir: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of truth files (**/*.json).")],
    photos: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the photos that they name.")],
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write one line a photo to this file.")
    ] = None,
) -> None:
    """Measure the reader on photos with truth files."""
    from dataclasses import asdict

    from models.evaluation import evaluate as evaluate_photos
    from models.evaluation import figures_by_group, photo_path, to_csv
    from models.registry import ModelError
    from models.truth import TruthError, load_truths
    from vision.paths import is_folder
    from vision.reader import Reader

    if not is_folder(photos):
        raise typer.BadParameter(f"{photos} is not a folder.", param_hint="--photos")
    if csv is not None and csv.suffix.lower() != ".csv":
        raise typer.BadParameter(f"{csv} does not end in .csv; name another file.", param_hint="--csv")
    if csv is not None and not is_folder(csv.absolute().parent):
        raise typer.BadParameter(f"there is no folder {csv.parent}.", param_hint="--csv")
    try:
        truths = load_truths(truth_dir)
        reader = Reader()
    except (TruthError, ModelError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
    found = [path for truth in truths if (path := photo_path(truth, photos))]
    if not found:
        raise typer.BadParameter(
            f"{photos} holds none of the photos that {truth_dir} names.", param_hint="--photos"
        )
    if csv is not None and any(same_file(csv, path) for path in found):
        raise typer.BadParameter(f"{csv} is a photo to be read; name another file.", param_hint="--csv")
    results = []
    for result in evaluate_photos(truths, photos, reader.read, reader.score_layout):
        results.append(result)
        _progress(len(results), len(truths))
    sections = figures_by_group(results)
    failed = [result for result in results if result.error]
    if json_:
        report: dict[str, Any] = {
            section: {key: asdict(figures) for key, figures in groups.items()}
            for section, groups in sections.items()
        }
        report["all"] = report["all"]["all"]
        report["failed"] = [{"photo": result.photo, "error": result.error} for result in failed]
        print_json(report)
    else:
        console(_NARROWEST).print(_table(sections))
    for result in failed:
        complain(f"{result.photo} counts as all wrong: {result.error}")
    written = csv is None or _written(csv, to_csv(results))
    raise typer.Exit(0 if written and not failed else 1)


def _written(path: Path, text: str) -> bool:
    """Whether the file could be written; told where not. The figures are out by then."""
    try:
        write_whole(path, text.encode(errors="backslashreplace"))  # names of files may be no text
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}.")
        return False
    return True


def _progress(done: int, total: int) -> None:
    import sys

    if sys.stderr.isatty():
        print(f"\r{done} of {total} photos", end="\n" if done == total else "", file=sys.stderr, flush=True)


def _table(sections: dict[str, dict[str, Figures]]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    table = Table("", box=SIMPLE)
    for title in ("photos", "tiles", *_SHARES):
        table.add_column(title, justify="right")
    for groups in sections.values():
        for key, figures in groups.items():
            shares = (_percent(getattr(figures, field)) for field in _SHARES.values())
            table.add_row(Text(plain(key)), str(figures.photos), str(figures.tiles), *shares)
        table.add_section()
    return table


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
