"""`hupai label` and `hupai export`: folders of photos in; labels in the formats of other tools out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.commands.extras import need
from models.commands.labelling_options import Every, Fast, Lists, SecondPass
from models.commands.output import INTERRUPTED, complain, counted
from models.commands.progress import progress

if TYPE_CHECKING:
    from datasets.labelling.export import Choice
    from datasets.labelling.manifest import Manifest
    from datasets.labelling.run import Settings, Summary

_FORMATS = "yolo, yolo-obb, coco, voc, labelme, labelstudio, cvat or crops"

Formats = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="NAME", help=f"{_FORMATS}; repeatable. Each gets its folder in DIR."),
]
Classes = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Names of the classes: ours, riichi, words, chinese, or a YAML file of `tile: name`.",
    ),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(metavar="X", min=0.0, max=1.0, help="Leave out labels that the models trust less."),
]


def label(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FOLDER",
            help="Folders, pictures, videos, patterns, or @FILE with one path a line.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="A new folder for the labels.")
    ] = None,
    format_: Formats = None,
    min_confidence: MinConfidence = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in DIR already.")] = False,
    classes: Classes = "ours",
    list_: Lists = None,
    every: Every = 30,
    second_pass: SecondPass = False,
    fast: Fast = False,
    split: Annotated[
        str, typer.Option(metavar="A/B/C", help="Shares of train, val and test, in per cent.")
    ] = "80/10/10",
    split_by: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="What stays together besides duplicates: source (folder, video) or nothing."
        ),
    ] = "source",
    seed: Annotated[int, typer.Option(metavar="N", help="Another number deals the splits anew.")] = 0,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes; by default one a core.", show_default=False),
    ] = None,
    from_shards: Annotated[
        str | None,
        typer.Option("--from-shards", metavar="URL", help="Take the labels that `hupai label-cluster` made."),
    ] = None,
) -> None:
    """Label pictures in bulk, for training.

    `hupai review DIR` shows the labels, the doubtful ones first.
    """
    need("label")
    if out is None:
        raise typer.BadParameter("say where the labels go, by --out DIR.")
    given = [*(inputs or ()), *(f"@{path}" for path in list_ or ())]
    if not given and from_shards is None:
        raise typer.BadParameter("name a folder of pictures.")
    if given and from_shards is not None:
        raise typer.BadParameter("name either pictures or, by --from-shards, the labels that a cluster made.")
    from datasets.labelling.run import Settings

    if split_by not in {"source", "nothing"}:
        raise typer.BadParameter(f"--split-by {split_by} is neither source nor nothing.")
    threshold = 0.25 if min_confidence is None else min_confidence
    settings = Settings(threshold, every, second_pass, _shares(split), split_by, seed, fast)
    formats = _formats(format_ or ["yolo"])
    choice = _choice(classes, threshold)
    if from_shards is not None:
        from models.commands.label_cluster import from_cluster

        shards = partial(from_cluster, from_shards, settings, choice, min_confidence)
        raise typer.Exit(_guarded(lambda: _fill(out, resume, formats, *shards())))
    raise typer.Exit(_guarded(lambda: _label(out, given, settings, resume, workers, formats, choice)))


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `hupai label` made.")],
    format_: Formats = None,
    min_confidence: MinConfidence = None,
    classes: Classes = "ours",
    reviewed: Annotated[
        bool, typer.Option("--reviewed", help="Only pictures that a person has accepted.")
    ] = False,
) -> None:
    """Write label files of a labelled folder again.

    After reviewing, or in another format.
    """
    need("label")
    formats = _formats(format_ or ["yolo"])
    _choice(classes, 0.0)
    write = partial(_export_only, folder, formats, classes, min_confidence, reviewed)
    raise typer.Exit(_guarded(write, "What was not finished is as it was; start the same command again."))


def _label(
    out: Path,
    given: Sequence[str],
    settings: Settings,
    resume: bool,
    workers: int | None,
    formats: Sequence[str],
    choice: Choice,
) -> int:
    from datasets.labelling.inputs import Listing
    from datasets.labelling.run import label_all

    listing = Listing(given, settings.every, skip=out)
    listing.check()

    def work(manifest: Manifest, tell: Callable[[int, int], None]) -> Summary:
        return label_all(manifest, listing, settings, workers, tell)

    return _fill(out, resume, formats, settings, choice, work)


def _fill(
    out: Path,
    resume: bool,
    formats: Sequence[str],
    settings: Settings,
    choice: Choice,
    work: Callable[[Manifest, Callable[[int, int], None]], Summary],
) -> int:
    """The exit code after `work` has filled the manifest in `out`, and the formats are written."""
    from datasets.labelling.files import locked
    from datasets.labelling.run import opened

    with locked(out), opened(out, settings, resume) as manifest:
        with progress("Labelling") as tell:
            summary = work(manifest, tell)
        missing = _export(manifest, formats, choice)
    _report(summary)
    return 1 if summary.failed or summary.problems or missing else 0


def _export_only(
    folder: Path, formats: Sequence[str], classes: str, min_confidence: float | None, reviewed: bool
) -> int:
    from dataclasses import replace

    from datasets.labelling.files import locked
    from datasets.labelling.manifest import Manifest

    with Manifest.open(folder) as manifest, locked(folder):
        kept = (manifest.setting("run") or {}).get("threshold", 0.25)
        choice = _choice(classes, kept if min_confidence is None else min_confidence)
        missing = _export(manifest, formats, replace(choice, reviewed_only=reviewed))
    return 1 if missing else 0


def _export(manifest: Manifest, formats: Sequence[str], choice: Choice) -> tuple[str, ...]:
    """Reasons why pictures are not in the exports, which are told here."""
    from datasets.labelling.export import export as write

    with progress("Exporting") as tell:
        done = write(manifest, formats, choice, tell)
    for reason in done.missing:
        complain(reason)
    if done.formats:
        held = f"{counted(done.images, 'picture')} with {counted(done.labels, 'label')}"
        complain(f"In {manifest.folder}, {held}: {', '.join(done.formats)}.")
    return done.missing


def _report(summary: Summary) -> None:
    for reason in (*summary.problems, *summary.failures):
        complain(reason)
    if summary.failed > len(summary.failures):
        complain(
            f"{summary.failed - len(summary.failures)} more could not be labelled; the manifest has them."
        )
    if summary.failed:
        complain(f"{summary.failed} of {summary.done} could not be labelled; the rest is done.")


def _guarded(work: Callable[[], int], go_on: str = "What was done is kept; go on with --resume.") -> int:
    """The exit code of `work`, with what stops it said in a sentence. go_on: what to do after Ctrl-C."""
    from datasets.labelling.files import OutputError
    from datasets.labelling.inputs import InputError
    from datasets.labelling.manifest import ManifestError
    from models.registry import ModelError

    try:
        return work()
    except InputError as error:
        complain(str(error))
        return 2
    except (ManifestError, ModelError, OutputError) as error:
        complain(str(error))
        return 1
    except KeyboardInterrupt:
        complain(f"Stopped. {go_on}")
        return INTERRUPTED


def _formats(given: Sequence[str]) -> list[str]:
    from datasets.labelling.export import FORMATS

    if unknown := [name for name in given if name not in FORMATS]:
        raise typer.BadParameter(f"--format {unknown[0]} is not known; write {_FORMATS}.")
    return list(dict.fromkeys(given))


def _choice(classes: str, threshold: float) -> Choice:
    from datasets.labelling.classes import ClassesError, named_classes
    from datasets.labelling.export import Choice

    try:
        return Choice(named_classes(classes), threshold)
    except ClassesError as error:
        raise typer.BadParameter(str(error)) from error


def _shares(text: str) -> tuple[float, float, float]:
    try:
        train, val, test = (float(part) for part in text.split("/"))
    except ValueError as error:
        raise typer.BadParameter(f"--split {text} is not three numbers such as 80/10/10.") from error
    total = train + val + test
    if min(train, val, test) < 0 or not 0 < total < float("inf"):
        raise typer.BadParameter(f"--split {text} must be three shares, none negative, not all nothing.")
    return train / total, val / total, test / total
