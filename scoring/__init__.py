"""Mahjong hands and what they are worth: notation, legality, readings, fans, payment. Pure Python, no
dependencies.

>>> answer = score("[444s,1]1112378999s1s|EE1000|a")
>>> answer.total, answer.legal, answer.settlement.winner
(30, True, 114)
>>> for fan in answer.fans:
...     print(fan.name, fan.english, fan.points, fan.count)
清一色 Full Flush 24 1
四归一 Tile Hog 2 1
老少副 Two Terminal Chows 1 1
幺九刻 Pung of Terminals or Honors 1 1
自摸 Self-Drawn 1 1
花牌 Flower Tiles 1 1
>>> hand = parse_hand("[ESW,1]12345678m1p1p")
>>> [problem.code for problem in problems(hand)]
['wrong-tile-count', 'not-a-chow']
>>> waits(["2m", "3m", "5p", "5p"], melds=3)
('1m', '4m')
"""

from scoring.hand import Hand, Meld, MeldKind
from scoring.house import load_rules
from scoring.legality import Problem, problems
from scoring.nearness import Exchange, exchanges, shortfall
from scoring.notation import NotationError, format_hand, parse_hand
from scoring.result import LeftOut, Payment, Score, ScoredFan, Settlement
from scoring.rules.base import RULE_SETS, RulesError, RuleSet, rule_set, score
from scoring.shapes import waits, winning_shape
from scoring.tiles import TILES, is_chow, is_kong, is_pung

__all__ = [
    "RULE_SETS",
    "TILES",
    "Exchange",
    "Hand",
    "LeftOut",
    "Meld",
    "MeldKind",
    "NotationError",
    "Payment",
    "Problem",
    "RuleSet",
    "RulesError",
    "Score",
    "ScoredFan",
    "Settlement",
    "exchanges",
    "format_hand",
    "is_chow",
    "is_kong",
    "is_pung",
    "load_rules",
    "parse_hand",
    "problems",
    "rule_set",
    "score",
    "shortfall",
    "waits",
    "winning_shape",
]
