"""Whatever the locator and the namer say: a layout and a hand come of it, never an exception or a warning."""

from __future__ import annotations

import numpy as np
import pytest

import scoring
from vision.circumstances import Circumstances
from vision.elements import Layout, Located, Named
from vision.hand import to_hand
from vision.layout import lay_out

KINDS = ("rows", "strewn", "wild", "flat", "one spot", "not finite")
COUNTS = (0, 1, 2, 3, 7, 13, 14, 17, 18, 25, 40)
FACE = np.array([[0, 0], [0.75, 0], [0.75, 1], [0, 1]])


def some_quads(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    if kind == "wild":
        return rng.uniform(-100, 3000, (count, 4, 2))
    if kind == "one spot":
        return np.repeat(FACE[None] * rng.uniform(1, 50), count, axis=0)
    if kind == "flat":
        line = rng.uniform(0, 1000, (count, 1, 2)) + np.array([[0, 0], [30, 0], [30, 0], [0, 0]])
        return line * rng.integers(0, 2)
    if kind == "strewn":
        angle = rng.uniform(0, 2 * np.pi, count)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        quads = np.einsum("ijn,kj->nki", turn, FACE) * 10 ** rng.uniform(-3, 4, (count, 1, 1))
        return (quads + rng.uniform(-1000, 9000, (count, 1, 2)))[:, :: int(rng.choice([-1, 1]))]
    size, length = rng.uniform(5, 80), int(rng.integers(1, 19))
    places = np.stack([np.arange(count) % length * 0.75, np.arange(count) // length * rng.uniform(0.5, 3)], 1)
    quads = (places[:, None] + FACE + rng.normal(0, rng.choice([0, 0.02, 0.2]), (count, 4, 2))) * size
    if kind == "not finite" and count:
        quads[rng.integers(count)] = rng.choice([np.nan, np.inf])
    return quads


def some_stages(kind: str, count: int, rng: np.random.Generator) -> tuple[Located, Named]:
    quads = some_quads(kind, count, rng)
    faces = rng.dirichlet(np.full(43, rng.choice([0.02, 1, 50])), count).reshape(count, 43)
    if rng.random() < 0.4:
        faces = np.eye(43)[rng.integers(0, rng.choice([1, 43]), count)].reshape(count, 43)
    if kind == "not finite" and count:
        faces[rng.integers(count)] = np.nan
    turns = rng.dirichlet(np.full(4, 0.3), count).reshape(count, 4)
    backs = rng.random(count) < rng.choice([0, 0.1, 0.5, 1])
    scores = rng.random(count) if rng.random() < 0.7 else rng.choice([0, 1, 0.5], count)
    located = Located(quads.astype(np.float32), backs, scores.astype(np.float32))
    return located, Named(faces.astype(np.float32), turns.astype(np.float32))


def laid(kind: str, count: int, rng: np.random.Generator) -> Layout:
    located, named = some_stages(kind, count, rng)
    layout = lay_out(located, named, photo_size=(1000, 800))
    to_hand(layout, Circumstances(winning=rng.choice([None, "5m"])), scoring.score)
    return layout


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", COUNTS)
def test_anything_is_laid_out(kind: str, count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(6):
        layout = laid(kind, count, rng)
        tiles = {tile.id for tile in layout.tiles}
        grouped = [tile for group in layout.groups for tile in group.tiles]
        assert layout.status
        assert len(grouped) == len(set(grouped))
        assert set(grouped) <= tiles <= set(range(count))
        assert not {"complete", "five-of-a-kind"} <= set(layout.status)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", KINDS)
def test_hundreds_of_anything_are_laid_out(kind: str) -> None:
    assert laid(kind, 300, np.random.default_rng(0)).status
