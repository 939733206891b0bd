"""Chinese Official mahjong (国标麻将, MCR): 81 fans, 82 in the edition of 2025."""

from __future__ import annotations

from scoring.rules.mcr.rules import RULES

__all__ = ["RULES"]
