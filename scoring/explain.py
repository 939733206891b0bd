"""Telling in words what a reading scored: each fan with the sets that made it, each fan left out with the
reason."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.fans import Fan
from scoring.result import LeftOut, ScoredFan, Sets
from scoring.sets import chow_sets, every_set, pung_sets
from scoring.table import FanTable, Outcome
from scoring.tiles import ALL, ORPHANS, SUITED

NAMED_ELSEWHERE = "a terminal or honour pung that another fan is scored for is no 幺九刻 (不重复)"


def scored_fans(table: FanTable, outcome: Outcome) -> list[ScoredFan]:
    """The fans that stand, those of most points first."""
    reading = outcome.reading
    counts = dict(outcome.repeats)
    whole: Sets = ()
    found = []
    for bit, fan in _fans_of(table, outcome.kept):
        count = counts.get(bit, 1)
        if bit in outcome.chows.uses:
            tiles = _pick(chow_sets(reading.chows), outcome.chows.uses[bit])
        elif bit in outcome.pungs.uses:
            tiles = _pick(pung_sets(reading.pungs & SUITED, reading.facts.kongs), outcome.pungs.uses[bit])
        elif bit == table.unnamed_pung:
            unnamed = reading.pungs & ORPHANS & (ALL ^ outcome.named)
            count, tiles = unnamed.bit_count(), pung_sets(unnamed, reading.facts.kongs)
        elif fan.shows:
            tiles = fan.shows(reading)
        else:
            tiles = whole = whole or every_set(reading)
        found.append(ScoredFan(fan.name, fan.english, fan.points, count, tiles))
    return found


def left_out(table: FanTable, outcome: Outcome) -> list[LeftOut]:
    """The fans that the hand shows and that are not counted, each with the standing fan and the rule in its
    way."""
    dropped = outcome.shown & outcome.kept ^ outcome.shown
    found = []
    for _, fan in _fans_of(table, outcome.kept):
        notes = table.dropped[fan.name]
        for other in notes if dropped else ():
            if dropped & other:
                found.append(notes[other])
                dropped ^= other
        if (
            outcome.named
            and fan.named_pungs
            and fan.named_pungs(outcome.reading) & outcome.reading.pungs & ORPHANS
        ):
            found.append(LeftOut(table.unnamed_pung_name, fan.name, NAMED_ELSEWHERE))
    refused = (*outcome.chows.refused, *outcome.pungs.refused)
    return found + [note for note in refused if outcome.kept & table.bits[note.by]]


def _fans_of(table: FanTable, bits: int) -> Iterator[tuple[int, Fan]]:
    while bits:
        bit = bits & -bits
        yield bit, table.fans[bit.bit_length() - 1]
        bits ^= bit


def _pick(sets: Sets, places: list[int]) -> Sets:
    return tuple([sets[place] for place in places])
