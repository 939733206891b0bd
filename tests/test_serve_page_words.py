"""The pages' words and drawings, without a browser: both languages say the same, every tile is drawn."""

from __future__ import annotations

import re
import string
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from datasets.faces.__main__ import main
from datasets.faces.typefaces import FontsMissingError, fonts
from scoring import TILES
from vision.serve import pages

SCRIPTS = sorted((pages.STATIC / "js").glob("*.js"))
TEMPLATES = sorted(pages.TEMPLATES.glob("*.html"))
SVG = "{http://www.w3.org/2000/svg}"
LARGEST_SPRITE = 300_000


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_keys() -> None:
    english, chinese = (pages.translations(language) for language in pages.LANGUAGES)
    assert english.keys() == chinese.keys()
    assert len(english) > 100


def test_texts_have_the_same_places_for_values() -> None:
    english, chinese = (pages.translations(language) for language in pages.LANGUAGES)
    # Where there is one of something, a text may do without the number.
    different = [
        key for key in english if fields(english[key]) != fields(chinese[key]) and not key.endswith(".one")
    ]
    assert different == []


def test_no_text_is_empty_and_chinese_is_chinese() -> None:
    english, chinese = (pages.translations(language) for language in pages.LANGUAGES)
    assert all(text.strip() for text in (*english.values(), *chinese.values()))
    same = {key for key in english if english[key] == chinese[key]}
    assert same == set()


@pytest.mark.parametrize("path", [*SCRIPTS, *TEMPLATES], ids=lambda path: path.name)
def test_every_text_that_is_asked_for_is_there(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    asked = set(re.findall(r'\bsay\(\s*"([^"]+)"', source))
    asked |= set(re.findall(r"""\bt\[["']([^"'~]+)["']\]""", source))
    asked |= set(re.findall(r'data-t(?:-label|-placeholder)?="([^"{]+)"', source))
    assert asked <= pages.translations("en").keys()


def test_every_tile_wind_and_role_has_a_name() -> None:
    words = pages.translations("en")
    honours = [tile for tile in TILES if len(tile) == 1]
    wanted = {f"tile.{tile}" for tile in (*honours, "B", "unnamed")} | {f"suit.{suit}" for suit in "mps"}
    wanted |= {f"wind.{wind}" for wind in "ESWN"}
    wanted |= {f"role.{role}" for role in ("winner", "discarder", "liable", "dealer", "other")}
    assert wanted <= words.keys()
    for language in pages.LANGUAGES:
        assert len(pages.translations(language)["numerals"].split(",")) == 9


def check_drawings(text: str) -> None:
    root = ET.fromstring(text)
    symbols = {symbol.get("id"): symbol for symbol in root.iter(f"{SVG}symbol")}
    assert symbols.keys() == {f"t-{tile}" for tile in (*TILES, "B", "unnamed")}
    assert len(text.encode()) < LARGEST_SPRITE
    drawings = [ET.tostring(symbol[1]) for symbol in symbols.values()]
    assert len(set(drawings)) == len(drawings)
    assert not list(root.iter(f"{SVG}text"))  # the phone's fonts may lack the characters


def test_every_tile_is_drawn_in_one_small_file() -> None:
    check_drawings((pages.STATIC / "tiles.svg").read_text(encoding="utf-8"))


def test_the_drawings_can_be_made_again(tmp_path: Path) -> None:
    try:
        fonts()
    except FontsMissingError as error:
        pytest.skip(str(error))
    assert main(["sprite", str(tmp_path / "tiles.svg")]) == 0
    check_drawings((tmp_path / "tiles.svg").read_text(encoding="utf-8"))


def test_pages_run_nothing_that_a_strict_policy_forbids() -> None:
    for path in TEMPLATES:
        source = path.read_text(encoding="utf-8")
        inline = re.findall(r"<script(?![^>]*(?:src=|application/json))", source)
        assert not inline, path.name
        assert not re.search(r"\son\w+=|\sstyle=|<style", source), path.name


def test_nothing_comes_from_elsewhere() -> None:
    for path in (*SCRIPTS, *TEMPLATES, pages.STATIC / "app.css"):
        source = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn|@import|url\(", source), path.name
