"""The ASGI application."""

from __future__ import annotations

from fastapi import FastAPI

from vision.serve import api
from vision.serve.pages_routes import mount_pages
from vision.serve.settings import Settings


def create_app(settings: Settings) -> FastAPI:
    """The application; its worker processes start and end with its lifespan."""
    app = FastAPI(title="hupai", docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    app.state.settings = settings
    app.include_router(api.router, prefix="/api")
    mount_pages(app)
    return app
