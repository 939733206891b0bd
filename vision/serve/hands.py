"""POST /api/score: a hand as text or as groups, scored, with what is missing where it does not win."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoring import parse_hand
from scoring.hand import Hand
from vision.serve.asking import Asked
from vision.serve.schemas import Rules, ScoreRequest

_NAMED = ("wild", "gold", "dealer", "streak", "discarder", "responsible")


def asked(rules: Rules) -> Asked:
    """What a request says of the rules."""
    named = {name: getattr(rules, name) for name in _NAMED}
    options = {name: value for name, value in (rules.options | named).items() if value is not None}
    return Asked(rules.rules, rules.edition, rules.house, tuple(rules.events), options)


def score_answer(request: ScoreRequest) -> dict[str, Any]:
    """The contract's object and the additions of `schemas.ScoreAnswer`.

    Raises scoring.NotationError and scoring.RulesError.
    """
    scorer = asked(request)
    hand = _with_said(parse_hand(request.hand or ""), request)
    score = scorer(hand).to_dict()
    return {**score, "missing": None, "assumed": {}}


def _with_said(hand: Hand, request: ScoreRequest) -> Hand:
    said = {
        "seat": request.seat, "prevalent": request.round, "self_drawn": request.self_drawn,
        "last_copy": request.last_copy, "last_tile": request.last_tile, "kong": request.kong,
    }  # fmt: skip
    return replace(hand, **{name: value for name, value in said.items() if value is not None})
