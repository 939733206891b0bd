"""The pages: templates rendered in the visitor's language, static files beside them."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from vision.serve import pages
from vision.serve.problems import LANGUAGES, Language, language_of
from vision.serve.reference import operations, shapes

OWN_TEMPLATES = Path(__file__).parent / "templates"
_LANGUAGE_SECONDS = 365 * 86_400


def page_language(request: Request) -> Language:
    """By `?lang=`, then by the cookie `lang`, then by Accept-Language."""
    for chosen in (request.query_params.get("lang"), request.cookies.get("lang")):
        for language in LANGUAGES:
            if chosen == language:
                return language
    return language_of(request.headers.get("accept-language"))


def mount_pages(app: FastAPI) -> None:
    """Add the pages' routes and the static files."""
    templates = Jinja2Templates([pages.TEMPLATES, OWN_TEMPLATES])
    app.mount("/static", StaticFiles(directory=pages.STATIC), name="static")

    def page(request: Request, template: str, table: str | None = None) -> Response:
        lang = page_language(request)
        settings = request.app.state.settings
        config = {"lang": lang, "keeps": settings.corrections is not None, "table": table}
        context = {"lang": lang, "t": pages.translations(lang), "config": config}
        answer: Response = templates.TemplateResponse(request, template, context)
        answer.headers["Vary"] = "Accept-Language, Cookie"
        if request.query_params.get("lang") == lang:
            answer.set_cookie("lang", lang, max_age=_LANGUAGE_SECONDS, samesite="lax")
        return answer

    @app.get("/", include_in_schema=False, response_class=HTMLResponse)
    def hand_page(request: Request) -> Response:
        return page(request, "index.html")

    @app.get("/tables", include_in_schema=False, response_class=HTMLResponse)
    def tables_page(request: Request) -> Response:
        return page(request, "table.html")

    @app.get("/tables/{table}", include_in_schema=False, response_class=HTMLResponse)
    def table_page(request: Request, table: str) -> Response:
        return page(request, "table.html", table)

    @app.get("/api", include_in_schema=False, response_class=HTMLResponse)
    def reference_page(request: Request) -> Response:
        spec = app.openapi()
        context = {"operations": operations(spec), "shapes": shapes(spec)}
        return templates.TemplateResponse(request, "reference.html", context)
