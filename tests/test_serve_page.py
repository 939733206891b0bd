"""From a photo to the total on a phone, with what was read wrong put right by taps.

The photo is the rendered sample.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from PIL import Image
from serve_phone import SAMPLE, SAMPLE_HAND, SAMPLE_TILES, Phone, doubt, sample_reading

from scoring import score

WHOLE = score(SAMPLE_HAND)
POOR_HAND = "[234m,1][678p,1]678s22s45p6p|EE0000|0"
POINTS = re.compile(r"\d+")


def points(phone: Phone) -> int:
    return int(POINTS.findall(phone.total())[0])


def test_a_misread_tile_is_put_right_by_one_tap(any_phone: Phone) -> None:
    any_phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = any_phone.open()
    any_phone.photograph()
    assert "1" in page.inner_text("#count")
    assert page.locator(".box.unsure").count() == page.locator(".tile-button.unsure").count() == 1
    assert not POINTS.search(any_phone.total())  # 12348s do not make sets: no win, no points
    page.locator('#check-list [data-tile="7s"]').tap()
    assert points(any_phone) == WHOLE.total
    assert page.locator("#checks").is_hidden()
    assert str(WHOLE.total) in page.inner_text("#headline")
    language = page.evaluate("document.documentElement.dataset.lang")
    names = [fan.name if language == "zh" else fan.english for fan in WHOLE.fans]
    told = page.locator(".fan .name").all_inner_texts()
    assert len(told) == len(names)
    assert all(any(name in text for text in told) for name in names)


def test_a_tile_is_named_anew_by_tapping_it(any_phone: Phone) -> None:
    page = any_phone.open()
    any_phone.photograph()
    before = points(any_phone)
    any_phone.tap_tile("E")
    assert page.locator("#sheet header canvas").count() == 1  # the tile as the photo shows it
    any_phone.choose("S")
    assert "S" in any_phone.tiles("concealed")
    assert not POINTS.search(any_phone.total())
    any_phone.tap_tile("E")
    any_phone.choose("S")
    assert points(any_phone) == score(SAMPLE_HAND.replace("EE", "SS", 1)).total
    assert before == WHOLE.total


def test_the_likeliest_names_come_first(phone: Phone) -> None:
    phone.reads(lambda reading: doubt(reading, "7s", "4s"))
    page = phone.open()
    phone.photograph()
    phone.tap_tile("4s")
    offered = page.locator("#sheet .likely [data-tile]")
    assert [offered.nth(k).get_attribute("data-tile") for k in range(offered.count())] == ["4s", "7s", "P"]
    offered.nth(1).tap()
    assert points(phone) == WHOLE.total


def test_a_box_on_the_photo_opens_its_tile(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#photo .box polygon").first.tap()
    page.wait_for_selector("#sheet[open]")
    page.keyboard.press("Escape")
    assert page.locator("#sheet").is_hidden()


def test_one_tile_away_says_which_and_puts_it_right(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    phone.tap_tile("9s")
    page.locator('[data-act="sheet.remove"]').tap()
    phone.total()
    assert "9s" in page.inner_text("#result .verdict")
    page.locator('.exchanges [data-tile="9s"]').tap()
    assert points(phone) == WHOLE.total
    assert "9s" in phone.tiles("concealed")


def test_below_the_minimum_says_by_how_much(phone: Phone) -> None:
    page = phone.open(f"/#hand={POOR_HAND}")
    poor = score(POOR_HAND)
    assert poor.wins and not poor.legal
    assert points(phone) == poor.total
    short = poor.minimum - sum(fan.points * fan.count for fan in poor.fans)
    assert f"{short} point" in page.inner_text("#result .verdict")
    assert page.locator(".payments").count() == 0


def test_tiles_are_removed_and_added(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    phone.tap_tile("c", "flowers")
    page.locator('[data-act="sheet.remove"]').tap()
    assert points(phone) == WHOLE.total - 1
    page.locator("#add-flowers").tap()
    phone.choose("h")
    phone.choose("a")
    page.locator("#sheet .primary").tap()
    assert sorted(phone.tiles("flowers")) == ["a", "f", "h"]
    assert points(phone) == WHOLE.total + 1


def test_a_hand_is_entered_without_a_photo(phone: Phone) -> None:
    page = phone.open()
    page.locator("#by-hand").tap()
    for tile in ("1m", "1m", "1m", "9m", "9m", "9m", "1s", "1s", "1s", "9s", "9s"):
        phone.choose(tile)
    page.locator("#sheet .primary").tap()
    page.locator("#add-meld").tap()
    for tile in ("E", "E", "E"):
        phone.choose(tile)
    page.locator("#sheet .primary").tap()
    phone.tap_tile("9s")
    page.locator('[data-act="sheet.winning"]').tap()
    assert points(phone) == score("[EEE,1]111999m111s9s9s").total


def test_tiles_move_between_places_by_the_sheet(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    for place in ("meld-new", "meld-1", "meld-1"):
        phone.tap_tile("C")
        page.select_option("#move", place)
    assert phone.tiles("meld-1") == ["C", "C", "C"]
    melded = score("[456s,1][CCC,1]12378sEE9s|EE0000|cf")
    assert points(phone) == melded.total
    page.locator("#meld-1-more").tap()
    page.locator("#meld-open").tap()
    assert points(phone) == WHOLE.total


def test_a_pung_becomes_a_kong_face_down_or_claimed(phone: Phone) -> None:
    page = phone.open("/#hand=[456s,1][CCC,1]12378sEE9s|EE0000|cf")
    page.locator("#meld-1-more").tap()
    page.locator("#meld-kong").tap()
    assert points(phone) == score("[456s,1][CCCC,1]12378sEE9s|EE0000|cf").total
    page.locator("#meld-hidden").tap()
    assert points(phone) == score("[456s,1][CCCC]12378sEE9s|EE0000|cf").total


def centre(locator: Any) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_tiles_are_dragged_by_mouse(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#board").scroll_into_view_if_needed()
    page.mouse.move(*centre(page.locator('[data-place="flowers"] [data-tile="c"]')))
    page.mouse.down()
    page.mouse.move(*centre(page.locator('[data-place="concealed"] [data-tile="2s"]')), steps=5)
    page.mouse.up()
    assert phone.tiles("concealed")[:2] == ["1s", "c"]
    assert phone.tiles("flowers") == ["f"]
    assert page.locator("#sheet").is_hidden()  # the drop is no tap


def test_tiles_are_dragged_by_a_finger_that_rests_first(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#board").scroll_into_view_if_needed()
    start = centre(page.locator('[data-place="flowers"] [data-tile="f"]'))
    end = centre(page.locator("#add-meld"))
    touch = phone.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    send("touchStart", start)
    page.wait_for_selector(".ghost", state="attached")
    for step in range(1, 6):
        send("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    send("touchEnd")
    page.wait_for_selector('[data-place="meld-1"]')
    assert phone.tiles("meld-1") == ["f"]


def test_the_tiles_of_a_fan_light_up(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    phone.total()
    straight = next(k for k, fan in enumerate(WHOLE.fans) if fan.name == "清龙")
    page.locator(f"#fan-{straight}").tap()
    lit = page.locator("#board .in")
    names = sorted(str(lit.nth(k).get_attribute("data-tile")) for k in range(lit.count()))
    assert names == sorted(tile for tiles in WHOLE.fans[straight].tiles for tile in tiles)
    assert page.locator(f"#why-{straight} svg").count() == len(names)


def test_circumstances_are_scored_at_once(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#say-won-self + span").tap()
    assert points(phone) == score(SAMPLE_HAND.replace("EE0000", "EE1000")).total
    page.locator("#say-last_tile + span").tap()
    assert points(phone) == score(SAMPLE_HAND.replace("EE0000", "EE1010")).total
    page.locator("#say-won-discard + span").tap()
    page.locator("#say-last_tile + span").tap()
    page.locator("#say-from-W + span").tap()
    assert points(phone) == WHOLE.total
    paid = dict(row.split("\t") for row in page.locator(".payments tr").all_inner_texts())
    expected = score(SAMPLE_HAND, discarder="W").payments
    assert [int(amount.replace("−", "-")) for amount in paid.values()] == [row.amount for row in expected]


def test_rules_and_winds_are_remembered_and_what_was_of_one_hand_is_not(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    page.locator("#say-round-S + span").tap()
    page.locator("#say-won-self + span").tap()
    page.select_option("#say-rules", "jipinghu")
    told = score(SAMPLE_HAND.replace("EE0000|cf", "SE1000|cf"), "jipinghu")
    assert points(phone) == told.total
    phone.open()
    phone.photograph()
    assert page.input_value("#say-rules") == "jipinghu"
    assert page.is_checked("#say-round-S")
    assert page.is_checked("#say-won-discard")


def test_which_tile_won_is_asked_where_the_photo_does_not_show_it(phone: Phone) -> None:
    def hide(reading: dict[str, Any]) -> None:
        apart = next(group for group in reading["groups"] if group["kind"] == "winning")
        concealed = next(group for group in reading["groups"] if group["kind"] == "concealed")
        concealed["tiles"] += apart["tiles"]
        reading["groups"].remove(apart)

    phone.reads(hide)
    page = phone.open()
    phone.photograph()
    phone.total()
    page.locator('.candidates [data-tile="8s"]').tap()
    assert points(phone) == score("[456s,1]12379sEECCC8s|EE0000|cf").total
    assert page.locator(".candidates").count() == 0


def test_a_shared_link_holds_the_hand_and_no_photo(phone: Phone) -> None:
    page = phone.open()
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.share = undefined")
    phone.photograph()
    page.select_option("#say-edition", "1998")
    page.locator("#say-seat-S + span").tap()
    told = phone.total()
    page.locator("#share-link").tap()
    page.wait_for_selector("#toast.shown")
    link = page.evaluate("navigator.clipboard.readText()")
    assert len(link) < 300
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("body[data-scored]")
    assert phone.total() == told
    assert page.is_checked("#say-seat-S")
    assert page.input_value("#say-edition") == "1998"
    assert page.locator("#photo-part").is_hidden()


def test_the_result_is_a_picture_and_a_text(phone: Phone, tmp_path: Path) -> None:
    page = phone.open()
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.share = navigator.canShare = undefined")
    phone.photograph()
    phone.total()
    with page.expect_download() as download:
        page.locator("#share-picture").tap()
    download.value.save_as(tmp_path / "hand.png")
    with Image.open(tmp_path / "hand.png") as picture:
        colours = picture.convert("RGB").getcolors(1 << 24)
    assert colours is not None and len(colours) > 100  # tiles in their paints, not a blank card
    page.locator("#share-text").tap()
    page.wait_for_selector("#toast.shown")
    text = page.evaluate("navigator.clipboard.readText()")
    assert all(fan.english in text for fan in WHOLE.fans)
    assert str(WHOLE.settlement.winner) in text


# Playwright does not tell what a request with a file holds; the page's own call does.
REMEMBER_SENT = """
const real = window.fetch;
window.fetch = (url, options) => {
  if (String(url).endsWith("/read")) window.sent = options.body.get("photo");
  return real(url, options);
};
"""
SENT = """async () => {
  const picture = await createImageBitmap(window.sent, { imageOrientation: "none" });
  const head = await window.sent.slice(0, 4096).arrayBuffer();
  const text = new TextDecoder("latin1").decode(head);
  return { size: [picture.width, picture.height], type: window.sent.type, metadata: text.includes("Exif") };
}"""


def test_a_large_photo_is_made_small_and_upright_and_read_by_the_server(phone: Phone, tmp_path: Path) -> None:
    # A phone held upright writes the sensor's picture lying and says so in EXIF: 6 is a quarter turn.
    lying = Image.open(SAMPLE).resize((4000, 3000)).transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Somebody's phone"
    lying.save(tmp_path / "large.jpg", exif=exif)
    phone.reads_itself()
    phone.page.add_init_script(REMEMBER_SENT)
    page = phone.open()
    phone.photograph(tmp_path / "large.jpg")
    assert page.evaluate(SENT) == {"size": [2048, 1536], "type": "image/jpeg", "metadata": False}
    assert points(phone) == WHOLE.total


def test_a_file_that_is_no_photo_is_told_and_the_next_one_works(any_phone: Phone, tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("not a picture")
    any_phone.reads_itself()
    page = any_phone.open()
    page.set_input_files("#take", tmp_path / "notes.jpg")
    page.wait_for_selector("#trouble:not([hidden])")
    assert len(page.inner_text("#trouble")) > 10
    assert "Traceback" not in page.inner_text("body")
    any_phone.photograph()
    assert page.locator("#trouble").is_hidden()
    assert points(any_phone) == WHOLE.total


def test_a_busy_server_is_asked_again(phone: Phone) -> None:
    page = phone.open()
    refusals = iter([True])

    def busy_once(route: Any) -> None:
        if next(refusals, False):
            headers = {"Retry-After": "1", "Content-Type": "application/problem+json"}
            route.fulfill(status=503, headers=headers, body=json.dumps({"detail": "busy"}))
        else:
            route.fulfill(json=sample_reading())

    page.route("**/api/read", busy_once)
    phone.photograph()
    assert points(phone) == WHOLE.total


def test_a_server_that_is_gone_is_told(phone: Phone) -> None:
    page = phone.open()
    page.route("**/api/read", lambda route: route.abort())
    page.set_input_files("#take", SAMPLE)
    page.wait_for_selector("#trouble:not([hidden])")
    assert "does not answer" in page.inner_text("#trouble")


def test_warnings_change_their_language_with_the_page(phone: Phone) -> None:
    page = phone.open()
    told = {"en": ["Tile 3 is not legible."], "zh": ["3 号牌看不清。"]}
    page.route("**/api/read", lambda route: route.fulfill(json={**sample_reading(), "warnings_in": told}))
    phone.photograph()
    assert page.locator("#notes li").all_inner_texts() == told["en"]
    page.locator("#language").tap()
    page.wait_for_selector("html[lang=zh-Hans]")
    assert page.locator("#notes li").all_inner_texts() == told["zh"]


def test_the_language_changes_without_losing_the_hand(phone: Phone) -> None:
    page = phone.open()
    phone.photograph()
    phone.total()
    page.locator("#language").tap()
    page.wait_for_selector("html[lang=zh-Hans]")
    assert f"{WHOLE.total}分" in page.inner_text("#headline").replace(" ", "") or points(phone) == WHOLE.total
    assert page.inner_text("#hand-title") == "手牌"
    assert WHOLE.fans[0].name in page.inner_text("#fan-0")
    phone.open()
    assert page.get_attribute("html", "data-lang") == "zh"  # remembered


def test_photos_are_kept_only_when_that_is_switched_on(phone: Phone) -> None:
    page = phone.open()
    phone.reads(lambda reading: doubt(reading, "7s", "4s", belief=0.95))
    phone.photograph()
    phone.tap_tile("4s")
    phone.choose("7s")
    phone.total()
    kept = phone.server.kept
    before = set(kept.rglob("*.json"))
    assert not page.is_checked("#keep")
    assert page.locator("#keep-now").is_hidden()
    assert not [url for url in phone.asked if "corrections" in url]
    page.locator("#keep").tap()
    page.locator("#keep-now").tap()
    page.wait_for_selector("#toast.shown")
    (truth,) = set(kept.rglob("*.json")) - before
    names = [tile["tile"] for tile in json.loads(truth.read_text())["tiles"]]
    assert sorted(names) == SAMPLE_TILES
