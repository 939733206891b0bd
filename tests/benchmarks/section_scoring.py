"""Hands a second of one process, beside PyMahjongGB and the riichi package `mahjong`; totals that agree."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from calculators import pymahjonggb, pymahjonggb_calls, riichi, riichi_calls, totals_that_differ
from rounds import interleave, ratios, spread
from settings import Settings
from tables import Section, Table
from winning_hands import winning_hands

from scoring import Hand, score

SEED = 2025
HANDS, QUICK_HANDS = 4000, 300
"""In a round; each round has others, the same for all calculators."""


@dataclass(frozen=True)
class Calculator:
    """key: by which it is left out. tells: what the answer holds. needs: what it takes to have it. function:
    the answer to one input. inputs: makes them of hands."""

    name: str
    key: str
    tells: str
    needs: str
    function: Callable[[], Callable[[Any], object]]
    inputs: Callable[[Sequence[Hand]], Sequence[Any]]


OURS = "hupai"
PYMAHJONGGB = "PyMahjongGB"
PEERS = "the extra `peers`"
CALCULATORS = (
    Calculator(
        OURS, OURS, "fans, their sets, reasons, payment", "hupai itself", lambda: score, lambda hands: hands
    ),
    Calculator(PYMAHJONGGB, PYMAHJONGGB, "fans (C++)", PEERS, pymahjonggb, pymahjonggb_calls),
    Calculator("mahjong", "mahjong", "yaku of riichi (Python)", PEERS, riichi, riichi_calls),
)


def measure(settings: Settings) -> Section:
    """Time each calculator that is there, and compare totals."""
    size = QUICK_HANDS if settings.quick else HANDS
    hands = winning_hands(SEED, size * (settings.rounds + 1))
    rounds = [hands[start : start + size] for start in range(0, len(hands), size)]
    missing, runs, read = [], {}, {}
    differing: list[tuple[Hand, int, int]] | None = None
    for calculator in settings.wanted(CALCULATORS):
        try:
            function = calculator.function()
            inputs = [calculator.inputs(some) for some in rounds]
        except ImportError as error:
            missing.append(f"{calculator.name}: {error}; needs {calculator.needs}.")
            continue
        rate(function, inputs[0])  # fills the caches, as a running service has them
        runs[calculator.name] = partial(_next_rate, function, iter(inputs[1:]))
        read[calculator.name] = sum(map(len, inputs)) / len(hands)
        if calculator.name == PYMAHJONGGB:
            differing = totals_that_differ(hands, calculator.inputs(hands))
    gc.collect()
    gc.freeze()  # the inputs are no part of what a calculator allocates
    rates = interleave(runs, settings.rounds)
    gc.unfreeze()
    rows = []
    for calculator in settings.wanted(CALCULATORS):
        if calculator.name not in rates:
            continue
        values = rates[calculator.name]
        agree = "–"
        if calculator.name == PYMAHJONGGB and differing is not None:
            agree = f"{len(hands) - len(differing):,} of {len(hands):,}"
        rows.append((
            calculator.name, calculator.tells, spread(values).told(), ratios(values, rates[OURS]).told(2),
            f"{100 * read[calculator.name]:.0f} %", agree,
        ))  # fmt: skip
    table = Table(
        "Hands scored a second, one process",
        ("calculator", "tells", "hands a second", "times hupai", "of the hands", "totals as hupai"),
        tuple(rows),
        (
            f"Random winning hands of all shapes with melds, flags and flowers, all different, {size} a "
            f"round; by processor time, median of {settings.rounds} rounds (quartiles). `mahjong` gets the "
            "hands that it can read, as riichi hands, whose totals are others.",
            *(f"{hand}: hupai {ours}, PyMahjongGB {theirs}" for hand, ours, theirs in (differing or [])[:5]),
        ),
    )
    data = {
        "hands": len(hands),
        "hands_per_second": rates,
        "totals_that_differ": None if differing is None else len(differing),
    }
    return Section("scoring", (table,), data, tuple(missing))


def rate(function: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    """Inputs a second of processor time."""
    began = time.process_time()
    for item in inputs:
        function(item)
    return len(inputs) / (time.process_time() - began)


def _next_rate(function: Callable[[Any], object], rounds: Any) -> float:
    return rate(function, next(rounds))
