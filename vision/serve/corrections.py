"""Photos that a player corrected and agreed to keep: a folder that training and evaluation read.

images/NAME.jpg   encoded anew, upright, without metadata
labels/NAME.txt   YOLO OBB: class and the four corners as fractions of the picture, a tile a line
truth/NAME.json   the truth file (tiles, groups) that `hupai evaluate` reads
data.yaml         the classes: the 42 tiles and B, a face-down one
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from scoring.tiles import TILES
from vision.elements import FACE_DOWN, UNNAMED
from vision.serve.problems import ApiError, Sentence
from vision.serve.schemas import CorrectedTile, Correction

CLASSES = (*TILES, FACE_DOWN)
MOST_PHOTOS = 20_000
_NUMBER = {name: number for number, name in enumerate(CLASSES)}
_FOLDERS = ("images", "labels", "truth")
_SLACK = 0.05  # of the side: corners of a tile at the edge lie a little outside
_HANDS = {13: "waiting", 14: "complete", 16: "waiting", 17: "taiwan"}


class CorrectionsError(Exception):
    """The folder cannot be used; `str()` is one sentence."""


class Corrections:
    """The folder of kept photos."""

    def __init__(self, folder: Path) -> None:
        """Make the folder and its data.yaml. Raises CorrectionsError."""
        self._folder = folder
        try:
            for name in _FOLDERS:
                (folder / name).mkdir(parents=True, exist_ok=True)
            if not (folder / "data.yaml").exists():
                names = json.dumps(CLASSES)  # JSON lists are YAML
                _write(folder / "data.yaml", f"train: images\nval: images\nnames: {names}\n".encode())
        except OSError as error:
            raise CorrectionsError(
                f"Corrections cannot be kept in {folder} ({error.strerror}); name another folder."
            ) from error

    def keep(self, jpeg: bytes, layout: Correction) -> str:
        """Write a photo with its layout; returns its name. A photo that is kept already gets the new layout.

        The truth file comes last: whatever ends the server in between, no truth is without its photo and no
        photo without its label. Raises ApiError when it cannot be written; then nothing is left.
        """
        sha256 = hashlib.sha256(jpeg).hexdigest()
        name = sha256[:20]
        image, label, truth = (
            self._folder / folder / f"{name}{suffix}"
            for folder, suffix in zip(_FOLDERS, (".jpg", ".txt", ".json"), strict=True)
        )
        fresh = not image.exists()
        if fresh and sum(1 for _ in (self._folder / "images").iterdir()) >= MOST_PHOTOS:
            raise ApiError(507, "full", Sentence("No more photos are kept here.", "这里不再保存更多照片。"))
        try:
            _write(label, _label(layout).encode())
            _write(image, jpeg)
            _write(truth, _truth(layout, f"images/{name}.jpg", sha256).encode())
        except OSError as error:
            if fresh:
                for path in (truth, image, label):
                    with suppress(OSError):
                        path.unlink(missing_ok=True)
            raise ApiError(
                507, "not-kept", Sentence("The photo could not be kept.", "照片未能保存。")
            ) from error
        return name


def check(layout: Correction, size: tuple[int, int]) -> None:
    """size: (width, height) of the photo sent along. Raises ApiError for a layout that is of another."""
    ids = {tile.id for tile in layout.tiles}
    if layout.size != size:
        raise _wrong("was made for a photo of another size", "对应的照片尺寸不同")
    if len(ids) != len(layout.tiles):
        raise _wrong("has two tiles with the same id", "有两张牌编号相同")
    if not ids.issuperset(number for group in layout.groups for number in group.tiles):
        raise _wrong("has a group with a tile that is not listed", "有一组含未列出的牌")
    if any(tile.tile not in _NUMBER and tile.tile != UNNAMED for tile in layout.tiles):
        raise _wrong("names something that is no tile", "含有不存在的牌名")
    for tile in layout.tiles:
        for corner in tile.quad:
            if not all(-_SLACK <= at / side <= 1 + _SLACK for at, side in zip(corner, size, strict=True)):
                raise _wrong("has a tile outside the photo", "有一张牌在照片之外")


def _wrong(en: str, zh: str) -> ApiError:
    return ApiError(
        422, "layout", Sentence(f"The layout {en}; read the photo again.", f"牌面{zh}，请重新识别。")
    )


def _label(layout: Correction) -> str:
    """Tiles without a name have no class; the truth file says that they are there."""
    named = [tile for tile in layout.tiles if tile.tile in _NUMBER]
    return "".join(f"{_NUMBER[tile.tile]} {_corners(tile, layout.size)}\n" for tile in named)


def _corners(tile: CorrectedTile, size: Sequence[int]) -> str:
    fractions = [at / side for corner in tile.quad for at, side in zip(corner, size, strict=True)]
    return " ".join(f"{min(max(fraction, 0), 1):.6f}" for fraction in fractions)


def _truth(layout: Correction, photo: str, sha256: str) -> str:
    unnamed = sum(tile.tile == UNNAMED for tile in layout.tiles)
    kinds = {number: group.kind for group in layout.groups for number in group.tiles}
    held = sum(kinds.get(tile.id) in ("concealed", "winning") for tile in layout.tiles)
    melds = sum(
        group.kind in ("chow", "pung", "kong", "concealed-kong") for group in layout.groups if group.tiles
    )
    truth = {
        "photo": photo,
        "sha256": sha256,
        "size": list(layout.size),
        "series": "corrections",
        "tiles": [{"id": tile.id, "tile": tile.tile, "quad": tile.quad} for tile in layout.tiles],
        "groups": [group.model_dump() for group in layout.groups],
        "hand": _HANDS.get(held + 3 * melds, "partial"),
        "quality": "clear",
        "unlabelled": f"{unnamed} tiles without a name" if unnamed else "",
        "notes": "corrected by a player",
    }
    return json.dumps(truth, ensure_ascii=False) + "\n"


def _write(path: Path, content: bytes) -> None:
    """The whole file or none: written beside its place, put on the disk, then moved there."""
    with NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".partial", delete=False) as file:
        partial = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            partial.chmod(0o644)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
