"""Hands over HTTP: the object of `hupai score --json`, what is missing, refusals in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serve_app import client, problem
from typer.testing import CliRunner

import models.cli
from scoring import MeldKind, parse_hand, score
from scoring.catalogue import entries
from scoring.hand import Hand
from scoring.house import house_rules
from scoring.rules.base import RULE_SETS, rule_set
from scoring.rules.fan_rules import RulesError
from vision.serve import schemas
from vision.serve.hands import score_answer

FULL_FLUSH = "[444s,1]1112378999s1s|EE1000|a"
ADDED = ("missing", "assumed", "warnings")
_KIND = {
    MeldKind.CHOW: "chow",
    MeldKind.PUNG: "pung",
    MeldKind.MELDED_KONG: "kong",
    MeldKind.ADDED_KONG: "kong",
    MeldKind.CONCEALED_KONG: "concealed-kong",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return client(tmp_path_factory.mktemp("data"))


def ask(server: Any, **body: Any) -> dict[str, Any]:
    response = server.post("/api/score", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    schemas.ScoreAnswer.model_validate(answer)
    return answer


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        (FULL_FLUSH, {}),
        ("[123m,1]234m456p99s567s", {}),
        ("1m", {}),
        (FULL_FLUSH, {"edition": "green-book"}),
        ("123m456m789m11p55p5p", {"rules": "fuzhou", "gold": "9s", "streak": 2}),
        ("1234566m789p11s5s5s|EE1000|0", {"rules": "dazhong", "wild": "5s", "event": "heavenly-hand"}),
        ("EEE123m456p99s567s|EE0000|0", {"rules": "jipinghu", "discarder": "W"}),
    ],
)
def test_the_object_of_the_command(server: Any, hand: str, options: dict[str, Any]) -> None:
    words = [f"--{name}={value}" for name, value in options.items()]
    printed = CliRunner().invoke(models.cli.app, ["score", hand, "--json", *words])
    body = {name: value for name, value in options.items() if name != "event"}
    if "event" in options:
        body["events"] = [options["event"]]
    answer = ask(server, hand=hand, **body)
    for name in ADDED:
        del answer[name]
    assert answer == json.loads(printed.stdout)


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_example_of_the_rule_books_as_text_and_as_groups(name: str) -> None:
    for entry in entries(rule_set(name)):
        said = {"rules": name, "events": list(entry.events), "options": dict(entry.options)}
        for hand in (entry.hand, entry.near):
            expected = score(hand, name, events=entry.events, **entry.options).to_dict()
            for body in ({"hand": str(hand)}, *([] if hand.unnamed_flowers else [as_groups(hand)])):
                answer = score_answer(schemas.ScoreRequest(**said, **body), "en")
                lacks = answer["missing"]
                assert {key: value for key, value in answer.items() if key not in ADDED} == expected
                assert (lacks is None) == expected["legal"]
                assert not answer["assumed"]


def as_groups(hand: Hand) -> dict[str, Any]:
    groups: list[dict[str, Any]] = [
        {
            "kind": _KIND[meld.kind],
            "tiles": list(meld.tiles),
            "source": meld.source,
            "added": meld.kind is MeldKind.ADDED_KONG,
        }
        for meld in hand.melds
    ]
    groups.append({"kind": "concealed", "tiles": list(hand.concealed)})
    groups.append({"kind": "winning", "tiles": [hand.winning]})
    groups.append({"kind": "flowers", "tiles": list(hand.flowers)})
    groups.append({"kind": "other", "tiles": ["9m"]})
    return {
        "groups": groups,
        "seat": hand.seat,
        "round": hand.prevalent,
        "self_drawn": hand.self_drawn,
        "last_copy": hand.last_copy,
        "last_tile": hand.last_tile,
        "kong": hand.kong,
    }


def test_what_is_said_goes_before_what_is_written(server: Any) -> None:
    answer = ask(server, hand="123m456m789m11p55p5p|EE0000|0", seat="S", self_drawn=True, winning="1p")
    assert parse_hand(answer["hand"]) == parse_hand("123456789m1555p1p|ES1000|0")


def test_without_a_winning_tile_the_likeliest_is_assumed(server: Any) -> None:
    tiles = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1s", "1s"]
    kong = {"kind": "concealed-kong", "tiles": ["B", "5p", "5p", "B"]}
    answer = ask(server, groups=[{"kind": "concealed", "tiles": tiles}, kong])
    assert answer["hand"].startswith("[5555p]")
    assert answer["assumed"]["winning"] in tiles
    assert set(answer["by_winning_tile"]) == set(tiles)
    assert answer["total"] == max(answer["by_winning_tile"].values())


def test_an_option_said_twice(server: Any) -> None:
    hand = {"hand": "11789m33s234999p3m|EE0000|0", "rules": "dazhong", "wild": "5m"}
    response = server.post("/api/score", json={**hand, "options": {"wild": "1m"}})
    assert (response.status_code, response.json()["code"]) == (422, "option-twice")
    assert ask(server, **hand, options={"wild": "5m"})["total"] == ask(server, **hand)["total"]


def test_house_rules(server: Any) -> None:
    house = {"start": "mcr", "minimum": 2, "points": {"平和": 3}}
    hand = "[123m,1]234m456p99s567s"
    answer = ask(server, hand=hand, house=house)
    expected = score(hand, house_rules({"name": "house", **house}))
    assert (answer["legal"], answer["total"]) == (expected.legal, expected.total) == (True, 3)
    assert not ask(server, hand=hand)["legal"]


MISSING = {
    "below the minimum": ({"hand": "[123m,1]234m456p99s567s"}, {"kind": "below-minimum", "short_by": 6}),
    "a wrong tile": (
        {"hand": "123456m789p11s23s9s"},
        {"kind": "one-away", "exchanges": [
            {"replace": "9s", "with": ["1s", "4s"]}, {"replace": "1s", "with": ["9s"]},
        ]},
    ),
    "one short": (
        {"hand": "123456m789p11s2s3s"},
        {"kind": "one-away", "exchanges": [{"replace": None, "with": ["1s", "4s"]}]},
    ),
    "far away": ({"hand": "135m246p579sESWNC"}, {"kind": "not-winning"}),
    "too few": ({"hand": "1m2m3m"}, {"kind": "too-few", "tiles": 11}),
    "too many": ({"hand": "123456789m123456p"}, {"kind": "too-many", "tiles": 1}),
    "said what cannot be": ({"hand": "12789m33s234999p3m|EE1001|0"}, {"kind": "impossible"}),
    "sixteen tiles": (
        {"hand": "123456789m123456p11s", "rules": "fuzhou", "options": {"sets": "5"}}, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MISSING)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_what_is_missing(server: Any, case: str, language: str) -> None:
    body, expected = MISSING[case]
    response = server.post("/api/score", json=body, headers={"Accept-Language": language})
    lacks = schemas.ScoreAnswer.model_validate(response.json()).missing
    if expected is None:
        assert lacks is None
        return
    assert lacks is not None
    told = lacks.model_dump(by_alias=True)
    assert {key: told[key] for key in expected} == expected
    assert told["reasons"]
    chinese = any("\u4e00" <= letter <= "\u9fff" for letter in told["message"])
    assert chinese == (language == "zh-CN")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no hand": ({}, "no-hand"),
    "two hands": ({"hand": "1m", "groups": []}, "no-hand"),
    "no tile": ({"groups": [{"kind": "flowers", "tiles": ["a"]}]}, "no-hand"),
    "no notation": ({"hand": "<script>"}, "notation"),
    "no rules": ({"hand": "1m", "rules": "../../etc/passwd.toml"}, "rules"),
    "no edition": ({"hand": "1m", "edition": "1066"}, "rules"),
    "no event": ({"hand": "1m", "events": ["天和"]}, "rules"),
    "no option": ({"hand": "1m", "options": {"luck": 1}}, "rules"),
    "no value": ({"hand": "1m", "options": {"minimum": "many"}}, "rules"),
    "no winning tile": ({"hand": "1m", "winning": "a"}, "rules"),
    "no house": ({"hand": "1m", "house": {"start": "bridge"}}, "rules"),
    "house of lists": ({"hand": "1m", "house": {"start": ["mcr"]}}, "rules"),
    "house without start": ({"hand": "1m", "house": {}}, "rules"),
    "no name": ({"groups": [{"kind": "concealed", "tiles": ["?"]}]}, "unnamed-tile"),
    "face down": ({"groups": [{"kind": "pung", "tiles": ["B", "B", "B"]}]}, "unnamed-tile"),
    "a flower in hand": ({"groups": [{"kind": "concealed", "tiles": ["a"]}]}, "no-tile"),
    "another kind": ({"groups": [{"kind": "heap", "tiles": []}]}, "invalid"),
    "another field": ({"hand": "1m", "hands": "2m"}, "invalid"),
    "a long hand": ({"hand": "1m" * 200}, "invalid"),
    "a huge number": ({"hand": "1m", "options": {"base": 10**4000}}, "invalid"),
    "a wind": ({"hand": "1m", "seat": "X"}, "invalid"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_refusals(server: Any, case: str, language: str) -> None:
    body, code = REFUSED[case]
    response = server.post("/api/score", json=body, headers={"Accept-Language": language})
    assert response.headers["content-language"] == language
    problem(response, 422, code)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"hand": 5}'])
def test_bodies_of_another_shape(server: Any, body: bytes) -> None:
    response = server.post("/api/score", content=body, headers={"Content-Type": "application/json"})
    problem(response, 422, "invalid")


@pytest.mark.parametrize("body", [b"\xff", b"[" * 50_000], ids=["no UTF-8", "deep"])
def test_bodies_that_are_no_json(server: Any, body: bytes) -> None:
    response = server.post("/api/score", content=body, headers={"Content-Type": "application/json"})
    assert problem(response, 400, "http").startswith("The request cannot be understood")


TILE = st.sampled_from(["1m", "5p", "9s", "E", "C", "a", "h", "B", "?", "", "x"])
GROUP = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(
            ["concealed", "chow", "pung", "kong", "concealed-kong", "flowers", "winning"]
        ),
        "tiles": st.lists(TILE, max_size=14),
    },
    optional={"source": st.integers(-1, 4), "added": st.booleans()},
)
SAID = {
    "rules": st.sampled_from([*RULE_SETS, "x"]),
    "edition": st.sampled_from(["2025", "1998", "x", None]),
    "events": st.lists(st.sampled_from(["天和", "ready", "x"]), max_size=2),
    "wild": TILE,
    "gold": TILE,
    "seat": st.sampled_from(["E", "N", "x"]),
    "winning": TILE,
    "self_drawn": st.booleans(),
    "kong": st.booleans(),
    "options": st.dictionaries(
        st.sampled_from(["minimum", "base", "sets", "stake", "cap", "discarder", "x"]),
        st.integers(-5, 99) | st.sampled_from(["5", "E", "", "x"]) | st.booleans(),
        max_size=3,
    ),
    "house": st.fixed_dictionaries({"start": st.sampled_from(["mcr", "fuzhou", 3])}, optional={"off": TILE}),
}


@settings(max_examples=150, deadline=None)
@given(
    body=st.fixed_dictionaries(
        {"hand": st.text("123456789mpsESWNCFPabcdefgh[],|0 B?", max_size=40)}, optional=SAID
    )
    | st.fixed_dictionaries({"groups": st.lists(GROUP, max_size=6)}, optional=SAID)
)
def test_whatever_is_sent_is_scored_or_refused_in_a_sentence(server: Any, body: dict[str, Any]) -> None:
    response = server.post("/api/score", json=body)
    if response.status_code == 200:
        schemas.ScoreAnswer.model_validate(response.json())
    else:
        problem(response, 422, response.json()["code"])


def test_rules_for_the_form(server: Any) -> None:
    response = server.get("/api/rules")
    answer = schemas.RulesAnswer.model_validate(response.json())
    assert [rules.name for rules in answer.rule_sets] == list(RULE_SETS)
    for told in answer.rule_sets:
        rules = rule_set(told.name)
        assert told.editions == list(rules.editions)
        assert {option.name for option in told.options} == {option.name for option in rules.options}
        assert {event.name for event in told.events} == set(rules.events)
        assert all(option.about["en"] and option.about["zh"] for option in told.options)


def test_the_shapes_are_published(server: Any, tmp_path: Path) -> None:
    spec = server.get("/openapi.json").json()
    paths = {(method, path) for path, methods in spec["paths"].items() for method in methods}
    assert {("post", "/api/read"), ("post", "/api/score"), ("get", "/api/rules")} <= paths
    assert {("post", "/api/tables/{table}/hands"), ("post", "/api/corrections")} <= paths


def test_a_page_that_lists_them_without_a_network(server: Any) -> None:
    page = server.get("/api").text
    for route in ("POST /api/read", "POST /api/score", "DELETE /api/tables/{table}/hands/last"):
        assert route in page
    assert "http://" not in page
    assert "https://" not in page
    assert all(f'id="{shape}"' in page for shape in ("ScoreRequest", "Table", "Missing"))


CLUB = {"name": "club", "chinese": "俱乐部", "start": "mcr", "minimum": 2, "points": {"平和": 3}}


def test_house_rules_of_the_server_are_chosen_by_name(tmp_path: Path) -> None:
    server = client(tmp_path, house=(CLUB,))
    hand = "[123m,1]234m456p99s567s"
    answer = ask(server, hand=hand, rules="club")
    assert (answer["rules"], answer["legal"], answer["total"]) == ("club", True, 3)
    listed = server.get("/api/rules").json()["rule_sets"]
    assert [one["name"] for one in listed] == [*RULE_SETS, "club"]
    assert (listed[-1]["minimum"], listed[-1]["title"]["zh"]) == (2, "俱乐部")
    players = ["a", "b", "c", "d"]
    table = server.post("/api/tables", json={"names": players, "rules": "club"}).json()
    groups = [{"kind": "chow", "tiles": ["1m", "2m", "3m"], "source": 1}]
    groups += [{"kind": "concealed", "tiles": ["2m", "3m", "4m", "4p", "5p", "6p", "9s", "9s", "5s", "6s"]}]
    groups += [{"kind": "winning", "tiles": ["7s"]}]
    won = {"groups": groups, "winner": 0, "from_player": 1, "expected": 0}
    entered = server.post(f"/api/tables/{table['id']}/hands", json=won).json()
    assert entered["house"]["name"] == "club"
    assert entered["hands"][0]["total"] == 3
    # A phone that was told of club rules which this server was not started with hears so.
    assert "club" in problem(
        client(tmp_path).post("/api/score", json={"hand": hand, "rules": "club"}), 422, "rules"
    )


def test_house_rules_do_not_hide_rule_sets(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="mcr"):
        client(tmp_path, house=({**CLUB, "name": "mcr"},))


@pytest.mark.parametrize(("language", "word"), [("en", "not among"), ("zh", "没有所说的和张")])
def test_warnings_are_in_the_callers_language(server: Any, language: str, word: str) -> None:
    body = {"hand": FULL_FLUSH, "winning": "9p"}
    answer = server.post("/api/score", json=body, headers={"Accept-Language": language}).json()
    (warning,) = answer["warnings"]
    assert word in warning
    assert "9p" in warning
