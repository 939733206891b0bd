"""What no tile shows: special events, who deals, the wild tile, who pays for what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = int | str | bool | None


@dataclass(frozen=True, slots=True)
class Event:
    """A special event: its stable name, its names in Chinese (the first is told), and in English."""

    name: str
    chinese: tuple[str, ...]
    english: str


EVENTS: tuple[Event, ...] = (
    Event("heavenly-hand", ("天和", "天胡"), "Heavenly Hand"),
    Event("earthly-hand", ("地和", "地胡"), "Earthly Hand"),
    Event("humanly-hand", ("人和", "人胡"), "Humanly Hand"),
    Event("heavenly-ready", ("天听",), "Heavenly Ready"),
    Event("earthly-ready", ("地听",), "Earthly Ready"),
    Event("ready", ("报听", "立直"), "Declared Ready"),
    Event("double-ready", ("双报听",), "Double Ready"),
    Event("robbing-gold", ("抢金",), "Robbing the Gold"),
    Event("three-winners", ("一炮三响",), "Three Winners on One Discard"),
)
EVENT_NAMES: Mapping[str, str] = {
    said.lower(): event.name for event in EVENTS for said in (event.name, *event.chinese, event.english)
}
"""The stable name of an event by each of its names, lower case."""

READY = frozenset({"heavenly-ready", "earthly-ready", "ready", "double-ready"})
"""The events that say that a concealed hand was declared ready."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the caller says of a win: stable names of events, and the rule set's options by name (each with
    its value or default)."""

    events: frozenset[str] = frozenset()
    options: Mapping[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """An option that is a tile, a wind or a word; None if it was not said or the rules have none."""
        value = self.options.get(name)
        return value if isinstance(value, str) else None

    def number(self, name: str) -> int:
        """An option that is a number; 0 if the rules have none of that name."""
        value = self.options.get(name)
        return value if isinstance(value, int) else 0


NOTHING_SAID = Situation()
