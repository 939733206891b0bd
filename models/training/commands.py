"""`hupai train scenes | locator | crops | namer | export`: the steps that make the shipped weights, in
order."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from datasets.crops import Faces, join, with_share
from datasets.labelled import LabelsError
from models.commands.output import complain
from models.evaluation import PhotoError
from models.registry import ModelError
from models.truth import TruthError
from vision.errors import VisionError

# What reading faces raises: the last three for an archive whose parts are damaged.
_UNREADABLE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)


class _Steps(TyperGroup):
    """The steps, each ended by one sentence where weights, labels or photos cannot be used."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (ModelError, LabelsError, PhotoError, TruthError, VisionError) as error:
            complain(str(error))
            raise typer.Exit(1) from error


app = typer.Typer(cls=_Steps, no_args_is_help=True, add_completion=False, rich_markup_mode=None)

FaceFolders = Annotated[
    list[str],
    typer.Option(
        "--faces",
        help="A folder with labels.csv and faces/, or an .npz of faces; repeat. "
        "PATH=SHARE draws SHARE times as often from it as from a source of share 1.",
    ),
]
Split = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The folder in images/ and labels/ that is meant, where splits lie apart."
    ),
]
Start = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="Checkpoint or .onnx to go on from.")
]


@app.callback()
def steps() -> None:
    """Make the models again. In order: scenes, locator, boxes, crops, namer, export, calibrate."""


def _faces(sources: list[str]) -> Faces:
    if not sources:
        raise typer.BadParameter(
            "give at least one --faces folder or .npz (`python -m datasets.faces atlas` draws one)"
        )
    return join([_source(text) for text in sources])


def _source(text: str) -> Faces:
    """The faces of `PATH` or `PATH=SHARE`."""
    from datasets import sources as readers

    name, _, share = text.partition("=")
    path = Path(name)
    try:
        _be_archive(path)
        faces = readers.archive(path) if path.suffix == ".npz" else readers.catalogue(path)
        return with_share(faces, float(share or 1))
    except _UNREADABLE as error:
        raise typer.BadParameter(f"{text} cannot be read as faces: {error}") from error


def _be_archive(path: Path) -> None:
    """Raises ValueError for an .npz that is none: NumPy would advise to unpickle it, and so to run it."""
    if path.suffix == ".npz" and path.exists() and not zipfile.is_zipfile(path):
        raise ValueError("it is no .npz archive, or cut short.")


@app.command()
def scenes(
    out: Annotated[Path, typer.Option(help="Folder to write images/ and labels/ into.")],
    faces: FaceFolders = [],  # noqa: B006 - typer copies it
    count: Annotated[int, typer.Option(min=1)] = 4000,
    backdrops: Annotated[Path | None, typer.Option(help="Folder of pictures without tiles.")] = None,
    seed: Annotated[int, typer.Option(help="Another seed, other scenes.")] = 1,
    workers: Annotated[int, typer.Option(min=1)] = 2,
    side: Annotated[int, typer.Option(min=64, help="Pixels.")] = 640,
) -> None:
    """Render training scenes with Ultralytics OBB labels."""
    from datasets.scenes.generate import generate

    pictures = (
        sorted(p for p in backdrops.iterdir() if p.suffix.lower() in {".jpg", ".png"}) if backdrops else []
    )
    tiles = generate(_faces(faces), pictures, out, count, seed, workers, side)
    typer.echo(f"{count} scenes with {tiles} tiles in {out}", err=True)


@app.command()
def locator(
    folders: Annotated[list[Path], typer.Argument(help="Folders with images/ and labels/.")],
    out: Annotated[Path, typer.Option(help="Folder for checkpoints.")],
    minutes: Annotated[float, typer.Option(min=0.1)] = 40,
    rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 1.5e-3,
    start: Start = None,
    size: Annotated[int, typer.Option(help="Input side in pixels.")] = 640,
    batch: Annotated[int, typer.Option(min=1)] = 16,
    only_scores: Annotated[
        bool, typer.Option("--only-scores", help="Learn what is no tile; leave boxes as they are.")
    ] = False,
) -> None:
    """Train the locator on scenes."""
    for folder in folders:
        if not all(any((folder / part).glob("*")) for part in ("images", "labels")):
            raise LabelsError(
                f"{folder} holds no images/ with labels/ beside it; `hupai train scenes` makes such a folder."
            )
    from models.training.locator import LocatorRun, train

    run = LocatorRun(
        out=out,
        minutes=minutes,
        peak_rate=rate,
        start=start,
        size=size,
        batch=batch,
        only_scores=only_scores,
    )
    typer.echo(f"checkpoint: {train(folders, run)}", err=True)


@app.command()
def crops(
    folder: Annotated[Path, typer.Argument(help="Folder with images/ and YOLO labels/ of the 42 classes.")],
    out: Annotated[Path, typer.Option(help="The .npz to write.")],
    skip: Annotated[str, typer.Option(help="Stems of photos to leave out, separated by commas.")] = "",
    split: Split = "",
) -> None:
    """Cut labelled photos into namer crops with the shipped locator."""
    import numpy as np

    from datasets.labelled import cut_tiles, read_folder
    from vision.locator import Locator

    skipped = frozenset(filter(None, skip.split(",")))
    faces = cut_tiles(read_folder(folder, skipped, split), Locator())
    np.savez(out, images=faces.images, tiles=faces.tiles, sets=faces.sets, upright=faces.upright)
    typer.echo(f"{len(faces)} crops in {out}", err=True)


@app.command()
def boxes(
    folder: Annotated[Path, typer.Argument(help="Folder with images/ and YOLO labels/.")],
    out: Annotated[Path, typer.Option(help="Folder to write images/ and labels/ into.")],
    split: Split = "",
) -> None:
    """Turn labelled photos into locator training data, with the shipped locator's rotated boxes."""
    from datasets.labelled import read_folder, rotated_labels
    from vision.locator import Locator

    written = rotated_labels(read_folder(folder, split=split), Locator(), out)
    typer.echo(f"{written} photos in {out}", err=True)


@app.command()
def namer(
    out: Annotated[Path, typer.Option(help="Folder for checkpoints.")],
    faces: FaceFolders = [],  # noqa: B006 - typer copies it
    minutes: Annotated[float, typer.Option(min=0.1)] = 60,
    rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 2e-3,
    resume: Start = None,
    workers: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Train the namer on faces."""
    from models.training.namer import NamerRun, train

    run = NamerRun(out=out, minutes=minutes, peak_rate=rate, workers=workers)
    typer.echo(f"checkpoint: {train(_faces(faces), run, resume)}", err=True)


@app.command("held-out")
def held_out(
    catalogue: Annotated[Path, typer.Argument(help="Folder of the public catalogue: labels.csv and faces/.")],
    photos: Annotated[Path, typer.Option(help="Crops of public photos (.npz of `hupai train crops`).")],
    drawn: FaceFolders,
    out: Annotated[Path, typer.Option(help="Folder for the folds' checkpoints and held-out.md.")],
    base_minutes: Annotated[float, typer.Option(min=0.1)] = 10,
    minutes: Annotated[float, typer.Option(min=0.1, help="For each fold.")] = 7,
    workers: Annotated[int, typer.Option(min=1)] = 1,
) -> None:
    """Measure the namer on tile sets held out of its training, fold by fold."""
    from models.training.held_out import as_table, designs, hold_out

    try:
        _be_archive(photos)
        sets = designs(catalogue, photos)
    except _UNREADABLE as error:
        raise typer.BadParameter(f"the held-out sets cannot be read: {error}") from error
    results = hold_out(sets, _faces(drawn), out, base_minutes, minutes, workers)
    table = as_table(results)
    (out / "held-out.md").write_text(table, encoding="utf-8")
    typer.echo(table)


@app.command()
def calibrate(
    truth: Annotated[Path, typer.Argument(help="Folder of truth files.")],
    photos: Annotated[Path, typer.Option(help="Folder of their photos.")],
) -> None:
    """Fit the namer's temperature to photos that training never saw, and print its reliability."""
    from models.training.calibration import calibrate as fit

    result = fit(truth, photos)
    typer.echo(f"face_temperature = {result.temperature}")
    for stated, right, tiles in result.curve:
        typer.echo(f"stated {stated:.3f}  right {right:.3f}  tiles {tiles}")


@app.command()
def export(
    out: Annotated[Path, typer.Option(help="Folder for locator.onnx and namer.onnx.")],
    locator: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Ultralytics checkpoint.")
    ] = None,
    namer: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="Namer checkpoint.")] = None,
) -> None:
    """Write checkpoints as ONNX and print each file's SHA-256, for registry.toml."""
    if locator is None and namer is None:
        raise typer.BadParameter("give --locator FILE or --namer FILE; there is nothing to export.")
    from models.training.export import export_locator, export_namer

    out.mkdir(parents=True, exist_ok=True)
    if locator is not None:
        typer.echo(f"locator.onnx {export_locator(locator, out / 'locator.onnx')}")
    if namer is not None:
        typer.echo(f"namer.onnx {export_namer(namer, out / 'namer.onnx')}")
