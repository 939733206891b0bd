"""Measure the reader on photos with truth files: tiles, names, hands, layouts and scores."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from models.truth import HAND_KINDS, Truth
from vision.boxes import around, match
from vision.elements import FloatArray, Group, Layout, Reading, Tile
from vision.errors import NoTilesError, VisionError
from vision.paths import is_file

_FORMULAS = tuple("=+-@\t\r\n＝＋－＠")
"""With which spreadsheets begin a formula (OWASP, CSV Injection), as in `vision.serve.board`."""

Read = Callable[[Path], Reading]
ScoreOf = Callable[[Layout], dict[str, Any] | None]


@dataclass(frozen=True)
class PhotoResult:
    """How one photo was read.

    tiles: labelled ones. predicted: those that the reading claims; where the photo has unlabelled tiles, only
        those that match. found: matched. named: matched and named right.
    score_right: None where the truth has no score. mistakes: `8p>9s` misnamed, `-5p` missed, `+5p` made up.
    error: why the photo could not be read, or "".
    """

    photo: str
    series: str
    quality: str
    tiles: int
    predicted: int
    found: int
    named: int
    hand_right: bool
    layout_right: bool
    score_right: bool | None
    mistakes: str
    error: str


@dataclass(frozen=True)
class Figures:
    """Shares in 0..1 over some photos; None where there is nothing to count."""

    photos: int
    tiles: int
    recall: float | None
    precision: float | None
    named_of_found: float | None
    found_and_named: float | None
    hands_right: float | None
    layouts_right: float | None
    scores_right: float | None


class PhotoError(Exception):
    """A truth's photo that cannot be used; `str()` is one sentence."""


def evaluate(truths: Iterable[Truth], photos: Path, read: Read, score_of: ScoreOf) -> Iterator[PhotoResult]:
    """Read each truth's photo and compare. A photo that fails in any way counts as all wrong.

    read: reads the photo at a path. score_of: the score of a layout under the same circumstances, None
        where it has none; it is asked for the truth's layout.
    """
    for truth in truths:
        true_score = score_of(truth.layout())
        try:
            reading = read(find_photo(truth, photos))
        except NoTilesError as error:
            if truth.tiles:
                yield failed(truth, true_score, str(error))
            else:  # there are none: that is the right answer
                yield compare(Reading.without_tiles(truth.photo), truth, true_score)
        except (VisionError, PhotoError) as error:
            yield failed(truth, true_score, str(error))
        except Exception as error:  # noqa: BLE001 - a crash on a photo is a result to report, whatever it is
            yield failed(truth, true_score, f"{type(error).__name__}: {error}")
        else:
            yield compare(reading, truth, true_score)


def failed(truth: Truth, true_score: dict[str, Any] | None, error: str) -> PhotoResult:
    """The result of a photo that gave no reading: all wrong."""
    return PhotoResult(
        photo=Path(truth.photo).name,
        series=truth.series,
        quality=truth.quality,
        tiles=len(truth.tiles),
        predicted=0,
        found=0,
        named=0,
        hand_right=False,
        layout_right=False,
        score_right=None if true_score is None else False,
        mistakes=" ".join(f"-{tile.tile}" for tile in truth.tiles),
        error=error,
    )


def compare(reading: Reading, truth: Truth, true_score: dict[str, Any] | None) -> PhotoResult:
    """Hold a reading against the truth."""
    pairs = match(boxes(reading.tiles), boxes(truth.tiles))
    named = [(p, t) for p, t in pairs if reading.tiles[p].tile == truth.tiles[t].tile]
    score_right = None
    if true_score is not None:
        score_right = reading.score is not None and reading.score["total"] == true_score["total"]
    return PhotoResult(
        photo=Path(truth.photo).name,
        series=truth.series,
        quality=truth.quality,
        tiles=len(truth.tiles),
        predicted=len(pairs) if truth.unlabelled else len(reading.tiles),
        found=len(pairs),
        named=len(named),
        hand_right=_hand(reading.tiles, reading.groups) == _hand(truth.tiles, truth.groups),
        layout_right=_groups(reading.tiles, reading.groups) == _groups(truth.tiles, truth.groups),
        score_right=score_right,
        mistakes=_mistakes(reading, truth, pairs),
        error="",
    )


def boxes(tiles: Sequence[Tile]) -> FloatArray:
    """(N, 4) float32: the upright boxes x1, y1, x2, y2 around the tiles' quads, in pixels."""
    return around(np.array([tile.quad for tile in tiles], np.float32))


def figures(results: Sequence[PhotoResult]) -> Figures:
    """The figures over some photos."""
    tiles, predicted, found, named = (
        sum(getattr(result, field) for result in results)
        for field in ("tiles", "predicted", "found", "named")
    )
    scored = [result.score_right for result in results if result.score_right is not None]
    return Figures(
        photos=len(results),
        tiles=tiles,
        recall=_share(found, tiles),
        precision=_share(found, predicted),
        named_of_found=_share(named, found),
        found_and_named=_share(named, tiles),
        hands_right=_share(sum(result.hand_right for result in results), len(results)),
        layouts_right=_share(sum(result.layout_right for result in results), len(results)),
        scores_right=_share(sum(scored), len(scored)),
    )


def figures_by_group(results: Sequence[PhotoResult]) -> dict[str, dict[str, Figures]]:
    """Figures for all photos, for photos from phones and from video streams, for each series and quality."""
    sections: dict[str, dict[str, list[PhotoResult]]] = {"all": {}, "source": {}, "series": {}, "quality": {}}
    for result in results:
        keys = {
            "all": "all",
            "source": "stream" if result.series.startswith("stream-") else "phone",
            "series": result.series,
            "quality": result.quality,
        }
        for section, key in keys.items():
            sections[section].setdefault(key, []).append(result)
    return {
        section: {key: figures(members) for key, members in sorted(groups.items())}
        for section, groups in sections.items()
    }


def to_csv(results: Iterable[PhotoResult]) -> str:
    """One line a photo, from which every figure can be computed again."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    columns = [field.name for field in fields(PhotoResult)]
    writer.writerow(columns)
    for result in results:
        writer.writerow([_cell(column, getattr(result, column)) for column in columns])
    return stream.getvalue()


def _cell(column: str, value: object) -> object:
    """What stands in the file. Texts of truth files begin no formula; mistakes are made of tiles' names, and
    begin with their signs."""
    if isinstance(value, str) and column != "mistakes" and value.lstrip().startswith(_FORMULAS):
        return f"'{value}"
    return int(value) if isinstance(value, bool) else value


def photo_path(truth: Truth, photos: Path) -> Path | None:
    """Where the truth's photo lies: by its path under `photos`, or by its name; None where it does not."""
    candidates = [photos / truth.photo, photos / Path(truth.photo).name]
    return next((candidate for candidate in candidates if is_file(candidate)), None)


def find_photo(truth: Truth, photos: Path) -> Path:
    """Raises PhotoError where it is not there, or not the one that was labelled."""
    path = photo_path(truth, photos)
    if path is None:
        raise PhotoError(f"there is no {truth.photo} under {photos}.")
    if truth.sha256 and hashlib.sha256(path.read_bytes()).hexdigest() != truth.sha256:
        raise PhotoError(f"{path.name} is not the photo that was labelled (other SHA-256).")
    return path


def _hand(tiles: Sequence[Tile], groups: Sequence[Group]) -> Counter[str]:
    names = {tile.id: tile.tile for tile in tiles}
    return Counter(names[i] for group in groups if group.kind in HAND_KINDS for i in group.tiles)


def _groups(tiles: Sequence[Tile], groups: Sequence[Group]) -> Counter[tuple[str, tuple[str, ...]]]:
    """The hand's groups as kinds and names. What lies in one kind of bag is one bag, however it is split."""
    names = {tile.id: tile.tile for tile in tiles}
    bags: dict[str, list[str]] = {"concealed": [], "winning": [], "flowers": []}
    melds: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for group in groups:
        members = [names[i] for i in group.tiles]
        if group.kind in bags:
            bags[group.kind] += members
        elif group.kind in HAND_KINDS:
            melds[group.kind, tuple(sorted(members))] += 1
    melds.update((kind, tuple(sorted(members))) for kind, members in bags.items() if members)
    return melds


def _mistakes(reading: Reading, truth: Truth, pairs: Sequence[tuple[int, int]]) -> str:
    by_true = {t: reading.tiles[p].tile for p, t in pairs}
    matched = {p for p, _ in pairs}
    words = []
    for t, tile in enumerate(truth.tiles):
        got = by_true.get(t)
        if got is None:
            words.append(f"-{tile.tile}")
        elif got != tile.tile:
            words.append(f"{tile.tile}>{got}")
    if not truth.unlabelled:
        words += [f"+{tile.tile}" for p, tile in enumerate(reading.tiles) if p not in matched]
    return " ".join(words)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
