"""Does the reader know when it is wrong? Which tiles it marks to be checked, and which names are wrong.

    python -m models.doubts TRUTH_DIR --photos DIR --csv FILE

writes a line for each tile that is worth one and for each warning; `models.accuracy` counts them.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from models.evaluation import PhotoError, boxes, find_photo
from models.registry import ModelError
from models.truth import Truth, TruthError, load_truths
from vision.boxes import match
from vision.elements import Reading
from vision.errors import NoTilesError, VisionError
from vision.summary import needs_check

MISSED, WARNING = "missed", "warning"


@dataclass(frozen=True)
class Doubt:
    """A tile that was marked, misnamed, missed, made up or renamed by the rules; or a warning.

    kind: of the group that the tile was put in, "missed", or "warning" (`read` is the sentence then).
    true: the tile's name, "" where none is labelled. read: the name it got, "" where it was missed.
    own: the namer's own answer where the rules changed it, else "". confidence: in `read`, or "".
    marked: whether a person is told to look at it.
    """

    photo: str
    kind: str
    true: str
    read: str
    own: str
    confidence: str
    marked: bool


def doubts(truths: Iterable[Truth], photos: Path, read: Callable[[Path], Reading]) -> Iterator[Doubt]:
    """Read each truth's photo and hold it against the truth. Raises what `read` and `find_photo` raise."""
    for truth in truths:
        try:
            reading = read(find_photo(truth, photos))
        except NoTilesError:
            reading = Reading.without_tiles(truth.photo)
        yield from doubts_of(truth, reading)


def doubts_of(truth: Truth, reading: Reading) -> Iterator[Doubt]:
    """The doubts of one photo. Where it has unlabelled tiles, a find that nobody labelled is left out."""
    photo = Path(truth.photo).name
    kinds = {tile: group.kind for group in reading.groups for tile in group.tiles}
    pairs = dict(match(boxes(reading.tiles), boxes(truth.tiles)))
    for found, tile in enumerate(reading.tiles):
        true = truth.tiles[pairs[found]].tile if found in pairs else ""
        marked, changed = needs_check(tile), tile.changed_from is not None
        known = bool(true) or not truth.unlabelled
        if known and (marked or changed or true != tile.tile):
            kind, own = kinds.get(tile.id, "other"), tile.changed_from or ""
            yield Doubt(photo, kind, true, tile.tile, own, f"{tile.confidence:.3f}", marked)
    for missed in sorted(set(range(len(truth.tiles))) - set(pairs.values())):
        yield Doubt(photo, MISSED, truth.tiles[missed].tile, "", "", "", False)
    for warning in reading.warnings:
        yield Doubt(photo, WARNING, "", warning, "", "", True)


def write_csv(path: Path, found: Iterable[Doubt]) -> None:
    """One line a doubt."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [field.name for field in fields(Doubt)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({**asdict(doubt), "marked": int(doubt.marked)} for doubt in found)


def read_csv(path: Path) -> list[Doubt]:
    """What `write_csv` wrote."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            Doubt(
                photo=row["photo"],
                kind=row["kind"],
                true=row["true"],
                read=row["read"],
                own=row["own"],
                confidence=row["confidence"],
                marked=row["marked"] == "1",
            )
            for row in csv.DictReader(stream)
        ]


def main() -> None:
    """The command line."""
    from vision.reader import Reader

    parser = argparse.ArgumentParser(prog="python -m models.doubts", description=__doc__)
    parser.add_argument("truth", type=Path, help="folder of truth files")
    parser.add_argument("--photos", type=Path, required=True, help="folder of the photos that they name")
    parser.add_argument("--csv", type=Path, required=True, help="file to write")
    arguments = parser.parse_args()
    try:
        found = list(doubts(load_truths(arguments.truth), arguments.photos, Reader().read))
        write_csv(arguments.csv, found)
    except (ModelError, PhotoError, TruthError, VisionError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
