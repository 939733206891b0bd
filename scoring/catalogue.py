"""Rule sets in words: each fan with points, definition, example, near miss, and what it excludes.

`hupai rules NAME` prints it, and the pages in `scoring/docs` are the same text: `python -m scoring.catalogue`
writes them again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scoring.fans import Fan
from scoring.hand import Hand
from scoring.notation import parse_hand
from scoring.rules.base import RULE_SETS, rule_set
from scoring.rules.fan_rules import FanRules
from scoring.situation import EVENTS, Value
from scoring.tiles import INDEX

LANGUAGES = ("both", "en", "zh")
TEXTS = Path(__file__).parent / "rules" / "texts"
PAGES = Path(__file__).parent / "docs"

_DRAWN = dict(zip(
    INDEX,
    (
        *map(chr, range(0x1F007, 0x1F010)),  # characters
        *map(chr, range(0x1F019, 0x1F022)),  # dots
        *map(chr, range(0x1F010, 0x1F019)),  # bamboo
        *map(chr, range(0x1F000, 0x1F004)),  # winds
        "\U0001f004\ufe0e", "\U0001f005", "\U0001f006",  # the red dragon as text, not as a picture
        *map(chr, range(0x1F026, 0x1F02A)),  # seasons
        *map(chr, range(0x1F022, 0x1F026)),  # plants
    ),
    strict=True,
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A fan in words. `hand` scores it, `near` is one tile away and does not, both with the same `events` and
    `options`; `excludes` names the fans that it leaves out."""

    fan: Fan
    en: str
    zh: str
    hand: Hand
    near: Hand
    events: tuple[str, ...]
    options: Mapping[str, Value]
    excludes: tuple[str, ...]


def entries(rules: FanRules, edition: str | None = None) -> list[Entry]:
    """The fans of a rule set in its own order, most points first."""
    fans = rules.fans[rules.edition(edition)]
    texts: dict[str, dict[str, object]] = {}
    for name in rules.texts:
        texts.update(_texts(name))
    here = {fan.name for fan in fans}
    return [
        _entry(fan, texts[fan.name], tuple(name for name in fan.drops if name in here))
        for fan in sorted(fans, key=lambda fan: (-fan.points, fan.number))
    ]


@cache
def _texts(name: str) -> dict[str, dict[str, object]]:
    return tomllib.loads((TEXTS / f"{name}.toml").read_text(encoding="utf-8"))


def _entry(fan: Fan, text: Mapping[str, object], excludes: tuple[str, ...]) -> Entry:
    events, options = text.get("events", ()), text.get("options", {})
    assert isinstance(events, list | tuple) and isinstance(options, dict)
    return Entry(
        fan,
        str(text["en"]),
        str(text["zh"]),
        parse_hand(str(text["hand"])),
        parse_hand(str(text["near"])),
        tuple(map(str, events)),
        options,
        excludes,
    )


def draw(hand: Hand) -> str:
    """A hand as tiles: melds, concealed tiles, the winning tile apart, flowers behind a +.

    >>> draw(parse_hand("[123m,1]EE5p5p|EE0000|a"))
    '🀇🀈🀉 🀝🀀🀀 🀝 + 🀦'
    """
    groups = [meld.tiles for meld in hand.melds]
    words = ["".join(map(_DRAWN.__getitem__, group)) for group in (*groups, hand.concealed, (hand.winning,))]
    flowers = "".join(map(_DRAWN.__getitem__, hand.flowers))
    return " ".join(words) + (f" + {flowers}" if flowers else "")


def page(rules: FanRules, language: str = "both") -> str:
    """A rule set in Markdown: what it is, its options and events, a table of its fans."""
    return "\n".join(_lines(rules, language)) + "\n"


def _lines(rules: FanRules, language: str) -> Iterator[str]:
    def say(en: str, zh: str) -> str:
        return {"en": en, "zh": zh}.get(language, f"{en} {zh}")

    yield f"# `{rules.name}`: {say(rules.english, rules.chinese)}"
    yield ""
    yield say(rules.summary, rules.summary_zh)
    yield ""
    default = f"{say('default', '默认')} {rules.default_edition}"
    yield f"{say('Editions', '版本')}: {', '.join(rules.editions)} ({default})."
    yield ""
    yield f"| {say('option', '选项')} | {say('default', '默认')} | {say('meaning', '含义')} |"
    yield "|---|---|---|"
    for option in rules.options:
        value = "" if option.default is None else option.default
        yield f"| `{option.name}` | {value} | {say(option.about, option.about_zh)} |"
    if rules.events:
        yield ""
        events = [event for event in EVENTS if event.name in rules.events]
        names = ", ".join(f"`{event.name}` {'/'.join(event.chinese)}" for event in events)
        yield f"{say('Events', '特殊和牌')} (`--event`): {names}."
    yield ""
    titles = (
        say("points", "分"), say("fan", "番种"), say("definition", "定义"), say("example", "牌例"),
        say("near miss", "差一张"), say("excludes", "不计"),
    )  # fmt: skip
    yield f"| {' | '.join(titles)} |"
    yield "|---:|---|---|---|---|---|"
    for entry in entries(rules):
        fan = entry.fan
        name = say(fan.english, fan.name) if language != "both" else f"{fan.name} {fan.english}"
        said = [*entry.events, *(f"{option}={value}" for option, value in entry.options.items())]
        example = _example(entry.hand) + (f" ({', '.join(said)})" if said else "")
        near, excludes = _example(entry.near), " ".join(entry.excludes)
        cells = (str(fan.points), name, say(entry.en, entry.zh), example, near, excludes)
        yield f"| {' | '.join(cells)} |"


def _example(hand: Hand) -> str:
    return f"{draw(hand)} <br>`{str(hand).replace('|', chr(92) + '|')}`"


def overview(language: str = "both") -> str:
    """One line a rule set."""
    lines = []
    for name in RULE_SETS:
        rules = rule_set(name)
        titles = {"en": rules.english, "zh": rules.chinese}
        title = titles.get(language, f"{rules.chinese} {rules.english}")
        fans = len(rules.fans[rules.default_edition])
        lines.append(f"{name:10} {fans:3} fans  {title}")
    return "\n".join(lines) + "\n"


def write_pages(folder: Path = PAGES) -> None:
    """Write every rule set's page."""
    for name in RULE_SETS:
        (folder / f"{name}.md").write_text(page(rule_set(name)), encoding="utf-8")


if __name__ == "__main__":
    write_pages()
