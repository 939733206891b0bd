"""Totals against PyMahjongGB, a C++ calculator of the 2025 reading, on random legal hands of all shapes.

`python tests/benchmarks/bench_scoring.py` does the same on 20 000 hands.
"""

from __future__ import annotations

import pytest
from benchmarks.winning_hands import for_pymahjonggb, winning_hands

from scoring import score

calculator = pytest.importorskip("MahjongGB", reason="PyMahjongGB is not installed: pip install PyMahjongGB")


def test_totals_agree() -> None:
    hands = winning_hands(seed=9, count=3000)
    wrong = []
    scored = set()
    for hand in hands:
        answer = score(hand)
        total = sum(points for points, _ in calculator.MahjongFanCalculator(**for_pymahjonggb(hand)))
        scored |= {fan.name for fan in answer.fans}
        if answer.total != total:
            wrong.append((str(hand), answer.total, total))
    assert not wrong
    assert len(scored) > 70  # the hands show most of the table
