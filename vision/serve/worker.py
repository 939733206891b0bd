"""What runs in a worker process: it holds the models and does one job after the other."""

from __future__ import annotations

import contextlib
import io
import logging
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, Protocol

from vision.circumstances import Circumstances
from vision.errors import VisionError
from vision.photo import load_photo
from vision.reader import Reader, TileLocator, TileNamer
from vision.serve.asking import Asked

LABEL = "The photo"
"""How error sentences call it: what a client names a file is not repeated in them."""
QUALITY = 92
"""Of kept photos; that of the pictures that the models were trained on."""

log = logging.getLogger("hupai.serve")


@dataclass(frozen=True)
class Failed:
    """A photo that is no photo, or shows no tile: the error's class and its sentence."""

    kind: str
    sentence: str


@dataclass(frozen=True)
class Models:
    locator: TileLocator
    namer: TileNamer


class Job(Protocol):
    """Something to do with the models, sent to a worker."""

    def run(self, models: Models) -> Any: ...


@dataclass(frozen=True)
class ReadJob:
    """Read a photo; gives the contract's object."""

    photo: bytes
    said: Circumstances
    asked: Asked

    def run(self, models: Models) -> dict[str, Any]:
        reader = Reader(self.asked.scorer(), models.locator, models.namer)
        said = replace(self.said, honours_are_flowers=self.asked.chosen().honours_are_flowers)
        return reader.read(self.photo, said, name=LABEL).to_dict()


@dataclass(frozen=True)
class CleanJob:
    """Encode a photo anew, upright, without any metadata; gives the size and the JPEG."""

    photo: bytes

    def run(self, models: Models) -> tuple[tuple[int, int], bytes]:  # noqa: ARG002
        from PIL import Image

        photo = load_photo(self.photo, LABEL)
        stream = io.BytesIO()
        Image.fromarray(photo.pixels).save(stream, "JPEG", quality=QUALITY)
        return photo.size, stream.getvalue()


def work(connection: Connection, threads: int) -> None:
    """Load the models, say so (True, or Failed), then answer jobs until the server is gone."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:  # noqa: PTH123
        file.write("500")  # short of memory, Linux ends a worker and not the server
    with contextlib.suppress(EOFError, OSError):
        models = _load(threads)
        connection.send(models if isinstance(models, Failed) else True)
        while not isinstance(models, Failed):
            connection.send(answer(connection.recv(), models))


def answer(job: Job, models: Models) -> Any:
    """The job's result; Failed for what is wrong with the photo or, kind `Exception`, with ourselves."""
    try:
        return job.run(models)
    except VisionError as error:
        return Failed(type(error).__name__, str(error))
    except Exception:
        log.exception("A photo could not be read.")
        return Failed("Exception", "")


def _load(threads: int) -> Models | Failed:
    import cv2

    from models.registry import ModelError
    from vision.locator import Locator
    from vision.namer import Namer

    cv2.setNumThreads(threads)
    try:
        return Models(Locator(threads), Namer(threads))
    except ModelError as error:
        return Failed("ModelError", str(error))
