"""`hupai check`: somebody's labelled data set in; its likely label errors out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from models.commands.extras import need
from models.commands.output import complain, console, counted, print_json
from models.commands.progress import progress

if TYPE_CHECKING:
    from datasets.labelling.check.compare import Doubted, Issue
    from datasets.labelling.check.dataset import Checked

_TOLD = 50
_NARROWEST = 80


def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set: YOLO, COCO or Pascal VOC.")],
    classes: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What its classes mean: ours, riichi, words, chinese, or a YAML file of `tile: name`; "
            "guessed by default.",
            show_default=False,
        ),
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a doubted picture, all of them.")
    ] = False,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Pictures in the table.")] = 20,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes; by default one a core.", show_default=False),
    ] = None,
) -> None:
    """List the likely label errors of a data set.

    The most likely ones come first.
    """
    need("label")
    from datasets.labelling.check.dataset import check_dataset
    from datasets.labelling.check.given import DatasetError
    from datasets.labelling.classes import ClassesError, named_classes
    from models.registry import ModelError

    try:
        known = None if classes is None else named_classes(classes)
        with progress("Checking") as tell:
            checked = check_dataset(folder, known, workers, tell)
    except (ClassesError, DatasetError) as error:
        raise typer.BadParameter(str(error)) from error
    except ModelError as error:
        complain(str(error))
        raise typer.Exit(1) from error
    _tell_problems(checked)
    if json_:
        for doubted in checked.doubted:
            print_json(_as_json(doubted))
    else:
        _print_table(checked, folder, limit)
    raise typer.Exit(1 if checked.failures or checked.problems else 0)


def _tell_problems(checked: Checked) -> None:
    problems = (*checked.problems, *checked.failures)
    for problem in problems[:_TOLD]:
        complain(problem)
    if len(problems) > _TOLD:
        complain(f"{len(problems) - _TOLD} more of the kind.")
    if checked.unknown:
        complain(
            f"No tile is known by the names {', '.join(checked.unknown)}; their labels were not compared."
        )


def _print_table(checked: Checked, folder: Path, limit: int) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("", "picture", "score", "labels", "likely errors")
    for place, doubted in enumerate(checked.doubted[:limit], 1):
        table.add_row(
            str(place),
            escape(_short(doubted.path, folder)),
            f"{doubted.score:.1f}",
            str(doubted.labels),
            escape(_sum_up(doubted)),
        )
    screen = console(_NARROWEST)
    if not checked.doubted:
        screen.print(f"No likely label errors in {counted(checked.pictures, 'picture')}.")
        return
    screen.print(table)
    count = f"{len(checked.doubted)} of {counted(checked.pictures, 'picture')}"
    screen.print(f"Likely label errors in {count}; --json lists them all.")


def _short(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)


def _sum_up(doubted: Doubted) -> str:
    told = "; ".join(_say(issue) for issue in doubted.issues[:3])
    more = len(doubted.issues) - 3
    return f"{told}; {more} more" if more > 0 else told


def _say(issue: Issue) -> str:
    if issue.kind == "class":
        return f"{issue.label} looks like {issue.seen}"
    if issue.kind == "missing":
        return f"{issue.seen} has no label"
    if issue.kind == "nothing":
        return f"{issue.label} on nothing"
    return f"{issue.label} covers its tile badly"


def _as_json(doubted: Doubted) -> dict[str, Any]:
    return {
        "photo": str(doubted.path),
        "score": doubted.score,
        "labels": doubted.labels,
        "issues": [
            {
                "kind": issue.kind,
                "score": round(issue.score, 4),
                "box": [round(value, 1) for value in issue.bounds],
                "label": issue.label,
                "seen": issue.seen,
                "confidence": issue.confidence,
                "where": issue.where,
            }
            for issue in doubted.issues
        ],
    }
