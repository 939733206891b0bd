"""Truth files turned into what the locator and the namer would say, to measure the layout without either.

Boxes become quads with jitter, names become calibrated probability rows: the likeliest name has probability
t, and it is the true one with probability t. Which are confused follows what was measured on unfamiliar sets.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scoring.tiles import TILES
from vision.elements import Layout, Located, Named

CONFUSED = {
    "8p": "6s 9s 9p 6p", "9p": "9s 8p 6p", "2p": "4p 3p 2s", "3m": "2m 1m 5m", "6p": "9p 5p 8p", "S": "W E N",
    "1s": "a e g c", "2m": "3m 1m", "1m": "2m 3m", "6m": "8m 9m", "8m": "6m 9m", "5m": "9m 3m", "9m": "5m 6m",
    "4p": "5p 6p 2p", "5p": "4p 6p 7p", "4s": "5s 6s", "5s": "4s 6s 7s", "6s": "8s 9s 4s", "8s": "6s 9s 7s",
    "9s": "8s 7s 6s", "7s": "9s 8s", "7p": "9p 8p", "P": "F W", "4m": "6m 9m", "7m": "4m 9m", "1p": "1s P",
    "3p": "2p 7p", "2s": "3s 4s", "3s": "2s 5s", "E": "F W S", "W": "S E", "N": "S W", "C": "E F", "F": "E C",
    "a": "b c d e", "b": "a c d f", "c": "a b d g", "d": "a b c h", "e": "f g h a", "f": "e g h b",
    "g": "e f h c", "h": "e f g d",
}  # fmt: skip
# Tiles that read clearly, and how sure the namer is of them; the others are sure by 0.35 to 0.95.
_CLEAR = 0.995
_UNCLEAR = (0.35, 0.95)
# The locator's confidence in tiles and in what is none (mean and deviation in log-odds, as measured).
_TILE_SCORES = (2.25, 0.56)
_FALSE_SCORES = (0.4, 0.8)


@dataclass(frozen=True)
class Scene:
    """What the stages say of a photo, and the truth. `origin[i]`: the true tile behind find i, or -1."""

    photo: str
    size: tuple[int, int]
    located: Located
    named: Named
    truth: dict[str, Any]
    origin: tuple[int, ...]


def truth_folder() -> Path | None:
    """The folder of truth files, or None where the public photos are not there."""
    root = Path(os.environ.get("HUPAI_SHARED", Path(__file__).resolve().parents[1] / ".." / "shared"))
    folder = root / "data" / "eval" / "kimwong" / "truth"
    return folder if folder.is_dir() else None


def truths() -> Iterator[dict[str, Any]]:
    folder = truth_folder()
    if folder is not None:
        for path in sorted(folder.glob("*.json")):
            yield json.loads(path.read_text(encoding="utf-8"))


def simulate(
    truth: dict[str, Any],
    rng: np.random.Generator,
    accuracy: float = 1.0,
    missed: float = 0.0,
    false: float = 0.0,
    roll: float = 0.0,
    jitter: float = 0.02,
) -> Scene:
    """One draw. accuracy: of single tiles' likeliest names; missed: chance per tile; false: finds per photo;
    roll: degrees that the camera is turned by."""
    quads, faces, scores, origin = [], [], [], []
    tiles = [tile for tile in truth["tiles"] if rng.random() >= missed]
    for tile in tiles:
        quad = box_quad(tile)
        size = float(np.sqrt(np.prod(np.ptp(quad, axis=0))))
        quads.append(quad + rng.normal(0, jitter * size, (4, 2)))
        faces.append(name_row(tile["tile"], rng, accuracy))
        scores.append(score(rng, *_TILE_SCORES))
        origin.append(tile["id"])
    for _ in range(rng.poisson(false) if tiles else 0):
        near = box_quad(tiles[int(rng.integers(len(tiles)))])
        shift = np.ptp(near, axis=0) * rng.uniform(1.0, 3.0) * rng.choice([-1, 1], 2)
        quads.append(near + shift)
        row = rng.dirichlet(np.full(len(TILES), 0.05)) * (1 - (blank := rng.uniform(0.4, 0.95)))
        faces.append(np.append(row, blank))
        scores.append(score(rng, *_FALSE_SCORES))
        origin.append(-1)
    turns = [rng.dirichlet([6.0, 0.3, 1.5, 0.3]) for _ in quads]
    angle = np.radians(roll)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array(quads, dtype=np.float32).reshape(-1, 4, 2) @ turn.astype(np.float32)
    located = Located(corners, np.zeros(len(quads), dtype=bool), np.array(scores, dtype=np.float32))
    named = Named(
        np.array(faces, dtype=np.float32).reshape(-1, 43), np.array(turns, dtype=np.float32).reshape(-1, 4)
    )
    width, height = truth["size"]
    return Scene(truth["photo"], (width, height), located, named, truth, tuple(origin))


def score(rng: np.random.Generator, mean: float, deviation: float) -> float:
    """A confidence of the locator."""
    return float(1 / (1 + np.exp(-rng.normal(mean, deviation))))


def box_quad(tile: dict[str, Any]) -> np.ndarray:
    """(4, 2) corners of a true tile, clockwise."""
    if "quad" in tile:
        return np.array(tile["quad"], dtype=np.float64)
    x1, y1, x2, y2 = tile["box"]
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], dtype=np.float64)


def name_row(name: str, rng: np.random.Generator, accuracy: float) -> np.ndarray:
    """(43,) calibrated probabilities for a tile of this name; the likeliest is right with this accuracy."""
    unclear = np.clip((_CLEAR - accuracy) / (_CLEAR - np.mean(_UNCLEAR)), 0, 1)
    if accuracy >= 1.0:
        top = 0.999
    elif rng.random() < unclear:
        top = rng.uniform(*_UNCLEAR)
    else:
        top = 1 - rng.exponential(1 - _CLEAR)
    names = [name, *CONFUSED[name].split()]
    first = 0 if accuracy >= 1.0 or rng.random() < top else int(rng.integers(1, len(names)))
    rest = [other for k, other in enumerate(names) if k != first]
    shares = rng.dirichlet(np.full(len(rest), 0.8)) * (1 - top) * 0.97
    row = np.full(43, (1 - top) * 0.03 / 43)
    row[TILES.index(names[first])] += top
    for other, share in zip(rest, shares, strict=True):
        row[TILES.index(other)] += share
    return row / row.sum()


@dataclass(frozen=True)
class Verdict:
    """What came of one scene. before: every tile of the hand right by itself. hand: the whole hand right."""

    photo: str
    has_hand: bool
    before: bool
    hand: bool
    layout: bool
    repaired: int
    broken: int
    tiles: int


def judge(scene: Scene, layout: Layout) -> Verdict:
    """Compare with the truth as `hupai evaluate` does: multisets of hand tiles, and groups."""
    names = {tile["id"]: tile["tile"] for tile in scene.truth["tiles"]}
    own = {
        o: TILES[int(row[:42].argmax())]
        for o, row in zip(scene.origin, scene.named.faces, strict=True)
        if o >= 0
    }
    true_groups = [(g["kind"], g["tiles"]) for g in scene.truth["groups"] if g["kind"] != "other"]
    true_hand = Counter(names[t] for _, tiles in true_groups for t in tiles)
    read = {tile.id: tile.tile for tile in layout.tiles}
    groups = [(g.kind, g.tiles) for g in layout.groups if g.kind != "other"]
    hand = Counter(read[t] for _, tiles in groups for t in tiles)
    where = lambda t: scene.origin[t]  # noqa: E731
    same = {(k, frozenset(t)) for k, t in true_groups} == {(k, frozenset(map(where, t))) for k, t in groups}
    decoded = {scene.origin[t]: read[t] for t in read if scene.origin[t] >= 0}
    before = all(own.get(t) == names[t] for _, tiles in true_groups for t in tiles)
    repaired = sum(own[t] != names[t] and decoded[t] == names[t] for t in decoded)
    broken = sum(own[t] == names[t] and decoded[t] != names[t] for t in decoded)
    return Verdict(
        scene.photo,
        bool(true_groups),
        before,
        hand == true_hand,
        same and hand == true_hand,
        repaired,
        broken,
        len(own),
    )
