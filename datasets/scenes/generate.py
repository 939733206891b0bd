"""Make locator training folders: rendered scenes as JPEG with Ultralytics OBB labels (0 face, 1 back)."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import augment
from datasets.crops import NOT_A_FACE, Faces
from datasets.scenes import prints
from datasets.scenes.arrange import Piece, Table, random_table, random_tile_size
from datasets.scenes.geometry import Camera
from datasets.scenes.render import Look, Seen, paint

Image = NDArray[np.uint8]

CHARACTERS = np.array([*range(9), *range(27, 33)])
"""Tiles whose faces are written: characters, winds, red and green dragon."""
LABELLED = 0.4
"""A tile is labelled when at least this share of its face shows: half-hidden rows are read, slivers are
not."""
SMALLEST = 7.0
"""Pixels of the shorter side below which a face cannot be located at 640 pixels."""


@dataclass(frozen=True)
class Scene:
    """image: (S, S, 3) uint8 RGB. seen: the labelled faces and backs."""

    image: Image
    seen: list[Seen]


def random_look(rng: np.random.Generator) -> Look:
    """Back colour, light and relief as real sets and rooms have them."""
    hue = rng.choice([50, 60, 70, 100, 110, 120, 10, 15, 25, 150, 0]) + rng.normal(0, 5)
    hsv = np.array([[[hue % 180, rng.uniform(60, 240), rng.uniform(40, 230)]]], np.uint8)
    back = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(float)
    if rng.random() < 0.2:
        back = np.clip(np.full(3, rng.choice([20.0, 235.0])) + rng.normal(0, 10, 3), 0, 255)
    tilt, around = rng.uniform(0.1, 1.2), rng.uniform(0, 2 * np.pi)
    light = (np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt))
    return Look(
        back=(float(back[0]), float(back[1]), float(back[2])),
        split=float(rng.choice([0.35, 0.5, 0.6, 0.7, 1.0])),
        light=(float(light[0]), float(light[1]), float(light[2])),
        ambient=float(rng.uniform(0.35, 0.85)),
        rounding=float(rng.uniform(0.03, 0.14)),
        shadow=float(rng.uniform(0.1, 0.65)) if rng.random() < 0.85 else 0.0,
        bevel=float(rng.uniform(0, 40)),
    )


def random_camera(rng: np.random.Generator, table: Table, side: int) -> Camera:
    """A phone held anywhere from nearly flat to straight above, mostly on the player's side."""
    x0, y0, x1, y1 = table.frame
    pitch = np.deg2rad(rng.uniform(24, 88)) if rng.random() < 0.85 else np.deg2rad(rng.uniform(80, 90))
    yaw = rng.normal(0, 0.18) if rng.random() < 0.85 else rng.uniform(0, 2 * np.pi)
    focal = side * rng.uniform(0.75, 1.5)
    # the frame's tile width on the picture, sized as in real photos (median 40 of 640 pixels)
    fit = side / max(x1 - x0, (y1 - y0) * np.sin(pitch) * 1.1)
    wanted = fit * np.exp(rng.normal(-0.12, 0.28))
    if rng.random() < 0.15:
        wanted *= rng.uniform(0.4, 0.8)
    distance = focal / np.clip(wanted, 15, 260)
    spill = 0.12 * (x1 - x0)
    target = np.array([(x0 + x1) / 2 + rng.normal(0, spill), (y0 + y1) / 2 + rng.normal(0, 0.8), 0.4])
    forward = np.array([np.sin(yaw) * np.cos(pitch), np.cos(yaw) * np.cos(pitch), -np.sin(pitch)])
    roll = (
        rng.normal(0, 0.06)
        if rng.random() < 0.65
        else rng.choice([0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.15)
    )
    if rng.random() < 0.06:
        roll = rng.uniform(0, 2 * np.pi)
    return Camera(target - forward * distance, target, focal, (side, side), float(roll))


class SceneMaker:
    """Draws scenes with the given faces. backdrops: pictures without tiles to lay under some of the
    scenes."""

    def __init__(self, faces: Faces, backdrops: list[Path], side: int = 640) -> None:
        self.faces, self.backdrops, self.side = faces, backdrops, side
        keep = faces.tiles < NOT_A_FACE
        self._of_set: dict[int, dict[int, list[int]]] = {}
        for index in np.flatnonzero(keep & faces.upright):
            per_tile = self._of_set.setdefault(int(faces.sets[index]), {})
            per_tile.setdefault(int(faces.tiles[index]), []).append(int(index))
        self._sets = [s for s, tiles in self._of_set.items() if len(tiles) >= 20]

    def draw(self, rng: np.random.Generator) -> Scene:
        """One scene."""
        size = random_tile_size(rng)
        table = random_table(rng, size)
        camera = random_camera(rng, table, self.side)
        deck = self._of_set[int(rng.choice(self._sets))]
        faces = [self._front(deck, piece, rng) for piece in table.pieces]
        image, seen = paint(self._canvas(rng), table.pieces, faces, camera, random_look(rng))
        if rng.random() < 0.3:
            image = _bars(image, seen, rng)
        if rng.random() < 0.25:
            _write_over(image, rng)
        image = augment.shade(augment.relight(image, rng), rng)
        image = augment.sensor(augment.defocus(image, rng, rng.gamma(1.2, 0.45)), rng)
        return Scene(image, [s for s in seen if _labelled(s, self.side)])

    def _front(self, deck: dict[int, list[int]], piece: Piece, rng: np.random.Generator) -> Image | None:
        """The picture on a piece's front, None where it is plain."""
        if piece.tile is not None:
            return self._face(deck, piece.tile, rng)
        colour = np.array(piece.colour, np.float64)
        if piece.printed == "letters":
            return prints.letters(colour, rng)
        if piece.printed == "pips":
            return prints.pips(colour, rng)
        if piece.printed == "marker":
            winds = [self._face(deck, int(tile), rng) for tile in rng.choice(CHARACTERS, 4)]
            return prints.marker(colour, winds)
        if piece.printed == "characters":
            written = [self._face(deck, int(tile), rng) for tile in rng.choice(CHARACTERS, 6)]
            return prints.characters(
                colour, written, max(1, min(24, round(piece.box.size[0] / piece.box.size[1])))
            )
        return None

    def _face(self, deck: dict[int, list[int]], tile: int, rng: np.random.Generator) -> Image:
        choices = deck.get(tile) or deck[int(rng.choice(list(deck)))]
        return self.faces.images[int(rng.choice(choices))]

    def _canvas(self, rng: np.random.Generator) -> Image:
        side = self.side
        canvas = augment.backdrop((side, side), rng)
        if self.backdrops and rng.random() < 0.4:
            picture = cv2.imread(str(rng.choice(np.array(self.backdrops, dtype=object))), cv2.IMREAD_COLOR)
            if picture is not None:
                height, width = picture.shape[:2]
                edge = int(min(height, width) * rng.uniform(0.3, 1.0))
                top, left = int(rng.integers(height - edge + 1)), int(rng.integers(width - edge + 1))
                part = picture[top : top + edge, left : left + edge, ::-1]
                canvas = np.ascontiguousarray(cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA))
        return canvas


def _labelled(seen: Seen, side: int) -> bool:
    edges = np.linalg.norm(np.roll(seen.quad, -1, axis=0) - seen.quad, axis=1)
    centre = seen.quad.mean(axis=0)
    return bool(
        seen.visible >= LABELLED and edges.min() >= SMALLEST and (centre >= 0).all() and (centre < side).all()
    )


def _bars(image: Image, seen: list[Seen], rng: np.random.Generator) -> Image:
    """Letterbox bars; faces under them are dropped from `seen`."""
    side = len(image)
    band = int(side * rng.uniform(0.08, 0.25))
    colour = int(rng.choice([0, 114, 255], p=[0.6, 0.3, 0.1]))
    if rng.random() < 0.8:
        image[:band], image[-band:] = colour, colour
        axis = 1
    else:
        image[:, :band], image[:, -band:] = colour, colour
        axis = 0
    inside = [
        s for s in seen if (s.quad[:, axis] > band - 2).all() and (s.quad[:, axis] < side - band + 2).all()
    ]
    for cut in seen:
        # A face that the bar cuts is painted over whole, so that no unlabelled half of a face is left.
        if not any(cut is s for s in inside):
            cv2.fillConvexPoly(
                image, np.round(cut.quad).astype(np.int32), (colour, colour, colour), cv2.LINE_AA
            )
    seen[:] = inside
    return image


def _write_over(image: Image, rng: np.random.Generator) -> None:
    """Text, discs and rectangles as subtitles, logos and counters put them into pictures; no tile is hidden
    much."""
    side = len(image)
    for _ in range(int(rng.integers(1, 4))):
        x, y = int(rng.uniform(0, side)), int(rng.choice([rng.uniform(0, 0.2), rng.uniform(0.8, 1)]) * side)
        colour = tuple(float(v) for v in rng.uniform(0, 255, 3))
        kind = rng.random()
        if kind < 0.5:
            text = "".join(rng.choice(list("ABCDEFGH123456789 WINXYZ"), int(rng.integers(3, 16))))
            cv2.putText(
                image,
                text,
                (x, y),
                int(rng.integers(0, 8)),
                rng.uniform(0.4, 1.6),
                colour,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        elif kind < 0.75:
            cv2.circle(image, (x, y), int(rng.uniform(5, 30)), colour, -1, cv2.LINE_AA)
        else:
            corner = (x + int(rng.uniform(10, 160)), y + int(rng.uniform(8, 60)))
            cv2.rectangle(image, (x, y), corner, colour, -1)


def label_lines(scene: Scene) -> str:
    """Ultralytics OBB lines: class x1 y1 .. x4 y4, as shares of the side, clipped to the picture."""
    side = len(scene.image)
    lines = []
    for seen in scene.seen:
        points = np.clip(seen.quad / side, 0, 1).reshape(-1)
        lines.append(" ".join([str(0 if seen.tile is not None else 1), *(f"{v:.5f}" for v in points)]))
    return "\n".join(lines) + ("\n" if lines else "")


_maker: SceneMaker | None = None


def _start(faces: Faces, backdrops: list[Path], side: int) -> None:
    global _maker  # one maker a worker process: the faces are sent once, not with every scene
    cv2.setNumThreads(1)
    _maker = SceneMaker(faces, backdrops, side)


def _write(job: tuple[Path, int, int]) -> int:
    out, seed, number = job
    assert _maker is not None
    scene = _maker.draw(np.random.default_rng([seed, number]))
    name = f"scene{seed:03d}-{number:06d}"
    cv2.imwrite(str(out / "images" / f"{name}.jpg"), scene.image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
    (out / "labels" / f"{name}.txt").write_text(label_lines(scene), encoding="utf-8")
    return len(scene.seen)


def generate(
    faces: Faces, backdrops: list[Path], out: Path, count: int, seed: int, workers: int, side: int = 640
) -> int:
    """Write `count` scenes under `out`/images and `out`/labels; returns how many tiles were labelled."""
    for name in ("images", "labels"):
        (out / name).mkdir(parents=True, exist_ok=True)
    jobs = [(out, seed, number) for number in range(count)]
    # spawned, not forked: a fork of a process in which OpenCV has started threads hangs
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(faces, backdrops, side)) as pool:
        return sum(pool.map(_write, jobs, chunksize=16))
