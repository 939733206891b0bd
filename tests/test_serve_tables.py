"""Scoreboards: how an evening advances, payments, undo, CSV, many writers at once."""

from __future__ import annotations

import csv
import io
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serve_app import client, problem

from scoring.rules.base import RULE_SETS
from vision.serve import store
from vision.serve import table_schemas as schemas
from vision.serve.evening import DEALER_STAYS, Turn

NAMES = ["Ann", "李", "Cid", "Dot"]
FULL_FLUSH = "[444s,1]1112378999s1s|EE0000|a"
PLAIN = "123m456m789m11p55p5p"


def test_of_every_rule_set_it_is_said_whether_the_dealer_stays() -> None:
    assert set(DEALER_STAYS) == set(RULE_SETS)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return client(tmp_path_factory.mktemp("data"))


def opened(server: Any, **setup: Any) -> str:
    response = server.post("/api/tables", json={"names": NAMES, **setup})
    assert response.status_code == 201, response.text
    return str(schemas.Table.model_validate(response.json()).id)


def enter(server: Any, table: str, **hand: Any) -> schemas.Table:
    path = f"/api/tables/{table}/hands" if hand else f"/api/tables/{table}/draws"
    seen = len(server.get(f"/api/tables/{table}").json()["hands"])
    response = server.post(path, json={"expected": seen, **hand})
    assert response.status_code == 201, response.text
    return schemas.Table.model_validate(response.json())


def test_sixteen_hands_of_the_official_game(server: Any) -> None:
    table = opened(server)
    seen = []
    for _ in range(16):
        turn = schemas.Table.model_validate(server.get(f"/api/tables/{table}").json()).turn
        seen.append((turn.round, turn.dealer, "".join(turn.seats)))
        assert not turn.over
        board = enter(server, table)
    assert [wind for wind, _, _ in seen] == [wind for wind in "ESWN" for _ in range(4)]
    assert [dealer for _, dealer, _ in seen] == [0, 1, 2, 3] * 4
    assert [seats for _, _, seats in seen[:4]] == ["ESWN", "NESW", "WNES", "SWNE"]
    assert board.turn.over
    assert board.totals == [0, 0, 0, 0]


def test_seats_exchanged_as_in_competitions() -> None:
    turn = Turn(exchanged=True)
    first = []
    for hand in range(16):
        if hand % 4 == 0:
            first.append("".join(turn.seats))
        turn = turn.after(None, "never")
    assert first == ["ESWN", "SENW", "NWES", "WNSE"]
    # Over a game everybody sits once in each wind of each round.
    assert all(sorted(wind[player] for wind in first) == sorted("ESWN") for player in range(4))


@pytest.mark.parametrize(
    ("rules", "after_win", "after_draw"),
    [
        ("mcr", 0, 0),
        ("mcr-plus", 0, 0),
        ("dazhong", 1, 0),
        ("fuzhou", 1, 1),
        ("jipinghu", 1, 1),
    ],
)
def test_whether_the_dealer_stays(server: Any, rules: str, after_win: int, after_draw: int) -> None:
    hand = FULL_FLUSH if rules != "jipinghu" else PLAIN
    for entry, streak in (({"hand": hand, "winner": 0, "from_player": 2}, after_win), ({}, after_draw)):
        table = opened(server, rules=rules)
        turn = enter(server, table, **entry).turn
        assert (turn.streak, turn.dealer) == (streak, 0 if streak else 1)
    table = opened(server, rules=rules)
    assert enter(server, table, hand=hand, winner=1, from_player=2).turn.dealer == 1


@given(st.lists(st.none() | st.integers(0, 3), max_size=60), st.booleans())
def test_turns_are_always_a_table(winners: list[int | None], exchanged: bool) -> None:
    turn = Turn(exchanged=exchanged)
    for winner in winners:
        assert sorted(turn.seats) == sorted("ESWN")
        assert turn.seats[turn.dealer] == "E"
        before, turn = turn, turn.after(winner, "on-win-or-draw")
        assert turn.number == before.number + 1
        stays = winner is None or winner == before.dealer
        assert (turn.streak, turn.deals) == (
            (before.streak + 1, before.deals) if stays else (0, before.deals + 1)
        )


def test_payments_go_to_players_by_seat(server: Any) -> None:
    table = opened(server)
    enter(server, table)  # now 李 deals
    board = enter(server, table, hand=FULL_FLUSH, winner=3, from_player=1, seat="E", self_drawn=True)
    (hand,) = [hand for hand in board.hands if hand.kind == "win"]
    assert hand.hand == "[444s,1]1112378999s1s|EW0000|a"  # the table knows better than the request
    assert hand.amounts == [-8, -8 - 29, -8, 53]
    board = enter(server, table, hand=FULL_FLUSH, winner=0)
    assert board.hands[-1].amounts == [114, -38, -38, -38]
    assert board.totals == [106, -75, -46, 15]
    assert sum(board.totals) == 0


def test_the_streak_is_counted_in_the_pay(server: Any) -> None:
    flowers = "123456789m1155p5p|EE0000|a"
    fresh = opened(server, rules="fuzhou")
    once = enter(server, fresh, hand=flowers, winner=0, from_player=1).hands[-1].amounts
    assert enter(server, fresh, hand=flowers, winner=0, from_player=1).hands[-1].amounts[0] == 2 * once[0]


def test_a_table_with_house_rules(server: Any) -> None:
    table = opened(server, house={"start": "jipinghu", "base": 2})
    board = enter(server, table, hand=PLAIN, winner=0, from_player=2)
    assert (board.rules, board.dealer_stays) == ("jipinghu", "on-win-or-draw")
    plain = enter(server, opened(server, rules="jipinghu"), hand=PLAIN, winner=0, from_player=2)
    assert board.totals == [2 * amount for amount in plain.totals]
    problem(server.post("/api/tables", json={"names": NAMES, "house": {"start": "x"}}), 422, "rules")


def test_the_rules_are_the_tables_to_say(server: Any) -> None:
    """A hand repeats the table's options, or says none; with others it would be paid otherwise."""
    table = opened(server, options={"minimum": 6})
    hand: dict[str, Any] = {"winner": 0, "from_player": 1, "hand": PLAIN}
    for options in ({"base": 1000}, {"minimum": 0}, {"minimum": 8}):
        refused(server, table, "tables-option", **hand, options=options)
    same = enter(server, table, winner=0, hand=FULL_FLUSH, from_player=1, options={"minimum": 6, "base": 8})
    assert same.totals == enter(server, opened(server), winner=0, hand=FULL_FLUSH, from_player=1).totals


def test_responsibility(server: Any) -> None:
    table = opened(server, rules="jipinghu")
    hand = "[CCC,1][FFF,1][PPP,1]23m99s4m"
    board = enter(server, table, hand=hand, winner=2, responsible_player=1)
    assert board.totals[0] == board.totals[3] == 0
    assert board.totals[1] == -board.totals[2] == -3 * board.hands[-1].total


def test_hands_that_are_not_entered(server: Any) -> None:
    table = opened(server)
    path = f"/api/tables/{table}/hands"
    low = {"hand": "[123m,1]234m456p99s567s", "winner": 0, "from_player": 1, "expected": 0}
    assert "6 points below" in problem(server.post(path, json=low), 422, "not-legal")
    problem(server.post(path, json={**low, "hand": "1m"}), 422, "not-legal")
    problem(server.post(path, json={**low, "hand": "xyz"}), 422, "notation")
    problem(server.post(path, json={**low, "from_player": 0}), 422, "players")
    problem(server.post(path, json={**low, "winner": 4}), 422, "invalid")
    problem(server.post(path, json={**low, "hand": FULL_FLUSH, "expected": 1}), 409, "conflict")
    problem(server.post("/api/tables/none/hands", json=low), 404, "no-table")
    assert server.get(f"/api/tables/{table}").json()["hands"] == []


def test_undo(server: Any) -> None:
    table = opened(server)
    before = server.get(f"/api/tables/{table}").json()
    enter(server, table, hand=FULL_FLUSH, winner=0)
    problem(server.delete(f"/api/tables/{table}/hands/last?expected=2"), 409, "conflict")
    undone = server.delete(f"/api/tables/{table}/hands/last?expected=1")
    assert undone.json() == before
    assert server.delete(f"/api/tables/{table}/hands/last?expected=0").json() == before


@pytest.mark.parametrize(
    "names", [["A", "A", "B", "C"], ["A", "B", "C", " "], ["A", "B", "C", "\x00\n"], ["A"], ["A" * 41] * 4]
)
def test_names_that_are_none(server: Any, names: list[str]) -> None:
    response = server.post("/api/tables", json={"names": names})
    problem(response, 422, "names" if len(names) == 4 and len(names[0]) < 40 else "invalid")


def test_csv_holds_no_formula(server: Any) -> None:
    names = ['=HYPERLINK("http://x")', "+1", "@SUM(A1)", '<b>李\t, "x"']
    table = opened(server, names=names)
    enter(server, table, hand=FULL_FLUSH, winner=0, from_player=1)
    enter(server, table)
    response = server.get(f"/api/tables/{table}/table.csv")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert rows[0][8:12] == ["'" + names[0], "'+1", "'@SUM(A1)", '<b>李 , "x"']
    assert rows[1][3:5] == ["'" + names[0], "'+1"]
    assert [row[8:12] for row in rows[1:]] == [
        ["53", "-37", "-8", "-8"], ["0", "0", "0", "0"], ["53", "-37", "-8", "-8"],
    ]  # fmt: skip
    cells = [cell for row in rows for cell in row]
    numbers = {cell for row in rows[1:] for cell in row[8:12]}
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells if cell not in numbers)


def test_a_table_outlives_the_server(tmp_path: Path) -> None:
    first = client(tmp_path)
    table = opened(first)
    board = enter(first, table, hand=FULL_FLUSH, winner=2)
    assert client(tmp_path).get(f"/api/tables/{table}").json() == board.model_dump(mode="json")


def test_of_many_writers_at_once_one_enters_a_hand(tmp_path: Path) -> None:
    """Two servers on one file, two tables, ten writers each that all have seen the same hands."""
    servers = [client(tmp_path), client(tmp_path)]
    tables = [opened(servers[0]), opened(servers[0])]

    def write(number: int) -> tuple[str, int]:
        table = tables[number % 2]
        response = servers[number // 2 % 2].post(f"/api/tables/{table}/draws", json={"expected": 0})
        return table, response.status_code

    with ThreadPoolExecutor(20) as pool:
        answers = Counter(pool.map(write, range(20)))
    assert answers == Counter({(table, 201): 1 for table in tables} | {(table, 409): 9 for table in tables})
    for table in tables:
        assert len(servers[1].get(f"/api/tables/{table}").json()["hands"]) == 1


def test_there_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_TABLES", 1)
    monkeypatch.setattr(store, "MOST_HANDS", 1)
    server = client(tmp_path)
    table = opened(server)
    problem(server.post("/api/tables", json={"names": NAMES}), 409, "full")
    enter(server, table)
    problem(server.post(f"/api/tables/{table}/draws", json={"expected": 1}), 409, "full")


def test_ids_cannot_be_guessed(server: Any) -> None:
    ids = {opened(server) for _ in range(5)}
    assert len(ids) == 5
    assert all(len(name) >= 22 for name in ids)
    problem(server.get("/api/tables/' OR 1=1 --"), 404, "no-table")


def test_a_file_that_is_gone_or_damaged(tmp_path: Path) -> None:
    server = client(tmp_path)
    table = opened(server)
    for file in tmp_path.glob("tables.sqlite3*"):
        file.write_bytes(b"no database " * 1000)
    problem(server.get(f"/api/tables/{table}"), 507, "not-saved")
    problem(server.post(f"/api/tables/{table}/draws", json={"expected": 0}), 507, "not-saved")


def test_a_code_made_on_the_server_is_for_phones(tmp_path: Path) -> None:
    """The same code as a phone gets, which calls the server by its address in the network."""
    server = client(tmp_path, url="http://192.168.1.7:8000/")
    path = f"/api/tables/{opened(server)}/qr.svg"
    for_phone = server.get(path, headers={"Host": "192.168.1.7:8000"}).content
    assert server.get(path, headers={"Host": "localhost:8000"}).content == for_phone
    assert client(tmp_path).get(path, headers={"Host": "localhost:8000"}).content != for_phone


def test_a_code_to_share(server: Any) -> None:
    table = opened(server)
    response = server.get(f"/api/tables/{table}/qr.svg")
    assert response.headers["content-type"] == "image/svg+xml"
    assert b"<svg" in response.content
    problem(server.get("/api/tables/none/qr.svg"), 404, "no-table")


def refused(server: Any, table: str, code: str, **hand: Any) -> None:
    seen = len(server.get(f"/api/tables/{table}").json()["hands"])
    response = server.post(f"/api/tables/{table}/hands", json={"hand": PLAIN, **hand, "expected": seen})
    problem(response, 422, code)


def test_three_win_on_one_discard(server: Any) -> None:
    table = opened(server, rules="jipinghu")
    said: dict[str, Any] = {"hand": PLAIN, "from_player": 2, "events": ["three-winners"]}
    enter(server, table, winner=1, **said)
    enter(server, table, winner=3, same_discard=True, **said)
    board = enter(server, table, winner=0, same_discard=True, **said)
    assert [hand.amounts for hand in board.hands] == [[0, 8, -8, 0], [0, 0, -8, 8], [8, 0, -8, 0]]
    assert [hand.turn.number for hand in board.hands] == [1, 1, 1]
    assert [hand.hand.split("|")[1] for hand in board.hands if hand.hand] == ["ES0000", "EN0000", "EE0000"]
    assert (board.turn.number, board.turn.dealer, board.turn.streak) == (2, 0, 1)  # the dealer is one of them
    board = schemas.Table.model_validate(
        server.delete(f"/api/tables/{table}/hands/last", params={"expected": 3}).json()
    )
    assert (board.turn.dealer, board.totals) == (1, [0, 8, -16, 8])
    refused(server, table, "three-winners", winner=0, from_player=2, same_discard=True)


def test_what_is_no_shared_discard(server: Any) -> None:
    table = opened(server, rules="jipinghu")
    refused(server, table, "no-discard", winner=0, from_player=2, same_discard=True)
    enter(server, table, hand=PLAIN, winner=1)
    refused(server, table, "no-discard", winner=0, from_player=2, same_discard=True)
    enter(server, table, hand=PLAIN, winner=1, from_player=2)
    refused(server, table, "other-discard", winner=0, from_player=3, same_discard=True)
    refused(server, table, "other-discard", winner=1, from_player=2, same_discard=True)
    refused(server, table, "other-discard", winner=3, same_discard=True)
    board = enter(server, table, hand=PLAIN, winner=3, from_player=2, same_discard=True)
    assert board.turn.number == 3
    enter(server, table)
    refused(server, table, "no-discard", winner=0, from_player=2, same_discard=True)


@pytest.mark.parametrize("rules", ["mcr", "mcr-plus", "dazhong", "fuzhou"])
def test_rules_of_one_winner(server: Any, rules: str) -> None:
    table = opened(server, rules=rules)
    enter(server, table, hand=FULL_FLUSH, winner=1, from_player=2)
    refused(server, table, "one-winner", hand=FULL_FLUSH, winner=0, from_player=2, same_discard=True)
