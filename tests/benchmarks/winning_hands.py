"""Random winning hands of every shape, seeded, legal and all different; and the same hands for other
calculators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from scoring import Hand, Meld, MeldKind, problems
from scoring.tiles import CHOWS, FLOWERS, INDEX, KINDS, KNITTED_STRAIGHTS, PUNGS, SUITS, unpack

HONORS = KINDS[27:]
ORPHANS = tuple(tile for tile in KINDS if tile[0] in "19" or tile in HONORS)
STRAIGHTS = [tuple(unpack(straight)) for straight in KNITTED_STRAIGHTS]
THEMES: tuple[Sequence[str], ...] = (
    *[KINDS] * 8,
    *[[tile for tile in KINDS if tile[1:] == suit] for suit in SUITS],
    *[[tile for tile in KINDS if tile[1:] == suit or tile in HONORS] for suit in SUITS],
    *[[tile for tile in KINDS if tile[1:] != suit] for suit in SUITS],
    ORPHANS,
    HONORS,
    [tile for tile in KINDS if tile[0] in "19"],
    [tile for tile in KINDS if tile[0] in "1239" or tile in HONORS],
    [tile for tile in KINDS if tile[0] in "12378" and tile not in HONORS],
    *[
        [tile for tile in KINDS if tile[0] in ranks]
        for ranks in ("123", "456", "789", "1234", "6789", "2468", "34567")
    ],
    ["2s", "3s", "4s", "6s", "8s", "F"],
    [*(f"{rank}p" for rank in "1234589"), *(f"{rank}s" for rank in "245689"), "P"],
)
"""Kinds that a hand is drawn from: any at all, or those of fans that chance alone would hardly ever show."""


def winning_hands(seed: int, count: int) -> list[Hand]:
    """`count` different legal winning hands, the same ones for the same seed."""
    random = Random(seed)
    found: dict[str, Hand] = {}
    while len(found) < count:
        hand = _with_circumstances(random, *_tiles(random))
        if hand is not None and not problems(hand):
            found[str(hand)] = hand
    return list(found.values())


def _tiles(random: Random) -> tuple[list[Meld], list[str]]:
    """Melds and concealed tiles (winning tile included), of a shape chosen at random; not always possible
    ones."""
    make = random.choices(
        (_regular, _knitted_straight, _pairs, _shifted_pairs, _orphans, _honors_and_knitted, _nine_gates),
        (80, 5, 6, 1, 1, 5, 2),
    )[0]
    return make(random)


def _regular(random: Random) -> tuple[list[Meld], list[str]]:
    theme = set(random.choice(THEMES))
    chows = [tiles for tiles in CHOWS if theme.issuperset(tiles)]
    pungs = [tiles for tiles in PUNGS if theme.issuperset(tiles)]
    share = random.random() if chows else 0.0
    sets = [random.choice(chows) if random.random() < share else random.choice(pungs) for _ in range(4)]
    if random.random() < 0.2 and chows:  # neighbours, so that shifted and equal sets turn up
        sets[1] = sets[0] if random.random() < 0.5 else random.choice(chows)
    melded = random.choices(range(5), (30, 20, 20, 15, 15))[0]
    melds = [_meld(random, tiles) for tiles in sets[:melded]]
    pair = random.choice(sorted(theme))
    return melds, [pair, pair, *(tile for tiles in sets[melded:] for tile in tiles)]


def _meld(random: Random, tiles: tuple[str, ...]) -> Meld:
    source = random.randint(1, 3)
    if tiles in CHOWS:
        return Meld(MeldKind.CHOW, tiles, source)
    kind = random.choice(list(MeldKind)[1:])
    return Meld(
        kind, tiles + tiles[:1] if kind.is_kong else tiles, 0 if kind is MeldKind.CONCEALED_KONG else source
    )


def _knitted_straight(random: Random) -> tuple[list[Meld], list[str]]:
    tiles = random.choice([*CHOWS, *PUNGS])
    pair = random.choice(KINDS)
    straight = random.choice(STRAIGHTS)
    if random.random() < 0.5:
        return [_meld(random, tiles)], [*straight, pair, pair]
    return [], [*straight, *tiles, pair, pair]


def _pairs(random: Random) -> tuple[list[Meld], list[str]]:
    theme = random.choice([theme for theme in THEMES if len(theme) >= 4])
    return [], [tile for tile in random.choices(theme, k=7) for _ in range(2)]


def _shifted_pairs(random: Random) -> tuple[list[Meld], list[str]]:
    first, suit = random.randint(1, 3), random.choice(SUITS)
    return [], [f"{rank}{suit}" for rank in range(first, first + 7) for _ in range(2)]


def _orphans(random: Random) -> tuple[list[Meld], list[str]]:
    return [], [*ORPHANS, random.choice(ORPHANS)]


def _honors_and_knitted(random: Random) -> tuple[list[Meld], list[str]]:
    honors = random.randint(5, 7)
    return [], [*random.sample(HONORS, honors), *random.sample(random.choice(STRAIGHTS), 14 - honors)]


def _nine_gates(random: Random) -> tuple[list[Meld], list[str]]:
    suit = random.choice(SUITS)
    return [], [rank + suit for rank in "1112345678999" + random.choice("123456789")]


def _with_circumstances(random: Random, melds: list[Meld], concealed: list[str]) -> Hand | None:
    counts = Counter([*concealed, *(tile for meld in melds for tile in meld.tiles)])
    if max(counts.values()) > 4:
        return None
    random.shuffle(concealed)
    *rest, winning = concealed
    self_drawn = random.random() < 0.4
    has_kong = any(meld.kind.is_kong for meld in melds)
    kong = random.random() < 0.1 and (has_kong if self_drawn else counts[winning] == 1)
    return Hand(
        tuple(melds),
        tuple(rest),
        winning,
        prevalent=random.choice("ESWN"),
        seat=random.choice("ESWN"),
        self_drawn=self_drawn,
        last_copy=random.random() < 0.1 and winning not in rest,
        last_tile=random.random() < 0.1 and not (kong and not self_drawn),
        kong=kong,
        flowers=tuple(random.sample(FLOWERS, random.choice((0, 0, 0, 1, 2, 3, 8)))),
    )


def for_pymahjonggb(hand: Hand) -> dict[str, Any]:
    """The arguments of `MahjongGB.MahjongFanCalculator` for a hand."""
    names = {"CHOW": "CHI", "PUNG": "PENG"}
    return {
        "pack": tuple(
            (
                names.get(meld.kind.name, "GANG"),
                _pymahjonggb_tile(meld.tiles[1]),
                0 if meld.kind is MeldKind.CONCEALED_KONG else max(meld.source, 1),
            )
            for meld in hand.melds
        ),
        "hand": tuple(map(_pymahjonggb_tile, hand.concealed)),
        "winTile": _pymahjonggb_tile(hand.winning),
        "flowerCount": hand.flower_count,
        "isSelfDrawn": hand.self_drawn,
        "is4thTile": hand.last_copy,
        "isAboutKong": hand.kong,
        "isWallLast": hand.last_tile,
        "seatWind": "ESWN".index(hand.seat),
        "prevalentWind": "ESWN".index(hand.prevalent),
    }


def _pymahjonggb_tile(tile: str) -> str:
    if tile in HONORS:
        index = HONORS.index(tile)
        return f"F{index + 1}" if index < 4 else f"J{index - 3}"
    return "WBT"["mps".index(tile[1])] + tile[0]


def riichi_tiles(tiles: Sequence[str]) -> Iterator[int]:
    """Tiles numbered 0-135 for the riichi package `mahjong`: four copies of man, pin, sou, winds, white,
    green, red."""
    order = [*KINDS[:31], "P", "F", "C"]
    used: Counter[str] = Counter()
    for tile in sorted(tiles, key=INDEX.__getitem__):
        yield 4 * order.index(tile) + used[tile]
        used[tile] += 1


def with_wild_tiles(hands: Sequence[Hand], seed: int, wild: str, count: int) -> list[Hand]:
    """Hands in which `count` concealed tiles, the winning one perhaps among them, were replaced by wild ones.

    Hands that hold the wild kind already are left out, and those with too few concealed tiles, and those won
    on a last copy or a kong, which a named tile can contradict.
    """
    random = Random(seed)
    found = []
    for hand in hands:
        tiles = [*hand.concealed, hand.winning]
        held = [*tiles, *(tile for meld in hand.melds for tile in meld.tiles)]
        if wild in held or len(tiles) < count or hand.last_copy or hand.kong:
            continue
        for place in random.sample(range(len(tiles)), count):
            tiles[place] = wild
        found.append(replace(hand, concealed=tuple(tiles[:-1]), winning=tiles[-1]))
    return found
