"""The ASGI application."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from vision.serve import api, guard, tables
from vision.serve.corrections import Corrections
from vision.serve.house import HouseRules
from vision.serve.pages_routes import mount_pages
from vision.serve.pool import Pool
from vision.serve.problems import ApiError, Sentence, language_of, problem_response
from vision.serve.settings import Settings
from vision.serve.store import Store

log = logging.getLogger("hupai.serve")

_REFUSED = {
    400: Sentence(
        "The request cannot be understood; send JSON in UTF-8.", "请求无法解析，请发送 UTF-8 的 JSON。"
    ),
    404: Sentence("There is nothing at this address.", "此地址没有内容。"),
    405: Sentence("This address does not take that method.", "此地址不支持该方法。"),
}
_OUR_FAULT = Sentence("An error in hupai; what you sent was not used.", "hupai 出错，您发送的内容未被使用。")


def create_app(settings: Settings) -> FastAPI:
    """The application; its worker processes start and end with its lifespan.

    Raises StoreError and CorrectionsError for folders that cannot be used, scoring.RulesError for house rules
    of a name that is taken.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = app.state.pool = Pool(settings)
        pool.start()
        try:
            yield
        finally:
            pool.stop()

    app = FastAPI(
        title="hupai",
        summary="Photos of finished mahjong hands in; tiles, fans and payment out.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.house = HouseRules(settings.house)
    app.state.store = Store(settings.data)
    app.state.corrections = Corrections(settings.corrections) if settings.corrections is not None else None
    app.include_router(api.router, prefix="/api")
    app.include_router(tables.router, prefix="/api")
    mount_pages(app)
    _answer_errors(app)
    app.add_middleware(guard.Guard, hosts=settings.hosts)
    return app


def _answer_errors(app: FastAPI) -> None:
    """Whatever goes wrong is told as problem+json."""

    def told(request: Request, error: ApiError) -> JSONResponse:
        return problem_response(error, language_of(request.headers.get("accept-language")))

    @app.exception_handler(ApiError)
    async def _refused(request: Request, error: ApiError) -> JSONResponse:
        return told(request, error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return told(request, api.invalid(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        other = Sentence(f"{error.detail}.", f"请求有误：{error.detail}。")
        sentence = _REFUSED.get(error.status_code, other)
        return told(request, ApiError(error.status_code, "http", sentence, error.headers or {}))

    @app.exception_handler(Exception)
    async def _bug(request: Request, _: Exception) -> JSONResponse:
        answer = told(request, ApiError(500, "failed", _OUR_FAULT))
        answer.headers.update(guard.HEADERS)  # such errors pass the guard by
        return answer
