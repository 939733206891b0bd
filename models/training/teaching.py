"""How much better a set is read once it was taught (`hupai teach`), on sets that the namer never saw.

    python -m models.training.teaching ../shared/data/eval/kimwong --out models/weights/teach.md
    python -m models.training.teaching ../shared/data/eval/kimwong --catalogue ../shared/data/tiles \\
        --photos photos.npz --folds run/held-out --out models/weights/teach.md
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from datasets.crops import CropMaker, Faces
from models import registry
from models.commands.output import complain
from models.evaluation import find_photo
from models.registry import ModelError
from models.truth import load_truths
from scoring.tiles import INDEX, TILES
from vision.boxes import around, match
from vision.locator import Locator
from vision.namer import Looks, Namer, softmax
from vision.photo import load_photo
from vision.rectify import rectify
from vision.taught.correction import COPIES, copies, fit
from vision.taught.namer import SURE

Pixels = NDArray[np.uint8]
Look = Callable[[Pixels], Looks]

CHECKPOINTS = {".pt", ".pth"}
CHOICES = 12
"""Photos of a series are chosen so many times, at random, to teach with."""
FEWEST_PHOTOS = 5
"""Series with fewer are left out."""
VIEWS = 4
"""Simulated photographs of each face that is read."""


@dataclass(frozen=True)
class Known:
    """Crops with their tiles. looks: of `copies(crops)`, as (COPIES, N, ...); photos: (N,) numbers."""

    tiles: NDArray[np.int64]
    photos: NDArray[np.int64]
    logits: NDArray[np.float32]
    features: NDArray[np.float32]

    def part(self, keep: NDArray[np.bool_]) -> Known:
        """Some of the crops."""
        return Known(self.tiles[keep], self.photos[keep], self.logits[:, keep], self.features[:, keep])


@dataclass(frozen=True)
class Count:
    """Tiles read, how many of them were named right, how many are of faces that were taught and right of
    those; named wrong and stated at SURE or more; the sum of -log of the belief in the true name."""

    read: int = 0
    right: int = 0
    taught: int = 0
    taught_right: int = 0
    sure_wrong: int = 0
    loss: float = 0.0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.read + other.read,
            self.right + other.right,
            self.taught + other.taught,
            self.taught_right + other.taught_right,
            self.sure_wrong + other.sure_wrong,
            self.loss + other.loss,
        )


@dataclass(frozen=True)
class Row:
    """One set: photos and tiles, faces taught on average, and the counts before and after, by how many photos
    were taught."""

    name: str
    photos: int
    tiles: int
    faces: dict[int, float]
    before: dict[int, Count]
    after: dict[int, Count]


def known(crops: Pixels, tiles: Sequence[int], photos: Sequence[int], look: Look) -> Known:
    """Look at the crops and their copies."""
    looks = look(copies(crops))
    return Known(
        np.array(tiles, np.int64),
        np.array(photos, np.int64),
        looks.logits.reshape(COPIES, len(crops), -1),
        looks.features.reshape(COPIES, len(crops), -1),
    )


def teach_and_read(lesson: Known, read: Known) -> tuple[Count, Count]:
    """Names before and after the lesson."""
    temperature = registry.entry("namer").parameters["face_temperature"]
    faces = len(TILES) + 1

    def scores(logits: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(logits[..., :faces] / np.float32(temperature), np.float32)

    width = lesson.features.shape[-1]
    correction = fit(
        scores(lesson.logits).reshape(-1, faces),
        lesson.features.reshape(-1, width),
        np.tile(lesson.tiles, COPIES),
    )
    plain = scores(read.logits[0])
    taught = np.isin(read.tiles, lesson.tiles)
    corrected = plain + correction.of(read.features[0])
    return _count(softmax(plain), read.tiles, taught), _count(softmax(corrected), read.tiles, taught)


def _count(beliefs: NDArray[np.float32], tiles: NDArray[np.int64], taught: NDArray[np.bool_]) -> Count:
    right = beliefs.argmax(axis=1) == tiles
    own = np.maximum(beliefs[np.arange(len(tiles)), tiles], 1e-6)
    return Count(
        len(tiles),
        int(right.sum()),
        int(taught.sum()),
        int((right & taught).sum()),
        int((~right & (beliefs.max(axis=1) >= SURE)).sum()),
        float(-np.log(own).sum()),
    )


def series_of(folder: Path, look: Look, wanted: set[str]) -> Iterator[tuple[str, Known]]:
    """The tiles that the locator finds on the evaluation photos, by series; `wanted` empty: of every one."""
    locator, side = Locator(), registry.entry("namer").input_size
    for series, truths in itertools.groupby(
        sorted(load_truths(folder), key=lambda truth: truth.series), key=lambda truth: truth.series
    ):
        if wanted and series not in wanted:
            continue
        crops, tiles, photos = [], [], []
        for number, truth in enumerate(truths):
            photo = load_photo(find_photo(truth, folder))
            located = locator.locate(photo.pixels)
            quads = np.array([tile.quad for tile in truth.tiles], np.float32).reshape(-1, 4, 2)
            cut = rectify(photo.pixels, located.quads, side)
            for find, true in match(around(located.quads), around(quads)):
                name = truth.tiles[true].tile
                if name in TILES:
                    crops.append(cut[find])
                    tiles.append(INDEX[name])
                    photos.append(number)
        if len(set(photos)) >= FEWEST_PHOTOS:
            yield series, known(np.stack(crops), tiles, photos, look)


def measure_series(name: str, tiles: Known, seed: int = 0) -> Row:
    """Teach one or two photos, read the others; over CHOICES random choices."""
    rng, numbers = np.random.default_rng(seed), np.unique(tiles.photos)
    faces: dict[int, float] = {}
    before: dict[int, Count] = {}
    after: dict[int, Count] = {}
    for count in (1, 2):
        found, old, new = 0, Count(), Count()
        for _ in range(CHOICES):
            chosen = np.isin(tiles.photos, rng.choice(numbers, count, replace=False))
            lesson = tiles.part(chosen)
            was, became = teach_and_read(lesson, tiles.part(~chosen))
            found, old, new = found + len(np.unique(lesson.tiles)), old + was, new + became
        faces[count], before[count], after[count] = found / CHOICES, old, new
    return Row(name, len(numbers), len(tiles.tiles), faces, before, after)


def measure_design(name: str, faces: Faces, look: Look, seed: int = 0) -> Row:
    """Teach simulated photos that show each face of a catalogue design once, read others of other pictures.

    Where the catalogue holds a single picture of a face, other views of that one are read.
    """
    rng = np.random.default_rng(seed)
    maker = CropMaker(faces, registry.entry("namer").input_size)
    lessons: tuple[list[Pixels], list[Pixels]] = ([], [])
    read: list[Pixels] = []
    tiles, read_tiles = [], []
    for tile in np.unique(faces.tiles):
        members = rng.permutation(np.flatnonzero(faces.tiles == tile))
        tiles.append(int(tile))
        for number, lesson in enumerate(lessons):
            lesson.append(maker.view(int(members[number % max(1, len(members) - 1)]), rng)[0])
        for member in members[2:] if len(members) > 2 else members[-1:]:
            read += [maker.view(int(member), rng)[0] for _ in range(VIEWS)]
            read_tiles += [int(tile)] * VIEWS
    looks = look(np.stack(read))
    none = np.zeros(len(read), np.int64)
    shown = Known(np.array(read_tiles), none, looks.logits[None], looks.features[None])
    photos = np.repeat([0, 1], len(tiles))
    both = known(np.stack([*lessons[0], *lessons[1]]), tiles * 2, photos.tolist(), look)
    one = both.part(photos == 0)
    results = {count: teach_and_read(lesson, shown) for count, lesson in ((1, one), (2, both))}
    return Row(
        name,
        0,
        len(read),
        {count: float(len(tiles)) for count in results},
        {count: result[0] for count, result in results.items()},
        {count: result[1] for count, result in results.items()},
    )


def total(rows: Sequence[Row], name: str = "all") -> Row:
    """All rows as one."""
    counts = (1, 2)
    return Row(
        name,
        sum(row.photos for row in rows),
        sum(row.tiles for row in rows),
        {count: float(np.mean([row.faces[count] for row in rows])) for count in counts},
        {count: sum((row.before[count] for row in rows), Count()) for count in counts},
        {count: sum((row.after[count] for row in rows), Count()) for count in counts},
    )


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
