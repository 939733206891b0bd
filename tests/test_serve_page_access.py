"""The pages for everybody: by keyboard alone, by screen reader, by thumb, in light and dark.

axe-core's rules are those of the package `axe-playwright-python`; the photo is the rendered sample.
"""

from __future__ import annotations

from typing import Any

import pytest
from serve_phone import SAMPLE, Phone, doubt

TARGET = 44
SERIOUS = {"serious", "critical"}


def faults(page: Any) -> list[str]:
    """What axe-core calls serious or critical."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="No axe here: pip install axe-playwright-python"
    )
    page.wait_for_timeout(300)  # colours in transition are not those that are read
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:120]} {node.get('failureSummary', '')}"
        for fault in found
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


def test_no_serious_fault_on_the_way_of_a_hand(lit_phone: Phone) -> None:
    lit_phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = lit_phone.open()
    assert faults(page) == []
    lit_phone.photograph()
    lit_phone.total()
    assert faults(page) == []  # something to check, no win
    page.locator('#check-list [data-tile="7s"]').tap()
    lit_phone.total()
    page.locator("#fan-0").tap()
    page.locator("#left-out summary").tap()
    page.locator("#house summary").tap()
    assert faults(page) == []  # the score, all unfolded
    lit_phone.tap_tile("E")
    assert faults(page) == []  # the sheet


def test_no_serious_fault_on_the_scoreboard(lit_phone: Phone) -> None:
    page = lit_phone.open("/tables")
    assert faults(page) == []
    for wind in "ESWN":
        page.fill(f"#name-{wind}", f"Player {wind}")
    page.locator("#new button[type=submit]").tap()
    page.wait_for_selector("#table-part:not([hidden])")
    page.locator("#draw").tap()
    page.wait_for_selector("#history tr")
    page.locator("#enter summary").tap()
    page.locator("#join summary").tap()
    assert faults(page) == []


SMALL = """least =>
  [...document.querySelectorAll("button, select, summary, .button, .chip span, header a")]
    .filter(element => element.checkVisibility({ visibilityProperty: true }))
    .map(element => [element.outerHTML.slice(0, 90), element.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.width < least || box.height < least))
    .map(([text, box]) => `${Math.round(box.width)} x ${Math.round(box.height)} ${text}`)
"""


def small_targets(page: Any) -> list[str]:
    """What can be tapped and is smaller than a fingertip; links within a sentence aside."""
    return list(page.evaluate(SMALL, TARGET))


def test_targets_are_large_enough_for_a_thumb(phone: Phone) -> None:
    phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = phone.open()
    assert small_targets(page) == []
    phone.photograph()
    phone.total()
    assert small_targets(page) == []
    phone.tap_tile("E")
    assert small_targets(page) == []
    phone.open("/tables")
    assert small_targets(page) == []


def test_nothing_is_wider_than_the_phone(phone: Phone) -> None:
    page = phone.open()
    for path in ("/", "/tables"):
        phone.open(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.open()
    phone.photograph()
    phone.total()
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def press_until(page: Any, selector: str, key: str = "Tab", most: int = 120) -> None:
    """Press a key until the focus is on what the selector names."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"The keyboard does not reach {selector}.")


def test_a_hand_is_corrected_by_keyboard_alone(phone: Phone) -> None:
    phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = phone.open()
    # Playwright takes over choosers once somebody listens, but does not wait until that has reached the
    # browser: asked for just before the key is pressed it may come too late.
    page.on("filechooser", lambda _: None)
    press_until(page, "#choose")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(SAMPLE)
    page.wait_for_selector("body[data-scored]")
    press_until(page, '#board [data-tile="4s"]')
    changed = page.evaluate("document.activeElement.id")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet[open]")
    press_until(page, '#sheet .likely [data-tile="7s"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    assert page.evaluate("document.activeElement.id") == changed  # not thrown back to the top
    legal = phone.total()
    press_until(page, "[name=won]")
    page.keyboard.press("ArrowLeft")  # self-drawn
    assert phone.total() != legal
    assert page.is_checked("#say-won-self")
    assert page.evaluate("document.activeElement.id") == "say-won-self"
    press_until(page, "#fan-0")
    assert page.locator("#board .in").count() > 0  # the focus lights up the sets
    press_until(page, "#share-link")


def test_escape_leaves_the_sheet_where_it_was_opened(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    phone.total()
    button = page.locator('#board [data-tile="E"]').first
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet[open]")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.tile") == "E"


def test_the_score_is_read_out(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    total = phone.total().replace("\n", " ")
    said = page.locator("#said[role=status]").inner_text()
    assert total.split()[0] in said
    names = page.locator("#board [data-tile]").evaluate_all("tiles => tiles.map(tile => tile.ariaLabel)")
    assert "1 of bamboo" in names and "East wind" in names
    assert any("winning tile" in name for name in names)


def test_light_and_dark_can_be_chosen_and_are_remembered(phone: Phone) -> None:
    page = phone.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.locator("#theme").tap()
    page.locator("#theme").tap()
    assert page.get_attribute("html", "data-theme") == "dark"
    dark = page.evaluate(paper)
    assert dark != light
    phone.open()
    assert page.evaluate(paper) == dark
    page.locator("#theme").tap()
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")  # as the phone has it
    assert page.evaluate(paper) == dark
    page.locator("#theme").tap()
    assert page.evaluate(paper) == light
