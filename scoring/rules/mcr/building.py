"""Shorthand for the fans of the Chinese Official table."""

from __future__ import annotations

from typing import Any, TypeVar

from scoring.fans import Fan

AnyFan = TypeVar("AnyFan", bound=Fan)

CONCEALED_BY_NATURE = "不重复: such a hand is concealed by nature; self-drawn it scores 自摸 (2025 edition)"


def official(
    kind: type[AnyFan], number: int, name: str, english: str, points: int, *, drops: str = "", **details: Any
) -> AnyFan:
    """A fan of the table, `number` its place there. `drops` lists fans that the table, or the practice that
    grew from it, does not count beside this one because it always brings them; `settled` maps others to the
    ruling that drops them."""
    implied = {
        dropped: f"不重复: {dropped} is not counted beside {name} (fan {number})" for dropped in drops.split()
    }
    rules = implied | details.pop("settled", {})
    return kind(
        number=number,
        name=name,
        english=english,
        points=points,
        source=f"Chinese Official rules (1998), table of fans, no. {number}",
        drops=rules,
        **details,
    )


def concealed_by_nature(*more: str) -> dict[str, str]:
    """The rulings for a fan that is always concealed."""
    return dict.fromkeys(("不求人", "门前清", *more), CONCEALED_BY_NATURE)
