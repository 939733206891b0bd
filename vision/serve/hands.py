"""A hand as text or as groups, scored; and what is missing where it does not win or is worth too little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring import Exchange, Meld, MeldKind, NotationError, Score, exchanges, parse_hand, shortfall
from scoring.tiles import FLOWERS, HONOR_NAMES, INDEX, UNIT
from vision.circumstances import Circumstances
from vision.elements import FACE_DOWN
from vision.hand import LaidHand, Parts, settle
from vision.serve.asking import Asked
from vision.serve.problems import ApiError, Language, Sentence
from vision.serve.schemas import Rules, ScoreRequest, TileGroup, Told
from vision.serve.words import PROBLEMS_ZH, warnings_in

NAMED_OPTIONS = ("wild", "gold", "dealer", "streak", "discarder", "responsible")
"""Options with a place of their own in a request: those of one hand."""
_SAID = ("seat", "round", "winning", "self_drawn", "last_copy", "last_tile", "kong")
_MELDS = {
    "chow": MeldKind.CHOW,
    "pung": MeldKind.PUNG,
    "kong": MeldKind.MELDED_KONG,
    "concealed-kong": MeldKind.CONCEALED_KONG,
}
# Problems that another tile may solve; all others are of what was said.
_OF_TILES = {
    "wrong-tile-count", "too-many-melds", "not-a-chow", "not-a-pung", "not-a-kong", "five-of-a-kind",
    "not-winning",
}  # fmt: skip


def asked(rules: Rules) -> Asked:
    """What a request says of the rules. Raises ApiError for an option that is said twice, and differently."""
    named = {name: value for name in NAMED_OPTIONS if (value := getattr(rules, name)) is not None}
    for name in named.keys() & rules.options.keys():
        if named[name] != rules.options[name]:
            raise ApiError(
                422,
                "option-twice",
                Sentence(
                    f"'{name}' is said twice, with different values; say it once.",
                    f"“{name}”给了两个不同的值；请只给一个。",
                ),
            )
    return Asked(rules.rules, rules.edition, rules.house, tuple(rules.events), rules.options | named)


def circumstances(told: Told) -> Circumstances:
    """What a request says of the win. Raises ValueError for what is no wind or no tile."""
    said = {name: getattr(told, name) for name in _SAID}
    return Circumstances(**{name: value for name, value in said.items() if value is not None})


def score_answer(request: ScoreRequest, language: Language) -> dict[str, Any]:
    """The object of `schemas.ScoreAnswer`. Raises scoring.NotationError, scoring.RulesError, ValueError for
    circumstances, ApiError."""
    table = asked(request)
    scorer = table.scorer()
    parts, said = _parts(request)
    laid = settle(parts, said, scorer)
    if laid.hand is None or laid.score is None:
        raise ApiError(
            422,
            "no-hand",
            Sentence(
                "There is no concealed tile; give the hand with its winning tile.",
                "没有手牌；请给出手牌与和牌张。",
            ),
        )
    score = laid.score.to_dict()
    if laid.by_winning_tile:
        score["by_winning_tile"] = laid.by_winning_tile
    return {
        **score,
        "missing": missing(laid, table, language),
        "assumed": laid.assumed,
        "warnings": warnings_in(language, laid.warnings),
    }


def _parts(request: ScoreRequest) -> tuple[Parts, Circumstances]:
    told = circumstances(request)
    if (request.hand is None) == (request.groups is None):
        raise ApiError(
            422,
            "no-hand",
            Sentence("Give the hand either as 'hand' or as 'groups'.", "请用 hand 或 groups 之一给出手牌。"),
        )
    if request.groups is not None:
        return _of_groups(request.groups), told
    hand = parse_hand(request.hand or "")
    parts = Parts(hand.melds, hand.concealed, (hand.winning,), hand.flowers, hand.unnamed_flowers)
    said: dict[str, Any] = {
        "seat": hand.seat, "round": hand.prevalent, "self_drawn": hand.self_drawn,
        "last_copy": hand.last_copy, "last_tile": hand.last_tile, "kong": hand.kong,
    }  # fmt: skip
    said |= {name: getattr(request, name) for name in _SAID if getattr(request, name) is not None}
    return parts, Circumstances(**said)


def _of_groups(groups: Sequence[TileGroup]) -> Parts:
    def all_of(kind: str) -> tuple[str, ...]:
        return tuple(tile for group in groups if group.kind == kind for tile in group.tiles)

    concealed, apart, flowers = all_of("concealed"), all_of("winning"), all_of("flowers")
    for tile in (*concealed, *apart):
        _check(tile, UNIT)
    for tile in flowers:
        _check(tile, dict.fromkeys((*FLOWERS, *HONOR_NAMES)))
    melds = tuple(_meld(group) for group in groups if group.kind in _MELDS)
    return Parts(melds, concealed, apart, tuple(sorted(flowers, key=INDEX.__getitem__)))


def _meld(group: TileGroup) -> Meld:
    """Of a kong that lies partly face down the tiles that are shown say what it is."""
    kind = MeldKind.ADDED_KONG if group.added and group.kind == "kong" else _MELDS[group.kind]
    tiles = tuple(group.tiles)
    shown = [tile for tile in tiles if tile != FACE_DOWN]
    if kind is MeldKind.CONCEALED_KONG and shown:
        tiles = (*shown, *[shown[0]] * (4 - len(shown)))
    for tile in tiles:
        _check(tile, UNIT)
    return Meld(kind, tiles, group.source)


def _check(tile: str, known: Any) -> None:
    if tile in known:
        return
    if tile in (FACE_DOWN, "?"):
        sentence = Sentence(
            "A tile lies face down or has no name; say which it is.", "有一张牌背面朝上或未认出，请指明。"
        )
        raise ApiError(422, "unnamed-tile", sentence)
    raise ApiError(
        422,
        "no-tile",
        Sentence(
            f"'{tile}' is not a tile here; use 1m-9m, 1p-9p, 1s-9s, E S W N, C F P, and a-h for flowers.",
            f"“{tile}”不是可用的牌；请用 1m-9m、1p-9p、1s-9s、E S W N、C F P，花牌 a-h。",
        ),
    )


def missing(laid: LaidHand, table: Asked, language: Language) -> dict[str, Any] | None:
    """The object of `schemas.Missing`; None for a legal win."""
    score, hand = laid.score, laid.hand
    if score is None or hand is None or score.legal:
        return None
    if score.wins:
        return _below(score, shortfall(score, table.chosen()), language)
    reasons = [
        PROBLEMS_ZH.get(problem.code, problem.message) if language == "zh" else problem.message
        for problem in score.problems
    ]
    base = {"kind": "impossible", "message": " ".join(reasons), "reasons": reasons}
    if not {problem.code for problem in score.problems} <= _OF_TILES:
        return base
    found = exchanges(hand, table.scorer(), table.wild)
    if found:
        told = [{"replace": exchange.replaced, "with": list(exchange.by)} for exchange in found]
        sentence = _one_away(found[0], len(found) > 1).of(language)
        return {**base, "kind": "one-away", "message": sentence, "exchanges": told}
    whole = 17 if str(table.options.get("sets")) == "5" else 14
    over = len(hand.concealed) + 1 + 3 * len(hand.melds) - whole
    if over:
        return {**base, "kind": "too-many" if over > 0 else "too-few", "tiles": abs(over)} | {
            "message": _count(over).of(language)
        }
    return {**base, "kind": "not-winning"}


def _below(score: Score, short: int, language: Language) -> dict[str, Any]:
    sentence = Sentence(
        f"A winning hand, but {short} point{'s' if short != 1 else ''} below the minimum of {score.minimum}.",
        f"牌型成和，但差 {short} 分，不够 {score.minimum} 分起和。",
    )
    message = sentence.of(language)
    return {"kind": "below-minimum", "message": message, "reasons": [message], "short_by": short}


def _one_away(first: Exchange, more: bool) -> Sentence:
    by = " or ".join(first.by)
    by_zh = "或".join(first.by)
    if first.replaced is None:
        return Sentence(f"One tile away: {by}.", f"差一张：{by_zh}。")
    other, other_zh = (" Other exchanges do too.", "换别的牌也可以。") if more else ("", "")
    return Sentence(
        f"One tile away: {by} in place of {first.replaced}.{other}",
        f"差一张：把 {first.replaced} 换成 {by_zh}。{other_zh}",
    )


def _count(over: int) -> Sentence:
    tiles = f"{abs(over)} tile{'s' if abs(over) != 1 else ''}"
    if over > 0:
        return Sentence(f"The hand has {tiles} too many.", f"多了 {over} 张牌。")
    return Sentence(f"The hand lacks {tiles}.", f"少了 {-over} 张牌。")


def refused(error: NotationError | ValueError) -> ApiError:
    """The answer to a request that `score_answer` raises for."""
    from vision.serve.words import notation_problem, rules_problem

    return notation_problem(error) if isinstance(error, NotationError) else rules_problem(error)
