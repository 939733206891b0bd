"""Programs that look at photos: hupai, mahjong-detector, `yolo predict` with our locator's weights.

Every one gives a Reading, so that all are held against the same truth. Those that only find and name put all
tiles into one group; those that only find call every tile `?`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.boxes import face_of
from vision.elements import UNNAMED, Group, Reading, Tile, as_quad
from vision.errors import NoTilesError

Look = Callable[[Path], Reading]

OURS = "hupai"
LOCATOR = "hupai, locator alone"
DETECTOR = "mahjong-detector"
YOLO_ONNX = "yolo predict, .onnx"
YOLO_PT = "yolo predict, .pt"

# By the Japanese names of its classes; it has no others than these and the suits.
_HONOURS = {"tou": "E", "nan": "S", "sha": "W", "pe": "N", "chun": "C", "hatsu": "F", "haku": "P"}
LEAST = 0.05
"""Finds of mahjong-detector above this are kept where thresholds are tried out; 0.5 is what it ships with."""


@dataclass(frozen=True)
class Contender:
    """A program. key: by which it is left out. tells: what it gives of a photo. needs: what it takes to have
    it. names: it names tiles."""

    name: str
    key: str
    tells: str
    needs: str
    opened: Callable[[Path], Look]
    names: bool = True


def detector_names() -> tuple[str, ...]:
    """Names that mahjong-detector has for tiles, in its order. Raises ImportError."""
    from mahjong_detector import CLASS_NAMES

    return tuple(_HONOURS.get(name, name) for name in CLASS_NAMES)


def detector_finds(threshold: float | None) -> Look:
    """mahjong-detector, as its `detect_tiles` goes about it; that one returns names without boxes.

    threshold: other than the one it ships with. Raises ImportError.
    """
    from mahjong_detector.predict import create_input_tensor, get_inference_session, postprocess, predict
    from mahjong_detector.preprocess import preprocess_image
    from PIL import Image

    names = detector_names()

    def look(photo: Path) -> Reading:
        picture = Image.open(photo)
        ready, padding = preprocess_image(picture)
        if threshold is None:
            finds = predict(ready, padding)
        else:
            session = get_inference_session()
            output = session.run(None, {session.get_inputs()[0].name: create_input_tensor(ready)})[0][0]
            finds = postprocess(output, padding, len(names), conf_threshold=threshold)
        tiles = [
            Tile(
                number,
                names[find.class_id],
                find.confidence,
                ((find.x1, find.y1), (find.x2, find.y1), (find.x2, find.y2), (find.x1, find.y2)),
            )
            for number, find in enumerate(sorted(finds))
        ]
        return _only_tiles(photo, picture.size, tiles)

    return look


def surer(reading: Reading, threshold: float) -> Reading:
    """The reading of a program that only finds and names, without the tiles that it is less sure of."""
    return _only_tiles(
        Path(reading.photo), reading.size, [tile for tile in reading.tiles if tile.confidence > threshold]
    )


def _hupai(_: Path) -> Look:
    from vision.reader import Reader

    reader = Reader()

    def look(photo: Path) -> Reading:
        try:
            return reader.read(photo)
        except NoTilesError:
            return Reading.without_tiles(photo.name)

    return look


def _locator(_: Path) -> Look:
    from vision.locator import Locator
    from vision.photo import load_photo

    locator = Locator()

    def look(photo: Path) -> Reading:
        opened = load_photo(photo, reduce=True)
        located = locator.locate(opened.pixels).scaled(opened.factor)
        return _only_tiles(photo, opened.size, _unnamed(located.quads, located.scores))

    return look


def _yolo(weights: Callable[[Path], Path]) -> Callable[[Path], Look]:
    def opened(folder: Path) -> Look:
        os.environ |= {"YOLO_OFFLINE": "true", "YOLO_VERBOSE": "false"}
        from ultralytics import YOLO

        model = YOLO(weights(folder), task="obb")

        def look(photo: Path) -> Reading:
            (result,) = model.predict(photo, imgsz=640, verbose=False)
            height, width = result.orig_shape
            quads, scores = result.obb.xyxyxyxy.cpu().numpy(), result.obb.conf.cpu().numpy()
            return _only_tiles(photo, (width, height), _unnamed(quads, scores))

        return look

    return opened


def _checkpoint(folder: Path) -> Path:
    from bench_label import as_checkpoint

    return as_checkpoint(folder / "locator.pt")


def _onnx(folder: Path) -> Path:
    from bench_label import as_yolo_exports

    return as_yolo_exports(folder / "locator.onnx")


def _unnamed(quads: Any, scores: Any) -> list[Tile]:
    """Our locator's boxes take in the rim of a tile; the face is drawn in as the reader does it."""
    pairs = zip(np.asarray(quads), np.asarray(scores), strict=True)
    return [
        Tile(number, UNNAMED, float(score), face_of(as_quad(quad)))
        for number, (quad, score) in enumerate(pairs)
    ]


def _only_tiles(photo: Path, size: tuple[int, int], tiles: Sequence[Tile]) -> Reading:
    group = Group("concealed", tuple(tile.id for tile in tiles))
    return Reading(photo.name, size, tuple(tiles), (group,), None, ())


_DETECTOR_NEEDS = "pip install mahjong-detector==0.0.6"
_YOLO_NEEDS = "the extra `train`"
CONTENDERS = (
    Contender(OURS, "hupai", "tiles, names, melds, fans, payment", "hupai itself", _hupai),
    Contender(LOCATOR, "hupai", "tiles", "hupai itself", _locator, names=False),
    Contender(DETECTOR, DETECTOR, "tiles, 34 names", _DETECTOR_NEEDS, lambda _: detector_finds(None)),
    Contender(YOLO_ONNX, "yolo", "tiles", _YOLO_NEEDS, _yolo(_onnx), names=False),
    Contender(YOLO_PT, "yolo", "tiles", _YOLO_NEEDS, _yolo(_checkpoint), names=False),
)
TUNED = Contender(
    "mahjong-detector, all finds",
    DETECTOR,
    "tiles, 34 names",
    _DETECTOR_NEEDS,
    lambda _: detector_finds(LEAST),
)
