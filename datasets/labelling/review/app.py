"""The ASGI application: the page, its pictures, and the JSON that it reads and writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi import Path as InAddress
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from datasets.labelling.bake import PICTURES
from datasets.labelling.manifest import Manifest, ManifestError, StaleError
from datasets.labelling.records import Image
from datasets.labelling.review import decisions, queries
from datasets.labelling.review.desk import Desk
from datasets.labelling.review.doubt import DOUBTFUL, flags_now, is_doubtful, update_queue
from datasets.labelling.review.pictures import Pictures
from datasets.labelling.review.schemas import Change, Naming, Taking, Wanted, WantedCrops
from vision.errors import VisionError
from vision.serve import pages
from vision.serve.guard import Guard

STATIC = Path(__file__).parent / "static"
TILE_DRAWINGS = pages.STATIC / "tiles.svg"

router = APIRouter(prefix="/api")

ImageId = Annotated[int, InAddress(ge=0, lt=2**63)]
"""SQLite counts no further, and says so by an OverflowError."""


def create_app(folder: Path, hosts: tuple[str, ...] = ()) -> FastAPI:
    """The review of one labelled folder.

    hosts: names by which the server may be called besides IP addresses and this machine's own.

    Raises ManifestError for a folder without a manifest that can be written.
    """
    desk = Desk(folder)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        desk.close()

    app = FastAPI(title="hupai review", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk, app.state.pictures, app.state.folder = desk, Pictures(folder / PICTURES), folder
    app.add_middleware(Guard, hosts=hosts)
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_api_route("/tiles.svg", lambda: FileResponse(TILE_DRAWINGS))
    app.add_api_route("/favicon.ico", lambda: Response(status_code=204))
    app.add_api_route("/", lambda: FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"}))
    for kind, answer in _ANSWERS.items():
        app.add_exception_handler(kind, answer)
    return app


# Lists


@router.get("/overview")
async def overview(request: Request) -> dict[str, Any]:
    """What there is to review and to filter by, and how far the review is."""

    def work(manifest: Manifest) -> dict[str, Any]:
        update_queue(manifest)
        return {
            "folder": str(request.app.state.folder),
            "doubtful_below": DOUBTFUL,
            **queries.choices(manifest),
            **_standing(manifest),
        }

    answer: dict[str, Any] = await request.app.state.desk.ask(work)
    return answer


@router.get("/images")
async def images(request: Request, wanted: Annotated[Wanted, Query()]) -> dict[str, Any]:
    """A page of images, most doubtful first; the first page says how many there are."""

    def work(manifest: Manifest) -> dict[str, Any]:
        page = queries.image_page(manifest, wanted.filters(), wanted.after, wanted.limit)
        answer = asdict(page)
        if wanted.after is None:
            answer["total"] = queries.count_images(manifest, wanted.filters())
        return answer

    answer: dict[str, Any] = await request.app.state.desk.ask(work)
    return answer


@router.get("/wall")
async def wall(request: Request, wanted: Annotated[WantedCrops, Query()]) -> dict[str, Any]:
    """A page of the boxes with one name, least sure first."""

    def work(manifest: Manifest) -> dict[str, Any]:
        return asdict(queries.wall_page(manifest, wanted.filters(), wanted.wall, wanted.after, wanted.limit))

    answer: dict[str, Any] = await request.app.state.desk.ask(work)
    return answer


@router.get("/images/{image}")
async def image_detail(request: Request, image: ImageId) -> dict[str, Any]:
    """One image with its boxes."""
    desk, pictures = request.app.state.desk, request.app.state.pictures
    answer: dict[str, Any] = await desk.ask(lambda manifest: _detail(manifest, pictures, image))
    return answer


# Decisions


@router.put("/images/{image}")
async def change(request: Request, image: ImageId, wanted: Change) -> dict[str, Any]:
    """Keep a state, boxes or both. 409 when somebody else changed the image."""

    def work(manifest: Manifest) -> Image:
        boxes = None if wanted.boxes is None else [box.drawn() for box in wanted.boxes]
        return decisions.save(manifest, image, wanted.version, state=wanted.state, boxes=boxes)

    return await _decided(request, work)


@router.put("/images/{image}/boxes/{position}")
async def name_box(request: Request, image: ImageId, position: int, wanted: Naming) -> dict[str, Any]:
    """Name one box or take it away. 409 as above."""
    return await _decided(
        request, lambda manifest: decisions.rename(manifest, image, wanted.version, position, wanted.tile)
    )


@router.post("/undo")
async def undo(request: Request, wanted: Taking) -> dict[str, Any]:
    """Take a decision back. 409 when something else was decided since."""
    return await _decided(request, lambda manifest: decisions.step(manifest, "undo", wanted.decision))


@router.post("/redo")
async def redo(request: Request, wanted: Taking) -> dict[str, Any]:
    """Do again what was taken back. 409 as above."""
    return await _decided(request, lambda manifest: decisions.step(manifest, "redo", wanted.decision))


async def _decided(request: Request, work: Any) -> dict[str, Any]:
    def all_of_it(manifest: Manifest) -> dict[str, Any]:
        changed: Image = work(manifest)
        detail = _detail(manifest, request.app.state.pictures, changed.id)
        return {"image": detail, **_standing(manifest)}

    answer: dict[str, Any] = await request.app.state.desk.ask(all_of_it)
    return answer


def _detail(manifest: Manifest, pictures: Pictures, image: ImageId) -> dict[str, Any]:
    found = manifest.image(image)
    boxes = manifest.boxes(image)
    kept = ("id", "source", "width", "height", "state", "reason", "split", "version")
    return {
        **{name: getattr(found, name) for name in kept},
        "flags": [asdict(flag) for flag in flags_now(found, boxes, _threshold(manifest))],
        "missing": pictures.missing(found),
        "boxes": [asdict(box) | {"doubtful": is_doubtful(box)} for box in boxes],
    }


def _threshold(manifest: Manifest) -> float:
    run = manifest.setting("run") or {}
    return float(run.get("threshold", 0.0))


def _standing(manifest: Manifest) -> dict[str, Any]:
    steps = {action: decisions.next_step(manifest, action) for action in ("undo", "redo")}
    return {
        "progress": asdict(queries.progress(manifest)),
        **{action: step and asdict(step) for action, step in steps.items()},
    }


# Pictures


@router.get("/images/{image}/picture")
async def picture(
    request: Request, image: ImageId, side: Annotated[int, Query(ge=1, le=20_000)] = 1600
) -> Response:
    """The upright picture as JPEG, its long side about `side` pixels."""
    desk, pictures = request.app.state.desk, request.app.state.pictures
    found = await desk.ask(lambda manifest: manifest.image(image))
    return await _jpeg(request, f"{pictures.tag(found)}-{side}", lambda: pictures.picture(found, side))


@router.get("/images/{image}/boxes/{position}/crop")
async def crop(request: Request, image: ImageId, position: int) -> Response:
    """One box as JPEG, upright."""
    desk, pictures = request.app.state.desk, request.app.state.pictures
    found, boxes = await desk.ask(lambda manifest: (manifest.image(image), manifest.boxes(image)))
    if not 0 <= position < len(boxes):
        raise KeyError(position)
    box = boxes[position]
    return await _jpeg(
        request, f"{pictures.tag(found)}-{hash(box.quad) & 0xFFFFFFFF:x}", lambda: pictures.crop(found, box)
    )


async def _jpeg(request: Request, etag: str, make: Any) -> Response:
    # Asked again each time: another folder's review may have had this address before.
    headers = {"Cache-Control": "private, no-cache", "ETag": f'"{etag}"'}
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    data: bytes = await request.app.state.desk.decode(make)
    return Response(data, headers=headers, media_type="image/jpeg")


# What can be wrong


def _say(status: int, sentence: str) -> JSONResponse:
    """As RFC 9457 has it, and as the guard answers."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": sentence}
    return JSONResponse(body, status, media_type="application/problem+json")


def _malformed(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return _say(422, f"{where or 'The request'}: {first['msg']}.")


def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _say(error.status_code, f"{error.detail}.")


_ANSWERS: dict[type[Exception], Any] = {
    StaleError: lambda _, error: _say(409, str(error)),
    ManifestError: lambda _, error: _say(503, str(error)),
    VisionError: lambda _, error: _say(404, str(error)),
    KeyError: lambda _, error: _say(404, f"There is no {error} here; load the page again."),
    ValueError: lambda _, error: _say(422, str(error)),
    RequestValidationError: _malformed,
    HTTPException: _http,
}
