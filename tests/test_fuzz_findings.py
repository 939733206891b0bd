"""What fuzzing found, each by the smallest input that shows it. All pictures here are made of a few bytes."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from typer.testing import CliRunner

from datasets.labelling.manifest import FILE, Manifest, ManifestError
from datasets.labelling.records import Listed
from models.cli import app
from models.truth import TruthError, load_truth
from scoring import NotationError, RulesError, load_rules, parse_hand, score
from vision.errors import PhotoDamagedError
from vision.photo import load_photo


def sentence(error: BaseException) -> str:
    text = str(error)
    assert text.endswith(".")
    assert "\n" not in text
    return text


# Photos


def test_a_heic_past_the_limits_of_libheif_is_damaged() -> None:
    """Its header says 72 × 54 pixels, cut out of half a thousand million rows: libheif tells that by a
    RuntimeError, and only when it decodes."""
    stream = io.BytesIO()
    pillow_heif.from_pillow(Image.new("RGB", (72, 54))).save(stream)
    data = bytearray(stream.getvalue())
    struct.pack_into(">I", data, data.index(b"ispe") + 12, 2**29)
    with pytest.raises(PhotoDamagedError, match="damaged") as refused:
        load_photo(bytes(data))
    assert isinstance(refused.value.__cause__, RuntimeError)


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "CMYK", "1"])
def test_strips_make_the_picture_that_one_conversion_makes(mode: str) -> None:
    """More rows than a strip has, and no multiple of them."""
    rng = np.random.default_rng(3)
    image = Image.fromarray(rng.integers(0, 256, (600, 40, 3), np.uint8)).convert(mode)
    if mode in {"RGBA", "LA"}:
        image.putalpha(Image.fromarray(rng.integers(0, 256, (600, 40), np.uint8)))
        rgba = image.convert("RGBA")
        wanted = Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba).convert("RGB")
    else:
        wanted = image.convert("RGB")
    assert (load_photo(image).pixels == np.asarray(wanted)).all()


# Hands


def test_control_codes_of_a_hand_do_not_reach_the_terminal() -> None:
    for text, shown in (("[1m\n2m]5s", r"[1m\n2m]"), ("\x1b]0;5s", r"\x1b]0;5s")):
        result = CliRunner().invoke(app, ["score", text])
        assert result.exit_code == 1
        (line,) = result.stderr.splitlines()
        assert shown in line


def test_a_long_hand_is_not_repeated_in_the_message() -> None:
    for text in ("[" + "1" * 10_000 + "m]5s", "[111m," + "9" * 10_000 + "]5s", "x" * 10_000):
        with pytest.raises(NotationError) as refused:
            parse_hand(text)
        assert len(sentence(refused.value)) < 200


# House rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('start = "mcr"\nminimum = ' + "1" * 5000, "without end"),
        ('start = "mcr"\nminimum = ' + "[" * 2000, "without end"),
        ('start = "mcr"\nminimum = 0x' + "f" * 5000, "no minimum"),
        ('start = "mcr"\nminimum = 1000001', "1,000,000"),
        ('start = "mcr"\noff = [0x' + "f" * 5000 + "]", "no fan"),
        ('start = "jipinghu"\nfirst_round_fan = 1000000', "to 100"),
        ('start = "jipinghu"\n[points]\n"鸡和" = 1000000', "no fan|to 100"),
        ('start = "mcr"\n[points]\n"七对" = 0x' + "f" * 5000, "no points"),
    ],
)
def test_numbers_without_end_in_house_rules(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=message) as refused:
        load_rules(path)
    assert len(sentence(refused.value)) < 600


def test_no_option_makes_a_total_that_cannot_be_printed() -> None:
    with pytest.raises(RulesError, match="first_round_fan"):
        score(
            "123m456m789m123p1p1p|EE1000|0", "jipinghu", events=["heavenly-hand"], first_round_fan=1_000_000
        )
    answer = score(
        "123m456m789m123p1p1p|EE1000|0",
        "jipinghu",
        events=["heavenly-hand"],
        first_round_fan=100,
        base=1_000_000,
    )
    assert len(json.dumps(answer.to_dict()["settlement"])) < 300
    assert answer.total == 1_000_000 << 100


# Labels of others


def coco(folder: Path, **changed: Any) -> None:
    content = {
        "images": [{"id": 1, "file_name": "a.jpg"}],
        "annotations": [{"image_id": 1, "category_id": 3, "bbox": [1, 1, 3, 4]}],
        "categories": [{"id": 3, "name": "5m"}],
        **changed,
    }
    (folder / "a.json").write_text(json.dumps(content))


COCO: dict[str, tuple[dict[str, Any], str]] = {
    "an id that is a list": (
        {"images": [{"id": [1], "file_name": "a.jpg"}]},
        "image 1 has no file name or id",
    ),
    "no file name": ({"images": [{"id": 1}]}, "image 1 has no file name or id"),
    "an annotation that is a number": ({"annotations": [7]}, "annotation 1 has no box"),
    "a box without end": (
        {"annotations": [{"image_id": 1, "category_id": 3, "bbox": [1e999, 1, 3, 4]}]},
        "annotation 1 has no box",
    ),
    "a number of thousands of digits": (
        {"annotations": [{"image_id": 1, "category_id": 3, "bbox": [10**400, 1, 3, 4]}]},
        "annotation 1 has no box",
    ),
}


@pytest.mark.parametrize("case", COCO)
def test_a_coco_entry_that_is_none_is_named(case: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="needs the extra `label`")
    from datasets.labelling.check.dataset import find_dataset

    changed, message = COCO[case]
    coco(tmp_path, **changed)
    dataset = find_dataset(tmp_path)
    list(dataset)
    assert [message in sentence(ValueError(problem)) for problem in dataset.problems] == [True]


def test_a_coco_file_whose_pictures_have_no_possible_name(tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="needs the extra `label`")
    from datasets.labelling.check.dataset import find_dataset

    coco(tmp_path, images=[{"id": 1, "file_name": "x" * 300}])
    (image,) = find_dataset(tmp_path)
    assert len(image.boxes) == 1


BOMB = 'a: &a ["x","x","x","x","x","x","x","x","x"]\n' + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
"""Lists in lists: as text they have 9 to the power of 9 parts."""
DATA_SETS: dict[str, tuple[dict[str, str], str]] = {
    "names that hold themselves": ({"data.yaml": BOMB + "names: *i\ntrain: images\n"}, "no list of names"),
    "brackets without end": ({"data.yaml": "names: " + "[" * 2000}, "cannot be read as YAML"),
    "a category that is a number": (
        {"a.json": '{"images":[],"annotations":[],"categories":[7]}'},
        "category",
    ),
    "a category without a name": (
        {"a.json": '{"images":[],"annotations":[],"categories":[{"id":1,"name":[]}]}'},
        "no text",
    ),
    "an encoding that there is none of": (
        {"a.xml": '<?xml version="1.0" encoding="foo"?><annotation/>'},
        "no labels",
    ),
    "JSON in brackets without end": ({"a.json": "[" * 100_000}, "no labels"),
}


@pytest.mark.parametrize("case", DATA_SETS)
def test_a_data_set_that_is_none_is_refused_in_a_sentence(case: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="needs the extra `label`")
    from datasets.labelling.check.dataset import find_dataset
    from datasets.labelling.check.given import DatasetError

    files, message = DATA_SETS[case]
    (tmp_path / "images").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    with pytest.raises(DatasetError, match=message) as refused:
        find_dataset(tmp_path)
    sentence(refused.value)


@pytest.mark.parametrize(
    "line", ["-1 .5 .5 .1 .1", "0.5 .5 .5 .1 .1", "inf .5 .5 .1 .1", "0 nan .5 .1 .1", "0 1e300 .5 .1 .1"]
)
def test_a_yolo_line_of_no_class_or_place_is_named(line: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="needs the extra `label`")
    from datasets.labelling.check.dataset import find_dataset

    for part in ("images", "labels"):
        (tmp_path / part).mkdir()
    (tmp_path / "images" / "a.jpg").write_bytes(b"")
    (tmp_path / "labels" / "a.txt").write_text(f"{line}\n0 .5 .5 .1 .1\n")
    (tmp_path / "classes.txt").write_text("5m\n6m\n")
    dataset = find_dataset(tmp_path)
    (image,) = dataset
    assert [box.name for box in image.boxes] == ["5m"]
    assert ["a.txt:1 is no label" in problem for problem in dataset.problems] == [True]


def test_a_list_may_hold_what_is_no_path_or_no_text(tmp_path: Path) -> None:
    """OpenCV ended the process when it was asked for the frames of a video whose name is no text."""
    from datasets.labelling.inputs import Listing

    (tmp_path / "list.txt").write_bytes(b"x/" * 3000 + b"a.jpg\n\xee.mp4\nb.jpg\n")
    found = [Path(listed.source).name for listed in Listing([f"@{tmp_path / 'list.txt'}"])]
    assert found == ["a.jpg", "b.jpg"]


TRUTH = '{"tiles": [%s], "groups": [], "photo": "%s", "hand": "complete"}'


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        TRUTH % ('{"id": 1e999, "tile": "1m", "box": [0, 0, 1, 1]}', "a"),
        TRUTH % ('{"id": 1, "tile": "1m", "box": [NaN, 0, 1, 1]}', "a"),
        TRUTH % ("", "\\ud800"),
    ],
)
def test_a_truth_file_of_numbers_or_text_that_are_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(TruthError) as refused:
        load_truth(path)
    sentence(refused.value)


# The manifest


def damaged(folder: Path, damage: Callable[[sqlite3.Connection], object]) -> None:
    with Manifest.create(folder) as manifest:
        manifest.register([Listed(f"{n}.jpg", f"/{n}.jpg", str(n), "g") for n in range(3)])
        manifest.keep_setting("run", {})
        manifest.connection.execute("PRAGMA ignore_check_constraints = ON")
        damage(manifest.connection)


DAMAGES: dict[str, Callable[[sqlite3.Connection], object]] = {
    "flags that are no JSON": lambda db: db.execute("UPDATE images SET flags = '[' WHERE id = 2"),
    "a width that is text": lambda db: db.execute("UPDATE images SET width = 'wide' WHERE id = 2"),
    "no table of images": lambda db: (
        db.execute("PRAGMA foreign_keys = OFF") and db.execute("DROP TABLE images")
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_manifest_whose_rows_are_none_is_damaged(damage: str, tmp_path: Path) -> None:
    damaged(tmp_path, DAMAGES[damage])
    with pytest.raises(ManifestError, match="is damaged") as refused, Manifest.open(tmp_path) as manifest:
        list(manifest.images())
    sentence(refused.value)


def test_a_manifest_with_a_broken_page_is_damaged(tmp_path: Path) -> None:
    damaged(tmp_path, lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    path = tmp_path / FILE
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xee" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(ManifestError, match=r"damaged|cannot be"), Manifest.open(tmp_path) as manifest:
        list(manifest.images())


def test_a_manifest_whose_schema_is_no_text_is_damaged(tmp_path: Path) -> None:
    """SQLite quotes the schema in its message, and Python cannot decode that."""
    damaged(tmp_path, lambda db: db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE images", b"CREATE \xee\xeeBLE images"))
    with pytest.raises(ManifestError, match=r"damaged|cannot be"), Manifest.open(tmp_path) as manifest:
        list(manifest.images())


# The servers

JSON = {"content-type": "application/json"}


@pytest.fixture
def served(tmp_path: Path) -> Any:
    pytest.importorskip("fastapi", reason="needs the extra `serve`")
    from serve_app import client

    return client(tmp_path)


@pytest.mark.parametrize("path", ["/api/score", "/api/tables"])
def test_half_a_character_in_house_rules_is_refused(served: Any, path: str) -> None:
    for house in ('{"start": "\\ud800"}', '{"start": "mcr", "name": "\\ud800"}'):
        body = f'{{"hand": "1m1m", "names": ["a", "b", "c", "d"], "house": {house}}}'
        if path == "/api/score":
            body = body.replace('"names": ["a", "b", "c", "d"], ', "")
        else:
            body = body.replace('"hand": "1m1m", ', "")
        answer = served.post(path, content=body, headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert "Unicode" in answer.json()["detail"]


def test_a_million_fan_are_refused(served: Any) -> None:
    body = {"hand": "123m456m789m123p1p1p|EE1000|0", "rules": "jipinghu", "events": ["天和"]}
    answer = served.post("/api/score", json={**body, "options": {"first_round_fan": 1_000_000}})
    assert (answer.status_code, answer.json()["code"]) == (422, "rules")


@pytest.mark.parametrize("target", [b"/?\x82", b"/static\x82", b"/api/rules?a=\xff"])
def test_bytes_in_an_address_are_refused(tmp_path: Path, target: bytes) -> None:
    """Servers refuse them or let them pass, depending on their parser."""
    pytest.importorskip("fastapi", reason="needs the extra `serve`")
    from fuzz.asgi import Caller, Request
    from fuzz.targets.api import serve_app

    answer = Caller(serve_app(tmp_path)).call(Request("GET", target, (), b""))
    assert (answer.status, answer.json()["code"]) == (400, "bad-address")


def test_a_place_in_the_reviews_list_that_is_none(tmp_path: Path) -> None:
    pytest.importorskip("cachetools", reason="needs the extra `review`")
    from fuzz.asgi import Caller, Request
    from review_folder import labelled_folder

    from datasets.labelling.review.app import create_app

    caller = Caller(create_app(labelled_folder(tmp_path)))
    for after in (b"0.1:1", b"x,y", b"1", b"1,2,3"):
        answer = caller.call(Request("GET", b"/api/images?after=" + after, (), b""))
        assert answer.status == 422
        assert "no place in the list" in sentence(ValueError(answer.json()["detail"]))


@pytest.mark.parametrize("number", [2**63, 10**40])
def test_an_image_of_the_review_that_no_database_could_number(number: int, tmp_path: Path) -> None:
    pytest.importorskip("cachetools", reason="needs the extra `review`")
    from fuzz.asgi import Caller, Request
    from review_folder import labelled_folder

    from datasets.labelling.review.app import create_app

    caller = Caller(create_app(labelled_folder(tmp_path)))
    body, kind = b'{"version": 1, "tile": "1m"}', ((b"content-type", b"application/json"),)
    for method, rest in (("GET", b""), ("GET", b"/picture"), ("GET", b"/boxes/0/crop"), ("PUT", b"/boxes/0")):
        request = Request(method, b"/api/images/%d" % number + rest, kind, body)
        assert caller.call(request).status == 422


def test_a_shard_whose_names_lead_elsewhere_is_damaged() -> None:
    pytest.importorskip("pyarrow", reason="needs the extra `cluster`")
    from datasets.labelling.cluster import shards

    row = shards.Row(Listed("a", "/a", "../../a", "g"), None, "It is damaged.")
    with pytest.raises(ValueError, match="safe name"):
        shards.decode(shards.encode(0, [row]))
