"""The servers of `hupai serve` and `hupai review`: whatever comes in, what goes out is what they promise."""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fake_models import FakeLocator, FakeNamer
from review_folder import labelled_folder

from vision.serve import schemas, table_schemas, worker
from vision.serve.app import create_app
from vision.serve.settings import Settings

from ..asgi import Answer, Caller, Request
from ..mutator import mutate_bytes, mutate_text
from ..target import BrokenPromiseError, Target
from . import photo
from .scoring import HANDS

TABLE = b"TABLEID"
"""In a request, the id of a table that there is."""
ROWS = (["1m", "2m", "3m", "6p", "7p", "8p", "E", "E", "E", "C", "C", "C", "P", "P"],)
_ALLOWED = {503, 507}
_SHAPES = {
    ("POST", "/api/score"): schemas.ScoreAnswer,
    ("POST", "/api/read"): schemas.Reading,
    ("GET", "/api/rules"): schemas.RulesAnswer,
    ("GET", "/api/service"): schemas.Service,
    ("POST", "/api/corrections"): schemas.Kept,
    ("POST", "/api/tables"): table_schemas.Table,
}


class InlinePool:
    """Does a worker's jobs here, with stand-ins for the models; the door for photos is the real one."""

    def __init__(self) -> None:
        locator = FakeLocator(*ROWS)
        self._models = worker.Models(locator, FakeNamer(locator))

    async def run(self, job: worker.Job) -> Any:
        answer = worker.answer(job, self._models)
        if isinstance(answer, worker.Failed) and answer.kind == "Exception":
            raise BrokenPromiseError("a worker's job failed with an error of ours") from None
        return answer


def serve_app(folder: Path) -> Any:
    """The application of `hupai serve`, with corrections, without worker processes."""
    logging.getLogger("hupai.serve").setLevel(logging.CRITICAL)
    app = create_app(Settings(folder / "data", folder / "kept", url="http://10.0.0.7:8000/"))
    app.state.pool = InlinePool()
    app.router.lifespan_context = _nothing_starts
    return app


@asynccontextmanager
async def _nothing_starts(_: Any) -> AsyncIterator[None]:
    yield


@cache
def _served() -> tuple[Caller, bytes]:
    caller = Caller(serve_app(Path(tempfile.mkdtemp(prefix="hupai-fuzz-"))))
    names = json.dumps({"names": ["a", "b", "c", "d"], "rules": "mcr"}).encode()
    made = caller.call(Request("POST", b"/api/tables", ((b"content-type", b"application/json"),), names))
    return caller, made.json()["id"].encode()


def run_api(data: bytes) -> None:
    caller, table = _served()
    request = Request.parse(data.replace(TABLE, table))
    _check(request, caller.call(request))


def _check(request: Request, answer: Answer) -> None:
    place = f"{request.method} {request.target[:80]!r}: {answer.status}"
    if not 200 <= answer.status < 600 or (answer.status >= 500 and answer.status not in _ALLOWED):
        raise BrokenPromiseError(place)
    if "x-content-type-options" not in answer.headers:
        raise BrokenPromiseError(f"{place} without the guard's headers")
    if answer.status >= 400:
        if answer.kind != "application/problem+json":
            raise BrokenPromiseError(f"{place} as {answer.kind}")
        told = answer.json()
        if told["status"] != answer.status or not told["detail"].endswith((".", "。")):
            raise BrokenPromiseError(f"{place} {told}")
    elif answer.kind == "application/json":
        path = request.target.partition(b"?")[0].decode("latin-1")
        shape = _SHAPES.get((request.method, path))
        told = answer.json()
        if shape is not None:
            shape.model_validate(told)


_WORDS = (
    *'{}[]",:', "null", "true", "false", "0", "-1", "1e400", "NaN", "9" * 25,
    "1" * 4200, '"\\ud800"', '"\\u0000"',
    '"1m"', '"E"', '"mcr"', '"fuzhou"', '"jipinghu"', '"dazhong"', '"house":{"start":"mcr"}',
    '"points":{"七对":9}',
    '"off":["无番和"]', '"options":{"cap":1000000}', '"events":["天和"]', '"wild":"5m"', '"gold":"3s"',
    "[" * 900,
    '"hand":', '"groups":[{"kind":"concealed","tiles":["1m"]}]', '"seat":"E"', '"winning":"B"',
    '"streak":1000',
    "/api/tables", "/api/score", "/api/read", "/api/corrections", "/table.csv", "/qr.svg", "/hands",
    "/hands/last",
    "/draws", "?expected=0", "?lang=zh", "?event=天和", "?house={", "%00", "%ff", "%ed%a0%80", "../",
    "GET ", "POST ",
    "PUT ", "DELETE ", "HEAD ", "OPTIONS ", "multipart/form-data", "application/json", "image/jpeg",
    "boundary=x",
    "charset=utf-7", "charset=unicode_escape", "charset=utf-16", "charset=idna", "content-type: ",
    "accept-language: zh;q=nan",
    "content-length: 9999999999", "expect: 100-continue", "origin: null", "host: [",
    "transfer-encoding: chunked",
    "range: bytes=0-,5-", "if-none-match: *", "--x\r\n", "--x--\r\n", "\r\n", "\n", 'filename="\\ud800"',
    "content-disposition: form-data; name=\"house\"\r\n\r\n", "filename*=utf-8''%ff", "\0", "é", "\ud800",
)  # fmt: skip
_JSON = b"content-type: application/json\n"


def _post(path: bytes, value: Any, extra: bytes = b"") -> bytes:
    return b"POST " + path + b"\n" + _JSON + extra + b"\n" + json.dumps(value, ensure_ascii=False).encode()


def _form(path: bytes, fields: dict[str, str], picture: bytes, extra: bytes = b"") -> bytes:
    parts = [
        b'--x\r\ncontent-disposition: form-data; name="'
        + name.encode()
        + b'"\r\n\r\n'
        + value.encode()
        + b"\r\n"
        for name, value in fields.items()
    ]
    photo_part = (
        b'--x\r\ncontent-disposition: form-data; name="photo"; filename="h.jpg"\r\n\r\n' + picture + b"\r\n"
    )
    head = b"POST " + path + b"\ncontent-type: multipart/form-data; boundary=x" + extra + b"\n\n"
    return head + photo_part + b"".join(parts) + b"--x--\r\n"


def seeds_api() -> list[bytes]:
    small = photo.seeds()
    jpeg, png = small[0], small[9]
    layout = {
        "size": list(photo.SIZE),
        "tiles": [{"id": 0, "tile": "1m", "quad": [[0, 0], [20, 0], [20, 30], [0, 30]]}],
        "groups": [{"kind": "concealed", "tiles": [0]}],
    }
    house = {"start": "mcr", "minimum": 6, "off": ["无番和"], "points": {"七对": 32}}
    won = {"winner": 0, "expected": 0, "hand": HANDS[0], "from_player": 1}
    return [
        *(_post(b"/api/score", {"hand": hand}) for hand in HANDS[:4]),
        _post(b"/api/score", {"hand": HANDS[0], "house": house, "events": [], "seat": "S"},
        b"accept-language: zh\n"),
        _post(b"/api/score", {"hand": HANDS[1], "rules": "fuzhou", "gold": "3s", "streak": 2,
        "options": {"sets": "5"}}),
        _post(b"/api/score", {"hand": HANDS[7], "rules": "jipinghu", "events": ["heavenly-hand"],
        "options": {"cap": 5}}),
        _post(b"/api/score", {"hand": HANDS[9], "rules": "dazhong", "wild": "5m", "dealer": True}),
        _post(b"/api/score", {"groups": [{"kind": "concealed", "tiles": ["1m", "2m", "3m", "E", "E"]},
            {"kind": "chow", "tiles": ["1p", "2p", "3p"], "source": 1}, {"kind": "winning",
            "tiles": ["E"]}]}),
        _post(b"/api/tables", {"names": ["甲", "b", "=c", "d"], "rules": "fuzhou",
        "house": {"start": "fuzhou"}}),
        _post(b"/api/tables/TABLEID/hands", won),
        _post(b"/api/tables/TABLEID/draws", {"expected": 0}),
        b"GET /api/tables/TABLEID\n\n",
        b"GET /api/tables/TABLEID/table.csv\n\n",
        b"GET /api/tables/TABLEID/qr.svg\n\n",
        b"DELETE /api/tables/TABLEID/hands/last?expected=1\n\n",
        b"GET /api/rules\n\n",
        b"GET /api/service\naccept-language: zh-CN\n\n",
        b"GET /?lang=zh\ncookie: lang=en\n\n",
        b"GET /table/TABLEID\n\n",
        b"GET /openapi.json\n\n",
        b"GET /static/app.js\nrange: bytes=0-10\n\n",
        b"POST /api/read?seat=E&event=x\ncontent-type: image/jpeg\n\n" + jpeg,
        _form(b"/api/read", {"seat": "E", "round": "S", "house": json.dumps(house), "option": "cap=3"},
        png),
        _form(b"/api/read", {"rules": "fuzhou", "gold": "3s", "self_drawn": "true"}, jpeg,
        b"; charset=utf-8"),
        _form(b"/api/corrections", {"layout": json.dumps(layout), "keep": "true"}, jpeg),
    ]  # fmt: skip


def mutate_api(data: bytes, rng: Random) -> bytes:
    """Of a request with a picture only the rest is changed as text, or everything as bytes."""
    if rng.random() < 0.15:
        return mutate_bytes(data, rng)
    at = min([place for mark in (b"\xff\xd8", b"\x89PNG") if (place := data.find(mark)) >= 0], default=-1)
    if at < 0:
        return mutate_text(data, rng, _WORDS, alien=0.02)
    end = data.find(b"\r\n--x", at)
    end = len(data) if end < 0 else end
    head, tail = data[:at], data[end:]
    if tail and rng.random() < 0.6:
        tail = mutate_text(tail, rng, _WORDS)
    else:
        head = mutate_text(head, rng, _WORDS)
    return head + data[at:end] + tail


API = Target(
    "api", run_api, seeds_api, mutate_api,
    ("vision.serve.api", "vision.serve.tables", "vision.serve.upload", "vision.serve.guard",
    "vision.serve.hands",
     "vision.serve.board", "vision.serve.problems", "scoring.house", "scoring.options", "scoring.notation",
     "starlette.formparsers"),
)  # fmt: skip


@cache
def _reviewed() -> Caller:
    from datasets.labelling.review.app import create_app as review_app

    return Caller(review_app(labelled_folder(Path(tempfile.mkdtemp(prefix="hupai-fuzz-")))))


def run_review(data: bytes) -> None:
    request = Request.parse(data)
    _check(request, _reviewed().call(request))


_REVIEW_WORDS = (
    *'{}[]",:', "null", "true", "false", "0", "-1", "1e400", "NaN", "Infinity",
    "9" * 25, str(2**63), "1" * 4200, '"\\ud800"',
    '"1m"', '"B"', '"version":', '"boxes":[]', '"quad":[[0,0],[9,0],[9,9],[0,9]]', '"was":0', '"was":-1',
    '"state":"rejected"',
    '"decision":1', "/api/images/1", "/boxes/0", "/crop", "/picture", "/api/undo", "/api/redo",
    "?side=1", "?side=20000",
    "&limit=200", "&after=", "&after=0", "&wall=5m", "&show=all", "&doubtful=true", "&flag=%00",
    "&tile=?", "&split=x",
    "GET ", "PUT ", "POST ", "%00", "%ff", "../", "if-none-match: ", "range: bytes=0-,5-", "[" * 900,
    "\0", "\n", "é", "\ud800",
)  # fmt: skip


def seeds_review() -> list[bytes]:
    quad = [[10, 10], [40, 10], [40, 50], [10, 50]]
    boxes = [{"tile": "5m", "quad": quad, "was": 0}, {"tile": "B", "quad": quad, "was": None}]
    put = b"PUT %s\n" + _JSON + b"\n%s"
    return [
        b"GET /api/overview\n\n",
        b"GET /api/images?show=new&doubtful=true&limit=2\n\n",
        b"GET /api/images?flag=five-of-a-kind&tile=5m&split=train&after=0.1:1\n\n",
        b"GET /api/wall?wall=9m&limit=3\n\n",
        b"GET /api/images/2\n\n",
        b"GET /api/images/1/picture?side=200\n\n",
        b"GET /api/images/1/boxes/0/crop\n\n",
        put % (b"/api/images/3", json.dumps({"version": 2, "state": "reviewed", "boxes": boxes}).encode()),
        put % (b"/api/images/4/boxes/1", json.dumps({"version": 2, "tile": "9p"}).encode()),
        put % (b"/api/images/4/boxes/1", json.dumps({"version": 3, "tile": None}).encode()),
        _post(b"/api/undo", {"decision": 1}),
        _post(b"/api/redo", {"decision": 1}),
        b"GET /static/app.js\n\n",
        b"GET /\n\n",
    ]


def mutate_review(data: bytes, rng: Random) -> bytes:
    return mutate_text(data, rng, _REVIEW_WORDS)


REVIEW = Target(
    "review", run_review, seeds_review, mutate_review,
    ("datasets.labelling.review.app", "datasets.labelling.review.queries",
    "datasets.labelling.review.decisions",
     "datasets.labelling.review.pictures", "datasets.labelling.manifest"),
)  # fmt: skip
