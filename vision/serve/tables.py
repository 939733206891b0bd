"""The JSON API's routes for scoreboards."""

from __future__ import annotations

import io
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import URL

from vision.serve import table_schemas as schemas
from vision.serve.api import PROBLEM, house_of
from vision.serve.board import DRAW, csv_of, setup_of, table_answer, win
from vision.serve.hands import refused
from vision.serve.problems import ApiError, Sentence, language_of
from vision.serve.store import ConflictError, FullError, Store, UnknownTableError

log = logging.getLogger("hupai.serve")
router = APIRouter(prefix="/tables", responses=PROBLEM)

_UNKNOWN = Sentence("There is no such table; open a new one.", "没有这张牌桌，请新开一桌。")
_CONFLICT = Sentence(
    "Somebody entered something meanwhile; look at the table again.", "别人刚刚记过分，请刷新牌桌再看。"
)
_NOT_SAVED = Sentence(
    "The scoreboard could not be saved or read; look at the server's disk.",
    "计分未能保存或读取，请检查服务器磁盘。",
)
_FULL = Sentence("No more fits here; open a new table.", "已经记满，请新开一桌。")


@router.post("", response_model=schemas.Table, status_code=201)
def create_table(request: Request, body: schemas.NewTable) -> Response:
    """Open a scoreboard."""
    with _told():
        name = _store(request).create(setup_of(house_of(request).meant(body)))
    return _answer(request, name, 201)


@router.get("/{table}", response_model=schemas.Table)
def get_table(request: Request, table: str) -> Response:
    """A scoreboard."""
    return _answer(request, table)


@router.post("/{table}/hands", response_model=schemas.Table, status_code=201)
def add_hand(request: Request, table: str, body: schemas.TableHand) -> Response:
    """Score a hand under the table's rules and enter its payment. 422 `not-legal` for one that does not win
    or is worth too little, `tables-option` for an option by which it would count otherwise; 409 where
    `expected` is not the number of hands entered."""
    with _told():
        stored = _store(request).table(table)
        if len(stored.entries) != body.expected:
            raise ConflictError
        entry = win(stored, body, language_of(request.headers.get("accept-language")))
        _store(request).add(table, body.expected, entry)
    return _answer(request, table, 201)


@router.post("/{table}/draws", response_model=schemas.Table, status_code=201)
def add_draw(request: Request, table: str, body: schemas.TableDraw) -> Response:
    """Enter a hand that nobody won."""
    with _told():
        _store(request).add(table, body.expected, DRAW)
    return _answer(request, table, 201)


@router.delete("/{table}/hands/last", response_model=schemas.Table)
def undo(request: Request, table: str, expected: Annotated[int, Query(ge=0, le=100_000)]) -> Response:
    """Take back what was entered last; nothing where nothing was."""
    with _told():
        _store(request).undo(table, expected)
    return _answer(request, table)


@router.get("/{table}/table.csv", response_class=Response)
def export(request: Request, table: str) -> Response:
    """The scoreboard as CSV, in UTF-8 with a byte order mark, which spreadsheets look for."""
    with _told():
        text = csv_of(table_answer(_store(request).table(table)))
    headers = {"Content-Disposition": 'attachment; filename="hupai-table.csv"'}
    return Response(text.encode("utf-8-sig"), headers=headers, media_type="text/csv; charset=utf-8")


@router.get("/{table}/qr.svg", response_class=Response)
def qr(request: Request, table: str) -> Response:
    """A QR code of the table's page: at the address by which it was called, or, from this machine itself, at
    that by which phones call it."""
    import segno

    with _told():
        stored = _store(request).table(table)
    page = request.url_for("table_page", table=stored.id)
    if request.url.hostname in ("127.0.0.1", "localhost", "::1") and request.app.state.settings.url:
        page = URL(request.app.state.settings.url).replace(path=page.path)
    code = segno.make(str(page), micro=False)
    svg = io.BytesIO()
    code.save(svg, kind="svg", scale=6, border=3, dark="#000", light="#fff")
    return Response(svg.getvalue(), media_type="image/svg+xml")


def _store(request: Request) -> Store:
    store: Store = request.app.state.store
    return store


def _answer(request: Request, table: str, status: int = 200) -> JSONResponse:
    with _told():
        return JSONResponse(table_answer(_store(request).table(table)), status)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except UnknownTableError as error:
        raise ApiError(404, "no-table", _UNKNOWN) from error
    except ConflictError as error:
        raise ApiError(409, "conflict", _CONFLICT) from error
    except FullError as error:
        raise ApiError(409, "full", _FULL) from error
    except sqlite3.Error as error:
        log.exception("The scoreboards' file cannot be used.")
        raise ApiError(507, "not-saved", _NOT_SAVED) from error
    except ValueError as error:
        raise refused(error) from error
