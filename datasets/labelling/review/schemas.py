"""What the page sends, checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from datasets.labelling.review.decisions import Drawn
from datasets.labelling.review.queries import Filters, Show

MAX_BOXES = 400
"""A table has 144 tiles; so many still fit in the bytes that the guard lets in."""

TileName = Annotated[str, Field(max_length=2, pattern=r"^([1-9][mps]|[ESWNCFPa-hB?])$")]
Number = Annotated[float, Field(allow_inf_nan=False, ge=-100_000, le=100_000)]
Corner = tuple[Number, Number]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DrawnBox(Strict):
    """A box; `was` is its position in the version that the page had."""

    tile: TileName
    quad: tuple[Corner, Corner, Corner, Corner]
    was: Annotated[int, Field(ge=0)] | None = None

    def drawn(self) -> Drawn:
        return Drawn(self.tile, self.quad, self.was)


class Change(Strict):
    """A picture as the person wants it. version: the one that they saw."""

    version: int
    state: Literal["new", "reviewed", "rejected"] | None = None
    boxes: Annotated[list[DrawnBox], Field(max_length=MAX_BOXES)] | None = None


class Naming(Strict):
    """One box's name; null takes the box away."""

    version: int
    tile: TileName | None


class Taking(Strict):
    """The decision to take back or to do again."""

    decision: int


class Wanted(Strict):
    """The filters, as the address has them."""

    show: Show = "new"
    doubtful: bool = False
    flag: Annotated[str | None, Query(max_length=200)] = None
    tile: TileName | None = None
    split: Annotated[str | None, Query(max_length=200)] = None
    after: Annotated[str | None, Query(max_length=100)] = None
    limit: Annotated[int, Query(ge=1, le=200)] = 60

    def filters(self) -> Filters:
        return Filters(self.show, self.doubtful, self.flag, self.tile, self.split)


class WantedCrops(Wanted):
    """The wall: boxes of the name `wall` in the pictures that pass the filters."""

    wall: TileName
