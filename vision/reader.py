"""The reader: photo in, reading out, as five steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ParamSpec, Protocol, TypeVar

import numpy as np

import scoring
from vision.boxes import face_of
from vision.circumstances import Circumstances
from vision.closer import closer, with_part
from vision.codecs import Pixels
from vision.elements import FloatArray, Layout, Located, Named, Reading, Tile, as_quad
from vision.errors import NoTilesError
from vision.hand import LaidHand, Scorer, to_hand
from vision.layout import Hints, lay_out
from vision.photo import Photo, Source, load_photo
from vision.rectify import ENOUGH, narrowest
from vision.remark import Remark
from vision.rows import Array
from vision.turns import quarter_odds, settled, turn, turn_back, unsettled

P = ParamSpec("P")
T = TypeVar("T")


class TileLocator(Protocol):
    """Finds tiles in (H, W, 3) uint8 RGB pixels."""

    def locate(self, pixels: Pixels) -> Located: ...


class TileNamer(Protocol):
    """Names the tiles at (N, 4, 2) float32 quads of (H, W, 3) uint8 RGB pixels."""

    def name(self, pixels: Pixels, quads: FloatArray) -> Named: ...


class Reader:
    """Reads photos; the models are loaded once. Threads may share a reader."""

    def __init__(
        self,
        scorer: Scorer = scoring.score,
        locator: TileLocator | None = None,
        namer: TileNamer | None = None,
        taught: str | None = None,
    ) -> None:
        """Load the models.

        scorer: how the table counts, by default Chinese Official. locator, namer: by default those that ship.
        taught: the player's own set, by the name that `hupai teach` gave it; no namer may be given then.

        Raises models.registry.ModelError when the weights are missing or not the registered ones, and a
        VisionError for a taught set that is not there or damaged.
        """
        from vision.locator import Locator
        from vision.namer import Namer

        self._scorer = scorer
        self._locator = locator or Locator()
        if taught is not None:
            from vision.taught.namer import taught_namer

            if namer is not None:
                raise ValueError("A reader takes a namer or a taught set, not both.")
            namer = taught_namer(taught)
        self._namer = namer or Namer()

    def read(self, source: Source, said: Circumstances | None = None, *, name: str | None = None) -> Reading:
        """Read one photo.

        source: anything that `load_photo` opens.
        said: what the caller knows of the win.
        name: of the photo, by default its path.

        A hand that is not whole or does not win is a reading too: `status` says what is missing. Raises a
        PhotoError for a photo that cannot be opened, NoTilesError for one that shows no tile.
        """
        said = said or Circumstances()
        clock = _Clock()
        photo = clock.time("decode", load_photo, source, name, reduce=True)
        look = self._look(photo, clock)
        layout = clock.time(
            "layout", lay_out, look.located, look.named, photo_size=look.turned_size, hints=_hints(said)
        )
        if not layout.tiles:
            raise NoTilesError(f"{photo.name} shows no tile; photograph the hand from nearer, in good light.")
        layout = replace(layout, tiles=look.in_photo(layout.tiles))
        laid = clock.time("score", to_hand, layout, said, self._scorer)
        damage = (Remark("damaged"),) if photo.damaged else ()
        return Reading(
            photo=photo.name,
            size=photo.size,
            tiles=tuple(replace(tile, quad=face_of(tile.quad)) for tile in layout.tiles),
            groups=layout.groups,
            hand=laid.text,
            status=layout.status,
            assumed=laid.assumed,
            score=_score(laid),
            warnings=damage + look.named.warnings + layout.warnings + laid.warnings,
            seconds=clock.seconds,
        )

    def _look(self, photo: Photo, clock: _Clock) -> _Look:
        """Find and name the tiles, on the photo turned by quarter turns so that the hand stands upright.

        Models see upright hands best, and a hand read one way only is read the same however the photo is
        turned. Where the tiles are small or their row leans, their part of the photo is looked at again.
        """
        located = clock.time("detect", self._locator.locate, photo.pixels)
        if photo.factor > 1 and len(located) and narrowest(located.quads) < ENOUGH:
            located = located.scaled(photo.factor)
            photo = clock.time("decode", photo.whole)
        sight = self._upright(photo.pixels, located, clock)
        pixels, located, named = sight.pixels, sight.located, sight.named
        view = closer(located, named, (pixels.shape[1], pixels.shape[0]))
        if view is not None:
            seen, back = clock.time("closer", view.of, pixels)
            part = clock.time("closer", self._locator.locate, seen)
            located = with_part(located, part, view, back)
            named = clock.time("closer", self._namer.name, pixels, located.quads)
        return _Look(located, named, sight.quarter, (pixels.shape[1], pixels.shape[0]), photo.factor)

    def _upright(self, photo: Pixels, located: Located, clock: _Clock) -> _Sight:
        """The tiles named, on the photo turned so that its hand stands upright.

        One look settles how most hands stand. Faces that look the same upside down leave it open: then the
        photo is looked at both ways, or all four, and all looks together decide.
        """
        sights = {0: self._named(photo, 0, located, clock)}
        quarters = unsettled(sights[0].odds)
        for quarter in quarters:
            if quarter not in sights:
                pixels = clock.time("turn", turn, photo, quarter)
                located = clock.time("detect", self._locator.locate, pixels)
                sights[quarter] = self._named(pixels, quarter, located, clock)
        return sights[settled({quarter: sights[quarter].odds for quarter in quarters})]

    def _named(self, pixels: Pixels, quarter: int, located: Located, clock: _Clock) -> _Sight:
        named = clock.time("name", self._namer.name, pixels, located.quads)
        return _Sight(pixels, quarter, located, named)

    def score_layout(self, layout: Layout, said: Circumstances | None = None) -> dict[str, Any] | None:
        """The score that a reading with this layout has, None where the tiles do not win."""
        laid = to_hand(layout, said or Circumstances(), self._scorer)
        return _score(laid) if laid.score is not None and laid.score.wins else None


@dataclass(frozen=True)
class _Sight:
    """What is found in a photo turned clockwise by `quarter` quarter turns, and its pixels."""

    pixels: Pixels
    quarter: int
    located: Located
    named: Named

    @cached_property
    def odds(self) -> Array:
        """See `quarter_odds`."""
        return quarter_odds(self.located, self.named)


@dataclass(frozen=True)
class _Look:
    """What was found in a photo, on its pixels turned by `quarter` quarter turns.

    turned_size: width and height of those. factor: how many of the photo's pixels one of them is wide.
    """

    located: Located
    named: Named
    quarter: int
    turned_size: tuple[int, int]
    factor: int

    def in_photo(self, tiles: Sequence[Tile]) -> tuple[Tile, ...]:
        """The tiles where they lie in the photo itself."""
        size = self.turned_size if self.quarter % 2 == 0 else self.turned_size[::-1]
        quads = turn_back(np.array([tile.quad for tile in tiles], np.float32), self.quarter, size)
        quads *= self.factor
        return tuple(replace(tile, quad=as_quad(quad)) for tile, quad in zip(tiles, quads, strict=True))


class _Clock:
    """Runs steps and keeps their times, so that the steps need not."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        began = time.perf_counter()
        result = step(*args, **kwargs)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - began
        return result


def _hints(said: Circumstances) -> Hints:
    told = said.winning is not None or said.self_drawn is not None
    return Hints(
        winning=said.winning,
        won=told or said.last_copy or said.last_tile or said.kong,
        honours_are_flowers=said.honours_are_flowers,
    )


def _score(laid: LaidHand) -> dict[str, Any] | None:
    if laid.score is None:
        return None
    score = laid.score.to_dict()
    if laid.by_winning_tile:
        score["by_winning_tile"] = laid.by_winning_tile
    return score
