"""How many hands a second one process scores, beside PyMahjongGB (C++) and the riichi package `mahjong`
(Python).

    python tests/benchmarks/bench_scoring.py [--hands 20000] [--seed 2025] [--wild 300]

The hands are random, legal, of all shapes, with melds, flags and flowers, and all different; every total is
compared with PyMahjongGB's. Each calculator gets its own kind of input, made before the clock starts; parsing
is timed apart. For `scoring` the whole answer is timed (fans with their sets, what is left out and why, the
payment), for the others their list of fans or yaku. `mahjong` knows no knitted hands and no flowers: it gets
the hands it can read, as riichi hands. The other rule sets get the same hands, as far as they can occur
there, and `dazhong` hands with four wild tiles besides, one at a time.

Rates by CPU time and by wall time; on a busy machine the CPU rate of the fastest tenth of the hands comes
nearest to what an idle one does. `first 5000 hands` starts with empty caches, the next line goes on as a
running service would. The caches keep parts of hands (one suit taken apart, the chows of a hand combined),
never a whole hand.

What limits the speed: some sixty small conditions are asked of a hand, and the words of the answer cost
almost as much as the decision. Tables from whole hands to totals would be faster, and could not say why.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from calculators import pymahjonggb, pymahjonggb_calls, riichi, riichi_calls, totals_that_differ
from machine import headline
from winning_hands import winning_hands

from scoring import RULE_SETS, Hand, parse_hand, rule_set, score
from scoring.splits import group_splits, group_waits, take_apart
from scoring.tiles import KINDS
from scoring.wild import suit_completions

WILD = "C"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2025)
    parser.add_argument("--wild", type=int, default=300, help="hands with four wild tiles")
    arguments = parser.parse_args()
    hands = winning_hands(arguments.seed, arguments.hands)
    others = winning_hands(arguments.seed + 1, 5000)
    texts = [str(hand) for hand in hands]
    assert len(set(texts)) == len(hands)
    gc.collect()
    gc.freeze()  # the inputs are no part of what a calculator allocates
    print(f"{len(hands)} different hands, seed {arguments.seed}; {headline()}")
    print(f"{'hands per second':34}{'hands':>8}{'CPU':>10}{'best tenth':>12}{'wall':>10}")
    report(f"scoring, first {len(others)} hands", score, others)
    report("scoring", score, hands)
    report("scoring, parsing the notation", parse_hand, texts)
    for name in RULE_SETS[1:]:
        report(f"scoring, {name}", lambda hand, name=name: score(hand, name), hands_of(name, hands))
    report_wild(arguments.seed, arguments.wild)
    wrong = compare_with_pymahjonggb(hands)
    time_riichi(hands)
    return wrong


def report(name: str, function: Callable[[Any], object], inputs: Sequence[Any]) -> None:
    """Time one pass over the inputs, in tenths."""
    size = -(-len(inputs) // 10)
    tenths = [inputs[start : start + size] for start in range(0, len(inputs), size)]
    wall, times = time.perf_counter(), []
    for tenth in tenths:
        start = time.process_time()
        for item in tenth:
            function(item)
        times.append(time.process_time() - start)
    wall = time.perf_counter() - wall
    best = max(len(tenth) / seconds for tenth, seconds in zip(tenths, times, strict=True))
    count = len(inputs)
    print(f"{name:34}{count:>8}{count / sum(times):>10,.0f}{best:>12,.0f}{count / wall:>10,.0f}")


def hands_of(name: str, hands: Sequence[Hand]) -> list[Hand]:
    """The hands that can occur under a rule set; in `fuzhou` winds and dragons are no part of a hand."""
    rules = rule_set(name)
    return [hand for hand in hands if not rules.problems(hand)]


def report_wild(seed: int, count: int) -> None:
    """Time hands with four wild tiles under `dazhong`, each with empty caches, and name the slowest."""
    random = Random(seed)
    themes = [KINDS[:9]] * 4 + [KINDS[:18], KINDS[:27], KINDS]
    score("1112345678999m1m", "dazhong")  # compiles the table
    gc.collect()
    gc.freeze()  # what the rows before have left is no part of a hand's time
    times = []
    for _ in range(count):
        theme = [tile for tile in random.choice(themes) if tile != WILD]
        tiles = random.sample([tile for tile in theme for _ in range(4)], 10)
        hand = Hand((), (*tiles, WILD, WILD, WILD), WILD, self_drawn=random.random() < 0.5)
        for cached in (take_apart, group_splits, group_waits, suit_completions):
            cached.cache_clear()
        start = time.process_time()
        score(hand, "dazhong", wild=WILD)
        times.append((time.process_time() - start, str(hand)))
    times.sort()
    (median, _), (worst, hand_text) = times[len(times) // 2], times[-1]
    print(f"four wild tiles, {count} hands: median {median * 1000:.1f} ms, worst {worst * 1000:.1f} ms CPU")
    print(f"  the slowest: {hand_text} --wild {WILD}")


def compare_with_pymahjonggb(hands: Sequence[Hand]) -> int:
    """Time PyMahjongGB and count the hands on which it gives another total."""
    try:
        function = pymahjonggb()
    except ImportError:
        print("PyMahjongGB is not installed: pip install PyMahjongGB")
        return 0
    calls = pymahjonggb_calls(hands)
    report("PyMahjongGB (C++)", function, calls)
    wrong = totals_that_differ(hands, calls)
    for hand, ours, theirs in wrong:
        print(f"  {hand}: {ours}, PyMahjongGB {theirs}")
    print(f"  totals that differ from PyMahjongGB's: {len(wrong)}")
    return int(bool(wrong))


def time_riichi(hands: Iterable[Hand]) -> None:
    try:
        function = riichi()
    except ImportError:
        print("The riichi package is not installed: pip install mahjong")
        return
    report("mahjong (riichi, Python)", function, riichi_calls(hands))


if __name__ == "__main__":
    sys.exit(main())
