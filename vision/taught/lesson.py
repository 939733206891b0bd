"""From photos of a player's set to named crops: what the photos show, and which tile is which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import INDEX, TILES
from vision.boxes import around, match
from vision.elements import FACE_DOWN, UNNAMED, FloatArray
from vision.errors import NoTilesError
from vision.locator import Locator
from vision.namer import Namer, softmax
from vision.photo import Source, load_photo
from vision.rectify import rectify
from vision.taught.assign import FLOOR, NO_FACE, assign, counts_by_size
from vision.taught.errors import TeachError
from vision.taught.order import reading_order
from vision.taught.store import TaughtSet, fingerprint, untold

Pixels = NDArray[np.uint8]

SURE = 4.0
"""Natural log-odds by which a tile's name must beat the next for it to be taught unasked."""
DISPUTED = 0.02
"""A tile said to be what the namer hardly believes (at most this), while sure of another, is worth a look."""
CONTRADICTED = 0.95
MISFIT = 3.0
"""How much belief (natural logarithm, a tile) the counts may cost before they are not those of the photo."""


@dataclass(frozen=True)
class Sight:
    """One photo: its faces in reading order (backs left out), N of them.

    quads: (N, 4, 2). crops: (N, side, side, 3). beliefs: (N, 43) of the untaught namer. turns: (N,) which
    corner of the quad is the face's own top left.
    all_rows: the faces of each row by number, and BACK for a face-down tile.
    """

    photo: str
    fingerprint: str
    quads: FloatArray
    crops: Pixels
    beliefs: FloatArray
    turns: NDArray[np.int64]
    all_rows: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.quads)


BACK = -1
"""Stands in `all_rows` for a face-down tile."""


@dataclass(frozen=True)
class LessonTile:
    """A tile of a lesson.

    id: its number over all photos, from 0. tile: its name, `?` for one that is left out. sure: whether it is
    taught. margin: natural log-odds over `second`, the next likeliest name. disputed: the other name that the
    namer is sure of.
    """

    id: int
    photo: int
    tile: str
    sure: bool
    margin: float
    second: str
    disputed: str | None


@dataclass(frozen=True)
class Lesson:
    """What some photos teach: a name for each of their faces, in reading order."""

    sights: tuple[Sight, ...]
    tiles: tuple[LessonTile, ...]

    @property
    def unsure(self) -> tuple[LessonTile, ...]:
        """The tiles to be asked about."""
        return tuple(tile for tile in self.tiles if not tile.sure)

    @property
    def taught(self) -> tuple[LessonTile, ...]:
        """The tiles that are taught."""
        return tuple(tile for tile in self.tiles if tile.sure and tile.tile != UNNAMED)

    def crops(self) -> Pixels:
        """(N, side, side, 3) uint8 RGB of all tiles, by id."""
        return np.concatenate([sight.crops for sight in self.sights])

    def add_to(self, taught: TaughtSet | None, name: str) -> TaughtSet:
        """The set with this lesson, its looks still to be made; what it held of these photos is replaced."""
        photos = [sight.fingerprint for sight in self.sights]
        told = self.taught
        crops = self.crops()[[tile.id for tile in told]]
        tiles = np.array([INDEX[tile.tile] for tile in told], np.int64)
        of = tuple(photos[tile.photo] for tile in told)
        if taught is None:
            return untold(name, crops, tiles, of)
        before = taught.without(frozenset(photos))
        if len(before.crops) and len(crops) and before.crops.shape[1:] != crops.shape[1:]:
            raise TeachError(
                f"The set '{name}' was taught with crops of another size; remove it and teach all again."
            )
        return untold(
            name,
            np.concatenate([before.crops, crops]) if len(before.crops) else crops,
            np.concatenate([before.tiles, tiles]),
            before.photos + of,
        )


def look_at(source: Source, locator: Locator, namer: Namer, name: str | None = None) -> Sight:
    """Find the faces of a photo. Raises a PhotoError, and NoTilesError for a photo that shows none."""
    photo = load_photo(source, name)
    located = locator.locate(photo.pixels)
    rows = reading_order(located.quads)
    order = [tile for row in rows for tile in row if not located.backs[tile]]
    if not order:
        raise NoTilesError(f"{photo.name} shows no face of a tile; photograph the set from nearer.")
    place = {tile: number for number, tile in enumerate(order)}
    quads = located.quads[order]
    crops = rectify(photo.pixels, quads, namer.side)
    logits = namer.look(crops).logits
    all_rows = tuple(tuple(place.get(tile, BACK) for tile in row) for row in rows)
    return Sight(
        photo=photo.name,
        fingerprint=fingerprint(photo.pixels),
        quads=quads,
        crops=crops,
        beliefs=softmax(namer.face_scores(logits)),
        turns=namer.turns(logits).argmax(axis=1),
        all_rows=all_rows,
    )


def name_by_counts(
    sights: Sequence[Sight],
    counts: Sequence[Mapping[str, int]] | None = None,
    said: Mapping[int, str] | None = None,
) -> Lesson:
    """The likeliest names for the tiles of photos that show a known number of each face.

    counts: how often each photo shows each face. None: each face once or a whole set, by how many tiles each
    photo shows, or all of them together. said: names of some tiles by id, `?` for one to leave out.
    Raises TeachError when the numbers fit neither.
    """
    said = dict(said or {})
    _check_said(said, sum(map(len, sights)))
    groups: list[tuple[int, ...]] = [(number,) for number in range(len(sights))]
    known = counts if counts is not None else [counts_by_size(len(sight)) for sight in sights]
    if any(found is None for found in known):
        groups = [tuple(range(len(sights)))]
        known = [counts_by_size(sum(map(len, sights)))]
    if any(found is None for found in known):
        raise TeachError(_no_counts(sights))
    starts = np.cumsum([0, *map(len, sights)])
    tiles: list[LessonTile] = []
    for group, held in zip(groups, known, strict=True):
        beliefs = np.concatenate([sights[number].beliefs for number in group])
        start = int(starts[group[0]])
        fixed = {
            tile - start: INDEX.get(name, NO_FACE)
            for tile, name in said.items()
            if 0 <= tile - start < len(beliefs)
        }
        result = assign(beliefs, held or {}, fixed)
        if counts is None and _misfit(beliefs, result.tiles, fixed) > MISFIT:
            raise TeachError(_no_counts([sights[number] for number in group], misfit=True))
        owners = [number for number in group for _ in range(len(sights[number]))]
        tiles += [
            LessonTile(
                id=start + k,
                photo=owners[k],
                tile=_name(int(result.tiles[k])),
                sure=bool(result.margins[k] >= SURE),
                margin=float(result.margins[k]),
                second=_name(int(result.seconds[k])),
                disputed=_disputed(beliefs[k], int(result.tiles[k])),
            )
            for k in range(len(beliefs))
        ]
    return Lesson(tuple(sights), tuple(tiles))


def name_as_said(
    sights: Sequence[Sight], names: Sequence[Sequence[str]], said: Mapping[int, str] | None = None
) -> Lesson:
    """Take the names that a person gave, one for each face of each photo (`?`: leave out)."""
    flat = [name for photo in names for name in photo]
    said = dict(said or {})
    _check_said(said, len(flat))
    tiles = []
    for number, name in enumerate(flat):
        given = said.get(number, name)
        tiles.append(LessonTile(number, 0, given, True, float("inf"), given, None))
    owners = [number for number, photo in enumerate(names) for _ in photo]
    beliefs = np.concatenate([sight.beliefs for sight in sights])
    return Lesson(
        tuple(sights),
        tuple(
            replace(tile, photo=owner, disputed=_disputed(belief, INDEX.get(tile.tile, NO_FACE)))
            for tile, owner, belief in zip(tiles, owners, beliefs, strict=True)
        ),
    )


def names_in_rows(sight: Sight, rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of a photo's faces from its rows as a person wrote them.

    Raises TeachError where the photo shows other rows.
    """
    if [len(row) for row in rows] != [len(row) for row in sight.all_rows]:
        raise TeachError(
            f"{sight.photo} shows rows of {_lengths(sight.all_rows)} tiles, the layout has {_lengths(rows)}; "
            "hold the camera straight, with clear space between the rows, and write one line for each row."
        )
    names = [UNNAMED] * len(sight)
    for said, found in zip(rows, sight.all_rows, strict=True):
        for name, tile in zip(said, found, strict=True):
            if tile != BACK:
                names[tile] = UNNAMED if name == FACE_DOWN else name
    return names


def names_by_place(sight: Sight, true_quads: FloatArray, true_names: Sequence[str]) -> list[str]:
    """The names of a photo's faces by where labelled tiles lie ((M, 4, 2)); `?` for one without a label."""
    names = [UNNAMED] * len(sight)
    for found, true in match(around(sight.quads), around(true_quads)):
        name = true_names[true]
        names[found] = name if name in TILES else UNNAMED
    return names


def _check_said(said: Mapping[int, str], tiles: int) -> None:
    for number, name in said.items():
        if not 0 <= number < tiles:
            raise TeachError(f"There is no tile {number}; the photos' tiles are numbered 0 to {tiles - 1}.")
        if name != UNNAMED and name not in TILES:
            raise TeachError(f"No tile is named '{name}'; write for instance {number}=3s, or {number}=?.")


def _no_counts(sights: Sequence[Sight], misfit: bool = False) -> str:
    shown = " and ".join(f"{len(sight)} tiles ({sight.photo})" for sight in sights)
    which = "which do not look like" if misfit else "which is neither"
    return (
        f"The photos show {shown}, {which} every face once (34, or 42 with flowers) "
        f"{'or' if misfit else 'nor'} a whole set (136, or 144); lay out one of these, or say what lies "
        "there with --layout, --hand or --truth."
    )


def _misfit(beliefs: FloatArray, tiles: NDArray[np.int64], fixed: Mapping[int, int]) -> float:
    """What an assignment costs against the best name of each tile, on average over those nobody named."""
    free = [k for k in range(len(beliefs)) if k not in fixed]
    logs = np.log(np.maximum(beliefs, FLOOR))
    costs = logs.max(axis=1) - logs[np.arange(len(beliefs)), tiles]
    return float(costs[free].mean()) if free else 0.0


def _disputed(beliefs: FloatArray, tile: int) -> str | None:
    """The face that the namer is sure of instead."""
    best = int(beliefs.argmax())
    if tile in {best, NO_FACE} or beliefs[tile] > DISPUTED or beliefs[best] < CONTRADICTED:
        return None
    return _name(best)


def _lengths(rows: Sequence[Sequence[object]]) -> str:
    return ", ".join(str(len(row)) for row in rows)


def _name(tile: int) -> str:
    return TILES[tile] if tile < NO_FACE else UNNAMED
