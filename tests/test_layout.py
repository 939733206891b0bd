"""Hands as people lay them: rows, melds, flowers, kongs, the winning tile apart, other players' tiles."""

from __future__ import annotations

import numpy as np
import pytest
from layout_random import random_table, seen_by_a_camera
from layout_scene import HEIGHT, SIZE, WIDTH, Table, groups, tiles

from vision.circumstances import Circumstances
from vision.elements import Layout, Located, Named
from vision.hand import to_hand
from vision.layout import Hints, lay_out

ROLLS = (0, 33, 90, 145, 180, 270, -20)


def read(table: Table, roll: float = 0.0, first: int = 0, hints: Hints | None = None) -> Layout:
    located, named = table.stages(roll, first)
    return lay_out(located, named, photo_size=SIZE, hints=hints)


def quad_of(layout: Layout, tile: int) -> np.ndarray:
    return np.array(next(t.quad for t in layout.tiles if t.id == tile))


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize("first", [0, 1, 3])
def test_a_concealed_row_at_any_roll_and_any_first_corner(roll: float, first: int) -> None:
    table = Table()
    ids = table.row("234m123p789s456mEE", 100, 800)
    layout = read(table, roll, first)
    assert layout.status == ("complete",)
    assert [group.kind for group in layout.groups] == ["concealed"]
    assert sorted(layout.groups[0].tiles) == ids
    located, _ = table.stages(roll)
    for tile in ids:  # each quad starts at the face's own top-left again
        np.testing.assert_allclose(quad_of(layout, tile), located.quads[tile], atol=0.01)


@pytest.mark.parametrize("roll", ROLLS)
def test_melds_and_flowers_behind_touch_and_are_told_apart(roll: float) -> None:
    table = Table()
    table.row("22345pCC", 300, 1000)
    table.row("ea879m555s", 250, 800, scale=0.9)
    assert (
        groups(read(table, roll))
        == [
            ("chow", "7m 8m 9m"),
            ("concealed", "2p 2p 3p 4p 5p C C"),
            ("flowers", "a e"),
            ("pung", "5s 5s 5s"),
        ]
        or roll
    )  # where a camera on its side cannot tell which row is behind, the tiles' own upright does
    if roll:
        assert ("pung", "5s 5s 5s") in groups(read(table, roll))


def test_four_kongs_among_two_rows_and_a_pair() -> None:
    table = Table()
    table.row("CCCC8888s44s", 100, 1000)
    table.row("5555p2222m", 160, 800, scale=0.92)
    assert groups(read(table)) == [
        ("concealed", "4s 4s"),
        ("kong", "2m 2m 2m 2m"),
        ("kong", "5p 5p 5p 5p"),
        ("kong", "8s 8s 8s 8s"),
        ("kong", "C C C C"),
    ]


@pytest.mark.parametrize("kong", ["BBBB", "BFFB", "FBBF"])
def test_a_concealed_kong_is_no_wall(kong: str) -> None:
    table = Table()
    table.row("123m456p789sEE", 100, 1000)
    table.row(kong, 200, 850, scale=0.92)
    wall = table.row("B" * 14, 50, 500, scale=0.8)
    layout = read(table)
    assert [kind for kind, _ in groups(layout)] == ["concealed", "concealed-kong"]
    assert not {tile.id for tile in layout.tiles} & set(wall)


def test_the_fourth_tile_of_a_kong_laid_tilted_beside_the_three() -> None:
    table = Table()
    table.row("11m123s234s23m4m", 100, 1000)
    table.row("efCCC", 250, 800, scale=0.92)
    table.tile("C", 250 + 5 * WIDTH * 0.92 + 12, 770, scale=0.92, tilt=35)
    assert ("kong", "C C C C") in groups(read(table))


@pytest.mark.parametrize(
    ("x", "y", "tilt"),
    [
        (13.4, 0.0, 30.0),  # right of the row
        (-1.8, 0.2, -25.0),  # left of it
        (6.0, -1.6, 20.0),  # behind
        (6.0, 1.7, 15.0),  # in front
        (13.3, 0.1, 90.0),  # sideways at its end
        (6.0, -4.0, 0.0),  # out on the table
    ],
)
def test_the_winning_tile_laid_apart(x: float, y: float, tilt: float) -> None:
    table = Table()
    table.row("123m678s234p66s75m", 300, 1000)
    winning = table.tile("6m", 300 + x * WIDTH, 1000 + y * HEIGHT, tilt=tilt)
    layout = read(table)
    assert [group.tiles for group in layout.groups if group.kind == "winning"] == [(winning,)]
    assert layout.status == ("complete",)


def test_discards_and_other_hands_far_away_are_other() -> None:
    table = Table()
    table.row("234m123p789s456mEE", 100, 1500)
    far = [
        table.tile(name, 150 + 97 * k, 500 + 53 * (k % 4), scale=0.7, tilt=37 * k)
        for k, name in enumerate(tiles("1m9pE3s7mCC5p"))
    ]
    layout = read(table)
    assert layout.status == ("complete",)
    assert [sorted(group.tiles) for group in layout.groups if group.kind == "other"] == [far]


def test_a_heap_is_no_hand() -> None:
    table = Table()
    rng = np.random.default_rng(3)
    for k, name in enumerate(tiles("9m9p5mE3s3p1mE8m5sW7s5sbC2pN1mP")):
        x, y = 300 + 130 * (k % 5) + rng.normal(0, 15), 300 + 130 * (k // 5) + rng.normal(0, 15)
        table.tile(name, x, y, tilt=float(rng.uniform(0, 360)))
    layout = read(table)
    assert layout.status == ("not-a-hand",)
    assert {group.kind for group in layout.groups} == {"other"}


def test_a_random_row_is_a_hand_that_does_not_win() -> None:
    table = Table()
    table.row("7s7m3s8pW3m5m1pS1s5s7mN7p", 100, 1000)
    layout = read(table)
    assert layout.status == ("not-winning",)
    assert all(tile.changed_from is None for tile in layout.tiles)


def test_seventeen_tiles_are_five_sets() -> None:
    table = Table()
    table.row("678m88mEE", 300, 1000)
    table.tile("E", 300 + 8.5 * WIDTH, 1020, tilt=30)
    table.row("ebhgSSSWWWNNN", 200, 800, scale=0.9)
    table.row("8m", 300 + 7 * WIDTH, 1000)
    layout = read(table)
    assert layout.status == ("five-sets", "complete") or dict(groups(layout))["flowers"] == "b e g h"


@pytest.mark.parametrize(
    ("names", "status"),
    [
        ("123m456p789s2355s", ("too-few", "waiting")),
        ("159m159p159sESWN", ("too-few",)),
        ("123m456p789s123sEEW", ("too-many",)),
        ("11111m59p159s3mESWN", ("not-winning", "five-of-a-kind")),
        ("159m159p159sESWaaN", ("too-few", "repeated-flower")),
    ],
)
def test_status_says_what_is_missing(names: str, status: tuple[str, ...]) -> None:
    table = Table()
    table.row(names, 100, 1000, sure=0.99999)
    assert read(table).status == status


def test_only_backs() -> None:
    table = Table()
    table.row("BBBBBB", 100, 1000)
    layout = read(table)
    assert layout.status == ("all-face-down",)
    assert layout.groups == ()


def test_no_tile_at_all() -> None:
    nothing = np.zeros((0, 4, 2), dtype=np.float32)
    located = Located(nothing, np.zeros(0, dtype=bool), np.zeros(0, dtype=np.float32))
    named = Named(np.zeros((0, 43), dtype=np.float32), np.zeros((0, 4), dtype=np.float32))
    assert lay_out(located, named, photo_size=SIZE) == Layout((), (), ("no-tiles",))


def test_one_tile_is_no_hand() -> None:
    table = Table()
    table.tile("5p", 500, 500)
    assert read(table).status == ("not-a-hand",)


def test_a_false_find_beside_the_row_is_left_out() -> None:
    table = Table()
    table.row("234m123p789s456mEE", 100, 1000)
    false = table.tile({"?": 0.85, "5p": 0.1}, 400, 850, score=0.3)
    layout = read(table)
    assert layout.status == ("complete",)
    assert false not in {tile.id for tile in layout.tiles}


def test_the_same_tile_found_twice_counts_once() -> None:
    table = Table()
    table.row("234m123p789s456mEE", 100, 1000)
    table.tile("2m", 103, 1002, score=0.4)
    layout = read(table)
    assert layout.status == ("complete",)
    assert len(layout.tiles) == 14


def test_a_tile_that_cannot_be_read_is_found_and_not_named() -> None:
    table = Table()
    table.row("159m159p159sESW", 100, 1000)
    unread = table.tile({"?": 0.9, "E": 0.05, "S": 0.04}, 100 + 12 * WIDTH, 1000)
    table.tile("2m", 100 + 13 * WIDTH, 1000)
    layout = read(table)
    tile = next(t for t in layout.tiles if t.id == unread)
    assert (tile.tile, layout.status) == ("?", ("unnamed-tiles", "not-winning"))
    assert any(f"Tile {unread} is not legible" in warning for warning in layout.warnings)


def test_a_hardly_legible_tile_is_named_by_what_the_hand_needs_and_says_so() -> None:
    table = Table()
    table.row("234m123p789s456m", 100, 1000)
    unread = table.tile({"?": 0.8, "E": 0.1, "S": 0.05}, 100 + 12 * WIDTH, 1000)
    table.tile("E", 100 + 13 * WIDTH, 1000)
    layout = read(table)
    tile = next(t for t in layout.tiles if t.id == unread)
    assert (tile.tile, tile.changed_from, layout.status) == ("E", "?", ("complete",))
    assert any(f"Tile {unread} is hardly legible" in warning for warning in layout.warnings)


def test_two_close_readings_ask_for_a_look() -> None:
    table = Table()
    table.row("159m159p159sESWN", 100, 1000)
    close = table.tile({"6m": 0.5, "9m": 0.45}, 100 + 13 * WIDTH, 1000)
    layout = read(table)
    assert f"Check tile {close}: 6m or 9m." in layout.warnings
    tile = next(t for t in layout.tiles if t.id == close)
    assert tile.alternatives[0][0] == "9m"
    assert tile.alternatives[0][1] > 0.3


def test_the_rules_settle_a_close_reading_and_say_so() -> None:
    table = Table()
    table.row("23m", 100, 1000)
    misread = table.tile({"6m": 0.55, "4m": 0.42}, 100 + 2 * WIDTH, 1000)
    table.row("123p789s456mEE", 100 + 3 * WIDTH, 1000)
    tile = next(t for t in read(table).tiles if t.id == misread)
    assert (tile.tile, tile.changed_from) == ("4m", "6m")


def test_clear_evidence_is_not_overridden_for_a_win() -> None:
    table = Table()
    table.row("236m123p789s456mEE", 100, 1000, sure=0.9995)
    layout = read(table)
    assert layout.status == ("not-winning",)
    assert all(tile.changed_from is None for tile in layout.tiles)


def test_who_says_that_the_hand_won_gets_a_win_sooner() -> None:
    table = Table()
    table.row("23m", 100, 1000)
    table.tile({"6m": 0.9995, "4m": 0.00004}, 100 + 2 * WIDTH, 1000)
    table.row("123p789s456mEE", 100 + 3 * WIDTH, 1000)
    assert read(table).status == ("not-winning",)
    assert read(table, hints=Hints(won=True)).status == ("complete",)


def test_five_of_a_kind_never_wins() -> None:
    table = Table()
    table.row("99999m123p456p789s", 100, 1000, sure=0.9999)
    assert read(table).status == ("not-winning", "five-of-a-kind")


def test_a_named_winning_tile_is_marked_in_the_row() -> None:
    table = Table()
    ids = table.row("234m123p789s456mEE", 100, 1000)
    layout = read(table, hints=Hints(winning="3p"))
    assert [group.tiles for group in layout.groups if group.kind == "winning"] == [(ids[5],)]


def test_an_upside_down_tile_and_a_sideways_one_keep_their_own_corner() -> None:
    table = Table()
    table.row("234m123p789s456m", 100, 1000)
    upside = table.tile("E", 100 + 12 * WIDTH, 1000, tilt=180)
    table.tile("E", 100 + 13 * WIDTH, 1000)
    table.row("C", 300, 1800)
    layout = read(table)
    np.testing.assert_allclose(quad_of(layout, upside)[0], [100 + 13 * WIDTH, 1000 + HEIGHT], atol=0.01)


def test_a_claimed_tile_laid_sideways_shows_its_place() -> None:
    table = Table()
    table.row("22345pCC", 300, 1000)
    claimed = table.tile("8m", 260, 830, tilt=90)
    table.row("79m", 330, 820)
    table.row("55s", 450, 820)
    last = table.tile("5s", 580, 830, tilt=90)
    layout = read(table)
    assert [kind for kind, _ in groups(layout)] == ["chow", "concealed", "pung"]
    for tile in (claimed, last):
        np.testing.assert_allclose(quad_of(layout, tile), table.quads[tile], atol=0.01)
    assert (to_hand(layout, Circumstances()).text or "").startswith("[789m,2][555s,3]")


def test_melds_at_the_right_of_the_row() -> None:
    table = Table()
    table.row("123m456p789s22p", 100, 1000)
    table.row("CC", 100 + 12.5 * WIDTH, 1000)
    table.tile("C", 100 + 14.67 * WIDTH, 1010, tilt=90)
    assert groups(read(table)) == [("concealed", "1m 2m 3m 2p 2p 4p 5p 6p 7s 8s 9s"), ("pung", "C C C")]


def test_hands_laid_at_random_and_seen_from_any_side() -> None:
    rng = np.random.default_rng(0)
    right = 0
    for _ in range(40):
        table, truth = random_table(rng)
        located, named = seen_by_a_camera(table, rng)
        layout = lay_out(located, named, photo_size=SIZE)
        right += {(group.kind, frozenset(group.tiles)) for group in layout.groups} == truth
    assert right >= 37


def test_a_hole_in_the_row_is_pointed_out() -> None:
    table = Table()
    table.row("123m456p78s", 100, 1000)
    table.row("22sEE", 100 + 9 * WIDTH, 1000)
    assert any("may have been missed" in warning for warning in read(table).warnings)


def test_characters_printed_on_a_rack_in_front_of_the_row_are_no_hand() -> None:
    table = Table()
    row = table.row("222345p2m", 300, 1000, score=0.86)
    melds = table.row("FFF888m456m", 280, 830, scale=0.95, score=0.83)
    printed = [
        table.tile({"?": 0.02, "C": 0.2, "7m": 0.15, "E": 0.12, "P": 0.1}, 80 + k * 66, 1090, score=0.74)
        for k in range(8)
    ]
    layout = read(table)
    grouped = {tile for group in layout.groups if group.kind != "other" for tile in group.tiles}
    assert grouped == {*row, *melds}
    assert not grouped & set(printed)


def test_a_flower_that_could_be_any_is_only_counted() -> None:
    table = Table()
    table.row("123m456p789s22sEEE", 300, 600)
    table.row("fg", 300, 440)
    unclear = table.tile({"a": 0.3, "b": 0.28, "c": 0.2, "e": 0.2}, 300 + 2 * WIDTH, 440)
    layout = read(table)
    (tile,) = (tile for tile in layout.tiles if tile.id == unclear)
    assert tile.tile == "?"
    assert {name for name, _ in tile.alternatives} <= set("abcdefgh")
    assert [group.kind for group in layout.groups if unclear in group.tiles] == ["flowers"]
    assert f"Tile {unclear} is a flower; which one cannot be told." in layout.warnings


def test_winds_and_dragons_are_flowers_where_the_table_says_so() -> None:
    table = Table()
    table.row("123m456p789s22s333p", 300, 600)
    table.row("aCCC", 300, 440)
    ours = dict(groups(read(table, hints=Hints(honours_are_flowers=True))))
    assert ours["flowers"] == "C C C a"
    assert set(ours) == {"concealed", "flowers"}
    elsewhere = dict(groups(read(table)))
    assert elsewhere["pung"] == "C C C"


def test_a_hand_of_other_tiles_that_is_almost_as_likely_is_told() -> None:
    """A tile that could win goes away from the hand; where the reading turns over, both are named."""
    told = []
    for widths in range(16):
        table = Table()
        table.row("234m123p789s45mEEE2s", 100, 800)
        lone = table.tile("2s", 100 + (15 + widths) * WIDTH, 700, tilt=20)
        warnings = read(table).warnings
        told.append(any(f"2s (tile {lone})" in warning for warning in warnings))
    assert any(told)
    assert not all(told)


def test_characters_printed_on_a_rack_are_no_hand() -> None:
    """What the namer says of them is unclear all along the row; a tile unclear among clear ones stays."""
    table = Table()
    melds = table.row("678s456m", 300, 500, scale=0.9)
    hand = table.row("11s55567m", 300, 640)
    unclear = table.tile({"8m": 0.5, "9m": 0.4}, 300 + 7 * WIDTH, 640)
    likely = ("ca", "ac", "CE", "FC", "SE", "EN")
    for place, (one, other) in enumerate(likely):
        table.tile({one: 0.45, other: 0.3}, 250 + place * WIDTH, 760)
    layout = read(table)
    assert {tile.id for tile in layout.tiles} == {*melds, *hand, unclear}
