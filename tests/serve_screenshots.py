"""Take the screenshots of the pages again: `python tests/serve_screenshots.py` from a clone's root.

They show the rendered sample, at the size of a phone. Needs Chromium and Playwright, and the `serve` extra.
"""

from __future__ import annotations

import io
import shutil
import sys
from typing import Any

from PIL import Image
from serve_phone import PHONE, ROOT, SAMPLE, Phone, Server, doubt, running_server

FOLDER = ROOT / "vision" / "serve" / "pages" / "screenshots"
SCALE = 1.5
QUALITY = 82


def shoot(page: Any, name: str) -> None:
    """The visible part of the page as JPEG: a third of a PNG's size where there is a photo."""
    page.wait_for_timeout(400)
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").save(FOLDER / f"{name}.jpg", quality=QUALITY, optimize=True)


def walk(phone: Phone) -> None:
    """From the photo to the scoreboard."""
    # One tile is doubted here that the models have no doubt about, to show what that looks like.
    phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = phone.open("/tables")
    for wind, name in zip("ESWN", ("Ann", "Bo", "Chi", "Dee"), strict=True):
        page.fill(f"#name-{wind}", name)
    page.locator("#new button[type=submit]").tap()
    page.wait_for_selector("#table-part:not([hidden])")
    table = page.url
    phone.open()
    shoot(page, "1-start")
    page.set_input_files("#take", SAMPLE)
    page.wait_for_selector("body[data-scored]")
    shoot(page, "2-check")
    phone.tap_tile("4s")
    shoot(page, "3-tile")
    page.locator('#sheet .likely [data-tile="7s"]').tap()
    phone.total()
    page.locator("#circumstances-title").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#circumstances-part').scrollIntoView()")
    page.locator("#winner-0 + span").tap()
    page.locator("#say-from-W + span").tap()
    phone.total()
    page.evaluate("document.querySelector('#circumstances-part').scrollIntoView()")
    shoot(page, "4-circumstances")
    page.locator("#to-result").tap()
    page.locator("#fan-0").tap()
    page.evaluate("document.querySelector('#result-part').scrollIntoView()")
    shoot(page, "5-score")
    page.locator("#evening-add").tap()
    page.wait_for_selector("#toast.shown")
    page.goto(table)
    page.wait_for_selector("#history tr")
    page.locator("#draw").tap()
    page.wait_for_selector("#history tr:nth-child(2)")
    page.wait_for_selector("#toast:not(.shown)", state="attached")
    shoot(page, "6-scoreboard")


def score_in_chinese(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#to-result").tap()
    page.locator("#fan-0").tap()
    page.evaluate("document.querySelector('#result-part').scrollIntoView()")
    shoot(page, "7-chinese-dark")


def main() -> int:
    """Write the screenshots; returns the exit status."""
    from conftest import CHROMIUM
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    executable = shutil.which("chromium")
    with running_server() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(CHROMIUM))
        for locale, scheme, way in (("en-US", "light", walk), ("zh-CN", "dark", score_in_chinese)):
            _with_phone(browser, server, way, locale=locale, color_scheme=scheme)
    return 0


def _with_phone(browser: Any, server: Server, way: Any, **options: Any) -> None:
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=SCALE, **options
    )
    phone = Phone(context, server)
    phone.reads()
    way(phone)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
