"""The pages: templates rendered in the visitor's language, static files beside them."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from vision.serve.problems import Language, language_of

PAGES = Path(__file__).parent / "pages"
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def page_language(request: Request) -> Language:
    """By `?lang=`, then by the cookie `lang`, then by Accept-Language."""
    for chosen in (request.query_params.get("lang"), request.cookies.get("lang")):
        for language in LANGUAGES:
            if chosen == language:
                return language
    return language_of(request.headers.get("accept-language"))


def mount_pages(app: FastAPI) -> None:
    """Add the pages' routes and the static files."""
    templates = Jinja2Templates(PAGES / "templates")
    app.mount("/static", StaticFiles(directory=PAGES / "static", check_dir=False), name="static")

    def page(request: Request, template: str, table: str | None = None) -> Response:
        if not (PAGES / "templates" / template).is_file():
            return RedirectResponse("/openapi.json")
        from vision.serve import pages

        lang = page_language(request)
        settings = request.app.state.settings
        config = {"lang": lang, "keeps": settings.corrections is not None, "table": table}
        context = {"lang": lang, "t": pages.translations(lang), "config": config}
        answer: Response = templates.TemplateResponse(request, template, context)
        answer.headers["Vary"] = "Accept-Language, Cookie"
        if request.query_params.get("lang") == lang:
            answer.set_cookie("lang", lang, max_age=365 * 86_400, samesite="lax")
        return answer

    @app.get("/", include_in_schema=False, response_class=HTMLResponse)
    def index(request: Request) -> Response:
        return page(request, "index.html")

    @app.get("/tables", include_in_schema=False, response_class=HTMLResponse)
    def new_table(request: Request) -> Response:
        return page(request, "table.html")

    @app.get("/tables/{table}", include_in_schema=False, response_class=HTMLResponse, name="table_page")
    def table(request: Request, table: str) -> Response:
        return page(request, "table.html", table)
