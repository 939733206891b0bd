"""Truth files: what a photo shows, as people labelled it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast, get_args

from scoring.tiles import TILES
from vision.elements import FACE_DOWN, UNNAMED, Group, GroupKind, Layout, Quad, Tile
from vision.paths import may_never_end

HAND_KINDS = frozenset(get_args(GroupKind)) - {"other"}


class TruthError(Exception):
    """A truth file or folder that cannot be used; `str()` is one sentence."""


@dataclass(frozen=True)
class Truth:
    """One truth file.

    photo: path of the photo as the file gives it; sha256: of the photo, or "".
    tiles, groups: as in a Reading, with confidence 1.
    hand: complete, waiting, partial, taiwan or not-a-hand. quality: clear, hard or illegible.
    unlabelled: what else can be seen and is not labelled, or "".
    """

    photo: str
    sha256: str
    series: str
    tiles: tuple[Tile, ...]
    groups: tuple[Group, ...]
    hand: str
    quality: str
    unlabelled: str

    def layout(self) -> Layout:
        """The layout that a faultless reading of the photo has."""
        return Layout(self.tiles, self.groups, ("complete" if self.hand == "complete" else "not-a-hand",))


def load_truths(folder: Path) -> list[Truth]:
    """All truth files (`**/*.json`) under a folder, by path. Raises TruthError."""

    def refuse(error: OSError) -> NoReturn:
        """A part that cannot be looked into would be missing in the figures, and nobody told."""
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise TruthError(
                f"{error.filename} is not a folder; give the folder that holds the truth files."
            ) from error
        raise TruthError(
            f"The folder {error.filename} cannot be read: {error.strerror}; make it readable or move it."
        ) from error

    files = sorted(
        Path(parent) / name
        for parent, _, names in os.walk(folder, onerror=refuse)
        for name in names
        if name.endswith(".json")
    )
    if not files:
        raise TruthError(f"{folder} holds no truth file (*.json); give the folder that does.")
    return [load_truth(path) for path in files]


def load_truth(path: Path) -> Truth:
    """One truth file. Raises TruthError."""
    if may_never_end(path):
        raise TruthError(f"The truth file {path} is a pipe or a device; give a file.")
    try:
        return _truth(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise TruthError(f"The truth file {path} cannot be read: {error}.") from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise TruthError(
            f"The truth file {path} is not in the format of truth files ({type(error).__name__}: {error})."
        ) from error


def _truth(data: dict[str, Any]) -> Truth:
    tiles = tuple(_tile(item) for item in data["tiles"])
    ids = {tile.id for tile in tiles}
    if len(ids) != len(tiles):
        raise ValueError("two tiles have the same id")
    groups = tuple(_group(item, ids) for item in data["groups"])
    for name in ("photo", "series", "hand", "quality"):
        str(data.get(name, "")).encode()  # results are written as UTF-8
    return Truth(
        photo=str(data["photo"]),
        sha256=str(data.get("sha256", "")),
        series=str(data.get("series", "")),
        tiles=tiles,
        groups=groups,
        hand=str(data["hand"]),
        quality=str(data.get("quality", "clear")),
        unlabelled=str(data.get("unlabelled") or ""),
    )


def _tile(item: dict[str, Any]) -> Tile:
    name = str(item["tile"])
    if name not in TILES and name not in {FACE_DOWN, UNNAMED}:
        raise ValueError(f"no tile is named {name!r}")
    if "quad" in item:
        a, b, c, d = ((float(x), float(y)) for x, y in item["quad"])
    else:
        x1, y1, x2, y2 = (float(value) for value in item["box"])
        a, b, c, d = (x1, y1), (x2, y1), (x2, y2), (x1, y2)
    quad: Quad = (a, b, c, d)
    if not all(abs(value) < float("inf") for corner in quad for value in corner):
        raise ValueError("a tile has a corner that is no number")
    return Tile(int(item["id"]), name, 1.0, quad)


def _group(item: dict[str, Any], ids: set[int]) -> Group:
    kind, members = str(item["kind"]), tuple(int(number) for number in item["tiles"])
    if kind not in get_args(GroupKind):
        raise ValueError(f"no group is of kind {kind!r}")
    if not ids.issuperset(members):
        raise ValueError("a group names a tile that is not listed")
    return Group(cast(GroupKind, kind), members)
