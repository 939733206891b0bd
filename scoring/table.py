"""The fans of one edition, compiled: what a hand is worth is decided on integers, and told in words for the best reading only.

Every fan is a bit, in the order of the table, so one integer is a set of fans. A fan drops only fans after it; taking the bits
from the lowest up, a fan that stands clears the fans it drops, and a dropped fan drops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from scoring.combinations import best_combination
from scoring.fans import Condition, FactsFan, Fan, ReadingFan, SetsFan, TilesFan
from scoring.reading import Facts, Reading, Shape, readings
from scoring.result import LeftOut
from scoring.tiles import INDEX, ORPHANS, SUITED, unpack

_COMBINATIONS_KEPT = 1 << 15  # of at most 14 950 for chows and 20 853 for pungs; about a kilobyte each

Repeats = Sequence[tuple[int, int]]
"""(bit, count) of the fans that occur more than once."""


class Combined:
    """What a multiset of chows, or a set of suited pungs, scores by combining (see `scoring.combinations`)."""

    __slots__ = ("bits", "repeats", "refused", "uses")

    def __init__(
        self, bits: int, repeats: Repeats, uses: dict[int, list[int]], refused: Sequence[LeftOut]
    ) -> None:
        self.bits = bits
        self.repeats = repeats
        self.uses = uses
        self.refused = refused


_NOTHING = Combined(0, (), {}, ())


class Outcome:
    """One reading of a hand with its fans as bits: `shown` by the tiles, `kept` after dropping; `points` without flowers."""

    __slots__ = ("chows", "kept", "named", "points", "pungs", "reading", "repeats", "shown")

    def __init__(self, reading: Reading, shown: int, kept: int, points: int) -> None:
        self.reading = reading
        self.shown = shown
        self.kept = kept
        self.points = points
        self.named = 0
        self.chows = self.pungs = _NOTHING
        self.repeats: list[tuple[int, int]] = []


class FanTable:
    """The fans of an edition in scoring order.

    `worthless` names the fan of a hand without any other (无番和). `unnamed_pung` names the fan of each terminal or honour
    pung that no standing fan is scored for (幺九刻, see `Fan.named_pungs`). Of readings worth the same, one with a `preferred`
    fan is told, else the first. Raises ValueError if a fan drops an earlier one.
    """

    def __init__(
        self, fans: Sequence[Fan], worthless: str, unnamed_pung: str, preferred: Collection[str] = ()
    ) -> None:
        self.fans = tuple(fans)
        bits = {fan.name: 1 << place for place, fan in enumerate(self.fans)}
        self.bits = bits
        self._worthless = bits[worthless]
        self.unnamed_pung = bits[unnamed_pung]
        self._preferred = sum(bits[name] for name in preferred)
        self._points = [fan.points for fan in self.fans]
        self._leaves = [~bits[fan.name] & ~self._dropped(fan) for fan in self.fans]
        self._naming = [(bits[fan.name], fan.named_pungs) for fan in self.fans if fan.named_pungs]
        self._naming_bits = sum(bit for bit, _ in self._naming)
        self._of_tiles = [(bits[fan.name], fan.when) for fan in self.fans if isinstance(fan, TilesFan)]
        self._of_facts = [(bits[fan.name], fan.when) for fan in self.fans if isinstance(fan, FactsFan)]
        self._of_shape: dict[Shape, list[tuple[int, Condition]]] = {
            shape: [
                (bits[fan.name], fan.when)
                for fan in self.fans
                if isinstance(fan, ReadingFan) and shape in fan.shapes
            ]
            for shape in Shape
        }
        self._combined: Callable[[int, bool], Combined] = lru_cache(_COMBINATIONS_KEPT)(self._combine)

    def _dropped(self, fan: Fan) -> int:
        combining = [
            other.name for other in self.fans if _combine_alike(fan, other)
        ]  # decided by best_combination
        dropped = sum(self.bits[name] for name in fan.drops if name in self.bits and name not in combining)
        if dropped and dropped & -dropped <= self.bits[fan.name]:
            raise ValueError(f"{fan.name} drops a fan that comes before it: put it first.")
        return dropped

    def best(self, facts: Facts) -> Outcome | None:
        """The reading of most points; None if the tiles do not win."""
        shown = 0
        tiles = facts.tiles
        for bit, when in self._of_tiles:
            if when(tiles):
                shown |= bit
        repeats = []
        for bit, when in self._of_facts:
            count = when(facts)
            if count:
                shown |= bit
                if count > 1:
                    repeats.append((bit, count))
        best = None
        for reading in readings(facts):
            outcome = self._outcome(reading, shown, repeats)
            if best is None or self._is_better(outcome, best):
                best = outcome
        return best

    def _is_better(self, outcome: Outcome, best: Outcome) -> bool:
        if outcome.points != best.points:
            return outcome.points > best.points
        return bool(outcome.kept & self._preferred) and not best.kept & self._preferred

    def _outcome(self, reading: Reading, shown: int, repeats: Repeats) -> Outcome:
        repeated = [*repeats]
        for bit, when in self._of_shape[reading.shape]:
            count = when(reading)
            if count:
                shown |= bit
                if count > 1:
                    repeated.append((bit, count))
        chows = self._combined(reading.chows, True) if reading.chows else _NOTHING
        suited_pungs = reading.pungs & SUITED
        pungs = self._combined(suited_pungs, False) if suited_pungs else _NOTHING
        shown |= chows.bits | pungs.bits
        kept, points = self._settle(shown)
        outcome = Outcome(reading, shown, kept, points)
        outcome.chows = chows
        outcome.pungs = pungs
        outcome.repeats = repeated
        if chows.repeats or pungs.repeats:
            repeated += chows.repeats
            repeated += pungs.repeats
        for bit, count in repeated:
            if kept & bit and bit != self.unnamed_pung:
                outcome.points += self._points[bit.bit_length() - 1] * (count - 1)
        if kept & self.unnamed_pung:
            self._count_unnamed_pungs(outcome)
        if not outcome.kept:
            outcome.kept = self._worthless
            outcome.points = self._points[self._worthless.bit_length() - 1]
        return outcome

    def _settle(self, shown: int) -> tuple[int, int]:
        """The fans that stand, and their points counted once each."""
        kept = points = 0
        while shown:
            bit = shown & -shown
            place = bit.bit_length() - 1
            kept |= bit
            points += self._points[place]
            shown &= self._leaves[place]
        return kept, points

    def _count_unnamed_pungs(self, outcome: Outcome) -> None:
        reading = outcome.reading
        if outcome.kept & self._naming_bits:
            for bit, named_pungs in self._naming:
                if outcome.kept & bit:
                    outcome.named |= named_pungs(reading)
        unnamed = (reading.pungs & ORPHANS & ~outcome.named).bit_count()
        outcome.points += self._points[self.unnamed_pung.bit_length() - 1] * (unnamed - 1)
        if not unnamed:
            outcome.kept ^= self.unnamed_pung

    def _combine(self, units: int, of_chows: bool) -> Combined:
        tiles = list(unpack(units))
        keys = [(INDEX[tile] // 9, INDEX[tile] % 9 + 1) for tile in tiles]
        fans = [fan for fan in self.fans if isinstance(fan, SetsFan) and fan.of_chows is of_chows]
        combination = best_combination(keys, fans)
        uses: dict[int, list[int]] = {}
        for use in combination.chosen:
            uses.setdefault(self.bits[use.fan.name], []).extend(use.places)
        repeats = [(bit, len(places) // self._size(bit)) for bit, places in uses.items()]
        refused = dict.fromkeys(LeftOut(no.use.fan.name, no.by.name, no.rule) for no in combination.refused)
        return Combined(sum(uses), [repeat for repeat in repeats if repeat[1] > 1], uses, tuple(refused))

    def _size(self, bit: int) -> int:
        fan = self.fans[bit.bit_length() - 1]
        return fan.size if isinstance(fan, SetsFan) else 1


def _combine_alike(fan: Fan, other: Fan) -> bool:
    return isinstance(fan, SetsFan) and isinstance(other, SetsFan) and fan.of_chows is other.of_chows
