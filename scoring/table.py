"""The fans of one edition, compiled: what a hand is worth is decided on integers, and told in words for the
best reading only.

Every fan is a bit, in the order of the table, so one integer is a set of fans. A fan drops only fans after
it; taking the bits from the lowest up, a fan that stands clears the fans it drops, and a dropped fan drops
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache

from scoring.combinations import Combiner
from scoring.fans import Condition, FactsFan, Fan, KindsFan, ReadingFan, SetsFan, TilesFan
from scoring.reading import Facts, Reading, Shape, readings
from scoring.result import LeftOut
from scoring.tiles import CHARACTERS, KINDS, ORPHANS, SUIT_BITS, SUITED, SUITS, UNIT, others, unpack

_SUIT_AND_RANK = {UNIT[tile]: divmod(place, 9) for place, tile in enumerate(KINDS[:27])}

_COMBINATIONS_KEPT = 1 << 15  # of at most 14 950 for chows and 20 853 for pungs; about a kilobyte each

Repeats = Sequence[tuple[int, int]]
"""(bit, count) of the fans that occur more than once."""

Families = list[tuple[Condition, list[tuple[int, Condition]]]]
"""Fans as (bit, condition), by a condition that all of them need."""


class Combined:
    """What a multiset of chows, or a set of suited pungs, scores by combining (see `scoring.combinations`):
    the fans as bits, the units of the sets that each of them uses, and the uses refused."""

    __slots__ = ("bits", "refused", "repeats", "uses")

    def __init__(
        self, bits: int, repeats: Repeats, uses: Mapping[int, Sequence[int]], refused: tuple[LeftOut, ...]
    ) -> None:
        self.bits = bits
        self.repeats = repeats
        self.uses = uses
        self.refused = refused


_NOTHING_COMBINED = Combined(0, (), {}, ())


class Outcome:
    """One reading of a hand with its fans as bits: `shown` by the tiles, `kept` after dropping; `points`
    without flowers; `named` the pungs that standing fans are scored for."""

    __slots__ = ("chows", "kept", "named", "points", "pungs", "reading", "repeats", "shown")

    def __init__(
        self, reading: Reading, shown: int, repeats: Repeats, chows: Combined, pungs: Combined
    ) -> None:
        self.reading = reading
        self.shown = shown
        self.repeats = repeats
        self.chows = chows
        self.pungs = pungs
        self.kept = self.points = self.named = 0


class FanTable:
    """The fans of an edition in scoring order.

    `worthless` names the fan of a hand without any other (无番和). `unnamed_pung` names the fan of each
    terminal or honour pung that no standing fan is scored for (幺九刻, see `Fan.named_pungs`); a table may
    have neither. Of readings worth the same, one with a `preferred` fan is told, else the first. `read` finds
    the readings, `limit` caps the points of one, seeing the bits of its fans. Raises ValueError if a fan
    drops an earlier one.
    """

    def __init__(
        self,
        fans: Sequence[Fan],
        worthless: str = "",
        unnamed_pung: str = "",
        preferred: Collection[str] = (),
        read: Callable[[Facts], list[Reading]] = readings,
        limit: Callable[[int, int], int] | None = None,
    ) -> None:
        self._read = read
        self._limit = limit
        self.fans = tuple(fans)
        bits = {fan.name: 1 << place for place, fan in enumerate(self.fans)}
        self.bits = bits
        self._points = [fan.points for fan in self.fans]
        self.points = {fan.name: fan.points for fan in self.fans}
        self._worthless = bits.get(worthless, 0)
        self._worth_of_nothing = sum(fan.points for fan in self.fans if fan.name == worthless)
        self.unnamed_pung = bits.get(unnamed_pung, 0)
        self.unnamed_pung_name = unnamed_pung
        self._preferred = sum(bits.get(name, 0) for name in preferred)
        self.dropped = {fan.name: self._dropped(fan) for fan in self.fans}
        every = (1 << len(self.fans)) - 1
        self._leaves = [
            every ^ (bits[fan.name] | sum(bit for bit, _ in self.dropped[fan.name])) for fan in self.fans
        ]
        self._naming = [(bits[fan.name], fan.named_pungs) for fan in self.fans if fan.named_pungs]
        self._naming_bits = sum(bit for bit, _ in self._naming)
        self._of_tiles = [(bits[fan.name], fan.when) for fan in self.fans if isinstance(fan, TilesFan)]
        self._of_kinds = [
            (bits[fan.name], others(mask))
            for fan in self.fans
            if isinstance(fan, KindsFan)
            for mask in fan.within
        ]
        self._of_facts = self._families([fan for fan in self.fans if isinstance(fan, FactsFan)])
        of_readings = [fan for fan in self.fans if isinstance(fan, ReadingFan)]
        self._of_shape = [
            self._families([fan for fan in of_readings if shape in fan.shapes]) for shape in Shape
        ]
        of_sets = [fan for fan in self.fans if isinstance(fan, SetsFan)]
        self._chow_combiner = Combiner([fan for fan in of_sets if fan.of_chows])
        self._pung_combiner = Combiner([fan for fan in of_sets if not fan.of_chows])
        self._searched: Callable[[int, bool], Combined] = lru_cache(_COMBINATIONS_KEPT)(self._search)
        self._chows: Callable[[int], Combined] = lru_cache(_COMBINATIONS_KEPT)(self._combine_chows)
        self._pungs: Callable[[int], Combined] = lru_cache(_COMBINATIONS_KEPT)(self._combine_pungs)

    def _dropped(self, fan: Fan) -> list[tuple[int, LeftOut]]:
        """The fans that one fan drops, by bit. Among fans that combine the same sets the combination has
        decided already."""
        notes = [
            (self.bits[other.name], LeftOut(other.name, fan.name, fan.drops[other.name]))
            for other in self.fans
            if other.name in fan.drops and not _combine_alike(fan, other)
        ]
        if notes and notes[0][0] <= self.bits[fan.name]:
            raise ValueError(f"{fan.name} drops a fan that comes before it: put it first.")
        return notes

    def _families(self, fans: Sequence[FactsFan | ReadingFan]) -> Families:
        """Fans with their conditions, by the condition that they share."""
        families: dict[Condition, list[tuple[int, Condition]]] = {}
        for fan in fans:
            families.setdefault(fan.needs, []).append((self.bits[fan.name], fan.when))
        return list(families.items())

    def best(self, facts: Facts) -> Outcome | None:
        """The reading of most points; None if the tiles do not win."""
        shown = 0
        tiles = facts.tiles
        for bit, when in self._of_tiles:
            if when(tiles):
                shown |= bit
        for bit, outside in self._of_kinds:
            if not tiles & outside:
                shown |= bit
        repeats: list[tuple[int, int]] = []
        shown |= _ask(self._of_facts, facts, repeats)
        best = None
        for reading in self._read(facts):
            outcome = self._outcome(reading, shown, repeats)
            if best is None or self._is_better(outcome, best):
                best = outcome
        return best

    def _is_better(self, outcome: Outcome, best: Outcome) -> bool:
        if outcome.points != best.points:
            return outcome.points > best.points
        return bool(outcome.kept & self._preferred) and not best.kept & self._preferred

    def _outcome(self, reading: Reading, shown: int, repeats: Repeats) -> Outcome:
        chows = self._chows(reading.chows)
        pungs = self._pungs(reading.pungs & SUITED)
        shown |= chows.bits | pungs.bits
        repeats = [*repeats, *chows.repeats, *pungs.repeats]
        shown |= _ask(self._of_shape[reading.shape], reading, repeats)
        outcome = Outcome(reading, shown, repeats, chows, pungs)
        self._settle(outcome)
        return outcome

    def _settle(self, outcome: Outcome) -> None:
        """Decide which of the fans shown stand, and their points."""
        undecided = outcome.shown
        kept = points = 0
        while undecided:
            bit = undecided & -undecided
            place = bit.bit_length() - 1
            kept |= bit
            points += self._points[place]
            undecided &= self._leaves[place]
        for bit, count in outcome.repeats:
            if kept & bit:
                points += self._points[bit.bit_length() - 1] * (count - 1)
        outcome.kept = kept or self._worthless
        outcome.points = points if kept else self._worth_of_nothing
        if kept & self.unnamed_pung and kept & self._naming_bits:
            self._leave_out_named_pungs(outcome)
        if self._limit:
            outcome.points = self._limit(outcome.kept, outcome.points)

    def _leave_out_named_pungs(self, outcome: Outcome) -> None:
        reading = outcome.reading
        for bit, named_pungs in self._naming:
            if outcome.kept & bit:
                outcome.named |= named_pungs(reading)
        orphans = reading.pungs & ORPHANS
        taken = (orphans & outcome.named).bit_count()
        outcome.points -= self._points[self.unnamed_pung.bit_length() - 1] * taken
        if taken == orphans.bit_count():
            outcome.kept ^= self.unnamed_pung

    def _combine_chows(self, chows: int) -> Combined:
        return self._combine(chows, of_chows=True)

    def _combine_pungs(self, pungs: int) -> Combined:
        return self._combine(pungs, of_chows=False)

    def _combine(self, units: int, of_chows: bool) -> Combined:
        """Combine sets given by their units. No fan tells one suit from another, so hands that differ only in
        their suits share the search."""
        suits = [units >> SUIT_BITS * suit & CHARACTERS for suit in range(len(SUITS))]
        order = sorted(range(len(SUITS)), key=suits.__getitem__)
        ordered = sum([suits[suit] << SUIT_BITS * place for place, suit in enumerate(order)])
        found = self._searched(ordered, of_chows)
        if not found.bits or ordered == units:
            return found
        uses = {bit: [_move(unit, order) for unit in used] for bit, used in found.uses.items()}
        return Combined(found.bits, found.repeats, uses, found.refused)

    def _search(self, units: int, of_chows: bool) -> Combined:
        sets = [UNIT[tile] for tile in unpack(units)]
        keys = [_SUIT_AND_RANK[unit] for unit in sets]
        combination = (self._chow_combiner if of_chows else self._pung_combiner).best(keys)
        if not combination.chosen:
            return _NOTHING_COMBINED
        uses: dict[int, list[int]] = {}
        counts: dict[int, int] = {}
        for use in combination.chosen:
            bit = self.bits[use.fan.name]
            uses.setdefault(bit, []).extend([sets[place] for place in use.places])
            counts[bit] = counts.get(bit, 0) + 1
        repeats = [(bit, count) for bit, count in counts.items() if count > 1]
        refused = dict.fromkeys([LeftOut(no.use.fan.name, no.by.name, no.rule) for no in combination.refused])
        return Combined(sum(uses), repeats, uses, tuple(refused))


def _move(unit: int, order: Sequence[int]) -> int:
    """A unit of the suit that stands in some place, moved to the suit that `order` names there."""
    place = (unit.bit_length() - 1) // SUIT_BITS
    return unit >> SUIT_BITS * place << SUIT_BITS * order[place]


def _ask(families: Families, asked: object, repeats: list[tuple[int, int]]) -> int:
    """The bits of the fans that occur; those that do more than once are added to `repeats`."""
    shown = 0
    for needs, fans in families:
        if needs(asked):
            for bit, when in fans:
                count = when(asked)
                if count:
                    shown |= bit
                    if count > 1:
                        repeats.append((bit, count))
    return shown


def _combine_alike(fan: Fan, other: Fan) -> bool:
    return isinstance(fan, SetsFan) and isinstance(other, SetsFan) and fan.of_chows is other.of_chows
