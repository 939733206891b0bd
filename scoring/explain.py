"""Telling in words what a reading scored: fans with the sets that made them, fans left out with the
reason."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.fans import Fan
from scoring.result import LeftOut, ScoredFan, Sets
from scoring.sets import KONG_TILES, PUNG_TILES, every_set, pung_sets
from scoring.table import FanTable, Outcome
from scoring.tiles import ALL, CHOW_TILES, ORPHANS

NAMED_ELSEWHERE = "a terminal or honour pung that another fan is scored for is no 幺九刻 (不重复)"

Standing = Sequence[tuple[int, Fan]]


def explain(table: FanTable, outcome: Outcome) -> tuple[list[ScoredFan], list[LeftOut]]:
    """The fans that stand, those of most points first; and the fans that the hand shows and that are not
    counted, each with the standing fan and the rule in its way."""
    standing = []
    bits = outcome.kept
    while bits:
        bit = bits & -bits
        standing.append((bit, table.fans[bit.bit_length() - 1]))
        bits ^= bit
    return _scored(table, outcome, standing), _left_out(table, outcome, standing)


def _scored(table: FanTable, outcome: Outcome, standing: Standing) -> list[ScoredFan]:
    reading = outcome.reading
    counts = dict(outcome.repeats)
    chow_uses, pung_uses = outcome.chows.uses, outcome.pungs.uses
    whole: Sets = ()
    found = []
    for bit, fan in standing:
        count = counts.get(bit, 1)
        if bit == table.unnamed_pung:
            unnamed = reading.pungs & ORPHANS & (ALL ^ outcome.named)
            count, tiles = unnamed.bit_count(), pung_sets(unnamed, reading.facts.kongs)
        elif fan.shows:
            tiles = fan.shows(reading)
        elif bit in chow_uses:
            tiles = tuple([CHOW_TILES[unit] for unit in chow_uses[bit]])
        elif bit in pung_uses:
            kongs = reading.facts.kongs
            tiles = tuple([(KONG_TILES if kongs & unit else PUNG_TILES)[unit] for unit in pung_uses[bit]])
        else:
            tiles = whole = whole or every_set(reading)
        found.append(ScoredFan(fan.name, fan.english, fan.points, count, tiles))
    return found


def _left_out(table: FanTable, outcome: Outcome, standing: Standing) -> list[LeftOut]:
    found = []
    dropped = outcome.shown & outcome.kept ^ outcome.shown
    if dropped:
        for _, fan in standing:
            for bit, note in table.dropped[fan.name]:
                if dropped & bit:
                    found.append(note)
                    dropped ^= bit
            if not dropped:
                break
    if outcome.named:
        orphans = outcome.reading.pungs & ORPHANS
        found += [
            LeftOut(table.unnamed_pung_name, fan.name, NAMED_ELSEWHERE)
            for _, fan in standing
            if fan.named_pungs and fan.named_pungs(outcome.reading) & orphans
        ]
    refused = outcome.chows.refused + outcome.pungs.refused
    if refused:
        found += [note for note in refused if outcome.kept & table.bits[note.by]]
    return found
