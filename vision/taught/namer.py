"""The namer, corrected by what was taught of a player's own set."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.registry import ModelError
from vision.elements import FloatArray, Named
from vision.namer import Looks, Namer, softmax
from vision.rectify import rectify
from vision.taught.correction import COPIES, Correction, copies, fit
from vision.taught.errors import TeachError
from vision.taught.store import Store, TaughtSet

Pixels = NDArray[np.uint8]

SURE = 0.95
"""A name that the namer gives with this belief and the taught set overrules is worth a warning ..."""
OVERRULED = 2
"""... when it happens to so many tiles of a photo: then the photo shows another set, or it was taught
wrongly."""


class TaughtNamer:
    """Names tiles as `Namer` does, with the taught set's correction. Thread-safe."""

    def __init__(self, taught: TaughtSet, namer: Namer | None = None) -> None:
        """Raises ModelError when the namer's file gives no features, TeachError for a set without tiles."""
        self.taught = up_to_date(taught, namer := namer or Namer())
        self._namer = namer
        self._correction = correction_of(self.taught, namer)

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        """Beliefs about each of `quads` ((N, 4, 2), clockwise) of `pixels` ((H, W, 3) uint8 RGB)."""
        looks = self._namer.look(rectify(pixels, quads, self._namer.side))
        scores = self._namer.face_scores(looks.logits)
        named = Named(softmax(scores + self._correction.of(looks.features)), self._namer.turns(looks.logits))
        overruled = count_overruled(softmax(scores), named.faces)
        if overruled < OVERRULED:
            return named
        return replace(
            named,
            warnings=(
                f"The set '{self.taught.name}' overrules {overruled} tiles that were sure without it; does "
                "the photo show another set?",
            ),
        )


def taught_namer(name: str, store: Store | None = None) -> TaughtNamer:
    """The namer for the set of this name; a set made with other weights is made again from its crops, once.

    Raises TeachError, ModelError.
    """
    store = store or Store()
    stored = store.load(name)
    namer = TaughtNamer(stored)
    if namer.taught is not stored:
        # A folder that cannot be written costs the time again, and nothing else.
        with suppress(TeachError), store.locked():
            if store.load(name).photos == stored.photos:  # nobody has taught it more meanwhile
                store.save(namer.taught)
    return namer


def up_to_date(taught: TaughtSet, namer: Namer) -> TaughtSet:
    """The set with this namer's looks. Raises ModelError when the namer's file gives no features."""
    if taught.namer == namer.sha256 and len(taught.looks) == COPIES * len(taught.crops):
        return taught
    crops = taught.crops
    if len(crops) and crops.shape[1] != namer.side:
        crops = np.stack([_resized(crop, namer.side) for crop in crops])
    return replace(taught, looks=learn(crops, namer), namer=namer.sha256)


def learn(crops: Pixels, namer: Namer) -> Looks:
    """The looks of `copies` of the crops. Raises ModelError when the namer's file gives no features."""
    looks = namer.look(copies(crops))
    if looks.features.shape[1] == 0:
        raise ModelError("The namer's weights give no features, by which a set is told; reinstall hupai.")
    return looks


def correction_of(taught: TaughtSet, namer: Namer) -> Correction:
    """Raises TeachError for a set without tiles."""
    if not len(taught.tiles):
        raise TeachError(f"The set '{taught.name}' holds no tiles; teach it a photo.")
    scores = namer.face_scores(taught.looks.logits)
    return fit(scores, taught.looks.features, np.tile(taught.tiles, COPIES))


def count_overruled(before: FloatArray, after: FloatArray) -> int:
    """How many tiles that were sure before have another name after."""
    changed = before.argmax(axis=1) != after.argmax(axis=1)
    return int((changed & (before.max(axis=1) >= SURE)).sum())


def _resized(crop: Pixels, side: int) -> Pixels:
    return np.asarray(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
