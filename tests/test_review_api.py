"""The review's server: what it lists, keeps and refuses. Pictures are rendered ones."""

from __future__ import annotations

import io
import json
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from review_folder import PICTURES, SIDES, Picture, labelled_folder

pytest.importorskip("fastapi", reason="the review page needs the extra `review`")
pytest.importorskip("cachetools", reason="the review page needs the extra `review`")

from starlette.testclient import TestClient
from typer.testing import CliRunner

import models.cli
from datasets.labelling import pictures as opening
from datasets.labelling.bake import PICTURES as COPIES
from datasets.labelling.bake import bake
from datasets.labelling.manifest import FILE, Manifest
from datasets.labelling.records import Labelled, Listed
from datasets.labelling.review.app import create_app

ROOT = Path(__file__).parent.parent
ADDRESS = "http://127.0.0.1"
BY_NAME = {picture.name: number for number, picture in enumerate(PICTURES, start=1)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return labelled_folder(tmp_path)


@pytest.fixture
def page(folder: Path) -> Iterator[TestClient]:
    with TestClient(create_app(folder), ADDRESS) as client:
        yield client


def image(page: TestClient, name: str) -> dict[str, Any]:
    answer = page.get(f"/api/images/{BY_NAME[name]}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def drawn(detail: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"tile": b["tile"], "quad": b["quad"], "was": i} for i, b in enumerate(detail["boxes"])]


def change(page: TestClient, detail: dict[str, Any], **wanted: Any) -> Any:
    return page.put(f"/api/images/{detail['id']}", json={"version": detail["version"], **wanted})


def names(answer: Any) -> list[str]:
    return [Path(row["source"]).stem for row in answer.json()["rows"]]


# Lists


def test_most_doubtful_come_first(page: TestClient) -> None:
    assert names(page.get("/api/images")) == ["flagged", "unsure", "less-unsure", "sure"]
    assert names(page.get("/api/images?doubtful=true")) == ["flagged", "unsure", "less-unsure"]


def test_pages_give_every_image_once(page: TestClient) -> None:
    seen: list[str] = []
    after = ""
    while True:
        answer = page.get(f"/api/images?limit=1{after}")
        seen += names(answer)
        if answer.json()["after"] is None:
            break
        after = f"&after={answer.json()['after']}"
    assert seen == ["flagged", "unsure", "less-unsure", "sure"]


def test_filters(page: TestClient) -> None:
    assert names(page.get("/api/images?flag=five-of-a-kind")) == ["flagged"]
    assert names(page.get("/api/images?show=reviewed")) == []
    assert set(names(page.get("/api/images?tile=9m"))) == {"flagged", "unsure", "less-unsure"}
    assert names(page.get("/api/images?split=val")) == []


def test_a_corrected_image_keeps_its_place_and_stays_in_the_count(page: TestClient) -> None:
    assert page.get("/api/overview").json()["progress"] == {"doubtful": 3, "left": 3}
    detail = image(page, "unsure")
    boxes = drawn(detail)
    boxes[2]["tile"] = detail["boxes"][2]["alternatives"][0][0]
    answer = change(page, detail, boxes=boxes, state="reviewed")
    assert answer.json()["progress"] == {"doubtful": 3, "left": 2}
    assert names(page.get("/api/images?show=any")) == ["flagged", "unsure", "less-unsure", "sure"]


def test_the_wall_shows_the_least_sure_first(page: TestClient) -> None:
    rows = page.get("/api/wall?wall=9m").json()["rows"]
    assert [row["tile"] for row in rows] == ["9m"] * 3
    confidences = [row["confidence"] for row in page.get("/api/wall?wall=E").json()["rows"]]
    assert len(confidences) > 1 and confidences == sorted(confidences)


def test_wall_pages_give_every_box_once(page: TestClient) -> None:
    whole = page.get("/api/wall?wall=E").json()["rows"]
    first = page.get("/api/wall?wall=E&limit=3").json()
    rest = page.get(f"/api/wall?wall=E&limit=200&after={first['after']}").json()
    assert first["rows"] + rest["rows"] == whole


# Decisions


def test_a_decision_is_in_the_file_when_the_answer_comes(page: TestClient, folder: Path) -> None:
    detail = image(page, "unsure")
    boxes = drawn(detail)
    boxes[2]["tile"] = "C"
    answer = change(page, detail, boxes=boxes)
    assert answer.status_code == 200
    with sqlite3.connect(f"file:{folder / FILE}?mode=ro", uri=True) as other:
        row = other.execute(
            "SELECT tile, origin, confidence FROM boxes WHERE image = ? AND position = 2", (detail["id"],)
        ).fetchone()
    assert row == ("C", "human", 1.0)


def test_only_what_differs_becomes_a_persons(page: TestClient) -> None:
    detail = image(page, "unsure")
    boxes = drawn(detail)
    boxes[2]["tile"] = "C"
    boxes[5]["quad"] = [[x + 3, y] for x, y in boxes[5]["quad"]]
    boxes.append({"tile": "5m", "quad": [[10, 10], [30, 10], [30, 40], [10, 40]]})
    del boxes[7]
    kept = change(page, detail, boxes=boxes).json()["image"]["boxes"]
    assert [i for i, box in enumerate(kept) if box["origin"] == "human"] == [2, 5, len(kept) - 1]
    assert kept[2]["alternatives"][0][0] == detail["boxes"][2]["tile"]
    assert kept[7]["quad"] == detail["boxes"][8]["quad"]


def test_a_request_that_comes_twice_decides_once(page: TestClient, folder: Path) -> None:
    detail = image(page, "unsure")
    for _ in range(2):
        assert change(page, detail, state="reviewed").status_code == 200
    answer = page.put(f"/api/images/{detail['id']}/boxes/0", json={"version": 99, "tile": "1s"})
    assert answer.status_code == 200
    with Manifest.open(folder) as manifest:
        assert len(manifest.decisions()) == 1


def test_two_tabs_do_not_overwrite_each_other(page: TestClient) -> None:
    mine = theirs = image(page, "unsure")
    assert change(page, theirs, state="rejected").status_code == 200
    refused = change(page, mine, state="reviewed")
    assert refused.status_code == 409
    assert "changed elsewhere" in refused.json()["detail"]
    assert image(page, "unsure")["state"] == "rejected"
    answer = page.put(f"/api/images/{mine['id']}/boxes/0", json={"version": mine["version"], "tile": "C"})
    assert answer.status_code == 409


def test_undo_and_redo_work_after_a_restart(folder: Path) -> None:
    with TestClient(create_app(folder), ADDRESS) as page:
        before = image(page, "unsure")
        first = change(page, before, state="reviewed").json()
        boxes = drawn(first["image"])
        boxes[0]["tile"] = "P"
        second = change(page, first["image"], boxes=boxes).json()
    with TestClient(create_app(folder), ADDRESS) as page:
        assert page.get("/api/overview").json()["undo"] == second["undo"]
        step = second["undo"]["decision"]
        one = page.post("/api/undo", json={"decision": step}).json()
        assert one["image"]["boxes"] == before["boxes"]
        assert one["image"]["state"] == "reviewed"
        again = page.post("/api/undo", json={"decision": step})
        assert again.json()["image"] == one["image"], "the same undo asked twice is done once"
        two = page.post("/api/undo", json={"decision": one["undo"]["decision"]}).json()
        assert two["image"]["state"] == "new" and two["undo"] is None
        redone = page.post("/api/redo", json={"decision": two["redo"]["decision"]}).json()
        assert redone["image"]["state"] == "reviewed"


def test_flags_tell_what_is_still_so(page: TestClient) -> None:
    detail = image(page, "flagged")
    first = detail["flags"][0]
    assert (first["name"], first["holds"]) == ("five-of-a-kind", False)
    boxes = drawn(detail)
    for box in boxes[:5]:
        box["tile"] = "C"
    flags = change(page, detail, boxes=boxes).json()["image"]["flags"]
    assert {"name": "five-of-a-kind", "means": "more than four of one tile", "holds": True} in flags


def test_labelling_again_leaves_a_correction_that_is_not_accepted(page: TestClient, folder: Path) -> None:
    detail = image(page, "unsure")
    boxes = drawn(detail)
    boxes[2]["tile"] = "C"
    change(page, detail, boxes=boxes)
    with Manifest.open(folder) as manifest:
        manifest.record(detail["id"], Labelled("0" * 64, "0" * 16, SIDES, ()))
    assert image(page, "unsure")["boxes"][2]["tile"] == "C"


def test_an_undo_of_something_else_is_refused(page: TestClient) -> None:
    seen = change(page, image(page, "unsure"), state="reviewed").json()["undo"]
    change(page, image(page, "flagged"), state="rejected")
    refused = page.post("/api/undo", json={"decision": seen["decision"]})
    assert refused.status_code == 409
    assert image(page, "flagged")["state"] == "rejected"


def test_a_box_is_named_or_taken_away_on_the_wall(page: TestClient) -> None:
    detail = image(page, "flagged")
    where = f"/api/images/{detail['id']}/boxes/0"
    named = page.put(where, json={"version": detail["version"], "tile": "N"}).json()["image"]
    assert named["boxes"][0]["tile"] == "N"
    gone = page.put(where, json={"version": named["version"], "tile": None}).json()["image"]
    assert [box["tile"] for box in gone["boxes"]] == [box["tile"] for box in named["boxes"][1:]]


@pytest.mark.parametrize(
    ("box", "word"),
    [
        ({"tile": "0m"}, "tile"),
        ({"tile": "<b>"}, "tile"),
        ({"tile": None}, "tile"),
        ({"quad": [[0, 0], [1, 0], [1, 1], [0, 1]]}, "too small"),
        ({"quad": [[30, 10], [10, 10], [10, 40], [30, 40]]}, "inside out"),
        ({"quad": [[900, 10], [930, 10], [930, 40], [900, 40]]}, "outside"),
        ({"quad": [[1e9, 10], [30, 10], [30, 40], [10, 40]]}, "quad"),
        ({"was": 400}, "no box"),
        ({"was": 1}, "same one"),
        ({"more": 1}, "more"),
    ],
)
def test_boxes_that_cannot_be_are_refused_in_words(page: TestClient, box: dict[str, Any], word: str) -> None:
    detail = image(page, "unsure")
    boxes = drawn(detail)
    boxes[0] = {"tile": "1m", "quad": [[10, 10], [30, 10], [30, 40], [10, 40]], "was": 0} | box
    refused = change(page, detail, boxes=boxes)
    assert refused.status_code == 422
    assert word in refused.json()["detail"]
    assert image(page, "unsure") == detail


@pytest.mark.parametrize(
    "path",
    [
        "/api/images/999",
        "/api/images/999/picture",
        "/api/images/1/boxes/999/crop",
        "/api/nothing",
        "/static/no.js",
    ],
)
def test_what_is_not_there_is_said(page: TestClient, path: str) -> None:
    answer = page.get(path)
    assert answer.status_code == 404
    assert answer.json()["detail"].endswith(".")


def test_images_labelled_meanwhile_join_the_queue(page: TestClient, folder: Path, tmp_path: Path) -> None:
    other = labelled_folder(tmp_path / "more", (Picture("later", wrong=0, margin=0.01, flags=("tiny",)),))
    with Manifest.open(folder) as manifest, Manifest.open(other) as source:
        found = source.image(1)
        manifest.register([Listed("later.jpg", found.picture, "later", "more")])
        manifest.record(len(PICTURES) + 1, Labelled("0" * 64, "0" * 16, SIDES, source.boxes(1), ("tiny",)))
    assert page.get("/api/overview").json()["progress"]["doubtful"] == 4
    assert names(page.get("/api/images"))[0] == "later"


# Pictures


def test_pictures_are_upright_and_no_larger_than_asked(page: TestClient, folder: Path) -> None:
    path = folder.parent / "photos" / "sure.jpg"
    with Image.open(path) as picture:
        exif = picture.getexif()
        exif[0x0112] = 6  # the camera was turned: show it turned by a quarter
        picture.rotate(90, expand=True).resize((SIDES[1] * 4, SIDES[0] * 4)).save(path, exif=exif)
    with Manifest.open(folder) as manifest, manifest.transaction() as connection:
        connection.execute("UPDATE images SET width = 1600, height = 1200 WHERE id = 1")
    for side, longest in ((100, 480), (480, 480), (900, 960), (5000, 1600)):
        shown = Image.open(io.BytesIO(page.get(f"/api/images/1/picture?side={side}").content))
        assert shown.width == longest and shown.height == longest * 3 // 4
        assert not shown.getexif()


def test_a_crop_shows_its_tile_upright(page: TestClient) -> None:
    answer = page.get("/api/images/1/boxes/0/crop")
    crop = Image.open(io.BytesIO(answer.content))
    assert answer.headers["content-type"] == "image/jpeg"
    assert crop.height == 144 and 60 < crop.width < 144


def test_pictures_are_asked_again_and_answered_shortly(page: TestClient, folder: Path) -> None:
    first = page.get("/api/images/1/picture")
    again = page.get("/api/images/1/picture", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    path = folder.parent / "photos" / "sure.jpg"
    Image.new("RGB", SIDES).save(path)
    changed = page.get("/api/images/1/picture", headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200 and changed.content != first.content


def test_a_missing_file_is_said_and_the_rest_goes_on(page: TestClient, folder: Path) -> None:
    (folder.parent / "photos" / "unsure.jpg").unlink()
    detail = image(page, "unsure")
    assert "not at" in detail["missing"] and "unsure.jpg" in detail["missing"]
    refused = page.get(f"/api/images/{detail['id']}/picture")
    assert refused.status_code == 404 and refused.json()["detail"] == detail["missing"]
    assert change(page, detail, state="rejected").status_code == 200


@pytest.mark.parametrize("where", [None, "s3://bucket/unsure.jpg"], ids=["gone", "in object storage"])
def test_the_finished_copy_is_shown_without_the_file(
    page: TestClient, folder: Path, where: str | None
) -> None:
    crop = f"/api/images/{BY_NAME['unsure']}/boxes/0/crop"
    whole = f"/api/images/{BY_NAME['unsure']}/picture"
    before = {path: page.get(path) for path in (crop, whole)}
    source = folder.parent / "photos" / "unsure.jpg"
    with Manifest.open(folder) as manifest:
        bake(manifest.image(BY_NAME["unsure"]), folder / COPIES, opening.Pictures())
        if where is not None:
            with manifest.transaction() as connection:
                connection.execute("UPDATE images SET picture = ? WHERE name = 'unsure'", (where,))
    source.unlink()
    assert image(page, "unsure")["missing"] is None
    for path, answer in before.items():
        shown = page.get(path)
        assert shown.status_code == 200 and shown.content == answer.content
        assert shown.headers["etag"] != answer.headers["etag"]
    (folder / COPIES / "unsure.jpg").unlink()
    assert page.get(whole).status_code == 404


def test_a_damaged_file_is_said(page: TestClient, folder: Path) -> None:
    path = folder.parent / "photos" / "sure.jpg"
    path.write_bytes(path.read_bytes()[:700])
    for what in ("picture", "boxes/0/crop"):
        answer = page.get(f"/api/images/1/{what}")
        assert answer.status_code == 404 and "damaged" in answer.json()["detail"]


# Who may ask


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::1", "a@b"]
)
def test_other_names_for_this_machine_are_refused(page: TestClient, host: str) -> None:
    answer = page.get("/api/overview", headers={"Host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:1", "[::1]:80", "192.168.1.7:9"])
def test_this_machines_names_are_answered(page: TestClient, host: str) -> None:
    assert page.get("/api/overview", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://[::1"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_cannot_write(page: TestClient, headers: dict[str, str]) -> None:
    detail = image(page, "sure")
    body = {"version": detail["version"], "state": "rejected"}
    assert page.put(f"/api/images/{detail['id']}", json=body, headers=headers).status_code == 403
    assert image(page, "sure")["state"] == "new"


def test_own_page_can_write(page: TestClient) -> None:
    detail = image(page, "sure")
    body = {"version": detail["version"], "state": "rejected"}
    headers = {"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}
    assert page.put(f"/api/images/{detail['id']}", json=body, headers=headers).status_code == 200


def test_a_large_request_is_refused(page: TestClient) -> None:
    answer = page.put("/api/images/1", content=b" " * 2**20)
    assert answer.status_code == 413 and "KiB" in answer.json()["detail"]


def test_every_answer_tells_the_browser_to_stay_at_home(page: TestClient) -> None:
    for path in ("/", "/static/review.js", "/api/overview", "/api/images/999", "/api/images/1/picture"):
        headers = page.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


# The command


def hupai_review(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "models.cli", "review", str(folder), "--no-open", *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_an_answered_decision_outlives_a_killed_server(folder: Path) -> None:
    with hupai_review(folder) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            with urllib.request.urlopen(f"{address}api/images/2", timeout=120) as answer:
                detail = json.load(answer)
            boxes = drawn(detail)
            boxes[2]["tile"] = "C"
            body = {"version": detail["version"], "boxes": boxes, "state": "reviewed"}
            request = urllib.request.Request(
                f"{address}api/images/2",
                json.dumps(body).encode(),
                {"Content-Type": "application/json"},
                method="PUT",
            )
            with urllib.request.urlopen(request, timeout=120) as answer:
                assert answer.status == 200
        finally:
            process.kill()
    with Manifest.open(folder) as manifest:
        assert manifest.image(2).state == "reviewed"
        assert manifest.boxes(2)[2].tile == "C"
        assert manifest.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_folder_without_labels_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(models.cli.app, ["review", str(tmp_path), "--no-open"])
    assert result.exit_code == 1
    assert "hupai label" in result.stderr


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(models.cli.app, ["review", str(folder), "--no-open", "--port", port])
    assert result.exit_code == 1
    assert "--port" in result.stderr
