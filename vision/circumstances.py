"""What no photo shows about a win, as the caller states it."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hand import WINDS
from scoring.tiles import KINDS


@dataclass(frozen=True)
class Circumstances:
    """The circumstances of a win. None: not said, to be read from the photo or assumed.

    seat, round: the winner's wind and the prevalent one. winning: the winning tile. self_drawn: or claimed.
    last_copy: the other three of the winning tile lay open. last_tile: won on the wall's last tile.
    kong: won on a tile that replaced a kong, or by robbing one.
    honours_are_flowers: winds and dragons are flowers at this table.
    """

    seat: str | None = None
    round: str | None = None
    winning: str | None = None
    self_drawn: bool | None = None
    last_copy: bool = False
    last_tile: bool = False
    kong: bool = False
    honours_are_flowers: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError, one sentence, for what is no wind or no tile."""
        for title, wind in (("seat", self.seat), ("round", self.round)):
            if wind is not None and wind not in WINDS:
                raise ValueError(f"{wind!r} is no {title} wind; say E, S, W or N.")
        if self.winning is not None and self.winning not in KINDS:
            raise ValueError(
                f"{self.winning!r} is no winning tile; say 1m-9m, 1p-9p, 1s-9s, E, S, W, N, C, F or P."
            )
