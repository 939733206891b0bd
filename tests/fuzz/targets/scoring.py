"""GB notation, house rules and `hupai score -`: any text is a hand or rules, or is refused in a sentence."""

from __future__ import annotations

import io
import json
import random
import tempfile
from codecs import BOM_UTF8
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from models.cli import app
from scoring import (
    RULE_SETS,
    Hand,
    NotationError,
    RulesError,
    Score,
    format_hand,
    load_rules,
    parse_hand,
    score,
)

from ..mutator import mutate_text
from ..target import BrokenPromiseError, Target, check_sentence

HANDS = (
    "[456s,1][333s,1][CCCC,2][PPPP]5s5s|EE1000|abf",
    "12789m33s234999p3m|EE1000|0",
    "77m113366s4477pEE|EN0000|0",
    "19m19s19pESWNCFPP|SS0000|h",
    "[7777s,5]345s3555567p4p|WN1001|8",
    "147m258s369pESWNC|EE0000|",
    "[123m,1][345m,1]56s678pWW7s",
    "[444s,1]1112378999s1s|EE1000|a",
    "[NNNN,3]123m567p99s11p1p|EE1000|aEC",
    "3m5m5m6m7m2s3s4sCC1p2p3p5m|ES0100|0",
)
_WORDS = (
    *"123456789mpsESWNCFPabcdefgh[],|01B? ", "[456s,1]", "[CCCC,5]", "[PPPP]", "|EE1000|", "|0", "99",
    "111m", "5m",
    "|EE1111|", "[333s,", "][", "||", "٣", "１", "²", "\u200b", "\ud800", "𐀀", "\0", "\n", "\t", "é",
)  # fmt: skip
_TABLES: tuple[tuple[str, dict[str, object]], ...] = (
    *((rules, {}) for rules in RULE_SETS),
    ("dazhong", {"wild": "5m"}),
    ("fuzhou", {"gold": "3s", "streak": 2}),
    ("fuzhou", {"gold": "5m", "sets": 5}),
    ("jipinghu", {"dealer": True}),
)


def run_notation(data: bytes) -> None:
    """The text as a hand, under every rule set; printed and parsed again it is the same hand."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        hand = parse_hand(text)
    except NotationError as error:
        check_sentence(error)
        if not 0 <= error.position <= len(text):
            raise BrokenPromiseError(f"position {error.position} of {len(text)}") from error
        return
    printed = format_hand(hand)
    again = parse_hand(printed)
    if again != hand or format_hand(again) != printed:
        raise BrokenPromiseError(f"{printed!r} is parsed as {again!r}, not {hand!r}")
    for rules, options in _TABLES:
        check_score(hand, score(hand, rules, **options))


def check_score(hand: Hand, answer: Score) -> None:
    """What holds of every score. Raises BrokenPromiseError."""
    told = json.loads(json.dumps(answer.to_dict()))
    if Score.from_dict(told).to_dict() != answer.to_dict():
        raise BrokenPromiseError(f"the score of {hand} is another after JSON")
    if answer.wins == bool(answer.problems) or (answer.legal and not answer.wins):
        raise BrokenPromiseError(f"{hand}: wins {answer.wins}, problems {answer.problems}")
    for problem in answer.problems:
        check_sentence(ValueError(problem.message))
    if not answer.wins and (answer.total or answer.fans or answer.settlement.winner):
        raise BrokenPromiseError(f"{hand} does not win and is paid")
    if answer.settlement.winner + sum(answer.settlement.others):
        raise BrokenPromiseError(f"{hand}: {answer.settlement} does not add up")
    tiles = Counter([*hand.concealed, hand.winning, *(tile for meld in hand.melds for tile in meld.tiles)])
    if answer.wins and max(tiles.values()) > 4:
        raise BrokenPromiseError(f"{hand} wins with more than four of a kind")


def mutate_notation(data: bytes, rng: random.Random) -> bytes:
    return mutate_text(data, rng, _WORDS)


NOTATION = Target(
    "notation", run_notation, lambda: [hand.encode() for hand in HANDS], mutate_notation,
    ("scoring.notation", "scoring.hand", "scoring.legality", "scoring.shapes", "scoring.reading",
    "scoring.contradictions", "scoring.wild", "scoring.rules"),
)  # fmt: skip


_runner = CliRunner()


def run_lines(data: bytes) -> None:
    """`hupai score -` answers each line that holds something by one line of JSON, in order; a byte order mark
    before the first one is none of it."""
    result = _runner.invoke(app, ["score", "-"], input=data)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    held = [line for line in io.BytesIO(data.removeprefix(BOM_UTF8)) if line.rstrip(b"\r\n")]
    wanted = [line.decode("utf-8", "replace").strip() for line in held]
    answers = [json.loads(line) for line in result.stdout_bytes.split(b"\n")[:-1]]
    if len(answers) != len(wanted):
        raise BrokenPromiseError(f"{len(answers)} answers to {len(wanted)} lines")
    for text, answer in zip(wanted, answers, strict=True):
        if answer["problems"] and answer["problems"][0]["code"] == "notation" and answer["hand"] != text:
            raise BrokenPromiseError(f"{text!r} is answered as {answer['hand']!r}")
    if result.exit_code != (0 if all(answer["wins"] for answer in answers) else 1):
        raise BrokenPromiseError(f"exit status {result.exit_code}")


def _lines() -> list[bytes]:
    good = "\n".join(HANDS).encode()
    return [
        good,
        good.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + good,
        "12m?\n\n \nB\n１\n".encode(),
        HANDS[0].encode(),
    ]


LINES = Target("lines", run_lines, _lines, mutate_notation, ("models.commands.score", "scoring.notation"))


_HOUSES = (
    'name = "club"\nchinese = "本俱乐部"\nstart = "mcr"\nedition = "2025"\nminimum = 6\ncap = 88\n'
    'off = ["无番和", "Last Tile"]\n[points]\n"七对" = 32\n[options]\nbase = 4\n',
    'start = "fuzhou"\n[options]\ngold = "3s"\nstreak = 2\nsets = "5"\n',
    'start = "dazhong"\nwild = "5m"\n',
    'start = "jipinghu"\noff = []\ncap = 0\n',
    'start = "mcr-plus"\nedition = "green-book"\n[points]\n"清一色" = 0\n',
)
_HOUSE_WORDS = (
    *'"\'[]{}=,.#\n -_:', "true", "false", "0", "-1", "1e3", "inf", "nan", "9" * 25,
    "1" * 5000, "0x10", "1979-05-27",
    "[points]\n", "[options]\n", "[[off]]\n", "start", "edition", "minimum", "cap", "base", "off",
    "name", "wild = ",
    "gold = ", "sets = ", '"七对"', '"1m"', '"5"', "[" * 2000,
    '"""', "\\u0000", "\\ud800", "\0", "\ud800", "é", "dealer = ",
    '"mcr"', '"fuzhou"', "kong_fan = ", "discarder = ", '"E"',
)  # fmt: skip


@cache
def _house_file() -> Path:
    return Path(tempfile.mkdtemp(prefix="hupai-fuzz-")) / "club.toml"


def run_house(data: bytes) -> None:
    """A file of house rules, and all hands scored by it."""
    path = _house_file()
    path.write_bytes(data)
    try:
        rules = load_rules(path)
    except RulesError as error:
        check_sentence(error)
        return
    for text in HANDS[:4]:
        told: dict[str, Any] = score(text, rules).to_dict()
        json.dumps(told, ensure_ascii=False).encode("utf-8")


def mutate_house(data: bytes, rng: random.Random) -> bytes:
    return mutate_text(data, rng, _HOUSE_WORDS)


HOUSE = Target(
    "house", run_house, lambda: [text.encode() for text in _HOUSES], mutate_house,
    ("scoring.house", "scoring.options", "tomllib", "tomllib._parser"),
)  # fmt: skip
