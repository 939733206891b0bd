"""The search for joint readings against every reading there is, and the limits that the rules set."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scoring.tiles import TILES
from vision import priors
from vision.decode import Rules, decode, row_order
from vision.melds import FLOWERS, Choice, Node, segment

RULES = Rules(win=priors.WINS)


def node(tile: int, **odds: float) -> Node:
    """A concealed tile; keyword `m5=0.9` is 90 % for 5m."""
    choices = []
    for key, p in odds.items():
        name = key[1:] + key[0] if len(key) == 2 else key
        kind = "flowers" if name in FLOWERS else "concealed"
        choices.append(Choice((name,), float(np.log(p)), kind))
    return Node((tile,), tuple(sorted(choices, key=lambda choice: -choice.log)))


def sure(names: str) -> list[Node]:
    return [node(k, **{name[::-1] if len(name) == 2 else name: 0.99}) for k, name in enumerate(names.split())]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("chain", [False, True])
def test_the_best_reading_is_the_best_of_all(seed: int, chain: bool) -> None:
    rng = np.random.default_rng(seed)
    nodes = sure("1m 2m 3m 4p 5p 6p 7s 8s 9s")
    for k in range(9, 14):
        names = rng.choice(34, 3, replace=False)
        odds = np.log(rng.dirichlet([2, 1, 1]))
        choices = [Choice((TILES[n],), float(p), "concealed") for n, p in zip(names, odds, strict=True)]
        nodes.append(Node((k,), tuple(sorted(choices, key=lambda choice: -choice.log))))
    chained = [False] + [chain] * 13

    def total(choices: tuple[Choice, ...]) -> float:
        names = [choice.names[0] for choice in choices]
        over = sum(max(names.count(name) - 4, 0) for name in set(names))
        log = sum(choice.log for choice in choices) + priors.FIFTH_COPY * over
        return log + (row_order(names) if chain else 0.0) + RULES.whole_hand(choices)

    every = [total(choices) for choices in itertools.product(*(n.choices for n in nodes))]
    assert decode(nodes, chained, RULES)[0].total == pytest.approx(max(every))


@pytest.mark.parametrize(
    ("row", "odds"),
    [
        ("5m 5m", priors.FOLLOWS_SAME),
        ("E E", priors.FOLLOWS_SAME),
        ("5m 6m", priors.FOLLOWS_UP),
        ("6m 5m", priors.FOLLOWS_DOWN),
        ("5m 7m", priors.FOLLOWS_SKIP),
        ("7m 5m", priors.FOLLOWS_OTHER),
        ("5m 6p", priors.FOLLOWS_OTHER),
        ("E S", priors.FOLLOWS_OTHER),
        ("5m ?", 0.0),
        ("5m 6m 6m 4p", priors.FOLLOWS_UP + priors.FOLLOWS_SAME + priors.FOLLOWS_OTHER),
    ],
)
def test_what_lies_beside_what(row: str, odds: float) -> None:
    assert row_order(row.split()) == pytest.approx(odds)


def test_no_fifth_copy_and_no_second_flower_of_a_kind() -> None:
    nodes = [*sure("5m 5m 5m 5m"), node(4, m5=0.9, m6=0.1), node(5, a=0.9, b=0.1), node(6, a=0.9, b=0.1)]
    names = [choice.names[0] for choice in decode(nodes, [False] * 7, RULES)[0].choices]
    assert names.count("5m") == 4
    assert sorted(names[5:]) == ["a", "b"]


def test_a_kong_takes_all_four_copies() -> None:
    kong = Node((0, 1, 2, 3), (Choice(("8p",) * 4, -0.1, "kong"),))
    outcome = decode([kong, node(4, p8=0.9, p6=0.1)], [False, False], RULES)[0]
    assert outcome.choices[1].names == ("6p",)


def test_a_fifth_copy_read_beyond_doubt_is_reported() -> None:
    nodes = [*sure("5m 5m 5m 5m"), node(4, m5=0.99999, m6=0.00001)]
    assert decode(nodes, [False] * 5, RULES)[0].choices[4].names == ("5m",)


def test_a_win_is_worth_its_odds_and_no_more() -> None:
    start = sure("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E W")
    close = [*start, node(13, W=0.03, N=0.97)]
    clear = [*start, node(13, W=0.0005, N=0.9995)]
    assert decode(close, [False] * 14, RULES)[0].choices[-1].names == ("W",)
    assert decode(clear, [False] * 14, RULES)[0].choices[-1].names == ("N",)


def test_nothing_is_returned_below_what_is_asked_for() -> None:
    nodes = sure("1m 2m 3m")
    best = decode(nodes, [False] * 3, RULES)[0].total
    assert decode(nodes, [False] * 3, RULES, at_least=best + 10) == []


def rows_of(names: str, sure: float = 0.99) -> np.ndarray:
    rows = np.full((len(names.split()), 42), (1 - sure) / 42)
    for k, name in enumerate(names.split()):
        rows[k, TILES.index(name)] += sure
    return np.log(rows)


@pytest.mark.parametrize(
    ("row", "melds"),
    [
        ("8m 7m 9m 2p 2p 2p", ["chow 8m 7m 9m", "pung 2p 2p 2p"]),
        ("e a F F F F 3s 2s 4s", ["flowers e", "flowers a", "kong F F F F", "chow 3s 2s 4s"]),
        ("1p 1p 1p 1p 2p 3p", ["pung 1p 1p 1p", "chow 1p 2p 3p"]),
        ("2m 4m 3m 3m 2m 4m", ["chow 2m 4m 3m", "chow 3m 2m 4m"]),
        ("5s 6s 7s b 7s 6s 8s", ["chow 5s 6s 7s", "flowers b", "chow 7s 6s 8s"]),
    ],
)
def test_a_row_of_melds_is_cut_by_its_tiles(row: str, melds: list[str]) -> None:
    logs = rows_of(row)
    count = len(logs)
    best = segment(range(count), logs, np.zeros(count, dtype=bool), [0.0] * (count - 1))[0]
    assert [f"{n.choices[0].kind} {' '.join(n.choices[0].names)}" for n in best.nodes] == melds
    assert best.strays == 0


def test_a_meld_repairs_a_misread_tile() -> None:
    logs = rows_of("6p 8p 8p 5m 6m 7m", sure=0.7)
    best = segment(range(6), logs, np.zeros(6, dtype=bool), [0.0] * 5)[0]
    assert best.nodes[0].choices[0].names == ("8p", "8p", "8p")


def test_a_tile_beside_a_pung_that_fits_nothing_is_no_fourth() -> None:
    best = segment(range(4), rows_of("8m 8m 8m N", sure=0.9999), np.zeros(4, dtype=bool), [0.0] * 3)[0]
    assert [node.choices[0].kind for node in best.nodes] == ["pung", "other"]


def test_a_gap_counts_against_a_meld_across_it() -> None:
    logs, none = rows_of("3s 4s 5s 4s 5s"), np.zeros(5, dtype=bool)
    left = segment(range(5), logs, none, [0.0, 0.0, 1.0, 0.0])[0]
    right = segment(range(5), logs, none, [1.0, 1.0, 0.0, 0.0])[0]
    assert [len(node.tiles) for node in left.nodes] == [3, 1, 1]
    assert [len(node.tiles) for node in right.nodes][:2] == [1, 1]


def test_a_row_that_can_hardly_be_read_still_has_a_reading() -> None:
    rng = np.random.default_rng(0)
    nodes = []
    for k in range(17):
        names = rng.choice(34, 6, replace=False)
        odds = np.log(rng.dirichlet(np.full(6, 50.0)))
        choices = [Choice((TILES[n],), float(p), "concealed") for n, p in zip(names, odds, strict=True)]
        nodes.append(Node((k,), tuple(sorted(choices, key=lambda choice: -choice.log))))
    outcomes = decode(nodes, [False] + [True] * 16, RULES)
    assert [len(outcome.choices) for outcome in outcomes[:1]] == [17]
