"""Tile faces from free vector sets drawn by others, as extra sets beside the invented ones.

Sources, none of them part of this project:
- FluffyStuff's riichi-mahjong-tiles, 34 SVG files, CC0 (`Man1.svg` ... `Haku.svg`);
- Wikimedia Commons' Unicode tiles gathered by ffalt/mah, 42 faces in `uni.svg`, public domain;
- KDE's tilesets `default` and, without its flowers, `traditional` (Debian package
  kdegames-mahjongg-data-kf5), GPL-2.0-or-later, which this project's licence is compatible with: pictures
  made from them are used for training only.

Rendering needs resvg (`pip install resvg-py`).
"""

from __future__ import annotations

import copy
import gzip
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces.canvas import Canvas
from datasets.faces.flowers import FLOWERS
from datasets.faces.palettes import random_finish
from datasets.faces.style import FACE_WIDTH, TILES, Finish

KDE_TILESETS = Path("/usr/share/kmahjongglib/tilesets")
_SVG = "{http://www.w3.org/2000/svg}"


def _suits(pattern: str, *names: str) -> dict[str, str]:
    """Tile -> name for the three suits, m p s."""
    return {
        f"{n}{suit}": pattern.format(name, n)
        for suit, name in zip("mps", names, strict=True)
        for n in range(1, 10)
    }


_RIICHI = _suits("{}{}.svg", "Man", "Pin", "Sou") | {
    "E": "Ton.svg",
    "S": "Nan.svg",
    "W": "Shaa.svg",
    "N": "Pei.svg",
    "C": "Chun.svg",
    "F": "Hatsu.svg",
}
_UNICODE = _suits("t_{}{}", "ch", "do", "ba") | {
    "E": "t_wi_east",
    "S": "t_wi_south",
    "W": "t_wi_west",
    "N": "t_wi_north",
    "C": "t_dr_red",
    "F": "t_dr_green",
    "P": "t_dr_white",
    "a": "t_se_spring",
    "b": "t_se_summer",
    "c": "t_se_fall",
    "d": "t_se_winter",
    "e": "t_fl_plum",
    "f": "t_fl_orchid",
    "g": "t_fl_bamboo",
    "h": "t_fl_chrysanthemum",
}
_KDE = _suits("{}_{}", "CHARACTER", "ROD", "BAMBOO") | {
    **{tile: f"WIND_{n}" for n, tile in enumerate("NSEW", 1)},
    **{tile: f"DRAGON_{n}" for n, tile in enumerate("PFC", 1)},
    **{tile: f"SEASON_{n}" for n, tile in enumerate("abcd", 1)},
    **{tile: f"FLOWER_{n}" for n, tile in enumerate("efhg", 1)},
}
_DRAWN_AT = 256


def _render(svg: str, width: int = _DRAWN_AT) -> NDArray[np.uint8]:
    """RGBA picture of an SVG text, `width` pixels wide."""
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("Vector sets are drawn by resvg; install it with: pip install resvg-py") from error
    from PIL import Image

    data = resvg_py.svg_to_bytes(svg_string=svg, width=width)
    with Image.open(io.BytesIO(bytes(data))) as image:
        return np.asarray(image.convert("RGBA"), np.uint8)


def riichi_faces(folder: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Faces of FluffyStuff's set: tile and RGBA drawing on nothing."""
    for tile, name in _RIICHI.items():
        yield tile, _render((folder / name).read_text())


def unicode_faces(path: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Faces of `uni.svg`."""
    root = ET.parse(path).getroot()
    for tile, name in _UNICODE.items():
        box = next(e for e in root.iter(f"{_SVG}svg") if e.get("id") == name).get("viewBox", "0 0 75 95")
        page = copy.deepcopy(root)
        for child in [c for c in page if c.tag != f"{_SVG}defs"]:
            page.remove(child)
        _, _, width, height = box.split()
        page.set("viewBox", f"0 0 {width} {height}")
        ET.SubElement(page, f"{_SVG}use", {"href": f"#{name}", "width": width, "height": height})
        yield tile, _render(ET.tostring(page, encoding="unicode"))


def kde_faces(path: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Faces of a KDE tileset (`.svgz`); a blank white dragon is left out."""
    with gzip.open(path) as file:
        sheet = file.read()
    root = ET.fromstring(sheet)
    # Faces are built of clones of one another's parts: the others must stay, unseen.
    root.set("visibility", "hidden")
    by_name = {element.get("id"): element for element in root.iter()}
    # Some parts insist on being seen; what is there without any face is no part of one.
    bare = _render(ET.tostring(root, encoding="unicode"), width=6 * _DRAWN_AT)
    for tile, name in _KDE.items():
        by_name[name].set("visibility", "visible")
        drawing = _render(ET.tostring(root, encoding="unicode"), width=6 * _DRAWN_AT)
        del by_name[name].attrib["visibility"]
        drawing = drawing * (drawing != bare).any(axis=2, keepdims=True)
        rows, columns = (np.flatnonzero(drawing[..., 3].max(axis) > 60) for axis in (1, 0))
        if len(rows):
            yield tile, drawing[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def engrave(
    drawing: NDArray[np.uint8], finish: Finish, fill: float, size: tuple[int, int], grain_seed: int
) -> NDArray[np.uint8]:
    """An RGBA drawing as an engraved, painted face: (H, W, 3) uint8 RGB; fill: its share of the face."""
    canvas = Canvas(0.75, size[0] * 2 / FACE_WIDTH)
    h, w = canvas.cover.shape
    scale = fill * min(w / drawing.shape[1], h / drawing.shape[0])
    to = (max(1, round(drawing.shape[1] * scale)), max(1, round(drawing.shape[0] * scale)))
    small = cv2.resize(drawing, to, interpolation=cv2.INTER_AREA)
    x, y = (w - to[0]) // 2, (h - to[1]) // 2
    canvas.ink[y : y + to[1], x : x + to[0]] = small[..., :3]
    canvas.cover[y : y + to[1], x : x + to[0]] = small[..., 3]
    return canvas.finish(finish, size, grain_seed)


def vector_sets(
    folder: Path | None,
    kde: Path | None = KDE_TILESETS,
    copies: int = 4,
    seed: int = 0,
    size: tuple[int, int] = (96, 128),
) -> dict[str, NDArray[np.generic]]:
    """Every vector set that is there, each on `copies` invented bodies; as `build_atlas` gives it.

    folder: where the SVG files and `uni.svg` lie; kde: where KDE's tilesets lie; None or a folder that does
    not exist leaves them out. Faces that a set lacks are left out, so sets may be short of 42.
    Raises ImportError when resvg is not installed.
    """
    sources: list[list[tuple[str, NDArray[np.uint8]]]] = []
    if folder is not None and (folder / "Man1.svg").exists():
        sources.append(list(riichi_faces(folder)))
    if folder is not None and (folder / "uni.svg").exists():
        sources.append(list(unicode_faces(folder / "uni.svg")))
    for name in ("default.svgz", "traditional.svgz"):
        if kde is not None and (kde / name).exists():
            faces = kde_faces(kde / name)
            # The traditional set's flowers are English words.
            sources.append([(t, d) for t, d in faces if name == "default.svgz" or t not in FLOWERS])
    images: list[NDArray[np.uint8]] = []
    tiles: list[int] = []
    sets: list[int] = []
    for number, (copy_number, source) in enumerate((c, s) for s in sources for c in range(copies)):
        rng = np.random.default_rng([seed, number])
        finish, dark = random_finish(rng)
        while dark:  # their inks are for light bodies
            finish, dark = random_finish(rng)
        fill = float(rng.uniform(0.74, 0.96))
        images += [engrave(drawing, finish, fill, size, copy_number) for _, drawing in source]
        tiles += [TILES.index(tile) for tile, _ in source]
        sets += [number] * len(source)
    w, h = size
    return {
        "images": np.stack(images) if images else np.empty((0, h, w, 3), np.uint8),
        "tiles": np.asarray(tiles, np.int64),
        "sets": np.asarray(sets, np.int64),
    }
