"""The Cantonese rule set: from a hand to 番, 分 and payment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from scoring.explain import explain
from scoring.fans import Fan
from scoring.hand import Hand, MeldKind
from scoring.legality import NO_SHAPE, Problem
from scoring.options import DEALER, DISCARDER, Option, cap_option, wind_option
from scoring.payment import Payer, pay
from scoring.reading import Facts, Reading, readings
from scoring.result import LeftOut, Score, ScoredFan
from scoring.rules.fan_rules import TAKE_HIGHEST, FanRules
from scoring.rules.jipinghu.fans import (
    BONUS_NAMES,
    BONUSES,
    BOTH_SHAPES,
    FIRST_ROUND_FAN,
    FIRST_ROUND_NAMES,
    HANDS,
)
from scoring.situation import Situation
from scoring.table import FanTable
from scoring.tiles import DRAGONS, WINDS

EXPOSED_SETS = 4  # twelve tiles on the table
NO_BONUS = "爆和: to a hand above the cap nothing is added"
ABOVE_BURST = "爆和: the sum of a small hand stops at {cap} 番"
MOST_FAN = 100  # 番: 分 double with each, and after a hundred have fewer than forty digits
_KEPT = 64  # compiled tables, at most: anybody who asks may choose other figures
BURST = 3  # 番 at which small hands stop growing (爆和)
FIRST_ROUND = ("heavenly-hand", "earthly-hand", "humanly-hand")

RESPONSIBLE = wind_option(
    "responsible",
    "the seat that pays all three shares of a self-drawn win (包): it fed the twelfth exposed tile, the "
    "third dragon pung, the fourth wind pung, or the kong whose replacement won",
    "包自摸的座位：喂成十二张落地、第三副箭刻、第四副风刻，或点杠后杠上开花",
)
OPTIONS = (
    cap_option(
        BURST,
        "番 at which a small hand stops growing (爆和)",
        "爆和番数：四番以下的牌累计到此为止",
        MOST_FAN,
    ),
    Option(
        name="first_round_fan",
        default=FIRST_ROUND_FAN,
        highest=MOST_FAN,
        about="番 of 天和, 地和 and 人和",
        about_zh="天和、地和、人和的番数",
    ),
    Option(name="kong_fan", default=0, about="番 that each kong adds to a small hand", about_zh="每杠加番"),
    Option(
        name="base",
        default=1,
        lowest=1,
        about="分 of a hand without 番; each 番 doubles it",
        about_zh="零番的分值，每番翻倍",
    ),
    DEALER,
    DISCARDER,
    RESPONSIBLE,
)


def sets_or_orphans(facts: Facts) -> list[Reading]:
    """The readings that win here: no seven pairs, nothing knitted."""
    return [reading for reading in readings(facts) if not reading.straight and reading.shape in BOTH_SHAPES]


@dataclass(frozen=True, kw_only=True, eq=False)
class Cantonese(FanRules):
    """`jipinghu`: 番 under `fan`, 分 under `total`."""

    def score(self, hand: Hand, edition: str, situation: Situation) -> Score:
        facts = Facts(hand, situation)
        problems = self.problems_of(facts)
        cap = situation.number("cap")
        usual, chosen = (said.number("first_round_fan") for said in (self.nothing_said, situation))
        table = _compile(self.fans[edition], cap, usual, chosen)
        outcome = None if problems else table.best(facts)
        if outcome is None:
            return self.refused(hand, edition, problems or [NO_SHAPE])
        found, excluded = explain(table, outcome)
        fan = outcome.points
        kept, cut = _within(found, fan, ABOVE_BURST.format(cap=cap))
        total = situation.number("base") << fan

        def share(payer: Payer) -> int:
            if hand.self_drawn:
                return total
            return (3 * total if hand.kong else total) if payer.discarder else 0

        settlement, payments = pay(hand, situation, share, situation.text("responsible"))
        return Score(
            hand,
            self.name,
            edition,
            total,
            self.nothing_said.number("minimum"),
            wins=True,
            legal=True,
            fans=tuple(kept),
            excluded=tuple(excluded + cut),
            settlement=settlement,
            payments=payments,
            fan=fan,
        )

    def settled(self) -> Self:
        usual = self.nothing_said.number("first_round_fan")
        fans = {
            edition: _with_first_round(fans, FIRST_ROUND_FAN, usual) for edition, fans in self.fans.items()
        }
        return replace(self, fans=fans)

    def contradicted(self, facts: Facts) -> list[Problem]:
        return super().contradicted(facts) + _irresponsible(facts)


def _with_first_round(fans: tuple[Fan, ...], usual: int, chosen: int) -> tuple[Fan, ...]:
    """天和, 地和 and 人和 at the points chosen, where house rules gave them none of their own."""
    if usual == chosen:
        return fans
    return tuple(
        replace(fan, points=chosen) if fan.name in FIRST_ROUND_NAMES and fan.points == usual else fan
        for fan in fans
    )


@lru_cache(maxsize=_KEPT)
def _compile(fans: tuple[Fan, ...], cap: int, usual: int, chosen: int) -> FanTable:
    """The table in which the highest hand drops all lower ones, and a hand above the cap the bonuses. `usual`
    and `chosen`: see `_with_first_round`."""
    hands = [fan for fan in _with_first_round(fans, usual, chosen) if fan.name not in BONUS_NAMES]
    hands = sorted(hands, key=lambda fan: (-fan.points, fan.number))
    bonuses = [fan for fan in fans if fan.name in BONUS_NAMES]
    placed: list[Fan] = []
    big = 0
    for place, fan in enumerate(hands):
        drops = {lower.name: TAKE_HIGHEST for lower in hands[place + 1 :]}
        if fan.points > cap:
            drops.update({bonus.name: NO_BONUS for bonus in bonuses})
            big |= 1 << place
        placed.append(replace(fan, drops=drops))
    return FanTable(
        [*placed, *bonuses],
        read=sets_or_orphans,
        limit=lambda kept, points: int(points if kept & big else min(points, cap)),
    )


def _within(fans: Sequence[ScoredFan], most: int, rule: str) -> tuple[list[ScoredFan], list[LeftOut]]:
    """The fans as far as they fit under the cap, and those beyond."""
    kept: list[ScoredFan] = []
    cut = []
    for fan in fans:
        room = most - sum(other.points * other.count for other in kept)
        count = min(fan.count, room // fan.points) if fan.points else fan.count
        if count:
            kept.append(fan._replace(count=count))
        if count < fan.count:
            cut.append(LeftOut(fan.name, kept[0].name, rule))
    return kept, cut


def _irresponsible(facts: Facts) -> list[Problem]:
    """Why nobody can be responsible for this win, though somebody is said to be."""
    hand = facts.hand
    seat = facts.situation.text("responsible")
    if seat is None:
        return []
    if seat == hand.seat:
        message = f"The winner sits {hand.seat} and cannot be responsible as well."
    elif not hand.self_drawn:
        message = "Responsibility (包) is for a self-drawn win; on a discard the discarder pays anyhow."
    elif not _was_fed(facts):
        message = (
            "Nobody is responsible (包) for this hand: it shows neither four exposed melds, three exposed "
            "dragon pungs, four exposed wind pungs, nor a win on the replacement of a kong that was fed."
        )
    else:
        return []
    return [Problem("responsibility-contradicted", message)]


def _was_fed(facts: Facts) -> bool:
    exposed = facts.pungs ^ facts.hidden_kongs
    fed_kong = any(meld.kind is MeldKind.MELDED_KONG for meld in facts.hand.melds)
    return (
        facts.exposed == EXPOSED_SETS
        or (exposed & DRAGONS).bit_count() == 3
        or (exposed & WINDS).bit_count() == 4
        or (facts.on_kong and fed_kong)
    )


RULES = Cantonese(
    name="jipinghu",
    english="Cantonese, chicken and all-chows hands",
    chinese="鸡平胡",
    fans={"standard": (*HANDS, *BONUSES)},
    default_edition="standard",
    events=(*FIRST_ROUND, "three-winners"),
    options=OPTIONS,
    texts=("mcr", "extras", "jipinghu"),
    most_points=MOST_FAN,
    summary="The highest hand counts; below 4 番 bonuses are added up to 3 番 (爆和). 分 doubles with "
    "each 番.",
    summary_zh="只取最高牌型；四番以下另加番，至三番爆和。分为2的番数次方。",
)
