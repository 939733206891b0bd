"""Tile faces drawn by the project: every face of several invented sets shows what it should."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageFont

from datasets.faces.bamboo import SCHEMES as BAMBOO_SCHEMES
from datasets.faces.bamboo import sticks
from datasets.faces.canvas import Canvas
from datasets.faces.dots import SCHEMES as DOT_SCHEMES
from datasets.faces.dots import positions
from datasets.faces.draw import draw_face
from datasets.faces.engraver import CHARS, engraver
from datasets.faces.glyphs import write
from datasets.faces.house import house_style
from datasets.faces.sampling import random_style
from datasets.faces.style import FaceStyle, Finish, GlyphStyle, Layer
from datasets.faces.typefaces import FontsMissingError, fonts, latin_fonts
from scoring import TILES

SIZE = (60, 80)


def _style(seed: int) -> FaceStyle:
    return random_style(np.random.default_rng(seed))


def _fonts_or_skip() -> None:
    try:
        fonts()
        latin_fonts()
    except FontsMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def house() -> FaceStyle:
    _fonts_or_skip()
    return house_style()


@pytest.fixture
def plain(house: FaceStyle) -> FaceStyle:
    """A set whose dots and sticks are single blots of paint on a flat body, well apart."""
    flat = Finish(body=(240, 240, 240), grain=0, relief=0, light=0, core=0, edge=0, opacity=1, soft=0)
    dots = dataclasses.replace(house.dots, layers=(Layer("disc", 1.0, "main"),), radius=0.8, spread=1.0)
    bamboo = dataclasses.replace(
        house.bamboo, stick="capsule", groove=0.0, knots=False, width=22, eight="rows", length=0.9
    )
    return dataclasses.replace(house, dots=dots, bamboo=bamboo, finish=flat)


def _blots(face: np.ndarray) -> int:
    painted = (face.astype(int).min(axis=2) < 170).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(painted)
    return int((stats[1:, cv2.CC_STAT_AREA] > 20).sum())


@pytest.mark.parametrize("seed", range(6))
def test_every_face_of_an_invented_set_is_drawn_and_differs_from_the_others(seed: int) -> None:
    _fonts_or_skip()
    style = _style(seed)
    faces = {tile: draw_face(tile, style, SIZE) for tile in TILES}
    for face in faces.values():
        assert face.shape == (80, 60, 3)
        assert face.dtype == np.uint8
    for i, a in enumerate(TILES):
        for b in TILES[:i]:
            # At 60 x 80 even 二 and 三, or the 3 and 4 of two flowers, differ in dozens of pixels.
            changed = np.abs(faces[a].astype(int) - faces[b].astype(int)).max(axis=2) > 40
            assert changed.sum() > 12, (a, b)


def test_the_same_seed_gives_the_same_set_and_another_seed_another() -> None:
    _fonts_or_skip()
    assert _style(5) == _style(5)
    assert _style(5) != _style(6)
    first, again = (draw_face("7m", _style(5), SIZE) for _ in range(2))
    assert np.array_equal(first, again)


@pytest.mark.parametrize("count", range(2, 10))
def test_a_dot_tile_shows_that_many_dots(plain: FaceStyle, count: int) -> None:
    assert _blots(draw_face(f"{count}p", plain)) == count


@pytest.mark.parametrize("count", range(2, 10))
def test_a_bamboo_tile_shows_that_many_sticks(plain: FaceStyle, count: int) -> None:
    assert _blots(draw_face(f"{count}s", plain)) == count


@pytest.mark.parametrize("six", ["two_four", "even"])
@pytest.mark.parametrize("count", range(2, 10))
def test_dots_stay_apart_and_on_the_face(count: int, six: str) -> None:
    places, radius = positions(count, six)
    assert len(places) == count
    for i, (x, y) in enumerate(places):
        assert abs(x) + radius < 150
        assert abs(y) + radius < 200
        assert all(np.hypot(x - u, y - v) > radius for u, v in places[:i])


@pytest.mark.parametrize("scheme", DOT_SCHEMES)
def test_dot_colours_cover_every_count(house: FaceStyle, scheme: str) -> None:
    style = dataclasses.replace(house, dots=dataclasses.replace(house.dots, scheme=scheme))
    for count in range(2, 10):
        draw_face(f"{count}p", style, SIZE)  # zip(strict=True) refuses a wrong number of colours


@pytest.mark.parametrize("eight", ["wm", "mw", "rows", "three_two_three"])
@pytest.mark.parametrize("scheme", BAMBOO_SCHEMES)
def test_bamboo_layouts_have_the_right_number_of_sticks(house: FaceStyle, scheme: str, eight: str) -> None:
    for six in ("wide", "tall"):
        style = dataclasses.replace(house.bamboo, scheme=scheme, eight=eight, six=six)
        for count in range(2, 10):
            assert len(sticks(count, style)) == count


def test_three_and_seven_dots_run_down_to_the_right() -> None:
    """A mirrored tile would run the other way."""
    for places in (positions(3)[0], positions(7)[0][:3]):
        xs, ys = zip(*places, strict=True)
        assert list(xs) == sorted(xs)
        assert list(ys) == sorted(ys)


def test_eight_bamboo_is_a_w_above_an_m_or_the_other_way_round(house: FaceStyle) -> None:
    def peaks(eight: str) -> list[bool]:
        lines = sticks(8, dataclasses.replace(house.bamboo, eight=eight))
        # Of each letter's slanted strokes: does the inner end lie above the outer one?
        return [inner[1] < outer[1] for outer, inner, _ in (lines[1], lines[5])]

    assert peaks("wm") == [True, False]
    assert peaks("mw") == [False, True]


def test_writing_is_upright_and_never_mirrored(house: FaceStyle) -> None:
    """The painted 東 南 西 北 match the font's own glyphs better than any mirror image or turn of them."""
    glyph = GlyphStyle(house.honours.wind.font)
    for char in "南西北四九":
        canvas = Canvas(0.75, 0.5)
        write(canvas, char, glyph, (150, 200), (200, 200), (0, 0, 0), fit=True)
        font = ImageFont.truetype(glyph.font.path, 120, index=glyph.font.index)
        mask = font.getmask(char)
        own = np.array(mask, np.uint8).reshape(mask.size[::-1])
        own = own[np.ix_(own.any(1), own.any(0))]
        painted = canvas.cover[np.ix_(canvas.cover.any(1), canvas.cover.any(0))]
        painted = cv2.resize(painted, (64, 64), interpolation=cv2.INTER_AREA).astype(float)
        own = cv2.resize(own, (64, 64), interpolation=cv2.INTER_AREA).astype(float)
        turned = [own[:, ::-1], own[::-1], own[::-1, ::-1], own.T]
        straight = np.abs(painted - own).mean()
        assert straight < 0.5 * min(np.abs(painted - other).mean() for other in turned), char


def test_an_engravers_hand_keeps_the_characters_apart_and_like_the_fonts() -> None:
    """Each character of a hand is nearer to the same character of a Kai font than to any other."""
    _fonts_or_skip()
    kai = [f for f in fonts() if f.hand == "kai" and f.chars >= CHARS]
    if not kai:
        pytest.skip("no Kai font with every character the engraver's hand writes")

    def picture(font_style: GlyphStyle, char: str) -> np.ndarray:
        canvas = Canvas(1.0, 0.2)
        write(canvas, char, font_style, (150, 150), (260, 260), (0, 0, 0))
        return cv2.GaussianBlur(canvas.cover.astype(np.float32), (0, 0), 2.5)

    def nearness(a: np.ndarray, b: np.ndarray) -> float:
        return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))

    chars = sorted(CHARS)
    reference = {c: picture(GlyphStyle(kai[0], weight=0.02), c) for c in chars}
    for seed in range(3):
        hand = GlyphStyle(engraver(seed))
        drawn = {c: picture(hand, c) for c in chars}
        nearest = {c: max(chars, key=lambda r: nearness(drawn[c], reference[r])) for c in chars}
        assert sum(nearest[c] == c for c in chars) >= len(chars) - 1, nearest


def test_flowers_differ_by_their_writing_and_keep_it_clear(house: FaceStyle) -> None:
    """Two flowers with the same drawing still differ in both upper corners."""
    same = dataclasses.replace(house, flowers=dataclasses.replace(house.flowers, drawings=("peony",) * 8))
    spring, summer = (draw_face(t, same).astype(int) for t in "ab")
    differs = np.abs(spring - summer).max(axis=2) > 60
    assert differs[:90, :96].any()
    assert differs[:90, 96:].any()


def test_an_unknown_tile_is_refused(house: FaceStyle) -> None:
    with pytest.raises(ValueError, match="not one of the 42 tiles"):
        draw_face("0m", house)


def test_missing_fonts_are_one_sentence_that_names_the_packages(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from datasets.faces import typefaces
    from datasets.faces.__main__ import main

    monkeypatch.setattr(typefaces, "font_folders", list)
    assert main(["fonts"]) == 1
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "fonts-noto-cjk" in message


def test_atlas_file_holds_whole_sets(tmp_path: Path) -> None:
    _fonts_or_skip()
    from datasets.faces.__main__ import main

    out = tmp_path / "atlas.npz"
    assert main(["atlas", str(out), "--sets", "2", "--seed", "3", "--size", "24x32"]) == 0
    with np.load(out) as atlas:
        assert atlas["images"].shape == (84, 32, 24, 3)
        assert atlas["tiles"].tolist() == list(range(42)) * 2
        assert atlas["sets"].tolist() == [0] * 42 + [1] * 42
        style = random_style(np.random.default_rng([3, 1]))
        assert np.array_equal(atlas["images"][42 + 9], draw_face("1p", style, (24, 32)))


def test_vector_sets_of_others_are_engraved_like_the_drawn_ones() -> None:
    pytest.importorskip("resvg_py", reason="vector sets need resvg: pip install resvg-py")
    from datasets.faces.vector import vector_sets

    root = Path(os.environ.get("HUPAI_SHARED", Path(__file__).parents[2] / "shared"))
    folder = root / "data/tiles/vector"
    if not folder.is_dir():
        pytest.skip(f"no vector sets in {folder}")
    found = vector_sets(folder, kde=None, copies=1, size=(24, 32))
    assert found["images"].shape == (33 + 42, 32, 24, 3)
    assert found["tiles"][found["sets"] == 1].tolist() == list(range(42))


def test_without_vector_sets_there_are_none(tmp_path: Path) -> None:
    from datasets.faces.vector import vector_sets

    assert vector_sets(tmp_path, kde=tmp_path / "none")["images"].shape == (0, 128, 96, 3)


def test_the_package_is_light_to_import() -> None:
    code = "import sys, datasets.faces; sys.exit(any(m in sys.modules for m in ('cv2', 'PIL', 'numpy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_font_packages_can_be_pasted_after_apt_get_install():
    from datasets.faces.typefaces import DEBIAN_PACKAGES

    assert all(re.fullmatch(r"fonts-[a-z0-9][a-z0-9+.-]*[a-z0-9]", name) for name in DEBIAN_PACKAGES.split())
