"""The JSON API's routes."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from vision.serve import schemas
from vision.serve.catalogue import rules_answer
from vision.serve.hands import score_answer

router = APIRouter()

_CIRCUMSTANCES = schemas.Told.model_json_schema()["properties"]
_PHOTO_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The photo, with the circumstances as further fields (or in the query).",
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photo"],
                    "properties": {"photo": {"type": "string", "format": "binary"}},
                }
            },
            "image/*": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


@router.get("/service", response_model=schemas.Service)
def service(request: Request) -> dict[str, Any]:
    """What the page needs to know of the server."""
    from scoring import TILES
    from vision.serve.settings import MAX_BODY
    from vision.summary import CHECK_BELOW

    keeps = request.app.state.settings.corrections is not None
    return {
        "keeps": keeps, "max_bytes": MAX_BODY, "check_below": CHECK_BELOW, "tiles": list(TILES),
    }  # fmt: skip


@router.get("/rules", response_model=schemas.RulesAnswer)
def rules() -> dict[str, Any]:
    """Rule sets, editions, options, events and fans, named in English and Chinese."""
    return rules_answer()


@router.post("/score", response_model=schemas.ScoreAnswer)
def score(body: schemas.ScoreRequest) -> Response:
    """Score a hand."""
    return JSONResponse(score_answer(body))


@router.post("/read", response_model=schemas.Reading, openapi_extra=_PHOTO_BODY)
async def read(request: Request) -> Response:
    """Read a photo of a hand."""
    from starlette.concurrency import run_in_threadpool

    from vision.reader import Reader

    form = await request.form()
    upload = form.get("photo")
    data = await upload.read() if upload is not None and not isinstance(upload, str) else await request.body()
    reading = await run_in_threadpool(lambda: Reader().read(data, name="photo"))
    return JSONResponse(reading.to_dict())


@router.post("/corrections", response_model=schemas.Kept, status_code=201)
def correct(request: Request) -> Response:
    """Keep a photo with its corrected layout: multipart fields `photo`, `layout` (JSON, see Correction) and
    `keep` ("true"). 404 where the server keeps none."""
    raise NotImplementedError


@router.post("/tables", response_model=schemas.Table, status_code=201)
def create_table(body: schemas.NewTable) -> Response:
    """Open a scoreboard."""
    raise NotImplementedError


@router.get("/tables/{table}", response_model=schemas.Table)
def get_table(table: str) -> Response:
    """A scoreboard."""
    raise NotImplementedError


@router.post("/tables/{table}/hands", response_model=schemas.Table, status_code=201)
def add_hand(table: str, body: schemas.TableHand) -> Response:
    """Score a hand under the table's rules and enter its payment. 422 with code `not-legal` for one that does
    not win or is worth too little."""
    raise NotImplementedError


@router.post("/tables/{table}/draws", response_model=schemas.Table, status_code=201)
def add_draw(table: str, body: schemas.TableDraw) -> Response:
    """Enter a hand that nobody won."""
    raise NotImplementedError


@router.delete("/tables/{table}/hands/last", response_model=schemas.Table)
def undo(table: str, expected: int) -> Response:
    """Take back what was entered last."""
    raise NotImplementedError


@router.get("/tables/{table}/table.csv", response_class=Response)
def export(table: str) -> Response:
    """The scoreboard as CSV."""
    raise NotImplementedError


@router.get("/tables/{table}/qr.svg", response_class=Response)
def qr(table: str, request: Request) -> Response:
    """A QR code of the table's page."""
    raise NotImplementedError
