"""Telling in words what a reading scored: each fan with the sets that made it, each fan left out with the reason."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.fans import Fan
from scoring.result import LeftOut, ScoredFan, Sets
from scoring.sets import chow_sets, every_set, pung_sets
from scoring.table import Combined, FanTable, Outcome
from scoring.tiles import ORPHANS, SUITED

NAMED_ELSEWHERE = "a terminal or honour pung that another fan is scored for is no 幺九刻 (不重复)"


def scored_fans(table: FanTable, outcome: Outcome) -> list[ScoredFan]:
    """The fans that stand, those of most points first."""
    counts = dict(outcome.repeats)
    reading = outcome.reading
    found = []
    for bit, fan in _fans_of(table, outcome.kept):
        count = counts.get(bit, 1)
        if bit == table.unnamed_pung:
            unnamed = reading.pungs & ORPHANS & ~outcome.named
            count, tiles = unnamed.bit_count(), pung_sets(unnamed, reading.facts.kongs)
        elif bit in outcome.chows.uses:
            tiles = _pick(chow_sets(reading.chows), outcome.chows, bit)
        elif bit in outcome.pungs.uses:
            tiles = _pick(pung_sets(reading.pungs & SUITED, reading.facts.kongs), outcome.pungs, bit)
        else:
            tiles = (fan.shows or every_set)(reading)
        found.append(ScoredFan(fan.name, fan.english, fan.points, count, tiles))
    return found


def left_out(table: FanTable, outcome: Outcome) -> list[LeftOut]:
    """The fans that the hand shows and that are not counted, each with the standing fan and the rule that stand in its way."""
    kept = [fan for _, fan in _fans_of(table, outcome.kept)]
    names = {fan.name for fan in kept}
    found = [
        LeftOut(fan.name, by.name, by.drops[fan.name])
        for bit, fan in _fans_of(table, outcome.shown & ~outcome.kept)
        if bit != table.unnamed_pung or not outcome.named
        for by in [next(other for other in kept if fan.name in other.drops)]
    ]
    if outcome.named:
        pung = table.fans[table.unnamed_pung.bit_length() - 1].name
        orphans = outcome.reading.pungs & ORPHANS
        found += [
            LeftOut(pung, fan.name, NAMED_ELSEWHERE)
            for fan in kept
            if fan.named_pungs and fan.named_pungs(outcome.reading) & orphans
        ]
    for combined in (outcome.chows, outcome.pungs):
        found += [refused for refused in combined.refused if refused.by in names]
    return found


def _fans_of(table: FanTable, bits: int) -> Iterator[tuple[int, Fan]]:
    while bits:
        bit = bits & -bits
        yield bit, table.fans[bit.bit_length() - 1]
        bits ^= bit


def _pick(sets: Sets, combined: Combined, bit: int) -> Sets:
    return tuple(sets[place] for place in combined.uses[bit])
