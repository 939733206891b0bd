"""Options of rule sets: named choices with a default, said by a caller, a command or a house's file."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoring.hand import WINDS
from scoring.situation import Value
from scoring.tiles import KINDS

SUITED_KINDS = KINDS[:27]
HIGHEST = 1_000_000
"""Of a number that somebody says: totals stay ones that people can read and JSON can hold."""
_SHOWN = 40


class OptionError(ValueError):
    """A value that an option does not take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A choice. `takes` lists the words it accepts; without them it is a flag where the default is False or
    `flag` says so, else a whole number from `lowest` to `highest`. `about` and `about_zh` say what it
    changes.
    """

    name: str
    default: Value
    about: str
    about_zh: str
    takes: tuple[str, ...] = ()
    flag: bool = False
    lowest: int = 0
    highest: int = HIGHEST

    def read(self, value: object) -> Value:
        """The value in the option's own type; text from a command line is understood. Raises OptionError."""
        if value is None:
            return None
        text = shown(value)
        if self.takes:
            if text in self.takes:
                return text
            raise OptionError(f"'{text}' is no {self.name}: use {_listed(self.takes)}.")
        if self.flag:
            if isinstance(value, bool):
                return value
            if text.lower() in ("true", "yes", "1", "false", "no", "0"):
                return text.lower() in ("true", "yes", "1")
            raise OptionError(f"'{text}' is no {self.name}: use true or false.")
        wanted = f"use a whole number from {self.lowest} to {self.highest:,}"
        if isinstance(value, bool) or not text.isascii() or not text.isdigit():
            raise OptionError(f"'{text}' is no {self.name}: {wanted}.")
        if not self.lowest <= int(text) <= self.highest:
            raise OptionError(f"{self.name} cannot be {text}: {wanted}.")
        return int(text)

    def with_default(self, value: object) -> Option:
        """The same option with another default. Raises OptionError for a value that it does not take."""
        return replace(self, default=self.read(value))


def shown(value: object) -> str:
    """A value as a message repeats it, cut where it is long. Python prints no integer of thousands of digits,
    nor lists in lists in lists without end."""
    try:
        text = str(value)
    except (ValueError, RecursionError):
        return "…"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(words) if len(words) < 10 else f"{words[0]} to {words[-1]}, like the tiles' names"


def wind_option(name: str, about: str, about_zh: str) -> Option:
    """A seat at the table, not said by default."""
    return Option(name=name, default=None, about=about, about_zh=about_zh, takes=WINDS)


DEALER = Option(
    name="dealer",
    default=None,
    flag=True,
    about="whether the winner is the dealer; by default the seat wind says it (East deals)",
    about_zh="和牌者是否庄家；默认看门风（东为庄）",
)
DISCARDER = wind_option(
    "discarder",
    "the seat that gave the winning tile, for the table of payments",
    "点和者的座位，用于四家收付表",
)


def minimum_option(points: int) -> Option:
    return Option(
        name="minimum",
        default=points,
        about="points before flowers that a legal win needs (起和)",
        about_zh="起和分，不含花牌",
    )


def base_option(points: int) -> Option:
    return Option(
        name="base",
        default=points,
        about="points that each player pays the winner besides the fans (底分)",
        about_zh="每家另付的底分",
    )


def cap_option(points: int, about: str, about_zh: str, highest: int = HIGHEST) -> Option:
    return Option(name="cap", default=points, about=about, about_zh=about_zh, highest=highest)


NO_CAP = cap_option(0, "the highest total that is paid; 0 is no cap", "封顶总分；0为不封顶")
