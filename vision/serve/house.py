"""House rules that the server was started with: offered by name beside the rule sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from scoring.house import house_rules
from scoring.rules.base import RULE_SETS
from scoring.rules.fan_rules import RulesError
from vision.serve.catalogue import described, rules_answer
from vision.serve.evening import DEALER_STAYS

Request = TypeVar("Request", bound=BaseModel)


class HouseRules:
    """House rules by name."""

    def __init__(self, files: Sequence[Mapping[str, Any]] = ()) -> None:
        """files: as `scoring.house.read_rules` answers. Raises scoring.RulesError for a taken name."""
        self._files: dict[str, dict[str, Any]] = {}
        for file in files:
            name = str(file["name"])
            if name in self._files or name in RULE_SETS:
                raise RulesError(f"Two rule sets have the name '{name}': write another `name` in the file.")
            self._files[name] = dict(file)

    def meant(self, request: Request) -> Request:
        """The request with what its `rules` stand for, where they are the name of house rules."""
        file = self._files.get(getattr(request, "rules", ""))
        if file is None or getattr(request, "house", None) is not None:
            return request
        return request.model_copy(update={"rules": file["start"], "house": file})

    def answer(self) -> dict[str, Any]:
        """The rule sets, then these."""
        return {"rule_sets": [*rules_answer()["rule_sets"], *map(_described, self._files.values())]}


def _described(file: Mapping[str, Any]) -> dict[str, Any]:
    rules, start = house_rules(file), file["start"]
    return {
        **described(rules, DEALER_STAYS[start]),
        "summary": {"en": f"House rules that start from {start}.", "zh": f"自家规则，以 {start} 为基础。"},
    }
