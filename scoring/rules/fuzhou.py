"""`fuzhou` (福州): flowers, which winds and dragons are too, and gold tiles that stand for any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from scoring.fans import FactsFan
from scoring.hand import Hand
from scoring.legality import COPIES, EIGHT_FLOWERS, NO_SHAPE, Problem, facts_problems
from scoring.options import DEALER, DISCARDER, SUITED_KINDS, Option
from scoring.payment import Payer, pay
from scoring.reading import Facts
from scoring.result import LeftOut, Score, ScoredFan
from scoring.rules.extras import PLANTS, SEASONS
from scoring.rules.fan_rules import TAKE_HIGHEST, FanRules
from scoring.situation import Situation
from scoring.tiles import GROUPS, HONOR_NAMES, HONORS, UNIT
from scoring.wild import completions, count_wild, named_hand, stands_for, without_wild

SOURCE = "Fuzhou table with gold (福州麻将)"
FLOWERS = {**EIGHT_FLOWERS, **dict.fromkeys(HONOR_NAMES, 4)}
SUITS = GROUPS[:3]
GOLD_TILES = 3  # the fourth was turned up
OF_ALL_FOUR = 2  # flowers that four of a kind, or of a family, are worth besides themselves


@dataclass(frozen=True, slots=True)
class Win:
    """What the fans look at. `gold` counts the gold tiles; `pair`: two of them can be the pair; `shape`: the
    tiles make sets and a pair; `plain`: there is neither flower nor kong."""

    facts: Facts
    gold: int
    pair: bool
    shape: bool
    plain: bool


def special(number: int, name: str, english: str, points: int, when: Callable[[Win], bool]) -> FactsFan:
    return FactsFan(number=number, name=name, english=english, points=points, source=SOURCE, when=when)


SPECIAL = (
    special(1, "金雀", "Golden Pair", 60, lambda win: win.pair),
    special(2, "三金倒", "Three Gold", 40, lambda win: win.gold == GOLD_TILES),
    special(3, "抢金", "Robbing the Gold", 30, lambda win: win.shape and "robbing-gold" in win.facts.events),
    special(4, "平胡", "Plain Hand", 30, lambda win: win.shape and win.plain),
)
"""The special hands, of which the highest counts."""
NO_FLOWER = special(5, "无花加番", "No Flower", 10, lambda win: win.plain)
PLAIN = "平胡"

OPTIONS = (
    Option(
        name="gold",
        default=None,
        takes=SUITED_KINDS,
        about="the kind turned up at the start; its other three tiles are wild",
        about_zh="翻出的金牌；其余三张可当任意牌",
    ),
    Option(
        name="sets",
        default="4",
        takes=("4", "5"),
        about="sets besides the pair; 5 at the sixteen-tile table",
        about_zh="面子数；十六张麻将为5",
    ),
    Option(name="stake", default=1, lowest=1, about="what a flower is worth (底分)", about_zh="底分"),
    Option(
        name="streak",
        default=0,
        about="how often the dealer has stayed (连庄); each counts and doubles like a flower",
        about_zh="连庄次数，每次按一花计",
    ),
    DEALER,
    DISCARDER,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Fuzhou(FanRules):
    """`fuzhou`: 番 under `fan`, flowers under `flowers`, what one payer pays under `total`."""

    def score(self, hand: Hand, edition: str, situation: Situation) -> Score:
        facts = Facts(hand, situation)
        problems = self.problems_of(facts)
        if problems:
            return self.refused(hand, edition, problems)
        gold = situation.text("gold")
        golds = count_wild(hand, gold) if gold else 0
        tiles = without_wild(hand, gold) if gold else facts.concealed
        pair = completed(tiles, golds - 2, pair=False) if golds >= 2 else None
        whole = completed(tiles, golds)
        win = Win(facts, golds, pair is not None, whole is not None, not (hand.flower_count or facts.kongs))
        fans = sorted(
            (fan for fan in self.fans[edition] if fan.name != NO_FLOWER.name), key=lambda fan: -fan.points
        )
        shown = [fan for fan in fans if isinstance(fan, FactsFan) and fan.when(win)]
        if not win.shape and not shown:
            return self.refused(hand, edition, [NO_SHAPE])
        if gold and not hand.self_drawn and waits_on_any(hand, gold):
            return self.refused(hand, edition, [ANY_TILE])
        if win.shape and gold and golds:
            added = whole if pair is None or shown[0].name != "金雀" else pair + 2 * UNIT[gold]
            assert added is not None
            named = named_hand(hand, gold, added)
        else:
            named = None
        return self._answer(win, edition, shown, named)

    def problems_of(self, facts: Facts) -> list[Problem]:
        sets = int(facts.situation.text("sets") or 4)
        found = facts_problems(facts, sets, FLOWERS) + self.contradicted(facts)
        if facts.tiles & HONORS:
            message = (
                "Winds and dragons are flowers here: write them behind the circumstances, like |EE1000|EC."
            )
            found.append(Problem("flower-in-hand", message))
        gold = facts.situation.text("gold")
        return found + (_gold_problems(facts.hand, gold) if gold else [])

    def _answer(self, win: Win, edition: str, shown: list[FactsFan], named: Hand | None) -> Score:
        hand, situation = win.facts.hand, win.facts.situation
        fans = [ScoredFan(fan.name, fan.english, fan.points, 1, ()) for fan in shown[:1]]
        excluded = [LeftOut(fan.name, shown[0].name, TAKE_HIGHEST) for fan in shown[1:]]
        if shown and shown[0].name != PLAIN and win.plain:
            bonus = [fan for fan in self.fans[edition] if fan.name == NO_FLOWER.name]
            fans += [ScoredFan(fan.name, fan.english, fan.points, 1, ()) for fan in bonus]
        fan = sum(found.points for found in fans)
        stake, streak = situation.number("stake"), situation.number("streak")
        flowers = count_flowers(win.facts)
        doubled = bool(fans) or hand.self_drawn
        worth = 2 * stake if doubled else stake
        dealer_wins = hand.seat == "E"

        def share(payer: Payer) -> int:
            stayed = worth * streak if dealer_wins or payer.dealer else 0
            if doubled or payer.discarder:
                return worth * flowers + stake * fan + stayed
            return 0 if dealer_wins else stayed

        settlement, payments = pay(hand, situation, share)
        return Score(
            hand,
            self.name,
            edition,
            worth * (flowers + streak) + stake * fan,
            0,
            wins=True,
            legal=True,
            fans=tuple(fans),
            excluded=tuple(excluded),
            settlement=settlement,
            payments=payments,
            fan=fan,
            flowers=flowers + streak,
            stands_for=stands_for(hand, situation.text("gold"), named),
            named=named,
        )


def count_flowers(facts: Facts) -> int:
    """Flowers, kongs, and complete fours of flowers; not how often the dealer stayed."""
    hand = facts.hand
    hidden = facts.hidden_kongs.bit_count()
    fours = [tile for tile, count in Counter(hand.flowers).items() if count == FLOWERS.get(tile) == 4]
    families = [family for family in (SEASONS, PLANTS) if set(family) <= set(hand.flowers)]
    kongs = facts.kongs.bit_count() + hidden
    return hand.flower_count + kongs + OF_ALL_FOUR * (len(fours) + len(families))


ANY_TILE = Problem(
    "any-tile-wait", "A hand that waits on any tile (跑百搭) wins by self-draw only, not on a discard."
)


def completed(tiles: int, golds: int, *, pair: bool = True) -> int | None:
    """What gold tiles stand for to complete packed concealed tiles to sets and a pair (`pair` False: to sets
    alone); None if they cannot. Gold may be a fifth tile of a kind, and is not where it need not be."""
    for fifth in (False, True):
        for added in completions(tiles, golds, pair=pair, groups=SUITS, fifth=fifth):
            return added
    return None


def waits_on_any(hand: Hand, gold: str) -> bool:
    """Whether every kind that can still come completes the tiles that were held before the winning one."""
    golds = hand.concealed.count(gold)
    if not golds:
        return False
    tiles = sum(UNIT[tile] for tile in hand.concealed if tile != gold)
    return all(
        completed(tiles + UNIT[kind], golds) is not None
        for kind in SUITED_KINDS
        if kind != gold and hand.concealed.count(kind) < COPIES
    )


def _gold_problems(hand: Hand, gold: str) -> list[Problem]:
    found = []
    melded = sum(meld.tiles.count(gold) for meld in hand.melds)
    if melded:
        found.append(Problem("wild-in-meld", f"A meld holds the gold tile {gold}; gold stays concealed."))
    held = melded + count_wild(hand, gold)
    if held > GOLD_TILES:
        message = f"The hand holds {held} gold tiles {gold}; one was turned up, so there are three."
        found.append(Problem("too-many-gold", message))
    return found


RULES = Fuzhou(
    name="fuzhou",
    english="Fuzhou, with flowers and gold",
    chinese="福州麻将",
    fans={"standard": (*SPECIAL, NO_FLOWER)},
    default_edition="standard",
    events=("robbing-gold",),
    options=OPTIONS,
    texts=("fuzhou",),
    honours_are_flowers=True,
    summary="Flowers f and fans n: a special hand is paid stake x (2f + n) by each, a self-drawn one "
    "stake x 2f by each, a discard stake x f.",
    summary_zh="花数f、番数n：特殊牌型三家各付底分×(2f+n)，自摸三家各付底分×2f，捉铳由放铳者付底分×f。",
)
