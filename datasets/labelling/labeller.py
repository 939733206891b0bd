"""Label one picture: locate, name, find which way up. What is seen is labelled, whatever the rules say."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.labelling.duplicates import perceptual_hash
from datasets.labelling.flags import rule_flags
from datasets.labelling.pictures import Opened, Pictures
from datasets.labelling.records import Box, Labelled, Models
from models import registry
from scoring.tiles import TILES
from vision.boxes import around, face_of, match
from vision.codecs import Pixels
from vision.elements import FACE_DOWN, UNNAMED, FloatArray, Located, Named
from vision.evidence import distinct
from vision.locator import Locator, halved
from vision.namer import Namer
from vision.rectify import ENOUGH, narrowest
from vision.rows import find_rows
from vision.upright import first_corners

SECOND_SIDE = 480
"""Pixels of the longer side in the second look: another scale, at about half the cost of the first."""
FAST_SIDE = 448
"""Pixels of the longer side in a fast look, at half the cost of the trained 640."""
FAST_ENOUGH = 24.0
"""Side of a tile, pixels of the fast look, that nine in ten of a picture's tiles must have for it to stand.

Of 1,212 tiles of 80 photos of sets not trained on, 96.8 % were found at 640 pixels and, in the 71 % of photos
that pass this, 95.5 % instead of 97.7 %; of 1,286 of 55 training photos 98.9 % instead of 99.3 %.
"""
SURE = 0.5
"""A find of this score in one look and of none in the other is a disagreement."""
SMALL = 1280
"""Longer side, pixels, from which a picture is halved for locating and for its perceptual hash. Of
2000 × 1500 pixels this saves 6 of 13 ms of scaling to the locator's 640, and 11 of 16 ms of hashing.

Of 1,212 tiles of 80 photos enlarged to 3200 pixels, 1,205 instead of 1,206 are found, and 1,196 instead of
1,195 found and named.
"""
SHOWN = 3
LEAST_SHOWN = 0.004

_NAMES = (*TILES, UNNAMED)


class Labeller:
    """The registered models, loaded once. For one thread: it keeps a video open between frames."""

    def __init__(
        self, threshold: float, *, second_pass: bool = False, fast: bool = False, threads: int = 1
    ) -> None:
        """threshold: least confidence of a label, which flags are held against. second_pass: locate once more
        at another scale, and flag where the two differ. fast: look at fewer pixels where tiles are large.

        Raises models.registry.ModelError.
        """
        cv2.setNumThreads(threads)
        self._threshold = threshold
        self._second_pass = second_pass
        self._fast = fast
        self._locator = Locator(threads)
        self._namer = Namer(threads)
        self._pictures = Pictures()

    def label(self, picture: str, frame: int | None, label: str) -> Labelled:
        """Label one picture. label: what to call it in messages. Raises vision.errors.PhotoError."""
        opened = self._pictures.open(picture, frame, label, reduce=True)
        small, scale = halved(opened.pixels, SMALL)
        first = self._locate(small)
        located = first.scaled(scale)
        if opened.reduced and len(located) and narrowest(located.quads) < ENOUGH:
            located, opened = self._enlarged(located, opened, picture, label)
        named = self._name(opened.pixels, located)
        boxes = to_boxes(located, named, opened.size[0] / opened.pixels.shape[1])
        flags = rule_flags(boxes, self._threshold)
        if opened.damaged:
            flags = (*flags, "damaged")
        if self._second_pass and _differ(first, self._locator.locate(small, SECOND_SIDE)):
            flags = (*flags, "passes-disagree")
        return Labelled(opened.sha256, perceptual_hash(small), opened.size, boxes, flags)

    def _locate(self, pixels: Pixels) -> Located:
        if self._fast:
            located = self._locator.locate(pixels, FAST_SIDE)
            scale = FAST_SIDE / max(pixels.shape[:2])
            if len(located) and np.percentile(_sides(located.quads), 10) * scale >= FAST_ENOUGH:
                return located
        return self._locator.locate(pixels)

    def _name(self, pixels: Pixels, located: Located) -> Named:
        """Backs have no name: theirs is not asked for, and their turn is left open."""
        named = self._namer.name(pixels, located.quads[~located.backs])
        faces = np.zeros((len(located), named.faces.shape[1]), np.float32)
        turns = np.full((len(located), named.turns.shape[1]), 0.25, np.float32)
        faces[:, -1] = 1
        faces[~located.backs], turns[~located.backs] = named.faces, named.turns
        return Named(faces, turns)

    def _enlarged(self, located: Located, opened: Opened, picture: str, label: str) -> tuple[Located, Opened]:
        """The same finds in the full-size picture, for tiles so small that the namer needs all pixels."""
        full = self._pictures.open(picture, None, label)
        return located.scaled(full.pixels.shape[1] / opened.pixels.shape[1]), full


def current_models() -> Models:
    """The models that this version labels with. Raises models.registry.ModelError."""
    locator, namer = registry.entry("locator"), registry.entry("namer")
    return Models(locator.file.stem, locator.sha256, namer.file.stem, namer.sha256)


def to_boxes(located: Located, named: Named, scale: float) -> tuple[Box, ...]:
    """Boxes in reading order, row by row. scale: from the pixels that were looked at to the picture's."""
    index = distinct(located, named) if len(located) else []
    if not index:
        return ()
    quads, backs, scores = located.quads[index], located.backs[index], located.scores[index]
    faces = named.faces[index]
    turns = np.asarray(named.turns[index], np.float64)
    rows = find_rows(quads, turns[:, 0] + turns[:, 2])
    corners = first_corners(rows, quads, turns)
    order = [tile for part in rows.parts for tile in part.tiles]
    turned = (np.asarray(corners)[:, None] + np.arange(4)) % 4
    own = np.round(quads[np.arange(len(quads))[:, None], turned].astype(np.float64) * scale, 1)
    best = np.argsort(-faces, axis=1, kind="stable")[:, : SHOWN + 1]
    return tuple(
        _box(own[k].tolist(), bool(backs[k]), float(scores[k]), best[k].tolist(), faces[k, best[k]].tolist())
        for k in order
    )


def _box(quad: list[list[float]], back: bool, score: float, best: list[int], shares: list[float]) -> Box:
    """best, shares: the likeliest names, by number, and the namer's belief in each."""
    a, b, c, d = ((x, y) for x, y in quad)
    corners = face_of((a, b, c, d))
    if back:
        return Box(FACE_DOWN, corners, round(score, 4), round(score, 4))
    others = tuple(
        (_NAMES[k], round(share, 4))
        for k, share in zip(best[1:], shares[1:], strict=True)
        if share >= LEAST_SHOWN
    )
    margin = round(shares[0] - shares[1], 4)
    return Box(_NAMES[best[0]], corners, round(min(score, shares[0]), 4), margin, others)


def _sides(quads: FloatArray) -> FloatArray:
    """(N,) sides of the squares with the quads' areas."""
    first = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    second = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return np.sqrt(first * second)


def _differ(first: Located, second: Located) -> bool:
    """Whether one look is sure of a tile that the other does not see at all."""
    if not len(first) or not len(second):
        return bool((first.scores >= SURE).any() or (second.scores >= SURE).any())
    pairs = match(around(first.quads), around(second.quads))
    alone = [np.delete(first.scores, [a for a, _ in pairs]), np.delete(second.scores, [b for _, b in pairs])]
    return any(bool((scores >= SURE).any()) for scores in alone)
