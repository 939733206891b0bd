"""What a reading and a score say in words: for the terminal table and the overlay's panel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vision.elements import UNNAMED, Reading, Tile

CHECK_BELOW = 0.97
"""Names believed less than this are worth a look. Of 1,205 found tiles of 80 annotated photos these are, with
the names that the rules changed, all 5 wrong ones and 24 right ones (below 0.9: 3 and 11), as counted in
models/weights/doubts-kimwong.csv.
"""

_KIND_TITLES = {
    "concealed": ("concealed", "手牌"),
    "chow": ("chow", "吃"),
    "pung": ("pung", "碰"),
    "kong": ("kong", "明杠"),
    "concealed-kong": ("concealed kong", "暗杠"),
    "flowers": ("flowers", "花"),
    "winning": ("winning tile", "和张"),
    "other": ("not this hand", "其他"),
}
_STATUS = {
    "complete": "a complete hand",
    "five-sets": "tiles of a sixteen-tile table (five sets and a pair)",
    "waiting": "one tile short of a winning hand",
    "not-a-hand": "the tiles make no hand",
    "not-winning": "the tiles make no winning hand",
    "too-few": "too few tiles for a hand",
    "too-many": "too many tiles for a hand",
    "five-of-a-kind": "more than four tiles of a kind",
    "repeated-flower": "a flower twice",
    "unnamed-tiles": "tiles that could not be named",
    "all-face-down": "all tiles lie face down",
}


@dataclass(frozen=True)
class Row:
    """A line with something at its left and its right end."""

    left: str
    right: str


@dataclass(frozen=True)
class ScoreSummary:
    """A score in words.

    fans, candidates (totals by winning tile): rows. excluded, problems: one sentence or phrase each.
    beside: what some rules say besides fans and payment, a line each (番, flowers, wild tiles, the seats).
    """

    headline: str
    fans: tuple[Row, ...]
    excluded: tuple[str, ...]
    settlement: str
    beside: tuple[str, ...]
    candidates: tuple[Row, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ReadingSummary:
    """A reading in words. groups: title and tile names. warnings: what a person should look at again."""

    groups: tuple[tuple[str, tuple[str, ...]], ...]
    status: str
    assumed: str
    warnings: tuple[str, ...]
    score: ScoreSummary | None


def summarise(reading: Reading, chinese: bool = True) -> ReadingSummary:
    """Put a reading in words; `chinese` False where no font can show Chinese."""
    by_id = {tile.id: tile for tile in reading.tiles}
    return ReadingSummary(
        groups=tuple(
            (kind_title(group.kind, chinese), tuple(by_id[i].tile for i in group.tiles))
            for group in reading.groups
            if group.tiles
        ),
        status="; ".join(_STATUS.get(code, code.replace("-", " ")) for code in reading.status),
        assumed=", ".join(_assumption(key, value) for key, value in reading.assumed.items()),
        warnings=reading.warnings,
        score=None if reading.score is None else summarise_score(reading.score, chinese),
    )


def summarise_score(score: Mapping[str, Any], chinese: bool = True) -> ScoreSummary:
    """Put a score (the contract's object) in words."""
    english = {fan["name"]: fan["english"] for fan in score["fans"]}
    excluded = tuple(_exclusion(item, english, chinese) for item in score["excluded"])
    return ScoreSummary(
        headline=_headline(score),
        fans=tuple(_fan_row(fan, chinese) for fan in score["fans"]),
        excluded=tuple(line for line in excluded if line),
        settlement=_settlement(score.get("settlement")),
        beside=tuple(_beside(score, chinese)) if score["wins"] else (),
        candidates=tuple(
            Row(tile, f"{total}") for tile, total in (score.get("by_winning_tile") or {}).items()
        ),
        problems=tuple(str(problem["message"]) for problem in score["problems"]),
    )


def kind_title(kind: str, chinese: bool = True) -> str:
    """What a kind of group is called."""
    english, native = _KIND_TITLES[kind]
    return f"{english} {native}" if chinese else english


def needs_check(tile: Tile) -> bool:
    """Whether a person should look at this tile's name again."""
    return tile.tile == UNNAMED or tile.changed_from is not None or tile.confidence < CHECK_BELOW


def _headline(score: Mapping[str, Any]) -> str:
    rules = f"{score['rules']} {score['edition']}"
    if not score["wins"]:
        return f"no win ({rules})"
    short = "" if score["legal"] else f", below the minimum of {score['minimum']}"
    points = "point" if score["total"] == 1 else "points"
    return f"{score['total']} {points}{short} ({rules})"


def _fan_row(fan: Mapping[str, Any], chinese: bool) -> Row:
    name = f"{fan['name']} {fan['english']}" if chinese else str(fan["english"])
    times = f" x {fan['count']}" if fan["count"] != 1 else ""
    return Row(name + times, str(fan["points"] * fan["count"]))


def _exclusion(item: Mapping[str, Any], english: Mapping[str, str], chinese: bool) -> str:
    if not chinese:
        name, by = item.get("english", ""), english.get(item["by"], "")
        return f"{name}, by {by}" if name and by else ""
    return (
        f"{item['name']} by {item['by']}: {item['rule']}" if item["by"] else f"{item['name']}: {item['rule']}"
    )


def _settlement(settlement: Mapping[str, Any] | None) -> str:
    if not settlement or not settlement["winner"]:
        return ""
    others = ", ".join(_signed(pay) for pay in settlement["others"])
    return f"winner {_signed(settlement['winner'])}; others {others}"


def _beside(score: Mapping[str, Any], chinese: bool) -> Iterator[str]:
    for name, native in (("fan", "番"), ("flowers", "花")):
        if name in score:
            yield f"{name} {native}: {score[name]}" if chinese else f"{name}: {score[name]}"
    if "stands_for" in score:
        yield "wild: " + ", ".join(f"{tile} stands for {kind}" for tile, kind in score["stands_for"])
    payments = score.get("payments", ())
    if payments:
        yield "seats: " + ", ".join(
            f"{row['seat'] or ''} {row['role']} {_signed(row['amount'])}".strip() for row in payments
        )


def _signed(amount: int) -> str:
    return f"{amount:+d}" if amount else "0"


def _assumption(key: str, value: object) -> str:
    title = key.replace("_", "-")
    if isinstance(value, bool):
        return title if value else f"not {title}"
    return f"{title} {value}"
