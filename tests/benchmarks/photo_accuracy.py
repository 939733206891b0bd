"""How well programs find and name the tiles of annotated photos, all held against the same truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from contenders import DETECTOR, TUNED, Contender, detector_names, surer
from processes import Process
from tables import Table

from models.evaluation import Figures, PhotoResult, compare, figures
from models.truth import HAND_KINDS, Truth
from vision.elements import Reading

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Tried out for mahjong-detector, which ships with 0.5."""

COLUMNS = (
    "program", "found", "precision", "named right of found", "found and named", "all tiles right",
    "hands right",
)  # fmt: skip
NOTE = (
    "Found: an IoU of 0.5 with a labelled box. All tiles right: photos with each labelled tile found and "
    "named right, whatever else is found. Hands right: photos in which the tiles told are those of the hand; "
    "of those that show one."
)


@dataclass(frozen=True)
class Counted:
    """How well a program did on some photos.

    all_tiles: photos with each labelled tile found and named right, whatever else was found; of with_tiles.
    hands: photos whose hand, tile for tile, is what was told, no more and no less; of with_hand.
    """

    figures: Figures
    all_tiles: int
    with_tiles: int
    hands: int
    with_hand: int


def measure_accuracy(
    processes: Sequence[Process], truths: Sequence[Truth], paths: Sequence[Path], folder: Path
) -> tuple[list[Table], dict[str, Any]]:
    """Tables, and what is in them by title and program. paths: the truths' photos."""
    tables, data = [], {}
    read: dict[Contender, list[Reading]] = {}
    notes = [NOTE]
    for process in processes:
        read[process.contender] = [process.look(path).reading for path in paths]
        if process.contender.name == DETECTOR:
            with Process(TUNED, folder) as tuned:
                found = [tuned.look(path).reading for path in paths]
            threshold = best_threshold(found, truths)
            contender = replace(TUNED, name=f"{DETECTOR}, threshold {threshold}")
            read[contender] = [surer(one, threshold) for one in found]
            notes.append(
                f"mahjong-detector ships with a threshold of 0.5. Of {len(THRESHOLDS)} tried, {threshold} "
                "did best on these very photos (F1 of tiles found and named)."
            )
    for title, chosen in _sets(truths, with_detector=len(notes) > 1):
        counted = {
            contender: count([readings[index] for index in chosen], [truths[index] for index in chosen])
            for contender, readings in read.items()
        }
        rows = tuple(_row(contender, one) for contender, one in counted.items())
        tiles = sum(len(truths[index].tiles) for index in chosen)
        full = f"{title}: {len(chosen)} photos, {tiles} tiles"
        tables.append(Table(full, COLUMNS, rows, tuple(notes)))
        data[title] = {contender.name: asdict(one) for contender, one in counted.items()}
    return tables, data


def count(readings: Sequence[Reading], truths: Sequence[Truth]) -> Counted:
    """Hold what was read against the truth."""
    results = _compared(readings, truths)
    with_tiles = [result for result in results if result.tiles]
    with_hand = [result for result, truth in zip(results, truths, strict=True) if _shows_hand(truth)]
    return Counted(
        figures=figures(results),
        all_tiles=sum(result.named == result.tiles for result in with_tiles),
        with_tiles=len(with_tiles),
        hands=sum(result.hand_right for result in with_hand),
        with_hand=len(with_hand),
    )


def best_threshold(readings: Sequence[Reading], truths: Sequence[Truth]) -> float:
    """The one of THRESHOLDS with the best F1 of tiles found and named."""

    def score(threshold: float) -> float:
        results = _compared([surer(reading, threshold) for reading in readings], truths)
        told = sum(result.predicted + result.tiles for result in results)
        return 2 * sum(result.named for result in results) / max(told, 1)

    return max(THRESHOLDS, key=score)


def _shows_hand(truth: Truth) -> bool:
    return any(group.kind in HAND_KINDS and group.tiles for group in truth.groups)


def _compared(readings: Sequence[Reading], truths: Sequence[Truth]) -> list[PhotoResult]:
    return [compare(reading, truth, None) for reading, truth in zip(readings, truths, strict=True)]


def _sets(truths: Sequence[Truth], with_detector: bool) -> Iterator[tuple[str, list[int]]]:
    """Titles, and which of the truths they hold."""
    yield "All real photos", list(range(len(truths)))
    if with_detector:
        known = set(detector_names())
        plain = [
            index for index, truth in enumerate(truths) if known.issuperset(one.tile for one in truth.tiles)
        ]
        yield "Real photos without flowers, which mahjong-detector has no names for", plain


def _row(contender: Contender, one: Counted) -> tuple[str, ...]:
    def share(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f} %"

    told = (contender.name, share(one.figures.recall), share(one.figures.precision))
    if not contender.names:
        return (*told, *["–"] * 4)
    named = (share(one.figures.named_of_found), share(one.figures.found_and_named))
    return (*told, *named, f"{one.all_tiles} of {one.with_tiles}", f"{one.hands} of {one.with_hand}")
