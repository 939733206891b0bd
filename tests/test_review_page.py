"""The review page in a real browser: what a person does with keys and mouse, and what is kept of it.

Pictures are rendered ones.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from review_folder import PICTURES, SIDES, Picture, labelled_folder

pytest.importorskip("fastapi", reason="the review page needs the extra `review`")
pytest.importorskip("cachetools", reason="the review page needs the extra `review`")

import uvicorn

from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Box, Image, Labelled, Listed
from datasets.labelling.review.app import create_app
from vision.serve.run import Listener

NUMBERS = {picture.name: number for number, picture in enumerate(PICTURES, start=1)}
WAIT_SECONDS = 60


class Review:
    """A review server in a thread, which can be stopped and started on the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._port = 0
        self.start()

    def start(self) -> None:
        listener = Listener("127.0.0.1", self._port)
        self.address, self._port = listener.url, listener.socket.getsockname()[1]
        config = uvicorn.Config(
            create_app(self.folder), log_level="warning", timeout_graceful_shutdown=2, lifespan="on"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener.socket],))
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(WAIT_SECONDS)
        assert not self._thread.is_alive()

    def image(self, name: str) -> Image:
        with Manifest.open(self.folder) as manifest:
            return manifest.image(NUMBERS[name])

    def boxes(self, name: str) -> tuple[Box, ...]:
        with Manifest.open(self.folder) as manifest:
            return manifest.boxes(NUMBERS[name])


@pytest.fixture
def review(tmp_path: Path, browser: Any) -> Iterator[Review]:
    running = Review(labelled_folder(tmp_path))
    yield running
    running.stop()


@pytest.fixture
def page(review: Review, browser: Any) -> Iterator[Any]:
    opened = opened_page(review, browser)
    yield opened
    errors = opened.script_errors
    opened.context.close()
    assert errors == []


def opened_page(review: Review, browser: Any) -> Any:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(WAIT_SECONDS * 1000)
    page.script_errors = []
    page.on("pageerror", lambda error: page.script_errors.append(str(error)))
    page.goto(review.address)
    page.locator("#boxes button").first.wait_for()
    return page


def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript expression holds; the page's policy forbids Playwright's own way."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(50)


def saved(page: Any) -> None:
    until(page, "document.getElementById('saving').textContent === 'All saved'")


def shows(page: Any, name: str) -> None:
    until(page, f"document.getElementById('source').textContent === 'photos/{name}.jpg'")


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def at(page: Any, x: float, y: float) -> tuple[float, float]:
    """Where a point of the picture is on the screen."""
    place = page.locator(".canvas img").bounding_box()
    return place["x"] + x * place["width"] / SIDES[0], place["y"] + y * place["height"] / SIDES[1]


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From one point of the picture to another."""
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    page.mouse.move(*at(page, *end))
    page.mouse.up()


def middle(box: Box) -> tuple[float, float]:
    return sum(x for x, _ in box.quad) / 4, sum(y for _, y in box.quad) / 4


def test_the_most_doubtful_picture_and_box_come_first(page: Any, review: Review) -> None:
    shows(page, "flagged")
    assert page.locator("#progress").inner_text() == "3 of 3 doubtful left"
    assert page.locator("#rows .name").all_inner_texts() == ["flagged.jpg", "unsure.jpg", "less-unsure.jpg"]
    assert page.locator(".box").count() == len(review.boxes("flagged"))
    assert page.locator(".box.selected").get_attribute("data-tile") == "9m"
    assert "more than four of one tile" in page.locator("#flags").inner_text()


def test_a_name_typed_and_a_picture_accepted_outlive_the_server(
    page: Any, review: Review, browser: Any
) -> None:
    press(page, "1", "s", "Enter")
    shows(page, "unsure")
    saved(page)
    assert page.locator("#progress").inner_text() == "2 of 3 doubtful left"
    review.stop()
    assert review.boxes("flagged")[0].tile == "1s"
    assert review.boxes("flagged")[0].origin == "human"
    assert review.image("flagged").state == "reviewed"
    review.start()
    again = opened_page(review, browser)
    shows(again, "unsure")
    assert again.locator("#progress").inner_text() == "2 of 3 doubtful left"
    again.context.close()


def test_a_box_is_moved_by_a_drag(page: Any, review: Review) -> None:
    before = review.boxes("flagged")
    x, y = middle(before[5])
    drag(page, (x, y), (x + 20, y - 15))
    saved(page)
    after = review.boxes("flagged")
    assert middle(after[5]) == pytest.approx((x + 20, y - 15), abs=1)
    assert (after[5].tile, after[5].origin) == (before[5].tile, "human")
    assert [box for i, box in enumerate(after) if i != 5] == [box for i, box in enumerate(before) if i != 5]


def test_a_box_is_stretched_by_its_corner_and_turned_by_its_knob(page: Any, review: Review) -> None:
    before = review.boxes("flagged")[0]
    corner = before.quad[2]
    drag(page, corner, (corner[0] + 12, corner[1] + 9))
    saved(page)
    stretched = review.boxes("flagged")[0]
    assert stretched.quad[0] == pytest.approx(before.quad[0], abs=0.2)
    assert stretched.quad[2] == pytest.approx((corner[0] + 12, corner[1] + 9), abs=1)
    knob = page.locator(".handles [data-turn]").bounding_box()
    page.mouse.move(knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2)
    page.mouse.down()
    page.mouse.move(knob["x"] + 60, knob["y"] + 20)
    page.mouse.up()
    saved(page)
    turned = review.boxes("flagged")[0]
    assert middle(turned) == pytest.approx(middle(stretched), abs=0.5)
    assert abs(turned.quad[0][1] - stretched.quad[0][1]) > 2


def test_boxes_are_added_and_deleted(page: Any, review: Review) -> None:
    before = review.boxes("flagged")
    press(page, "i")
    drag(page, (20, 20), (50, 60))
    press(page, "N")
    saved(page)
    added = review.boxes("flagged")
    assert added[:-1] == before
    assert (added[-1].tile, added[-1].origin) == ("N", "human")
    assert added[-1].bounds == pytest.approx((20, 20, 50, 60), abs=1)
    press(page, "i", "i", "2", "p")  # by keys alone: in the middle
    saved(page)
    assert review.boxes("flagged")[-1].tile == "2p"
    assert middle(review.boxes("flagged")[-1]) == pytest.approx((SIDES[0] / 2, SIDES[1] / 2), abs=1)
    press(page, "Delete", "Delete")
    saved(page)
    assert review.boxes("flagged") == before


def test_a_box_is_shaped_by_keys(page: Any, review: Review) -> None:
    before = review.boxes("flagged")[0]
    press(page, "ArrowRight", "Shift+ArrowDown", ">", ")")
    saved(page)
    moved = review.boxes("flagged")[0]
    x, y = middle(before)
    assert middle(moved) == pytest.approx((x + 1, y + 10), abs=0.2)
    press(page, "}")
    saved(page)
    rolled = review.boxes("flagged")[0]
    assert rolled.quad == (*moved.quad[1:], moved.quad[0])


def test_undo_and_redo_on_the_picture_where_it_was_and_after_a_restart(
    page: Any, review: Review, browser: Any
) -> None:
    before = review.boxes("flagged")
    press(page, "1", "s", "Enter")
    shows(page, "unsure")
    press(page, "x")
    shows(page, "less-unsure")
    saved(page)
    review.stop()
    review.start()
    again = opened_page(review, browser)
    press(again, "Control+z")
    shows(again, "unsure")
    saved(again)
    press(again, "Control+z")
    shows(again, "flagged")
    saved(again)
    press(again, "u")
    saved(again)
    assert review.boxes("flagged") == before
    assert {review.image(name).state for name in ("flagged", "unsure")} == {"new"}
    press(again, "Control+Shift+z", "y", "y")
    saved(again)
    assert review.image("unsure").state == "rejected"
    assert review.image("flagged").state == "reviewed"
    assert review.boxes("flagged")[0].tile == "1s"
    again.context.close()


def test_the_palette_has_the_likeliest_first(page: Any, review: Review) -> None:
    press(page, "t")
    options = page.locator("#palette-list [role=option]")
    assert [options.nth(i).get_attribute("data-tile") for i in range(3)] == ["1s", "7m", "6m"]
    assert options.count() == 44
    press(page, "ArrowRight", "Enter")
    page.locator(".box.selected[data-tile='7m']").wait_for()
    press(page, "t")
    page.keyboard.type("东")
    press(page, "Enter")
    page.locator(".box.selected[data-tile='E']").wait_for()
    press(page, "t", "Escape")
    saved(page)
    assert review.boxes("flagged")[0].tile == "E"


def test_doubtful_boxes_are_gone_through_over_pictures(page: Any) -> None:
    shows(page, "flagged")
    press(page, "n")
    shows(page, "unsure")
    page.locator(".box.selected.doubtful").wait_for()
    press(page, "p")
    shows(page, "flagged")
    press(page, "j")
    shows(page, "unsure")
    press(page, "k")
    shows(page, "flagged")


def test_the_odd_tile_is_fixed_on_the_wall(page: Any, review: Review) -> None:
    press(page, "w")
    page.locator("#wall-tile").select_option("9m")
    until(page, "document.querySelectorAll('#crops .crop').length === 3")
    until(page, "[...document.querySelectorAll('#crops img')].every(img => img.naturalWidth > 0)")
    by_picture = {
        crop.get_attribute("data-image"): crop for crop in page.locator("#crops .crop").element_handles()
    }
    by_picture[str(NUMBERS["unsure"])].focus()
    press(page, "3", "s")
    by_picture[str(NUMBERS["flagged"])].click()
    page.locator("#palette-list [data-tile='1s']").click()
    page.locator("#crops .changed").nth(1).wait_for()
    saved(page)
    assert review.boxes("unsure")[2].tile == "3s"
    assert review.boxes("flagged")[0].tile == "1s"
    by_picture[str(NUMBERS["less-unsure"])].focus()
    press(page, "Delete")
    saved(page)
    assert len(review.boxes("less-unsure")) == len(review.boxes("sure")) - 1


def test_a_second_tab_is_told_that_the_first_was_faster(page: Any, review: Review, browser: Any) -> None:
    other = opened_page(review, browser)
    press(other, "1", "s")
    saved(other)
    press(page, "C")
    page.locator("#notice").wait_for()
    assert "flagged.jpg was changed elsewhere" in page.locator("#notice").inner_text()
    page.locator(".box.selected[data-tile='C']").wait_for(state="detached")
    assert review.boxes("flagged")[0].tile == "1s"
    saved(page)
    other.context.close()


def test_nothing_is_lost_while_the_server_is_away(page: Any, review: Review) -> None:
    review.stop()
    press(page, "1", "s")
    until(page, "document.getElementById('saving').textContent.startsWith('Not saved yet.')")
    press(page, "Shift+ArrowRight")
    review.start()
    saved(page)
    assert review.boxes("flagged")[0].tile == "1s"
    assert page.locator("#notice").is_hidden()


def test_a_missing_file_is_said_on_the_page(page: Any, review: Review) -> None:
    (review.folder.parent / "photos" / "unsure.jpg").unlink()
    press(page, "j")
    shows(page, "unsure")
    page.locator("#absent").wait_for()
    assert "put it back" in page.locator("#absent").inner_text()
    press(page, "x")
    saved(page)
    assert review.image("unsure").state == "rejected"


def test_filters_and_help(page: Any) -> None:
    page.locator("[name=flag]").select_option("five-of-a-kind")
    until(page, "document.querySelectorAll('#rows li').length === 1")
    page.locator("[name=flag]").select_option("")
    page.locator("[name=doubtful]").uncheck()
    until(page, "document.querySelectorAll('#rows li').length === 4")
    page.locator("#stage").focus()
    press(page, "?")
    assert page.locator("#help").is_visible()
    press(page, "x", "Escape")
    assert page.locator("#help").is_hidden()
    assert page.locator("#progress").inner_text() == "3 of 3 doubtful left"


def test_single_keys_can_be_turned_off(page: Any, review: Review) -> None:
    press(page, "?")
    page.locator("#keys-on").uncheck()
    press(page, "Escape", "x", "1", "s")
    page.locator("#accept").focus()
    press(page, "Enter")
    shows(page, "unsure")
    saved(page)
    assert review.image("flagged").state == "reviewed"
    assert review.boxes("flagged")[0].tile == "9m"


def test_everything_that_can_be_pressed_has_a_name(page: Any) -> None:
    for view in ("pictures", "wall"):
        page.locator(f"#show-{view}").click()
        page.wait_for_timeout(200)
        nameless = page.evaluate(
            """[...document.querySelectorAll('button, select, input, [role]')].filter((it) =>
                 it.checkVisibility() && !(it.ariaLabel || it.textContent.trim() || it.labels?.length))
                 .map((it) => it.outerHTML)"""
        )
        assert nameless == []
    assert page.locator("img:not([alt])").count() == 0


def test_thousands_of_pictures_come_page_by_page(tmp_path: Path, browser: Any) -> None:
    folder = labelled_folder(tmp_path, (Picture("first", wrong=0, margin=0.01),))
    with Manifest.open(folder) as manifest, manifest.transaction():
        picture = manifest.image(1).picture
        (box,) = manifest.boxes(1)[:1]
        for number in range(2, 2002):
            manifest.register([Listed(f"{number}.jpg", f"{picture}#{number}", f"{number}", "more")])
            manifest.record(number, Labelled("0" * 64, "0" * 16, SIDES, (box,)))
    review = Review(folder)
    try:
        page = opened_page(review, browser)
        assert page.locator("#progress").inner_text() == "2001 of 2001 doubtful left"
        assert page.locator("#rows li").count() <= 100
        page.locator("#more-rows").click()
        until(page, "document.querySelectorAll('#rows li').length > 100")
        page.context.close()
    finally:
        review.stop()


def test_the_page_stays_at_home(page: Any, review: Review, browser: Any) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.locator("#boxes button").first.wait_for()
    press(page, "t")
    page.wait_for_timeout(300)
    assert asked
    assert all(url.startswith(review.address) for url in asked)
    static = Path(create_app.__code__.co_filename).parent / "static"
    for path in static.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|\son\w+=|\sstyle=|url\(|@import", text), path.name


def test_zoom_asks_for_a_finer_picture(tmp_path: Path, browser: Any) -> None:
    from PIL import Image as Pillow

    from models.registry import SAMPLE_PHOTO

    folder = labelled_folder(tmp_path, (Picture("first", wrong=0, margin=0.01),))
    with Manifest.open(folder) as manifest, manifest.transaction() as connection:
        path = Path(manifest.image(1).picture)
        path.write_bytes(SAMPLE_PHOTO.read_bytes())
        with Pillow.open(path) as sample:
            connection.execute("UPDATE images SET width = ?, height = ?", sample.size)
        connection.execute(
            "UPDATE boxes SET x1 = x1 * 4, y1 = y1 * 4, x2 = x2 * 4, y2 = y2 * 4, "
            "x3 = x3 * 4, y3 = y3 * 4, x4 = x4 * 4, y4 = y4 * 4"
        )
    review = Review(folder)
    try:
        page = opened_page(review, browser)
        until(page, "document.querySelector('.canvas img').naturalWidth === 960")
        press(page, "v")
        until(page, "document.querySelector('.canvas img').naturalWidth === 1600")
        until(page, "document.querySelector('.box.selected polygon').getBoundingClientRect().height > 150")
        page.context.close()
    finally:
        review.stop()
