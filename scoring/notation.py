"""GB notation: the text form of a hand that players' tools use.

    [456s,1][333s,1][CCCC,2][PPPP]22m5s5s|EE1000|abf

Melds in brackets, concealed tiles with the winning tile last, the circumstances (prevalent wind, seat wind,
then the flags self-drawn, last copy, last tile of the wall, kong), the flowers. Printing a parsed hand and
parsing it again gives the same hand. Source: the grammar of GB-Mahjong's README, which this one accepts.
"""

from __future__ import annotations

import re

from scoring.hand import Hand, Meld, MeldKind
from scoring.tiles import FLOWERS, HONOR_NAMES

_MELD = re.compile(r"\[([^\[\]]*)\]")
_RUN = re.compile(r"([1-9]+)([mps])|([ESWNCFP])|([a-h])")
_CIRCUMSTANCES = re.compile(r"([ESWN])([ESWN])(?:([01])([01])([01])([01]))?")
_FLAGS = ("self_drawn", "last_copy", "last_tile", "kong")
_SUITS_AS_PRINTED = "msp"  # the order of players' tools
_ADDED = 4  # an added kong from 1, 2, 3 is written 5, 6, 7


class NotationError(ValueError):
    """Text that is not a hand. `position` counts from 0 in the text as given; `remedy` says what to write
    instead."""

    def __init__(self, message: str, position: int, remedy: str) -> None:
        self.position = position
        self.remedy = remedy
        super().__init__(f"{message} at position {position + 1}: {remedy}.")


def parse_hand(text: str) -> Hand:
    """Read a hand in GB notation. Raises NotationError for text that is none.

    >>> hand = parse_hand("[456s,1][333s,1][CCCC,2][PPPP]22m5s5s|EE1000|abf")
    >>> hand.winning, hand.self_drawn, hand.flowers
    ('5s', True, ('a', 'b', 'f'))
    >>> str(parse_hand("345s3p55p5567p[7777s,5]4p"))
    '[7777s,5]345s3555567p4p|EE0000|0'
    >>> parse_hand("1m2x")
    Traceback (most recent call last):
        ...
    scoring.notation.NotationError: Unexpected '2x' at position 3: write 1-9 with m, p or s, or E S W N C F P.
    """
    body, _, rest = text.partition("|")
    circumstances, _, flowers = rest.partition("|")
    melds: list[Meld] = []
    tiles: list[str] = []
    in_hand: list[str] = []  # flowers written among the concealed tiles
    start = 0
    for match in _MELD.finditer(body):
        _read_tiles(body, start, match.start(), tiles, in_hand)
        melds.append(_read_meld(match))
        start = match.end()
    _read_tiles(body, start, len(body), tiles, in_hand)
    if not tiles:
        raise NotationError(
            "No concealed tile found", len(body), "write the concealed tiles with the winning tile last"
        )
    at = len(body) + 1
    prevalent, seat, flags = _read_circumstances(circumstances, at) if rest else ("E", "E", {})
    flowers_at = at + len(circumstances) + 1
    named, unnamed = _read_flowers(flowers, flowers_at)
    if in_hand and unnamed:
        remedy = "name them all, or give the number of all"
        raise NotationError("Flowers are named among the tiles and counted", flowers_at, remedy)
    return Hand(
        tuple(melds),
        tuple(tiles[:-1]),
        tiles[-1],
        prevalent,
        seat,
        flowers=(*in_hand, *named),
        unnamed_flowers=unnamed,
        **flags,
    )


def format_hand(hand: Hand) -> str:
    """The canonical text of a hand: melds as they lie, concealed tiles in order, the winning tile apart."""
    melds = "".join(map(_format_meld, hand.melds))
    flags = "".join("01"[getattr(hand, name)] for name in _FLAGS)
    flowers = "".join(hand.flowers) or str(hand.unnamed_flowers)
    return (
        f"{melds}{_format_tiles(hand.concealed)}{hand.winning}|{hand.prevalent}{hand.seat}{flags}|{flowers}"
    )


def _read_tiles(text: str, start: int, end: int, tiles: list[str], flowers: list[str]) -> None:
    while start < end:
        if text[start].isspace():
            start += 1
            continue
        match = _RUN.match(text, start, end)
        if match is None:
            raise _unexpected(text[start:end], start)
        ranks, suit, honor, flower = match.groups()
        if ranks:
            tiles.extend(rank + suit for rank in ranks)
        elif honor:
            tiles.append(honor)
        else:
            flowers.append(flower)
        start = match.end()


def _unexpected(text: str, position: int) -> NotationError:
    word = text.split()[0][:12]
    if word[0] in "B?":
        what = "A face-down tile" if word[0] == "B" else "A tile without a name"
        return NotationError(what, position, "say which tile it is before the hand is scored")
    return NotationError(f"Unexpected '{word}'", position, "write 1-9 with m, p or s, or E S W N C F P")


def _read_meld(match: re.Match[str]) -> Meld:
    inside, at = match.group(1), match.start(1)
    names, comma, digit = inside.partition(",")
    tiles: list[str] = []
    flowers: list[str] = []
    _read_tiles(match.string, at, at + len(names), tiles, flowers)
    if flowers or len(tiles) not in (3, 4):
        raise NotationError(
            f"'[{inside[:12]}]' is no meld",
            match.start(),
            "write three or four tiles in brackets, like [456s,1]",
        )
    allowed = "123567" if len(tiles) == 4 else "123"
    if comma and (len(digit) != 1 or digit not in allowed):
        remedy = f"after the comma write one of {', '.join(allowed)}"
        raise NotationError(f"'{digit[:12]}' is no source of a meld", at + len(names) + 1, remedy)
    source = int(digit) if comma else 0
    if len(tiles) == 4:
        claimed = MeldKind.ADDED_KONG if source > _ADDED else MeldKind.MELDED_KONG
        return Meld(claimed if source else MeldKind.CONCEALED_KONG, tuple(tiles), source % _ADDED)
    kind = MeldKind.PUNG if len(set(tiles)) == 1 else MeldKind.CHOW
    return Meld(kind, tuple(tiles), source)


def _read_circumstances(text: str, at: int) -> tuple[str, str, dict[str, bool]]:
    match = _CIRCUMSTANCES.fullmatch(text.strip())
    if match is None:
        remedy = "write prevalent wind, seat wind and four flags 0 or 1, like EE1000"
        raise NotationError(f"'{text[:12]}' are no circumstances", at, remedy)
    prevalent, seat, *flags = match.groups()
    return prevalent, seat, {name: flag == "1" for name, flag in zip(_FLAGS, flags, strict=True)}


def _read_flowers(text: str, at: int) -> tuple[tuple[str, ...], int]:
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 2:
        return (), int(text)
    if "|" in text:
        raise NotationError(
            "There is a '|' too many", at + text.index("|"), "write hand|circumstances|flowers"
        )
    for offset, letter in enumerate(text):
        if letter not in FLOWERS and letter not in HONOR_NAMES:
            remedy = "write flowers as letters a-h (in fuzhou also ESWNCFP) or as their number"
            raise NotationError(f"Unexpected '{letter}' among the flowers", at + offset, remedy)
    return tuple(text), 0


def _format_meld(meld: Meld) -> str:
    source = meld.source + (_ADDED if meld.kind is MeldKind.ADDED_KONG else 0)
    return f"[{_format_tiles(meld.tiles)}{f',{source}' if source else ''}]"


def _format_tiles(tiles: tuple[str, ...]) -> str:
    runs = [("".join(tile[0] for tile in tiles if tile[1:] == suit), suit) for suit in _SUITS_AS_PRINTED]
    return "".join(ranks + suit for ranks, suit in runs if ranks) + "".join(
        tile for tile in tiles if len(tile) == 1
    )
