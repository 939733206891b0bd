"""Remarks on a reading: the English sentence, which knows what it says, so that others can say it too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Value: TypeAlias = str | int | tuple[str, ...] | tuple[tuple[str, int], ...]
"""Names that are alternatives; or a list of tiles by name and id."""


@dataclass(frozen=True)
class Wording:
    """Remarks in a language. sentences: by code; in braces what changes. either: between alternatives. comma:
    between tiles of a list, numbered: such a tile."""

    sentences: Mapping[str, str]
    either: str
    comma: str
    numbered: str


ENGLISH = Wording(
    {
        "flower-unclear": "Tile {tile} is a flower; which one cannot be told.",
        "not-legible": "Tile {tile} is not legible.",
        "not-legible-perhaps": "Tile {tile} is not legible: perhaps {names}.",
        "hardly-legible": "Tile {tile} is hardly legible; {name} is what fits the hand.",
        "check": "Check tile {tile}: {names}.",
        "perhaps-no-tile": "Find {tile} may be no tile at all.",
        "hole": "There is a hole of one tile in the concealed row: a tile may have been missed.",
        "damaged": "The file is damaged, so tiles may look other than they are; copy the photo again, or "
        "check every tile.",
        "cut": "A tile of the hand is cut by the edge of the photo.",
        "rival-more": "The hand may also be meant with {gained}.",
        "rival-less": "The hand may also be meant without {lost}.",
        "rival": "The hand may also be meant with {gained} and without {lost}.",
        "face-down": "A tile of the hand lies face down, so it cannot be scored.",
        "unnamed": "A tile of the hand has no name, so it cannot be scored.",
        "winning-not-read": "The winning tile {name} is not among the concealed tiles that were read; "
        "what follows is for {instead}.",
    },
    either=" or ",
    comma=", ",
    numbered="{name} (tile {tile})",
)


class Remark(str):
    """A sentence for the person who took the photo.

    code: of the sentences of a `Wording`, stable. values: what is in its braces.
    """

    code: str
    values: Mapping[str, Value]

    def __new__(cls, code: str, **values: Value) -> Remark:
        """Raises KeyError for a code that there is none of, or a value that its sentence lacks."""
        made = super().__new__(cls, _said(code, values, ENGLISH))
        made.code, made.values = code, values
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return _remark, (self.code, dict(self.values))

    def said(self, wording: Wording) -> str:
        """The same in another language."""
        return _said(self.code, self.values, wording)


def _said(code: str, values: Mapping[str, Value], wording: Wording) -> str:
    return wording.sentences[code].format_map({name: _text(value, wording) for name, value in values.items()})


def _text(value: Value, wording: Wording) -> str:
    if not isinstance(value, tuple):
        return str(value)
    tiles = [wording.numbered.format(name=part[0], tile=part[1]) for part in value if isinstance(part, tuple)]
    names = [part for part in value if isinstance(part, str)]
    return wording.comma.join(tiles) if tiles else wording.either.join(names)


def _remark(code: str, values: dict[str, Value]) -> Remark:
    return Remark(code, **values)
