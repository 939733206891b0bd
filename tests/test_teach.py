"""Taught sets: assignment under counts, reading order, the correction, and what is kept on disk. No photo."""

from __future__ import annotations

import itertools
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.commands.teach import _keep
from scoring import TILES
from vision.namer import Looks, softmax
from vision.taught.assign import (
    EACH_ONCE,
    NO_FACE,
    WHOLE_SET,
    assign,
    cheapest,
    counts_by_size,
    runners_up,
)
from vision.taught.correction import COPIES, copies, fit
from vision.taught.errors import TeachError
from vision.taught.lesson import Lesson, LessonTile, Sight, name_as_said, name_by_counts, names_in_rows
from vision.taught.namer import count_overruled
from vision.taught.order import parse_layout, reading_order
from vision.taught.sheet import contact_sheet
from vision.taught.store import FORMAT, Store, TaughtSet, fingerprint

SIDE = 24


# --- assignment -------------------------------------------------------------------------------------------


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rows = draw(st.integers(1, 5))
    columns = rows + draw(st.integers(0, 2))
    cost = st.floats(0, 9, allow_nan=False)
    costs = draw(st.lists(cost, min_size=rows * columns, max_size=rows * columns))
    names = draw(st.lists(st.integers(0, 3), min_size=columns, max_size=columns))
    return np.array(costs).reshape(rows, columns), np.array(names)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_assignment_is_the_cheapest_and_margins_are_exact(problem: tuple[np.ndarray, np.ndarray]) -> None:
    costs, names = problem
    chosen, reduced, worths = cheapest(costs)
    margins, _ = runners_up(chosen, reduced, worths, names)
    rows = range(len(costs))
    every = list(itertools.permutations(range(costs.shape[1]), len(costs)))
    totals = [sum(costs[row, way[row]] for row in rows) for way in every]
    assert sum(costs[row, chosen[row]] for row in rows) == pytest.approx(min(totals))
    for row in rows:
        others = [t for t, way in zip(totals, every, strict=True) if names[way[row]] != names[chosen[row]]]
        assert margins[row] == pytest.approx(min(others) - min(totals) if others else np.inf, abs=1e-6)


def beliefs_of(names: list[str], belief: float = 0.9) -> np.ndarray:
    rows = np.full((len(names), NO_FACE + 1), (1 - belief) / NO_FACE, np.float32)
    for row, name in zip(rows, names, strict=True):
        row[TILES.index(name) if name in TILES else NO_FACE] = belief
    return rows


def test_what_is_left_over_is_what_an_unclear_tile_must_be() -> None:
    beliefs = beliefs_of(list(TILES))
    beliefs[TILES.index("8p")] = beliefs_of(["9p"], 0.6)[0]  # looks like a second 9 dots
    result = assign(beliefs, EACH_ONCE)
    assert [TILES[tile] for tile in result.tiles] == list(TILES)


def test_two_tiles_that_could_be_swapped_have_no_margin() -> None:
    beliefs = beliefs_of(list(TILES))
    for tile in ("a", "c"):
        beliefs[TILES.index(tile)] = 0
        beliefs[TILES.index(tile), [TILES.index("a"), TILES.index("c")]] = 0.5
    margins = assign(beliefs, EACH_ONCE).margins
    unclear = {TILES[k] for k in np.flatnonzero(margins < 1)}
    assert unclear == {"a", "c"}
    settled = assign(beliefs, EACH_ONCE, {TILES.index("a"): TILES.index("a")})
    assert settled.margins.min() > 1
    assert TILES[settled.tiles[TILES.index("c")]] == "c"


def test_no_face_is_used_more_often_than_the_set_has_it() -> None:
    rng = np.random.default_rng(4)
    beliefs = rng.dirichlet(np.full(NO_FACE + 1, 0.1), 150).astype(np.float32)
    tiles = assign(beliefs, WHOLE_SET).tiles
    counts = np.bincount(tiles, minlength=NO_FACE + 1)
    assert all(counts[k] <= WHOLE_SET[tile] for k, tile in enumerate(TILES))
    assert counts[NO_FACE] >= 150 - sum(WHOLE_SET.values())


def test_a_person_may_name_more_copies_than_the_set_has() -> None:
    beliefs = beliefs_of(["1m", "1m"])
    result = assign(beliefs, {"1m": 1}, {0: 0, 1: 0})
    assert list(result.tiles) == [0, 0]


@pytest.mark.parametrize(
    ("finds", "counts"),
    [(14, None), (34, EACH_ONCE), (42, EACH_ONCE), (72, None), (136, WHOLE_SET), (144, WHOLE_SET)],
)
def test_the_number_of_tiles_says_what_lies_there(finds: int, counts: dict[str, int] | None) -> None:
    assert counts_by_size(finds) == counts


# --- reading order ----------------------------------------------------------------------------------------


def grid(rows: int, columns: int, degrees: float = 0.0) -> np.ndarray:
    quads = []
    for row, column in itertools.product(range(rows), range(columns)):
        x, y = column * 34.0, row * 46.0
        quads.append([[x, y], [x + 30, y], [x + 30, y + 40], [x, y + 40]])
    turn = np.deg2rad(degrees)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return (np.array(quads) @ matrix + 300).astype(np.float32)


@pytest.mark.parametrize("degrees", [-12, -3, 0, 5, 12])
def test_rows_are_read_from_the_top_left_on_a_tilted_photo(degrees: float) -> None:
    order = np.random.default_rng(1).permutation(36)
    quads = np.array([np.roll(quad, k % 4, axis=0) for k, quad in enumerate(grid(4, 9, degrees)[order])])
    assert [[int(order[k]) for k in row] for row in reading_order(quads)] == np.arange(36).reshape(
        4, 9
    ).tolist()


def test_nothing_has_no_rows() -> None:
    assert reading_order(np.zeros((0, 4, 2), np.float32)) == []


def test_a_layout_is_rows_of_names() -> None:
    assert parse_layout("123m E E  # first\n\nB ?5p\n") == [["1m", "2m", "3m", "E", "E"], ["B", "?", "5p"]]


@pytest.mark.parametrize("text", ["", "# nothing", "10m", "12x", "1", "东"])
def test_a_layout_that_is_none(text: str) -> None:
    with pytest.raises(TeachError, match="write"):
        parse_layout(text)


# --- lessons ----------------------------------------------------------------------------------------------


def sight(names: list[str], photo: str = "a.jpg", rows: tuple[tuple[int, ...], ...] | None = None) -> Sight:
    count = len(names)
    rng = np.random.default_rng(count)
    return Sight(
        photo=photo,
        fingerprint=f"{photo}-print",
        quads=grid(1, count),
        crops=rng.integers(0, 255, (count, SIDE, SIDE, 3), dtype=np.uint8),
        beliefs=beliefs_of(names),
        turns=np.zeros(count, np.int64),
        all_rows=rows or (tuple(range(count)),),
    )


def test_photos_that_each_show_all_faces_are_settled_apart() -> None:
    lesson = name_by_counts([sight(list(TILES)), sight(list(TILES[:34]), "b.jpg")])
    assert [tile.tile for tile in lesson.tiles] == [*TILES, *TILES[:34]]
    assert not lesson.unsure
    assert {tile.photo for tile in lesson.tiles[42:]} == {1}


def test_photos_that_show_all_faces_together_are_settled_together() -> None:
    lesson = name_by_counts([sight(list(TILES[:20])), sight(list(TILES[20:]), "b.jpg")])
    assert [tile.tile for tile in lesson.tiles] == list(TILES)


@pytest.mark.parametrize("names", [["1m"] * 14, ["1m", "2m", "3m"] * 12])
def test_photos_of_something_else_are_refused(names: list[str]) -> None:
    with pytest.raises(TeachError, match="--layout"):
        name_by_counts([sight(names)])


def test_the_tiles_of_a_hand_are_found_in_any_order() -> None:
    seen = sight(["3m", "1m", "2m", "5p"])
    seen.beliefs[3] = beliefs_of(["5p"], 0.05)[0]
    lesson = name_by_counts([seen], [{"1m": 1, "2m": 1, "3m": 1, "5p": 1}])
    assert [tile.tile for tile in lesson.tiles] == ["3m", "1m", "2m", "5p"]


def test_corrections_count_and_are_checked() -> None:
    seen = sight(list(TILES))
    lesson = name_by_counts([seen], None, {0: "9m", 8: "1m", 41: "?"})
    names = [tile.tile for tile in lesson.tiles]
    assert (names[0], names[8], names[41]) == ("9m", "1m", "?")
    assert all(tile.sure for tile in (lesson.tiles[0], lesson.tiles[8]))
    assert lesson.tiles[0].disputed == "1m" or seen.beliefs[0].max() < 0.95
    assert len(lesson.taught) == 41
    for bad in ({42: "1m"}, {-1: "1m"}, {0: "10m"}):
        with pytest.raises(TeachError):
            name_by_counts([seen], None, bad)


def test_names_in_rows_must_fit_what_is_found() -> None:
    seen = sight(["1m", "2m", "E"], rows=((0, -1, 1), (2,)))
    names = names_in_rows(seen, [["1m", "B", "2m"], ["E"]])
    assert names == ["1m", "2m", "E"]
    with pytest.raises(TeachError, match=r"rows of 3, 1 tiles, the layout has 2, 1"):
        names_in_rows(seen, [["1m", "2m"], ["E"]])


def test_a_name_that_looks_wrong_is_disputed_and_kept() -> None:
    seen = sight(["1m", "2m"])
    seen.beliefs[:] = beliefs_of(["1m", "2m"], 0.99)
    lesson = name_as_said([seen], [["1m", "3m"]])
    assert [tile.disputed for tile in lesson.tiles] == [None, "2m"]
    assert [tile.tile for tile in lesson.taught] == ["1m", "3m"]


def test_a_photo_taught_again_replaces_itself() -> None:
    first = name_as_said([sight(["1m", "2m"]), sight(["3m"], "b.jpg")], [["1m", "2m"], ["3m"]])
    taught = first.add_to(None, "mine")
    again = name_as_said([sight(["1m", "2m"])], [["1m", "9m"]]).add_to(taught, "mine")
    assert sorted(TILES[tile] for tile in again.tiles) == ["1m", "3m", "9m"]
    assert len(again.crops) == len(again.photos) == 3


def test_the_contact_sheet_shows_every_tile() -> None:
    seen = sight(list(TILES))
    lesson = name_by_counts([seen])
    sheet = contact_sheet(lesson)
    assert sheet.shape[0] == 4 * (sheet.shape[0] // 4)
    assert (sheet != 255).any(axis=2).mean() > 0.5
    unsure = Lesson((seen,), (LessonTile(0, 0, "1m", False, 0.1, "2m", None), *lesson.tiles[1:]))
    assert (contact_sheet(unsure) != sheet).any()


# --- the correction ---------------------------------------------------------------------------------------


def test_copies_are_all_turns_sharp_and_coarse() -> None:
    crops = np.random.default_rng(0).integers(0, 255, (3, SIDE, SIDE, 3), dtype=np.uint8)
    made = copies(crops).reshape(COPIES, 3, SIDE, SIDE, 3)
    for turn in range(4):
        assert (made[2 * turn] == np.rot90(crops, turn, axes=(1, 2))).all()
        assert made[2 * turn + 1].std() < made[2 * turn].std()
    assert copies(crops[:0]).shape == (0, SIDE, SIDE, 3)


def looks_of(tiles: np.ndarray, named: np.ndarray, rng: np.random.Generator, sure: float = 6.0) -> Looks:
    """Features that lie by tile, logits that name them `named`."""
    places = np.random.default_rng(9).normal(0, 1, (NO_FACE + 1, 64))
    features = places[tiles] + rng.normal(0, 0.15, (len(tiles), 64))
    logits = np.zeros((len(tiles), NO_FACE + 5))
    logits[np.arange(len(tiles)), named] = sure
    return Looks(logits.astype(np.float32), features.astype(np.float32))


def test_what_was_misnamed_is_repaired_and_what_was_right_stays() -> None:
    rng = np.random.default_rng(2)
    tiles = np.arange(20)
    named = tiles.copy()
    named[3] = 7  # this set's fourth face looks like the eighth
    taught = looks_of(tiles, named, rng)
    correction = fit(taught.logits[:, : NO_FACE + 1], taught.features, tiles)
    # Read: all 20 taught faces and ten that were not, the fourth misnamed again.
    read = np.arange(30)
    seen = looks_of(read, np.where(read == 3, 7, read), rng, 4.0)
    before = softmax(seen.logits[:, : NO_FACE + 1])
    after = softmax(seen.logits[:, : NO_FACE + 1] + correction.of(seen.features))
    assert before.argmax(axis=1)[3] == 7
    assert (after.argmax(axis=1) == read).all()
    assert np.abs(after - before)[20:].max() < 0.1
    assert count_overruled(before, after) == int(before[3].max() >= 0.95)


def test_contradicting_lessons_make_nothing_sure() -> None:
    rng = np.random.default_rng(3)
    tiles = np.array([0, 1])
    same = np.array([5, 5])
    looks = Looks(
        looks_of(same, same, rng).logits, np.repeat(rng.normal(0, 1, (1, 64)), 2, 0).astype(np.float32)
    )
    correction = fit(looks.logits[:, : NO_FACE + 1], looks.features, tiles)
    after = softmax(looks.logits[:, : NO_FACE + 1] + correction.of(looks.features))
    assert after[:, [0, 1]].max() < 0.6
    assert np.isfinite(after).all()


# --- the store --------------------------------------------------------------------------------------------


def taught_set(name: str = "mine", count: int = 3) -> TaughtSet:
    rng = np.random.default_rng(5)
    return TaughtSet(
        name,
        rng.integers(0, 255, (count, SIDE, SIDE, 3), dtype=np.uint8),
        np.arange(count),
        ("print",) * count,
        Looks(
            rng.normal(size=(COPIES * count, NO_FACE + 5)).astype(np.float32),
            rng.normal(size=(COPIES * count, 16)).astype(np.float32),
        ),
        "abc",
    )


def test_a_set_is_kept_and_found_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "sets")
    assert store.names() == []
    assert store.in_use() is None
    store.save(taught_set("家里的"))
    store.save(taught_set("club"))
    store.use("club")
    assert store.names() == ["club", "家里的"]
    assert store.in_use() == "club"
    loaded = store.load("club")
    saved = taught_set("club")
    assert (loaded.crops == saved.crops).all()
    assert (loaded.tiles == saved.tiles).all()
    assert (loaded.photos, loaded.namer, loaded.name) == (saved.photos, "abc", "club")
    assert np.abs(loaded.looks.features - saved.looks.features).max() < 2e-3
    assert loaded.missing == tuple(TILES[3:])
    store.remove("club")
    assert store.names() == ["家里的"]
    assert store.in_use() is None


def test_what_is_taught_at_the_same_time_is_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(taught: TaughtSet, _: object) -> TaughtSet:
        time.sleep(0.05)
        return replace(taught, looks=taught_set(count=len(taught.tiles)).looks)

    monkeypatch.setattr("vision.taught.namer.up_to_date", slow)
    monkeypatch.setattr("vision.taught.namer.correction_of", lambda *_: None)
    monkeypatch.setattr("vision.namer.Namer", lambda: None)
    lessons = [name_as_said([sight(["1m", "2m"], f"{letter}.jpg")], [["1m", "2m"]]) for letter in "abcd"]
    with ThreadPoolExecutor(4) as at_once:
        for done in [at_once.submit(_keep, Store(tmp_path), lesson, "mine") for lesson in lessons]:
            done.result(30)
    assert len(set(Store(tmp_path).load("mine").photos)) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in-use", "mine.npz"]


@pytest.mark.parametrize("name", ["", "none", "None", "../x", "a/b", ".hidden", "x" * 41, "a\n", "a\\b"])
def test_names_that_are_none(name: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    for attempt in (store.load, store.remove, store.use, store.check_name):
        with pytest.raises(TeachError):
            attempt(name)
    assert list(tmp_path.iterdir()) == []


def test_a_set_that_is_not_there(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(TeachError, match="none has been taught"):
        store.load("club")
    store.save(taught_set("mine"))
    with pytest.raises(TeachError, match="there are mine"):
        store.use("club")


def broken_files(whole: bytes) -> dict[str, bytes]:
    return {
        "empty": b"", "text": b"hello", "cut": whole[: len(whole) // 2], "zip": b"PK\x05\x06" + bytes(18),
        "flipped": whole[:400] + bytes(b ^ 255 for b in whole[400:600]) + whole[600:],
    }  # fmt: skip


def test_a_damaged_file_is_named_and_no_traceback(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save(taught_set())
    path = tmp_path / "mine.npz"
    whole = path.read_bytes()
    for data in broken_files(whole).values():
        path.write_bytes(data)
        with pytest.raises(TeachError, match=r"mine\.npz.*--remove"):
            store.load("mine")


def foreign(**changes: object) -> dict[str, np.ndarray]:
    about = {"format": FORMAT, "version": 1, "namer": "abc", "photos": ["p"]}
    arrays = {
        "about": np.array(json.dumps(about)),
        "crops": np.zeros((1, SIDE, SIDE, 3), np.uint8),
        "tiles": np.zeros(1, np.int64),
        "logits": np.zeros((COPIES, NO_FACE + 5), np.float32),
        "features": np.zeros((COPIES, 4), np.float16),
    }
    return arrays | {key: np.asarray(value) for key, value in changes.items()}


@pytest.mark.parametrize(
    "changes",
    [
        {"about": json.dumps({"format": "other"})},
        {"about": "[]"},
        {"about": "not json"},
        {"about": json.dumps({"format": FORMAT, "version": 99, "namer": "", "photos": ["p"]})},
        {"tiles": np.array([42])},
        {"tiles": np.array([-1])},
        {"tiles": np.array([0.5])},
        {"crops": np.zeros((2, SIDE, SIDE, 3), np.uint8)},
        {"crops": np.zeros((1, SIDE, SIDE), np.uint8)},
        {"features": np.full((COPIES, 4), np.nan, np.float16)},
        {"logits": np.zeros((3, 47), np.float32)},
    ],
)
def test_a_foreign_file_is_refused(changes: dict[str, object], tmp_path: Path) -> None:
    store = Store(tmp_path)
    np.savez(tmp_path / "mine.npz", **foreign())
    assert len(store.load("mine").tiles) == 1
    np.savez(tmp_path / "mine.npz", **foreign(**changes))
    with pytest.raises(TeachError, match=r"mine\.npz"):
        store.load("mine")


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "sprung",))

    arrays = foreign()
    arrays["tiles"] = np.array([Trap()], dtype=object)
    np.savez(tmp_path / "mine.npz", **arrays)
    with pytest.raises(TeachError):
        Store(tmp_path).load("mine")
    assert not (tmp_path / "sprung").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "sets").write_text("a file where the folder should be")
    with pytest.raises(TeachError, match="cannot be written"):
        Store(tmp_path / "sets").save(taught_set())


def test_a_photo_is_known_by_its_pixels() -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (4, 5, 3), dtype=np.uint8)
    assert fingerprint(pixels) == fingerprint(pixels.copy())
    assert fingerprint(pixels) != fingerprint(pixels[::-1])
