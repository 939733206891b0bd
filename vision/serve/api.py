"""The JSON API's routes for photos, hands and rules."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from scoring import TILES
from vision.serve import schemas
from vision.serve.corrections import Corrections, check
from vision.serve.hands import asked, circumstances, refused, score_answer
from vision.serve.house import HouseRules
from vision.serve.pool import BusyError, OverloadedError, Pool, TooLongError, WorkerDiedError
from vision.serve.problems import LANGUAGES, ApiError, Sentence, language_of
from vision.serve.settings import MAX_BODY, OVERLOADED_SECONDS, RETRY_SECONDS
from vision.serve.upload import read_upload
from vision.serve.words import (
    BUSY,
    FAILED,
    KEEPS_NONE,
    NOT_AGREED,
    OVERLOADED,
    TOO_LONG,
    failure,
    warnings_in,
)
from vision.serve.worker import CleanJob, Failed, Job, ReadJob
from vision.summary import CHECK_BELOW

router = APIRouter()

PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What is wrong, in one sentence, in the language of Accept-Language.",
        "content": {"application/problem+json": {"schema": schemas.Problem.model_json_schema()}},
    }
}
_PHOTO = {"photo": {"type": "string", "format": "binary"}}
_FIELDS = {
    name: schema
    for name, schema in schemas.Told.model_json_schema()["properties"].items()
    if name not in ("events", "options")
} | {
    "event": {"type": "array", "items": {"type": "string"}},
    "option": {"type": "array", "items": {"type": "string"}, "description": "NAME=VALUE"},
    "house": {"type": "string", "description": "House rules as JSON."},
}
_READ_BODY = {
    "requestBody": {
        "required": True,
        "description": "The photo as a form's field, what is known of the win as further fields; or the "
        "photo as the body, with the same fields in the query.",
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "required": ["photo"], "properties": _PHOTO | _FIELDS}
            },
            "image/*": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}

_CORRECTION_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photo", "layout", "keep"],
                    "properties": _PHOTO
                    | {
                        "layout": {
                            "type": "string",
                            "description": "A reading as corrected: JSON with size, tiles and groups.",
                            "contentMediaType": "application/json",
                            "contentSchema": schemas.Correction.model_json_schema(),
                        },
                        "keep": {"type": "string", "enum": ["true"]},
                    },
                }
            }
        },
    }
}


@router.get("/service", response_model=schemas.Service)
async def service(request: Request) -> dict[str, Any]:
    """What a page needs to know of the server."""
    keeps = request.app.state.settings.corrections is not None
    return {"keeps": keeps, "max_bytes": MAX_BODY, "check_below": CHECK_BELOW, "tiles": list(TILES)}


@router.get("/rules", response_model=schemas.RulesAnswer)
def rules(request: Request) -> dict[str, Any]:
    """Rule sets, editions, options, events and fans, named in English and Chinese; then the house rules that
    the server was started with."""
    return house_of(request).answer()


@router.post("/score", response_model=schemas.ScoreAnswer, responses=PROBLEM)
def score(request: Request, body: schemas.ScoreRequest) -> Response:
    """Score a hand. One that does not win or is worth too little is an answer too: see `missing`."""
    meant = house_of(request).meant(body)
    try:
        return JSONResponse(score_answer(meant, language_of(request.headers.get("accept-language"))))
    except ValueError as error:
        raise refused(error) from error


@router.post("/read", response_model=schemas.Reading, responses=PROBLEM, openapi_extra=_READ_BODY)
async def read(request: Request) -> Response:
    """Read a photo of a hand. It is kept in memory only, and only until it is read."""
    upload = await read_upload(request)
    told = house_of(request).meant(told_by_fields(upload.fields))
    try:
        table, said = asked(told), circumstances(told)
        await run_in_threadpool(table.chosen)
    except ValueError as error:
        raise refused(error) from error
    reading = await do(request.app.state.pool, ReadJob(upload.photo, said, table))
    warnings = {language: warnings_in(language, reading["warnings"]) for language in LANGUAGES}
    asked_in = language_of(request.headers.get("accept-language"))
    told_in = {"warnings": warnings[asked_in], "warnings_in": warnings}
    return JSONResponse({**reading, "photo": upload.name, **told_in})


def house_of(request: Request) -> HouseRules:
    """The house rules that the server was started with."""
    house: HouseRules = request.app.state.house
    return house


async def do(pool: Pool, job: Job) -> Any:
    """The result of a worker's job. Raises ApiError."""
    try:
        result = await pool.run(job)
    except BusyError as error:
        raise ApiError(503, "busy", BUSY, {"Retry-After": str(RETRY_SECONDS)}) from error
    except OverloadedError as error:
        raise ApiError(503, "overloaded", OVERLOADED, {"Retry-After": str(OVERLOADED_SECONDS)}) from error
    except TooLongError as error:
        raise ApiError(422, "too-long", TOO_LONG) from error
    except WorkerDiedError as error:
        raise ApiError(500, "failed", FAILED) from error
    if isinstance(result, Failed):
        raise failure(result)
    return result


@router.post(
    "/corrections",
    response_model=schemas.Kept,
    status_code=201,
    responses=PROBLEM,
    openapi_extra=_CORRECTION_BODY,
)
async def correct(request: Request) -> Response:
    """Keep a photo with its corrected layout, for training. Only where the server was started to keep
    corrections (404 elsewhere), and only with `keep` set to true."""
    corrections: Corrections | None = request.app.state.corrections
    if corrections is None:
        raise ApiError(404, "keeps-none", KEEPS_NONE)
    upload = await read_upload(request)
    fields = dict(upload.fields)
    if fields.get("keep") != "true":
        raise ApiError(422, "not-agreed", NOT_AGREED)
    try:
        layout = schemas.Correction.model_validate_json(fields.get("layout", ""))
    except ValidationError as error:
        raise invalid(error.errors()) from error
    size, jpeg = await do(request.app.state.pool, CleanJob(upload.photo))
    check(layout, size)
    return JSONResponse({"name": await run_in_threadpool(corrections.keep, jpeg, layout)}, 201)


def told_by_fields(fields: Iterable[tuple[str, str]]) -> schemas.Told:
    """The circumstances in a form's fields, named as in the JSON; `event` and `option` (NAME=VALUE) may come
    more than once, an empty field says nothing. Raises ApiError."""
    values: dict[str, Any] = {"events": [], "options": {}}
    try:
        for name, value in fields:
            if not value:
                continue
            if name == "event":
                values["events"].append(value)
            elif name == "option":
                option, _, choice = value.partition("=")
                values["options"][option.strip()] = choice.strip()
            elif name == "house":
                values["house"] = json.loads(value)
            else:
                values[name] = value
        return schemas.Told.model_validate(values)
    except ValidationError as error:
        raise invalid(error.errors()) from error
    except (ValueError, RecursionError) as error:
        sentence = Sentence("The field 'house' is not JSON.", "house 字段不是 JSON。")
        raise ApiError(422, "invalid", sentence) from error


def invalid(errors: Iterable[Any]) -> ApiError:
    """The answer to a request of another shape than asked for: its first fault."""
    first = next(iter(errors), {"loc": (), "msg": "The request is not understood"})
    where = ".".join(str(part) for part in first["loc"] if part != "body")[:100] or "request"
    message = str(first["msg"])[:200].rstrip(".")
    return ApiError(422, "invalid", Sentence(f"'{where}': {message}.", f"“{where}”的内容不对：{message}。"))
