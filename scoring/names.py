"""Fans by any of the names that players and sources use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from scoring.fans import Fan

F = TypeVar("F", bound=Fan)

ALIASES = {
    "嵌张": "坎张",
    "老少配": "老少副",
    "青龙": "清龙",
    "四杠子": "四杠",
    "十八学士": "四杠",
    "国士无双": "十三幺",
    "三元刻": "箭刻",
    "双三元刻": "双箭刻",
    "单钓": "单钓将",
    "258将": "二五八将",
    "两同刻": "双同刻",
    "断幺九": "断幺",
    "和决张": "和绝张",
    "三杠子": "三杠",
}
_CHARACTERS = str.maketrans("么胡", "幺和")


def fan_named(fans: Iterable[F], name: str) -> F | None:
    """The fan of a Chinese or English name or alias; None if there is none."""
    known = {said: fan for fan in fans for said in (fan.english.lower(), fan.name)}
    plain = name.strip().translate(_CHARACTERS)
    for said in (name.strip().lower(), name.strip(), plain, ALIASES.get(name.strip()), ALIASES.get(plain)):
        if said in known:
            return known[said]
    return None
