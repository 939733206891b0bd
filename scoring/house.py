"""House rules: a TOML file that starts from a rule set and says what this table does otherwise.

    start = "mcr"
    minimum = 6
    off = ["无番和"]
    [points]
    "七对" = 32

`scoring/docs/README.md` has an example with every key. `load_rules` reads the file; its answer goes
where a rule set's name goes, and the command takes the file's path: `hupai score HAND --rules club.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.fans import Fan
from scoring.names import fan_named
from scoring.options import Option, OptionError, shown
from scoring.rules.base import rule_set
from scoring.rules.fan_rules import FanRules, RulesError

_TEXTS = ("name", "english", "chinese", "start", "edition")
_TABLES = ("points", "options")


def load_rules(path: str | Path) -> FanRules:
    """Read house rules from a file. Raises RulesError, one sentence, for a file that is none."""
    return house_rules(read_rules(path))


def read_rules(path: str | Path) -> dict[str, Any]:
    """What a file of house rules holds, checked, for `house_rules`. Without a name it has that of the file.

    Raises RulesError, one sentence, for a file that is none.
    """
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Windows puts a mark before
    except OSError as error:
        raise RulesError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RulesError(f"{path} is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{path} is no TOML file: {error}.") from error
    except (ValueError, RecursionError) as error:  # integers of thousands of digits; lists in lists
        raise RulesError(f"{path} is no file of house rules: it has a value without end.") from error
    named = {"name": path.stem, **data}
    try:
        house_rules(named)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
    return named


def house_rules(data: Mapping[str, Any]) -> FanRules:
    """House rules from what such a file holds. Raises RulesError for what is no rule set, fan or option.

    >>> from scoring import score
    >>> club = house_rules({"name": "club", "start": "mcr", "minimum": 6, "points": {"七对": 32}})
    >>> score("77m113366s4477pEE|EN0000|0", club).total, score("77m113366s4477pEE|EN0000|0").total
    (32, 24)
    """
    for key in _TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise RulesError(f"'{key}' must be a text in quotes.")
    for key in _TABLES:
        if not isinstance(data.get(key, {}), Mapping):
            raise RulesError(f"'{key}' must be a table: write it as [{key}].")
    if "start" not in data:
        raise RulesError('Say which rule set the rules start from, for instance start = "mcr".')
    start = rule_set(data["start"])
    edition = start.edition(data.get("edition"))
    values = {key: value for key, value in data.items() if key not in (*_TEXTS, *_TABLES, "off")}
    name = data.get("name", f"{start.name}, house rules")
    rules = replace(
        start,
        name=name,
        english=data.get("english", name),
        chinese=data.get("chinese", name),
        fans={edition: _changed(start, edition, data.get("off", ()), data.get("points", {}))},
        default_edition=edition,
        options=_defaults(start, {**values, **data.get("options", {})}),
    )
    return rules.settled()


def _changed(
    start: FanRules, edition: str, off: Collection[object], points: Mapping[str, object]
) -> tuple[Fan, ...]:
    if isinstance(off, str) or not isinstance(off, Collection):
        raise RulesError("'off' must be a list of fans, for instance off = [\"无番和\"].")
    fans = start.fans[edition]
    removed = {_find(start, fans, name) for name in off}
    worth: dict[str, int] = {}
    for name, value in points.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= start.most_points:
            raise RulesError(
                f"'{shown(value)}' are no points for {name}: use a whole number from 0 to "
                f"{start.most_points:,}."
            )
        worth[_find(start, fans, name)] = value
    return tuple(
        replace(fan, points=worth.get(fan.name, fan.points)) for fan in fans if fan.name not in removed
    )


def _find(start: FanRules, fans: Collection[Fan], name: object) -> str:
    fan = fan_named(fans, shown(name))
    if fan is None:
        raise RulesError(f"{start.name} has no fan '{shown(name)}': `hupai rules {start.name}` lists them.")
    return fan.name


def _defaults(start: FanRules, values: Mapping[str, object]) -> tuple[Option, ...]:
    known = {option.name for option in start.options}
    for name in values:
        if name not in known:
            raise RulesError(f"{start.name} has no option '{name}': use {' or '.join(sorted(known))}.")
    try:
        return tuple(
            option.with_default(values[option.name]) if option.name in values else option
            for option in start.options
        )
    except OptionError as error:
        raise RulesError(str(error)) from error
