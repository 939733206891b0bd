"""Shapes of what the API takes and gives for scoreboards."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from vision.serve.schemas import Fan, House, OptionValue, ScoreRequest, Wind, Word

PlayerName = Annotated[str, Field(min_length=1, max_length=40)]
Player = Annotated[int, Field(ge=0, le=3, description="A place in the table's list of four names.")]


class NewTable(BaseModel):
    """Four players in the order East, South, West, North of the first hand, and the rules of the evening.

    dealer_stays: null takes what the rule set does. seat_change: whether players exchange seats after each
    round, as in Chinese Official competitions; null is no.
    """

    model_config = ConfigDict(extra="forbid")

    names: Annotated[list[PlayerName], Field(min_length=4, max_length=4)]
    rules: Word = "mcr"
    edition: Word | None = None
    house: House | None = None
    options: Annotated[dict[Word, OptionValue], Field(max_length=30)] = {}
    dealer_stays: Literal["never", "on-win", "on-win-or-draw"] | None = None
    seat_change: bool | None = None


class TableHand(ScoreRequest):
    """A won hand. Winds, dealer, streak and rules are the table's to say; `expected` is how many hands the
    caller has seen, so that nothing is entered twice (409 where others came first). from_player gave the
    winning tile; null: self-drawn. same_discard: won on the discard of the hand that was entered last, where
    the rules let several win on one."""

    winner: Player
    from_player: Player | None = None
    responsible_player: Player | None = None
    same_discard: bool = False
    expected: Annotated[int, Field(ge=0)]


class TableDraw(BaseModel):
    model_config = ConfigDict(extra="forbid")

    expected: Annotated[int, Field(ge=0)]


class Turn(BaseModel):
    """Where the evening stands. number counts hands from 1; seats are the players' winds by place; streak is
    how often the dealer has stayed; over: the last hand of the game has been played."""

    number: int
    round: Wind
    seats: list[Wind]
    dealer: Player
    streak: int
    over: bool


class Played(BaseModel):
    """A hand that was entered. amounts are by player. events as the request said them. same_discard: won on
    the discard of the hand before, and of its turn."""

    kind: Literal["win", "draw"]
    turn: Turn
    winner: Player | None
    discarder: Player | None
    hand: str | None
    total: int | None
    fans: list[Fan]
    amounts: list[int]
    events: list[str] = []
    same_discard: bool = False
    at: str


class Table(BaseModel):
    """A scoreboard: who sits where, what was played, and the sums by player."""

    id: str
    names: list[str]
    rules: str
    edition: str
    options: dict[str, Any]
    house: dict[str, Any] | None
    dealer_stays: Literal["never", "on-win", "on-win-or-draw"]
    seat_change: bool
    turn: Turn
    totals: list[int]
    hands: list[Played]
