"""Photos over HTTP, read by the models that ship. Every picture here is rendered or made up, none a photo."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from serve_app import SAMPLE, client, problem

from scoring import score
from vision.circumstances import Circumstances
from vision.photo import load_photo
from vision.reader import Reader
from vision.remark import Remark
from vision.serve import schemas
from vision.serve.pool import OverloadedError, TooLongError


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with client(tmp_path_factory.mktemp("data"), workers=1, photo_seconds=120.0) as running:
        yield running


@pytest.fixture(scope="module")
def sample() -> bytes:
    return SAMPLE.read_bytes()


def post(server: Any, photo: bytes, **fields: Any) -> Any:
    return server.post("/api/read", files={"photo": ("table.jpg", photo, "image/jpeg")}, data=fields)


def untimed(reading: dict[str, Any]) -> dict[str, Any]:
    """What `hupai read --json` says too, and says each time."""
    return {key: value for key, value in reading.items() if key not in ("photo", "seconds", "warnings_in")}


def test_the_object_of_the_command(server: Any, sample: bytes) -> None:
    answer = post(server, sample)
    assert answer.status_code == 200
    schemas.Reading.model_validate(answer.json())
    assert answer.json()["photo"] == "table.jpg"
    assert untimed(answer.json()) == untimed(Reader().read(sample).to_dict())
    truth = json.loads(SAMPLE.with_suffix(".json").read_text())
    assert sorted(tile["tile"] for tile in answer.json()["tiles"]) == sorted(
        tile["tile"] for tile in truth["tiles"]
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_warnings_are_in_both_languages_and_in_the_callers(
    language: str, server: Any, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def warned(_: object) -> dict[str, Any]:
        return {"warnings": [Remark("not-legible", tile=3), "no remark"]}

    monkeypatch.setattr(server.app.state.pool, "run", warned)
    answer = server.post(
        "/api/read", content=sample, headers={"Content-Type": "image/jpeg", "Accept-Language": language}
    ).json()
    said = {"en": "Tile 3 is not legible.", "zh": "3 号牌看不清。"}
    assert answer["warnings_in"] == {name: [said[name], "no remark"] for name in said}
    assert answer["warnings"] == answer["warnings_in"][language]


def test_circumstances_as_fields_or_in_the_query(server: Any, sample: bytes) -> None:
    said = {"seat": "S", "round": "W", "self_drawn": "true", "winning": "9s", "edition": "1998"}
    as_form = post(server, sample, **said, option=["minimum=4", "base=1"])
    query = {**said, "option": ["minimum=4", "base=1"]}
    headers = {"Content-Type": "image/jpeg"}
    as_query = server.post("/api/read", params=query, content=sample, headers=headers)
    circumstances = Circumstances("S", "W", "9s", True)
    table = Reader(lambda hand: score(hand, "mcr", "1998", minimum=4, base=1))
    expected = untimed(table.read(sample, circumstances).to_dict())
    assert untimed(as_form.json()) == expected
    assert untimed(as_query.json()) == expected
    assert expected["score"]["minimum"] == 4


def test_events_and_house_rules(server: Any, sample: bytes) -> None:
    house = json.dumps({"start": "mcr-plus", "minimum": 1})
    answer = post(server, sample, house=house, event=["报听"], self_drawn="true").json()
    assert answer["score"]["minimum"] == 1
    assert answer["score"]["rules"] == "house"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seat": "X"}, "invalid"),
        ({"self_drawn": "perhaps"}, "invalid"),
        ({"sea": "E"}, "invalid"),
        ({"winning": "a"}, "rules"),
        ({"rules": "bridge"}, "rules"),
        ({"option": "minimum=x"}, "rules"),
        ({"option": "x"}, "rules"),
        ({"house": "{"}, "invalid"),
        ({"house": "[" * 30_000}, "invalid"),
        ({"house": "[]"}, "invalid"),
    ],
)
def test_circumstances_that_are_none(server: Any, sample: bytes, fields: dict[str, str], code: str) -> None:
    problem(post(server, sample, **fields), 422, code)


def encoded(kind: str, size: tuple[int, int] = (640, 480), frames: int = 1) -> bytes:
    rng = np.random.default_rng(3)
    images = [Image.fromarray(rng.integers(0, 255, (*size[::-1], 3), np.uint8)) for _ in range(frames)]
    stream = io.BytesIO()
    more: dict[str, Any] = {"save_all": True, "append_images": images[1:]} if frames > 1 else {}
    images[0].save(stream, kind, **more)
    return stream.getvalue()


def black_png(side: int) -> bytes:
    """A valid PNG of side × side pixels, one bit each, in a few kilobytes."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + side // 8)) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def heic_header() -> bytes:
    return struct.pack(">I", 24) + b"ftypheic" + bytes(4) + b"mif1heic" + b"\xde\xad" * 500


BAD: dict[str, tuple[Callable[[], bytes], int, str]] = {
    "text": (lambda: b"not a picture at all", 415, "no-picture"),
    "empty": (lambda: b"", 422, "damaged"),
    "SVG": (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", 415, "no-picture"),
    "truncated JPEG": (lambda: encoded("JPEG")[:20_000], 422, "damaged"),
    "truncated PNG": (lambda: encoded("PNG")[:20_000], 422, "damaged"),
    "broken HEIC": (heic_header, 422, "damaged"),
    "30,000 × 30,000": (lambda: black_png(30_000), 422, "wrong-size"),
    "7,000 × 7,000 in a few kilobytes": (lambda: black_png(7_000), 422, "no-tiles"),
    "animated GIF": (lambda: encoded("GIF", (64, 48), frames=3), 415, "animation"),
    "no tile": (lambda: encoded("PNG"), 422, "no-tiles"),
    "one pixel": (lambda: encoded("PNG", (1, 1)), 422, "wrong-size"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("case", BAD)
def test_files_that_are_no_photo_of_a_hand(server: Any, case: str, language: str) -> None:
    make, status, code = BAD[case]
    files = {"photo": ("../../etc/<b>name.jpg", make(), "image/jpeg")}
    pids = server.app.state.pool.pids
    answer = server.post("/api/read", files=files, headers={"Accept-Language": language})
    sentence = problem(answer, status, code)
    assert "etc" not in sentence
    assert ("照片" in sentence or "图" in sentence) == (language == "zh")
    assert server.app.state.pool.pids == pids  # the worker lives


def test_three_hundred_tiles(server: Any) -> None:
    """The tiles of the rendered hand, cut out and laid in fifteen rows of twenty."""
    table = Image.fromarray(load_photo(SAMPLE).pixels)
    quads = [np.array(tile["quad"]) for tile in json.loads(SAMPLE.with_suffix(".json").read_text())["tiles"]]
    boxes = [(*quad.min(axis=0), *quad.max(axis=0)) for quad in quads]
    wall = Image.new("RGB", (20 * 96, 15 * 128), (30, 90, 60))
    for number in range(300):
        tile = table.crop([round(at) for at in boxes[number % len(boxes)]]).resize((80, 108))
        wall.paste(tile, (8 + number % 20 * 96, 10 + number // 20 * 128))
    stream = io.BytesIO()
    wall.save(stream, "JPEG", quality=90)
    answer = post(server, stream.getvalue())
    assert answer.status_code == 200, answer.text
    assert len(answer.json()["tiles"]) > 100
    assert answer.json()["status"] != ["complete"]


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (b"x", "text/plain", 415, "no-photo"),
        (b"x", "multipart/form-data", 400, "bad-form"),
        (b"x", "multipart/form-data; boundary=b", 400, "bad-form"),
        (b"--b\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b", 400, "bad-form"),
        (
            b'--b\r\nContent-Disposition: form-data; name="photo"\r\n\r\nx\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
            422,
            "no-photo",
        ),
    ],
)
def test_requests_without_a_photo(server: Any, body: bytes, kind: str, status: int, code: str) -> None:
    problem(server.post("/api/read", content=body, headers={"Content-Type": kind}), status, code)


def test_many_at_once_are_answered_right_or_asked_to_come_again(server: Any, sample: bytes) -> None:
    right = untimed(post(server, sample).json())
    with ThreadPoolExecutor(24) as clients:
        answers = list(clients.map(lambda _: post(server, sample), range(24)))
    assert {answer.status_code for answer in answers} <= {200, 503}
    read = [answer for answer in answers if answer.status_code == 200]
    assert len(read) >= server.app.state.settings.queue
    assert all(untimed(answer.json()) == right for answer in read)


def test_a_queue_that_is_full(server: Any, sample: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app.state.pool, "_queue", 0)
    answer = post(server, sample)
    problem(answer, 503, "busy")
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    ("error", "status", "code"), [(OverloadedError, 503, "overloaded"), (TooLongError, 422, "too-long")]
)
def test_a_photo_that_is_late(
    error: type[Exception],
    status: int,
    code: str,
    server: Any,
    sample: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def late(_: object) -> None:
        raise error

    monkeypatch.setattr(server.app.state.pool, "run", late)
    answer = post(server, sample)
    problem(answer, status, code)
    assert ("retry-after" in answer.headers) is (status == 503)


WATCHED = """
import sys, os
from pathlib import Path
from fastapi.testclient import TestClient
from serve_app import SAMPLE
from starlette.formparsers import MultiPartParser
from vision.serve import pool, upload
from vision.serve.app import create_app
from vision.serve.settings import Settings
from vision.serve.worker import Models, _load, answer

models = _load(1)

async def here(self, job):  # what a worker does, in the watched process
    return answer(job, models)

pool.Pool.run = here
pool.Pool.start = lambda self: None
client = TestClient(create_app(Settings(Path(sys.argv[1]), workers=0)), base_url="http://127.0.0.1")
photo = SAMPLE.read_bytes() + bytes(8_000_000)  # a JPEG may be followed by anything
seen = []

def watch(event, arguments):
    if event == "open" and isinstance(arguments[2], int):
        if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen.append(str(arguments[0]))
    elif event.startswith("tempfile."):
        seen.append(event)

def files_of_a_request():
    seen.clear()
    with client:
        response = client.post("/api/read", files={"photo": ("x.jpg", photo, "image/jpeg")})
    assert response.status_code == 200, response.text
    return list(seen)

files_of_a_request()  # imports and caches
sys.addaudithook(watch)
kept = files_of_a_request()
upload._InMemory.spool_max_size = MultiPartParser.spool_max_size
spooled = files_of_a_request()
print(len(kept), len(spooled))
print(kept)
"""


def test_no_photo_is_ever_a_file(tmp_path: Path) -> None:
    """Python's audit hook sees every file that is opened for writing, and every temporary one: there is none
    while 8 MB are received and read. With Starlette's own limit there would be."""
    run = [sys.executable, "-c", WATCHED, str(tmp_path)]
    here = Path(__file__).parent
    done = subprocess.run(
        run,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=here,
        env={"PYTHONPATH": f"{here}:{here.parent}"},
    )
    assert done.returncode == 0, done.stderr
    counts, which = done.stdout.splitlines()[-2:]
    kept, spooled = map(int, counts.split())
    assert kept == 0, which
    assert spooled > 0
