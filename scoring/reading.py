"""What the fans look at: the facts of a hand, packed once, and each way to read its tiles."""

from __future__ import annotations

from copy import copy
from enum import IntEnum

from scoring.hand import Hand, Meld, MeldKind
from scoring.shapes import (
    is_honors_and_knitted,
    is_seven_pairs,
    is_thirteen_orphans,
    kinds_in,
    knitted_straight,
    pairs_wait,
)
from scoring.situation import NOTHING_SAID, Situation
from scoring.splits import NO_TILES, Split, hand_splits, hand_waits
from scoring.tiles import CHOWS, KONGS, PUNGS, UNIT


class Facts:
    """A hand in packed form (see `scoring.tiles`), and what follows from it without taking it apart.

    `tiles` all tiles; `concealed` the concealed ones with the winning tile, `rest` without it; `winning` its
    unit; `chows`, `pungs` and `kongs` the melds' units (a kong is a pung too), `hidden_kongs` the concealed
    ones; `exposed` how many melds were claimed; `situation` what else the caller says about the win, `events`
    the special events among it; `wild` how many wild tiles the hand holds, which are named in it already.
    """

    __slots__ = (
        "chows",
        "concealed",
        "events",
        "exposed",
        "hand",
        "hidden_kongs",
        "kongs",
        "last_copy",
        "last_tile",
        "on_kong",
        "prevalent",
        "pungs",
        "rest",
        "seat",
        "self_drawn",
        "situation",
        "tiles",
        "wild",
        "winning",
    )

    def __init__(self, hand: Hand, situation: Situation = NOTHING_SAID, wild: int = 0) -> None:
        self.hand = hand
        self.situation = situation
        self.events = situation.events
        self.wild = wild
        self.winning = UNIT[hand.winning]
        self.rest = sum([UNIT[tile] for tile in hand.concealed])
        self.concealed = self.rest + self.winning
        self.tiles = self.concealed
        self.chows = self.pungs = self.kongs = self.hidden_kongs = 0
        for meld in hand.melds:
            self._add(meld)
        self.exposed = len(hand.melds) - self.hidden_kongs.bit_count()
        self.prevalent = UNIT[hand.prevalent]
        self.seat = UNIT[hand.seat]
        self.self_drawn = hand.self_drawn
        self.last_copy = hand.last_copy
        self.last_tile = hand.last_tile
        self.on_kong = hand.kong

    def naming(self, concealed: int, winning: int) -> Facts:
        """The same facts with other concealed tiles and winning tile, for wild ones; `hand` stays."""
        named = copy(self)
        named.tiles = self.tiles - self.concealed + concealed
        named.concealed = concealed
        named.rest = concealed - winning
        named.winning = winning
        return named

    def _add(self, meld: Meld) -> None:
        tiles = meld.tiles
        kind = meld.kind
        if kind is MeldKind.CHOW:
            self.chows += CHOWS.get(tiles, 0)
        elif kind is MeldKind.PUNG:
            self.pungs += PUNGS.get(tiles, 0)
        else:
            unit = KONGS.get(tiles, 0)
            self.pungs += unit
            self.kongs += unit
            if kind is MeldKind.CONCEALED_KONG:
                self.hidden_kongs += unit
        self.tiles += sum([UNIT[tile] for tile in tiles])


class Shape(IntEnum):
    """What a reading is made of."""

    SETS = 0  # sets and a pair, a knitted straight counting as three sets
    PAIRS = 1
    ORPHANS = 2
    KNITTED = 3  # honours and knitted tiles, none of them twice


class Reading:
    """One way to read a hand. `chows`, `pungs`, `pair` as in `Split`, melds included; `own_chows`
    the concealed chows alone; `straight` the tiles of a knitted straight."""

    __slots__ = (
        "chows",
        "concealed_pungs",
        "facts",
        "own_chows",
        "pair",
        "pungs",
        "shape",
        "straight",
    )

    def __init__(self, facts: Facts, shape: Shape, split: Split = NO_TILES, straight: int = 0) -> None:
        chows, pungs, self.pair = split
        self.facts = facts
        self.shape = shape
        self.straight = straight
        self.own_chows = chows
        self.chows = chows + facts.chows
        self.pungs = pungs + facts.pungs
        self.concealed_pungs = pungs | facts.hidden_kongs
        if pungs & facts.winning and not facts.self_drawn and not completes_chow(chows, facts.winning):
            # A pung finished by a discard is not concealed. Where the tile fits a chow as well, the chow is
            # what it finished: that keeps the pung concealed and the wait scorable, so no other reading of it
            # can score more.
            self.concealed_pungs ^= facts.winning

    @property
    def sole_wait(self) -> bool:
        """Whether by form only the winning kind completes the hand."""
        rest = self.facts.rest
        if self.straight:
            if kinds_in(rest) & self.straight != self.straight:
                return True  # the winning tile completes the straight; a set and a pair are there
            rest -= self.straight
        waits = hand_waits(rest) | pairs_wait(rest)
        return not waits & (waits - 1)


def completes_chow(chows: int, unit: int) -> bool:
    """Whether a tile belongs to one of the chows."""
    return bool(chows & 7 * (unit | unit >> 3 | unit >> 6))


def readings_of_sets(facts: Facts) -> list[Reading]:
    """Every way to read a hand as sets and a pair; [] if there is none."""
    return [Reading(facts, Shape.SETS, split) for split in hand_splits(facts.concealed)]


def readings(facts: Facts) -> list[Reading]:
    """Every way to read a hand as a winning one; [] if there is none. The tiles must be possible ones."""
    concealed = facts.concealed
    melds = len(facts.hand.melds)
    found = readings_of_sets(facts)
    if melds > 1:
        return found
    straight = knitted_straight(concealed)
    if straight:
        found += [Reading(facts, Shape.SETS, split, straight) for split in hand_splits(concealed - straight)]
    if melds:
        return found
    if is_seven_pairs(concealed):
        found.append(Reading(facts, Shape.PAIRS))
    if found:
        return found  # the remaining shapes have no sets
    if is_thirteen_orphans(concealed):
        return [Reading(facts, Shape.ORPHANS)]
    if is_honors_and_knitted(concealed):
        return [Reading(facts, Shape.KNITTED, straight=straight)]
    return []
