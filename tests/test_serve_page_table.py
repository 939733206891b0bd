"""The scoreboard of an evening on a phone, and a scored hand that goes there."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from serve_phone import SAMPLE_HAND, Phone

from scoring import score

NAMES = ("Ann", "<b>Bo</b>", "=Chi()", "丁")


def open_table(phone: Phone, names: tuple[str, ...] = NAMES, rules: str = "mcr") -> Any:
    page = phone.open("/tables")
    for wind, name in zip("ESWN", names, strict=True):
        page.fill(f"#name-{wind}", name)
    page.select_option("#say-rules", rules)
    page.locator("#new button[type=submit]").tap()
    page.wait_for_selector("#table-part:not([hidden])")
    page.wait_for_selector("body[data-ready]")
    return page


def totals(page: Any) -> list[int]:
    return [int(text.replace("−", "-")) for text in page.locator("#players b").all_inner_texts()]


def enter(page: Any, hand: str, winner: str, giver: str) -> None:
    page.locator("#enter summary").tap()
    page.select_option("#enter-winner", winner)
    page.select_option("#enter-from", giver)
    page.fill("#enter-hand", hand)
    page.locator("#enter button[type=submit]").tap()
    page.wait_for_selector("#history tr")


def test_an_evening_from_names_to_csv(any_phone: Phone, tmp_path: Path) -> None:
    page = open_table(any_phone)
    assert [text.split("\n")[0] for text in page.locator("#players .who").all_inner_texts()] == list(NAMES)
    enter(page, SAMPLE_HAND, "1", "2")  # South wins on West's discard
    told = score(SAMPLE_HAND.replace("|EE", "|ES"), discarder="W")
    paid = {row.seat: row.amount for row in told.payments}
    assert totals(page) == [paid[seat] for seat in "ESWN"]
    page.locator("#draw").tap()
    page.wait_for_selector("#history tr:nth-child(2)")
    assert totals(page) == [paid[seat] for seat in "ESWN"]
    with page.expect_download() as download:
        page.locator("#csv").tap()
    download.value.save_as(tmp_path / "table.csv")
    rows = list(csv.reader((tmp_path / "table.csv").read_text("utf-8-sig").splitlines()))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "@"))]
    page.locator("#undo").tap()
    page.wait_for_selector("#history tr:nth-child(2)", state="detached")
    page.locator("#undo").tap()
    page.wait_for_selector("#history-part", state="hidden")
    assert totals(page) == [0, 0, 0, 0]


def test_names_are_shown_as_they_are_typed(phone: Phone) -> None:
    page = open_table(phone)
    assert page.locator("#players b b, #players script").count() == 0
    assert "<b>Bo</b>" in page.inner_text("#players")


def test_a_photographed_hand_goes_to_the_table(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"))
    address = page.url
    page.locator("#enter a").tap()
    page.wait_for_selector("body[data-ready]")
    phone.photograph()
    page.locator("#winner-2 + span").tap()
    phone.total()
    assert page.is_checked("#say-seat-W")  # the table knows where the winner sits
    page.locator("#say-from-E + span").tap()
    phone.total()
    page.locator("#evening-add").tap()
    page.wait_for_selector("#toast.shown")
    told = score(SAMPLE_HAND.replace("|EE", "|EW"), discarder="E")
    paid = {row.seat: row.amount for row in told.payments}
    page.goto(address)
    page.wait_for_selector("#history tr")
    assert totals(page) == [paid[seat] for seat in "ESWN"]
    assert page.locator("#history .strip svg").count() == 16


def test_three_win_on_one_discard(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"), rules="jipinghu")
    address = page.url
    page.locator("#enter a").tap()
    page.wait_for_selector("body[data-ready]")
    phone.photograph()
    for number, winner in enumerate((1, 3, 0)):  # on West's discard; East wins too and deals again
        assert page.locator("#say-same_discard").count() == bool(number)
        if number:
            page.locator("#say-same_discard + span").tap()
            assert page.is_disabled("#winner-1") and page.is_disabled("#winner-2")
        else:
            page.locator("#say-from-W + span").tap()
        page.locator(f"#winner-{winner} + span").tap()
        if not page.is_checked("#say-three-winners"):
            page.locator("#say-three-winners + span").tap()
        phone.total()
        assert page.is_checked("#say-from-W")
        assert page.is_checked(f"#say-seat-{'ESWN'[winner]}")
        page.locator("#evening-add").tap()
        page.wait_for_selector("#evening-add:disabled")
    assert page.locator("#say-same_discard").count() == 0
    page.goto(address)
    page.wait_for_selector("#history tr:nth-child(3)")
    told = {
        seat: score(SAMPLE_HAND.replace("|EE", f"|E{seat}"), "jipinghu", events=("three-winners",))
        for seat in "ESN"
    }
    won = {seat: told[seat].settlement.winner for seat in told}
    assert totals(page) == [won["E"], won["S"], -sum(won.values()), won["N"]]
    assert page.locator("#players li.dealer .who").inner_text().startswith("Ann")


def test_a_hand_typed_in_can_be_of_the_same_discard(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"), rules="jipinghu")
    assert page.locator("#enter #say-same_discard").count() == 0
    enter(page, SAMPLE_HAND, "1", "2")
    page.locator("#say-same_discard + span").tap()
    assert page.locator("#enter-winner option").all_inner_texts() == ["Ann · East", "Dee · North"]
    assert page.locator("#enter-from option").count() == 1
    page.select_option("#enter-winner", "3")
    page.fill("#enter-hand", SAMPLE_HAND)
    page.locator("#enter button[type=submit]").tap()
    page.wait_for_selector("#history tr:nth-child(2)")
    assert page.locator("#history th").all_inner_texts()[0].startswith("1")  # of the same turn
    told = {seat: score(SAMPLE_HAND.replace("|EE", f"|E{seat}"), "jipinghu") for seat in "SN"}
    won = {seat: told[seat].settlement.winner for seat in told}
    assert totals(page) == [0, won["S"], -sum(won.values()), won["N"]]
    assert not page.is_checked("#say-same_discard")  # it is said of each hand


def test_two_phones_at_one_table_do_not_enter_a_hand_twice(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"))
    other = phone.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    page.locator("#draw").tap()
    page.wait_for_selector("#history tr")
    other.locator("#draw").tap()
    other.wait_for_selector("#trouble:not([hidden])")  # somebody was first
    other.wait_for_selector("#history tr")
    assert other.locator("#history tr").count() == 1


@pytest.mark.parametrize("names", [("Ann", "Bo", "Chi", ""), ("Ann", "Ann", "Chi", "Dee")])
def test_a_table_needs_four_names(phone: Phone, names: tuple[str, ...]) -> None:
    page = phone.open("/tables")
    for wind, name in zip("ESWN", names, strict=True):
        page.fill(f"#name-{wind}", name)
    page.locator("#new button[type=submit]").tap()
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.locator("#new-part").is_visible()
    assert page.input_value("#name-E") == "Ann"


def test_a_hand_that_does_not_count_is_refused_in_words(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"))
    page.locator("#enter summary").tap()
    page.fill("#enter-hand", "[234m,1][678p,1]678s22s45p6p")
    page.select_option("#enter-from", "1")
    page.locator("#enter button[type=submit]").tap()
    page.wait_for_selector("#trouble:not([hidden])")
    assert "8" in page.inner_text("#trouble")
    assert page.locator("#history tr").count() == 0


def test_a_table_that_is_not_there_is_told(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.server.address}/tables/no-such-table")
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.locator("#table-part").is_hidden()


def test_the_table_is_shared_by_a_code(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"))
    page.locator("#join summary").tap()
    assert page.evaluate("document.querySelector('#qr').decode().then(() => true)")
    assert page.evaluate("document.querySelector('#qr').naturalWidth") > 100


def test_the_dealer_stays_where_the_rules_say_so(phone: Phone) -> None:
    page = open_table(phone, ("Ann", "Bo", "Chi", "Dee"), "fuzhou")
    page.locator("#draw").tap()
    page.wait_for_selector("#history tr")
    assert "stayed once" in page.inner_text("#turn")
    assert page.inner_text("#players .dealer .who").startswith("Ann")
    assert page.inner_text("#players .dealer .wind") == "East"
