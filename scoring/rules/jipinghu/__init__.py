"""The Cantonese table 鸡平胡: the highest hand counts, bonuses raise small ones up to 爆和."""

from __future__ import annotations

from scoring.rules.jipinghu.rules import RULES

__all__ = ["RULES"]
