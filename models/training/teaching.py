"""How much better a set is read once it was taught (`hupai teach`), on sets that the namer never saw.

    python -m models.training.teaching ../shared/data/eval/kimwong --out models/weights/teach.md
    python -m models.training.teaching ../shared/data/eval/kimwong --catalogue ../shared/data/tiles \\
        --photos photos.npz --folds run/held-out --out models/weights/teach.md
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from models.commands.output import complain
from models.registry import ModelError
from models.training.lessons import (
    CHOICES,
    FEWEST_PHOTOS,
    Look,
    Row,
    measure_design,
    measure_series,
    series_of,
    total,
)
from vision.namer import Namer

CHECKPOINTS = {".pt", ".pth"}


def as_table(rows: Sequence[Row]) -> str:
    """The rows as Markdown. Shares are of names, without the rules' repairs."""
    lines = [
        "| set | tiles | before, after one photo | of faces taught | before, after two | of faces taught "
        "| wrong and sure before, after two | mean -log belief before, after two |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in [*rows, total(rows)] if len(rows) > 1 else rows:
        cells = [f"{row.name} ({row.photos} photos)" if row.photos else row.name, f"{row.tiles:,}"]
        for count in (1, 2):
            old, new = row.before[count], row.after[count]
            cells.append(f"{_share(old.right, old.read)} → {_share(new.right, new.read)}")
            cells.append(f"{_share(old.taught_right, old.taught)} → {_share(new.taught_right, new.taught)}")
        old, new = row.before[2], row.after[2]
        cells.append(f"{_share(old.sure_wrong, old.read)} → {_share(new.sure_wrong, new.read)}")
        cells.append(f"{old.loss / max(1, old.read):.3f} → {new.loss / max(1, new.read):.3f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}".replace("%", " %") if whole else "–"


def look_with(weights: Path) -> Look:
    """A namer of another file than the registered one: an ONNX file, or a checkpoint.

    Raises ModelError for a file that is no namer's, or whose features are not to be had.
    """
    from models.training.export import add_features, export_namer

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "namer.onnx"
        if weights.suffix in CHECKPOINTS:
            export_namer(weights, file)
            return Namer(weights=file).look
        namer = Namer(weights=weights)  # refuses a stranger's file before anything else opens it
        if namer.width:
            return namer.look
        file.write_bytes(weights.read_bytes())
        try:
            add_features(file)
        except (StopIteration, ValueError) as error:
            raise ModelError(
                f"The weights {weights} have no output `features`, by which a set is taught, and none can be "
                "added; make them with `hupai train export`."
            ) from error
        return Namer(weights=file).look


def held_out(catalogue: Path, photos: Path, weights: Callable[[int], Path]) -> list[Row]:
    """Every design of the catalogue, read by the namer of its fold that never saw it."""
    from models.training.held_out import designs

    rows = []
    sets = [design for design in designs(catalogue, photos) if not design.photographed]
    for fold in sorted({design.fold for design in sets}):
        look = look_with(weights(fold))
        for design in sets:
            if design.fold == fold:
                rows.append(measure_design(design.name, design.faces, look))
                typer.echo(design.name, err=True)
    return rows


HEAD = """# What teaching a set is worth

`hupai teach` keeps crops of a player's own set and corrects the namer by what it got wrong about them
(`vision/taught/correction.py`). Written by `python -m models.training.teaching`; shares are of tiles named
right by the namer alone, without the rules' repairs.
"""
SERIES = """
## Photos of sets that training never saw

Series of `eval/kimwong` with at least {fewest} photos. One or two photos are taught with their true names and
the others read, {choices} random choices each. A taught photo shows a hand, so about {faces:.0f} of 42 faces
(two photos: {more:.0f}); "of faces taught" are the read tiles whose face was among them.

"""
DESIGNS = """
## Catalogue sets held out of training

Each set is read by a namer trained without it and its like (`hupai train held-out`). A photo is simulated:
every face of the set once, each from another picture than those read where the catalogue has several.

"""


DRAWN = """
## Catalogue sets, and a namer that saw drawn faces alone

The same sets, read by the folds' common start, which saw no photograph of any tile: a namer much weaker than
the shipped one.

"""


def main(
    evaluation: Annotated[Path, typer.Argument(help="Folder of photos and truth files.")],
    out: Annotated[Path, typer.Option(help="The Markdown file to write.")],
    namer: Annotated[Path | None, typer.Option(help="Other weights: ONNX, or a checkpoint.")] = None,
    series: Annotated[str, typer.Option(help="Series to measure, separated by commas; all if empty.")] = "",
    catalogue: Annotated[Path | None, typer.Option(help="Folder with labels.csv and faces/.")] = None,
    photos: Annotated[Path | None, typer.Option(help="Crops of public photos (.npz).")] = None,
    folds: Annotated[Path | None, typer.Option(help="Folder of `hupai train held-out`.")] = None,
    base: Annotated[Path | None, typer.Option(help="Checkpoint that saw drawn faces alone.")] = None,
) -> None:
    """Measure what teaching is worth, and write it down."""
    try:
        text = report(evaluation, namer, series, catalogue, photos, folds, base)
    except ModelError as error:
        complain(str(error))
        raise typer.Exit(1) from error
    out.write_text(text, encoding="utf-8")
    typer.echo(text)


def report(
    evaluation: Path,
    namer: Path | None,
    series: str,
    catalogue: Path | None,
    photos: Path | None,
    folds: Path | None,
    base: Path | None,
) -> str:
    """The Markdown that `main` writes, of what it was told. Raises ModelError, typer.BadParameter."""
    look = Namer().look if namer is None else look_with(namer)
    wanted = set(filter(None, series.split(",")))
    rows = []
    for name, tiles in series_of(evaluation, look, wanted):
        rows.append(measure_series(name, tiles))
        typer.echo(name, err=True)
    if not rows:
        raise typer.BadParameter(f"{evaluation} has no such series of {FEWEST_PHOTOS} photos or more.")
    whole = total(rows)
    head = SERIES.format(fewest=FEWEST_PHOTOS, choices=CHOICES, faces=whole.faces[1], more=whole.faces[2])
    text = HEAD + head + as_table(rows)
    if catalogue is not None and photos is not None:
        if folds is not None:
            text += DESIGNS + as_table(
                held_out(catalogue, photos, lambda fold: folds / f"fold{fold}" / "namer.pt")
            )
        if base is not None:
            text += DRAWN + as_table(held_out(catalogue, photos, lambda _: base))
    return text


if __name__ == "__main__":
    typer.run(main)
