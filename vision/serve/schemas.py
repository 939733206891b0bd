"""Shapes of what the API takes and gives; FastAPI makes `/openapi.json` of them.

The answers are objects of the contract with a few additions; `extra="allow"` says that more may come.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool

Wind = Literal["E", "S", "W", "N"]
TileName = Annotated[str, Field(max_length=2, examples=["5m"])]
Word = Annotated[str, Field(max_length=40)]
Amount = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
OptionValue = StrictBool | Amount | Word


def _in_unicode(house: dict[str, Any]) -> dict[str, Any]:
    """JSON can escape half a character (`"\\ud800"`), which no answer and no file can hold. Raises
    ValueError."""
    try:
        json.dumps(house, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise ValueError("a text is not Unicode, or a list has no end") from error
    return house


House = Annotated[dict[str, Any], AfterValidator(_in_unicode)]


class TileGroup(BaseModel):
    """Tiles that belong together, by name. Kinds as in a reading; without `winning` the winning tile is among
    the concealed ones. source: from whom (of a chow: which of its tiles), as in GB notation, 0 not said.
    added: a kong added to a pung."""

    kind: Literal["concealed", "chow", "pung", "kong", "concealed-kong", "flowers", "winning", "other"]
    tiles: Annotated[list[TileName], Field(max_length=200)]
    source: Annotated[int, Field(ge=0, le=3)] = 0
    added: bool = False


class Rules(BaseModel):
    """How the table counts. Named as the options of the command; GET /api/rules lists what there is, with the
    house rules that the server was started with."""

    model_config = ConfigDict(extra="forbid")

    rules: Word = "mcr"
    edition: Word | None = None
    house: Annotated[
        House | None,
        Field(description="House rules, with the keys of the TOML file; in place of `rules`."),
    ] = None
    events: Annotated[list[Word], Field(max_length=20)] = []
    wild: TileName | None = None
    gold: TileName | None = None
    dealer: bool | None = None
    streak: Annotated[int, Field(ge=0, le=1000)] | None = None
    discarder: Wind | None = None
    responsible: Wind | None = None
    options: Annotated[dict[Word, OptionValue], Field(max_length=30)] = {}


class Told(Rules):
    """The circumstances of a win; null is not said."""

    seat: Wind | None = None
    round: Wind | None = None
    self_drawn: bool | None = None
    winning: TileName | None = None
    last_copy: bool | None = None
    last_tile: bool | None = None
    kong: bool | None = None


class ScoreRequest(Told):
    """A hand in GB notation or as groups (one of the two), and what is known of the win."""

    hand: Annotated[str | None, Field(max_length=300, examples=["12789m33s234999p3m|EE1000|0"])] = None
    groups: Annotated[list[TileGroup] | None, Field(max_length=30)] = None


class Fan(BaseModel):
    name: str
    english: str
    points: int
    count: int
    tiles: list[list[str]]


class LeftOut(BaseModel):
    name: str
    by: str
    rule: str


class Settlement(BaseModel):
    winner: int
    others: list[int]


class Payment(BaseModel):
    """seat is null where it was not said who gave the winning tile."""

    seat: Wind | None
    role: Literal["winner", "discarder", "liable", "dealer", "other"]
    amount: int


class Trouble(BaseModel):
    code: str
    message: str


class Exchange(BaseModel):
    """Any of `with` in place of `replace` (null: added, the hand is one tile short) makes a winning hand."""

    replace: str | None
    with_: Annotated[list[str], Field(alias="with")]


class Missing(BaseModel):
    """What a hand lacks.

    kind: `below-minimum` (short_by points), `one-away` (exchanges), `not-winning`, `too-few` or `too-many`
    (tiles: how many are missing or over), or `impossible` (what was said of the win, or flowers, cannot be).
    message: one sentence; reasons: what is wrong, one sentence each. Both in the caller's language.
    """

    kind: Literal["below-minimum", "one-away", "not-winning", "too-few", "too-many", "impossible"]
    message: str
    reasons: list[str]
    short_by: int | None = None
    tiles: int | None = None
    exchanges: list[Exchange] = []


class Score(BaseModel):
    """What `hupai score --json` prints."""

    model_config = ConfigDict(extra="allow")

    hand: str
    rules: str
    edition: str
    total: int
    minimum: int
    wins: bool
    legal: bool
    fans: list[Fan]
    excluded: list[LeftOut]
    settlement: Settlement
    problems: list[Trouble]
    payments: list[Payment] = []
    by_winning_tile: dict[str, int] | None = None


class ScoreAnswer(Score):
    """The score; what is missing where the hand does not win or is worth too little; what was assumed."""

    missing: Missing | None
    assumed: dict[str, Any]
    warnings: list[str]


class ReadTile(BaseModel):
    id: int
    tile: str
    confidence: float
    quad: list[list[float]]
    alternatives: list[tuple[str, float]]
    changed_from: str | None


class ReadGroup(BaseModel):
    kind: str
    tiles: list[int]


class Reading(BaseModel):
    """What `hupai read --json` prints. warnings: in the caller's language; warnings_in: by language, for a
    page that changes its own."""

    model_config = ConfigDict(extra="allow")

    photo: str
    size: tuple[int, int]
    tiles: list[ReadTile]
    groups: list[ReadGroup]
    hand: str | None
    status: list[str]
    assumed: dict[str, Any]
    score: Score | None
    warnings: list[str]
    warnings_in: dict[str, list[str]]
    seconds: dict[str, float]


class Problem(BaseModel):
    """application/problem+json (RFC 9457). code is stable; title and detail are in the caller's language."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str


class RuleOption(BaseModel):
    """kind `choice` takes one of `takes`; `number` a whole number from `lowest` up."""

    name: str
    kind: Literal["choice", "flag", "number"]
    default: bool | int | str | None
    takes: list[str]
    lowest: int
    about: dict[str, str]


class RuleEvent(BaseModel):
    name: str
    chinese: list[str]
    english: str


class RuleFan(BaseModel):
    name: str
    english: str
    points: int


class RuleSet(BaseModel):
    """A rule set. fans are those of each edition, most points first."""

    name: str
    title: dict[str, str]
    summary: dict[str, str]
    editions: list[str]
    default_edition: str
    minimum: int
    options: list[RuleOption]
    events: list[RuleEvent]
    fans: dict[str, list[RuleFan]]
    dealer_stays: Literal["never", "on-win", "on-win-or-draw"]


class RulesAnswer(BaseModel):
    rule_sets: list[RuleSet]


class Service(BaseModel):
    """What the page needs to know of the server. keeps: corrected photos are kept for those who ask."""

    keeps: bool
    max_bytes: int
    check_below: float
    tiles: list[str]


class CorrectedTile(BaseModel):
    id: int
    tile: TileName
    quad: Annotated[
        list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=4, max_length=4)
    ]


class CorrectedGroup(BaseModel):
    kind: Literal["concealed", "chow", "pung", "kong", "concealed-kong", "flowers", "winning", "other"]
    tiles: Annotated[list[int], Field(max_length=200)]


class Correction(BaseModel):
    """The `layout` field of POST /api/corrections: a reading as a person corrected it. size is that of the
    photo that is sent with it; quads are in its pixels, as in a reading."""

    size: tuple[int, int]
    tiles: Annotated[list[CorrectedTile], Field(min_length=1, max_length=200)]
    groups: Annotated[list[CorrectedGroup], Field(max_length=60)]


class Kept(BaseModel):
    """name: of the labelled photo, without suffix."""

    name: str
