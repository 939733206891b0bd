"""Mahjong hands and what they are worth: notation, legality, readings, fans, payment. Pure Python, no
dependencies.

>>> answer = score("[456s,1][333s,1][CCCC,2][PPPP]22m5s5s|EE1000|abf")
>>> answer.wins
False
>>> [problem.code for problem in answer.problems]
['wrong-tile-count']
"""

from scoring.hand import Hand, Meld, MeldKind
from scoring.legality import Problem, problems
from scoring.notation import NotationError, format_hand, parse_hand
from scoring.result import LeftOut, Score, ScoredFan, Settlement
from scoring.rules.base import RULE_SETS, RulesError, RuleSet, rule_set, score
from scoring.shapes import waits, winning_shape
from scoring.tiles import TILES, is_chow, is_kong, is_pung

__all__ = [
    "RULE_SETS",
    "TILES",
    "Hand",
    "LeftOut",
    "Meld",
    "MeldKind",
    "NotationError",
    "Problem",
    "RuleSet",
    "RulesError",
    "Score",
    "ScoredFan",
    "Settlement",
    "format_hand",
    "is_chow",
    "is_kong",
    "is_pung",
    "parse_hand",
    "problems",
    "rule_set",
    "score",
    "waits",
    "winning_shape",
]
