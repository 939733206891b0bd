"""A request with a photo, read into memory: no part of it ever becomes a file."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from vision.serve.problems import ApiError, Sentence
from vision.serve.settings import MAX_BODY, MAX_JSON

_MOST_FIELDS = 60


@dataclass(frozen=True)
class Upload:
    """The encoded photo, what the client calls it, and the fields beside it and of the query, in order."""

    photo: bytes
    name: str
    fields: tuple[tuple[str, str], ...]


class _InMemory(MultiPartParser):
    """Starlette puts parts of more than a megabyte into temporary files; no part here is as large as this."""

    spool_max_size = MAX_BODY + 1


async def read_upload(request: Request) -> Upload:
    """Photo and fields of a multipart request (field `photo`), or the photo that is the body itself.

    The guard has bounded the body. Raises ApiError.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    query = tuple(request.query_params.multi_items())
    if kind.startswith("image/") or kind == "application/octet-stream":
        return Upload(await request.body(), "photo", query)
    if kind != "multipart/form-data":
        raise ApiError(
            415,
            "no-photo",
            Sentence(
                "Send the photo as the field 'photo' of a form (multipart/form-data), or as the body with "
                "its type (image/jpeg).",
                "请以表单（multipart/form-data）的 photo 字段上传照片，或直接以图片为请求体（image/jpeg）。",
            ),
        )
    parser = _InMemory(
        request.headers, request.stream(), max_files=1, max_fields=_MOST_FIELDS, max_part_size=MAX_JSON
    )
    try:
        form = await parser.parse()
    except (MultiPartException, ValueError) as error:
        raise ApiError(
            400,
            "bad-form",
            Sentence(
                "The form is damaged or has too many fields; send it again.",
                "表单损坏或字段过多，请重新发送。",
            ),
        ) from error
    photo = form.get("photo")
    if not isinstance(photo, UploadFile):
        raise ApiError(
            422,
            "no-photo",
            Sentence(
                "The form has no file in its field 'photo'; choose a photo.",
                "表单的 photo 字段没有文件，请选择一张照片。",
            ),
        )
    fields = tuple((name, value) for name, value in form.multi_items() if isinstance(value, str))
    # A form may say that it is written in an encoding with half characters, which no answer can hold.
    name = (photo.filename or "photo")[:200].encode("utf-8", "replace").decode("utf-8")
    return Upload(await photo.read(), name, (*query, *fields))
