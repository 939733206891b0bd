"""The picture that ships with the project: one hand on green felt, rendered from faces the project draws
itself.

`python -m datasets.scenes.sample OUT.jpg` writes the picture and, beside it, its truth file.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import draw_face, house_style
from datasets.scenes.arrange import Piece
from datasets.scenes.geometry import Box, Camera, face_down, lying
from datasets.scenes.render import Look, Seen, paint
from scoring import TILES

Image = NDArray[np.uint8]

SIZE = (1600, 1200)
SAMPLES = 3
"""Sub-pixels a side: the scene is painted larger and averaged down."""
TILE = (1.0, 1.34, 0.78)
GROUPS = (
    ("concealed", "1s 2s 3s 7s 8s E E C C C"),
    ("winning", "9s"),
    ("flowers", "c f"),
    ("chow", "4s 5s 6s"),
)
"""Seed of the layout: flowers and melds in a row behind the concealed tiles, the self-drawn tile apart."""


def pieces(rng: np.random.Generator) -> list[tuple[str, Piece]]:
    """The hand's tiles with the kind of group each belongs to, and a wall and a few discards around it."""
    placed: list[tuple[str, Piece]] = []

    def put(kind: str, tile: str, x: float, y: float, yaw: float = 0.0) -> None:
        box = lying(x + rng.normal(0, 0.012), y + rng.normal(0, 0.02), yaw + rng.normal(0, 0.012), TILE)
        placed.append((kind, Piece(box, TILES.index(tile))))

    rows = {kind: names.split() for kind, names in GROUPS}
    for i, tile in enumerate(rows["concealed"]):
        put("concealed", tile, i * 1.02 - 5.1, 0.0, np.pi if i in (1, 7) else 0.0)
    put("winning", rows["winning"][0], 6.1, 0.35, -0.3)
    for i, tile in enumerate(rows["flowers"] + rows["chow"]):
        put("flowers" if i < 2 else "chow", tile, i * 1.02 - 3.6, 2.75)
    backs = [face_down(x, y, yaw, TILE) for x, y, yaw in ((5.2, 6.2, 0.5), (3.1, 7.4, 2.2), (6.8, 8.0, 1.2))]
    for level in (0.0, TILE[2]):
        backs += [face_down(i * 1.01 - 8.2, 7.2 + i * 0.02, 0.02, TILE, level) for i in range(11)]
    placed += [("other", Piece(box, 0, "other")) for box in backs]
    for x, y, yaw in ((-7.9, 3.4, 0.3), (-7.4, 4.2, 0.9)):
        die = Box(lying(x, y, yaw, (0.42, 0.42, 0.42)).centre, *_axes(yaw), (0.42, 0.42, 0.42))
        placed.append(("clutter", Piece(die, None, "clutter", (236.0, 232.0, 224.0))))
    return placed


def _axes(yaw: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.array([np.cos(yaw), np.sin(yaw), 0.0]), np.array([np.sin(yaw), -np.cos(yaw), 0.0])


def felt(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Green felt under a lamp: fine grain, soft blotches, darker towards the corners."""
    width, height = size
    canvas = np.tile(np.array([28.0, 104.0, 66.0], np.float32), (height, width, 1))
    for cell, strength in ((2, 5.0), (5, 4.0), (60, 3.0), (400, 5.0)):
        grain = rng.standard_normal((height // cell + 2, width // cell + 2), np.float32)
        canvas += (cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC) * np.float32(strength))[..., None]
    xs, ys = np.meshgrid(
        np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    )
    lamp = 1.12 - 0.30 * ((xs + 0.25) ** 2 + (ys + 0.15) ** 2)
    return np.clip(canvas * lamp[..., None], 0, 255).astype(np.uint8)


def render(seed: int = 7) -> tuple[Image, list[tuple[str, str, Seen]]]:
    """The picture ((1200, 1600, 3) uint8 RGB) and each hand tile's group kind, name and place on it."""
    rng = np.random.default_rng(seed)
    style = house_style()
    placed = pieces(rng)
    large = (SIZE[0] * SAMPLES, SIZE[1] * SAMPLES)
    drawn = {tile: draw_face(tile, style, size=(384, 512)) for _, names in GROUPS for tile in names.split()}
    things = [piece for _, piece in placed]
    textures = [
        drawn[TILES[piece.tile]] if piece.tile is not None and piece.role == "hand" else None
        for piece in things
    ]
    pitch = np.deg2rad(52)
    target = np.array([-0.3, 2.35, 0.4])
    eye = target + np.array([0.9, -np.cos(pitch) * 17.5, np.sin(pitch) * 17.5])
    camera = Camera(eye, target, focal=large[0] * 1.02, size=large, roll=0.025)
    look = Look(
        back=(36.0, 122.0, 74.0),
        split=0.62,
        light=(-0.55, 0.5, 1.2),
        ambient=0.62,
        rounding=0.09,
        shadow=0.5,
        bevel=26.0,
    )
    image, seen = paint(felt(large, rng), things, textures, camera, look)
    small = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 0.6)
    noise = rng.standard_normal(small.shape, np.float32) * np.float32(2.2)
    noise += rng.standard_normal((*small.shape[:2], 1), np.float32) * np.float32(1.6)
    photo = np.clip(small.astype(np.float32) + noise, 0, 255).astype(np.uint8)
    shrunk = [Seen(s.piece, s.tile, s.quad / SAMPLES, s.visible) for s in seen]
    return photo, [
        (placed[s.piece][0], TILES[s.tile], s)
        for s in shrunk
        if s.tile is not None and things[s.piece].role == "hand"
    ]


def truth(name: str, digest: str, tiles: list[tuple[str, str, Seen]]) -> dict[str, object]:
    """The truth file's object for `render`'s tiles."""
    tiles = sorted(tiles, key=lambda item: item[2].piece)
    kinds = list(dict.fromkeys(kind for kind, _, _ in tiles))
    return {
        "photo": name,
        "sha256": digest,
        "size": list(SIZE),
        "series": "rendered",
        "tiles": [
            {"id": i, "tile": tile, "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.quad]}
            for i, (_, tile, seen) in enumerate(tiles)
        ],
        "groups": [
            {"kind": kind, "tiles": [i for i, item in enumerate(tiles) if item[0] == kind]} for kind in kinds
        ],
        "hand": "complete",
        "quality": "clear",
        "unlabelled": "face-down wall and discards beyond the hand",
        "notes": "rendered by datasets.scenes.sample from drawn faces; no photograph",
    }


def main(out: Path) -> None:
    """Write the picture to `out` and its truth beside it."""
    photo, tiles = render()
    done, data = cv2.imencode(".jpg", photo[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    if not done:
        raise OSError(f"{out} could not be encoded as JPEG.")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data.tobytes())
    text = json.dumps(
        truth(out.name, hashlib.sha256(data.tobytes()).hexdigest(), tiles), ensure_ascii=False, indent=1
    )
    out.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
