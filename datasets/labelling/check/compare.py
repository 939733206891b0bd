"""Labels against what is seen: which of them are likely wrong, and how likely.

The idea is that of confident learning (Northcutt et al., 2021): a label is doubted where another class is
seen as surely as labels of that class are elsewhere in the same data set. Confusions that are frequent for a
pair of classes speak against the model, not against the labels, and count less.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from datasets.labelling.check.given import GivenBox
from datasets.labelling.records import Box, Labelled
from vision.boxes import match
from vision.elements import FACE_DOWN, UNNAMED

Kind = Literal["class", "missing", "nothing", "place"]
Bounds = tuple[float, float, float, float]

LOOSE = 0.15
"""IoU from which a label that is no match for a find was meant for it, and lies badly."""
SURE = 0.5
"""Confidence of a find from which its absence from the labels says something."""
SHOWN = 0.3
"""Likelihood below which an issue is not listed."""
NOTHING = 0.5
"""Likelihood that a label lies on nothing where no tile is found, in a picture of finds otherwise."""
PLACE = 0.4
"""Likelihood that a label which half covers a tile is misplaced."""

MEANINGS: Mapping[Kind, str] = {
    "class": "another tile",
    "missing": "a tile without a label",
    "nothing": "a label where no tile is seen",
    "place": "a label that covers its tile badly",
}


@dataclass(frozen=True)
class Pair:
    """A label and the find that it is for. same: they overlap by half or more."""

    label: GivenBox
    tile: str | None
    bounds: Bounds
    find: Box
    same: bool


@dataclass(frozen=True)
class Compared:
    """One picture. pairs: labels with their finds. alone: labels without, and their bounds in pixels.
    extra: finds without."""

    path: Path
    labels: int
    pairs: tuple[Pair, ...]
    alone: tuple[tuple[GivenBox, Bounds], ...]
    extra: tuple[Box, ...]


@dataclass(frozen=True)
class Issue:
    """A likely error. score: 0..1, how likely. label: the class name that is given. seen: the tile that is
    seen, with its confidence. where: the file and line of the label."""

    kind: Kind
    score: float
    bounds: Bounds
    label: str | None = None
    seen: str | None = None
    confidence: float | None = None
    where: str | None = None


@dataclass(frozen=True)
class Doubted:
    """A picture with issues, likeliest first. score: about how many labels are wrong, plus their share."""

    path: Path
    score: float
    labels: int
    issues: tuple[Issue, ...]


def compare(
    path: Path, boxes: Sequence[GivenBox], tiles: Mapping[str, str | None], seen: Labelled
) -> Compared:
    """Match the labels of one picture with its finds. tiles: what each class name means."""
    bounds = [box.in_pixels(seen.size) for box in boxes]
    given = np.array(bounds, np.float32).reshape(-1, 4)
    found = np.array([box.bounds for box in seen.boxes], np.float32).reshape(-1, 4)
    matched = {label: find for find, label in match(found, given)}
    free = set(range(len(found))) - set(matched.values())
    pairs, alone = [], []
    for label, box in enumerate(boxes):
        find, same = matched.get(label), True
        if find is None:
            find, same = _nearest(given[label], found, free), False
        if find is None:
            alone.append((box, bounds[label]))
            continue
        free.discard(find)
        pairs.append(Pair(box, tiles.get(box.name), bounds[label], seen.boxes[find], same))
    extra = tuple(seen.boxes[find] for find in sorted(free))
    return Compared(path, len(boxes), tuple(pairs), tuple(alone), extra)


def rank(compared: Iterable[Compared], tiles: Mapping[str, str | None]) -> list[Doubted]:
    """Pictures with likely errors, most likely first."""
    everything = list(compared)
    trust = _trust(everything)
    complete = _completeness(everything)
    classes = {tile for tile in tiles.values() if tile is not None}
    doubted = [_doubt(one, trust, complete, classes) for one in everything]
    return sorted((d for d in doubted if d.issues), key=lambda d: (-d.score, str(d.path)))


@dataclass(frozen=True)
class _Trust:
    """usual: how sure the finds are that agree with labels of a class, on average. confused: how often labels
    of one class are seen as another, of all of that class."""

    usual: Mapping[str, float]
    confused: Mapping[tuple[str, str], float]


def _trust(everything: Sequence[Compared]) -> _Trust:
    sure: dict[str, list[float]] = defaultdict(list)
    seen: Counter[tuple[str, str]] = Counter()
    for pair in (pair for one in everything for pair in one.pairs if pair.same and pair.tile):
        assert pair.tile is not None
        seen[pair.tile, pair.find.tile] += 1
        if pair.find.tile == pair.tile:
            sure[pair.tile].append(pair.find.confidence)
    totals: Counter[str] = Counter()
    for (tile, _), count in seen.items():
        totals[tile] += count
    confused = {pair: count / totals[pair[0]] for pair, count in seen.items()}
    return _Trust({tile: float(np.mean(values)) for tile, values in sure.items()}, confused)


def _completeness(everything: Sequence[Compared]) -> float:
    """The share of sure finds that have a label: where few are labelled, one without says little."""
    labelled = sum(p.find.confidence >= SURE for one in everything for p in one.pairs)
    extra = (box for one in everything for box in one.extra if box.tile not in (FACE_DOWN, UNNAMED))
    missing = sum(box.confidence >= SURE for box in extra)
    return labelled / max(labelled + missing, 1)


def _doubt(one: Compared, trust: _Trust, complete: float, classes: set[str]) -> Doubted:
    unlabelled = [box for box in one.extra if box.tile in classes and box.confidence >= SURE]
    # Where few of a picture's labels are found the models are blind to it; where few of its finds are
    # labelled, it was meant so.
    found = len(one.pairs) / max(one.labels, 1)
    own = len(one.pairs) / max(len(one.pairs) + len(unlabelled), 1)
    issues = [issue for pair in one.pairs for issue in _of_pair(pair, trust)]
    issues += [
        Issue("nothing", NOTHING * found, bounds, label=box.name, where=box.where)
        for box, bounds in one.alone
    ]
    issues += [
        Issue("missing", box.confidence * complete * own, box.bounds, None, box.tile, box.confidence)
        for box in unlabelled
    ]
    listed = sorted((i for i in issues if i.score >= SHOWN), key=lambda i: (-i.score, i.where or ""))
    total = sum(issue.score for issue in listed)
    wrong = sum(issue.score for issue in listed if issue.kind != "missing")
    return Doubted(one.path, round(total + wrong / max(one.labels, 1), 4), one.labels, tuple(listed))


def _of_pair(pair: Pair, trust: _Trust) -> Iterable[Issue]:
    find, given = pair.find, pair.tile
    if given is None or find.tile == given or find.tile == UNNAMED:
        if not pair.same and given == find.tile:
            yield Issue(
                "place", PLACE, pair.bounds, pair.label.name, find.tile, find.confidence, pair.label.where
            )
        return
    share = dict(find.alternatives).get(given, 0.0)
    usual = max(trust.usual.get(find.tile, 1.0), 1e-6)
    score = (
        min(1.0, find.confidence / usual)
        * (1 - share)
        * (1 - trust.confused.get((given, find.tile), 0.0) / 2)
    )
    yield Issue(
        "class", round(score, 4), pair.bounds, pair.label.name, find.tile, find.confidence, pair.label.where
    )


def _nearest(label: np.ndarray, found: np.ndarray, free: set[int]) -> int | None:
    """The free find that overlaps a label most, LOOSE at least."""
    best, most = None, LOOSE
    for find in sorted(free):
        low, high = np.maximum(label[:2], found[find, :2]), np.minimum(label[2:], found[find, 2:])
        shared = float(np.clip(high - low, 0, None).prod())
        areas = float((label[2:] - label[:2]).prod() + (found[find, 2:] - found[find, :2]).prod())
        iou = shared / max(areas - shared, 1e-9)
        if iou > most:
            best, most = find, iou
    return best
