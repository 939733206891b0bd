"""The stages' typed outputs and the element tree that a read photo becomes: Reading -> Group -> Tile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
GroupKind = Literal["concealed", "chow", "pung", "kong", "concealed-kong", "flowers", "winning", "other"]

FACE_DOWN = "B"
UNNAMED = "?"


@dataclass(frozen=True)
class Located:
    """What the locator found in one photo.

    quads: (N, 4, 2) float32, pixels of the oriented photo, clockwise on the picture. The first corner is
        arbitrary: which way up a face lies is the namer's to say.
    backs: (N,) bool, True for a face-down tile.
    scores: (N,) float32 in 0..1, the locator's confidence.
    """

    quads: FloatArray
    backs: NDArray[np.bool_]
    scores: FloatArray

    def __len__(self) -> int:
        return len(self.quads)

    def scaled(self, scale: float) -> Located:
        """The same finds in a picture that is `scale` times as large."""
        return Located(self.quads * np.float32(scale), self.backs, self.scores)


@dataclass(frozen=True)
class Named:
    """What the namer thinks of each located tile, calibrated.

    faces: (N, 43) float32, rows sum to 1: the 42 faces in `scoring.TILES` order, then "not a legible face".
    turns: (N, 4) float32, rows sum to 1: column k is the belief that the face's own top-left corner is
        corner k of the quad.
    warnings: one sentence each, for the person who took the photo.
    """

    faces: FloatArray
    turns: FloatArray
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tile:
    """One tile of the photo. `quad` starts at the face's own top-left corner and runs clockwise (pixels)."""

    id: int
    tile: str
    confidence: float
    quad: Quad
    alternatives: tuple[tuple[str, float], ...] = ()
    changed_from: str | None = None


@dataclass(frozen=True)
class Group:
    """Tiles that belong together, by id, in the order they lie."""

    kind: GroupKind
    tiles: tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """Tiles named and grouped: what `vision.layout` makes of Located and Named.

    status: contract codes (`complete`, `five-sets`, `not-a-hand`, `too-few`, `too-many`, `not-winning`, ...).
    warnings: one sentence each, for the person who took the photo.
    """

    tiles: tuple[Tile, ...]
    groups: tuple[Group, ...]
    status: tuple[str, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """Everything read from one photo; `to_dict` and `from_dict` round-trip through the contract's JSON."""

    photo: str
    size: tuple[int, int]
    tiles: tuple[Tile, ...]
    groups: tuple[Group, ...]
    hand: str | None
    status: tuple[str, ...]
    assumed: dict[str, Any] = field(default_factory=dict)
    score: dict[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    @classmethod
    def without_tiles(cls, photo: str) -> Reading:
        """What measurements compare where the reader raised NoTilesError; the size is of no picture."""
        return cls(photo, (1, 1), (), (), None, ("no-tiles",))

    def to_dict(self) -> dict[str, Any]:
        """The contract's JSON object for one photo (coordinates to 0.1 px, probabilities to 4 places)."""
        return {
            "photo": self.photo,
            "size": list(self.size),
            "tiles": [
                {
                    "id": tile.id,
                    "tile": tile.tile,
                    "confidence": round(tile.confidence, 4),
                    "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
                    "alternatives": [[name, round(p, 4)] for name, p in tile.alternatives],
                    "changed_from": tile.changed_from,
                }
                for tile in self.tiles
            ],
            "groups": [{"kind": group.kind, "tiles": list(group.tiles)} for group in self.groups],
            "hand": self.hand,
            "status": list(self.status),
            "assumed": self.assumed,
            "score": self.score,
            "warnings": list(self.warnings),
            "seconds": {stage: round(value, 4) for stage, value in self.seconds.items()},
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Reading:
        """Build a Reading from `to_dict`'s output. Raises KeyError when a contract key is missing."""
        tiles = tuple(
            Tile(
                id=int(item["id"]),
                tile=str(item["tile"]),
                confidence=float(item["confidence"]),
                quad=as_quad(item["quad"]),
                alternatives=tuple((str(name), float(p)) for name, p in item["alternatives"]),
                changed_from=item["changed_from"],
            )
            for item in data["tiles"]
        )
        width, height = data["size"]
        return cls(
            photo=str(data["photo"]),
            size=(int(width), int(height)),
            tiles=tiles,
            groups=tuple(Group(item["kind"], tuple(item["tiles"])) for item in data["groups"]),
            hand=data["hand"],
            status=tuple(data["status"]),
            assumed=dict(data["assumed"]),
            score=data["score"],
            warnings=tuple(data["warnings"]),
            seconds=dict(data["seconds"]),
        )


def as_quad(points: FloatArray | list[list[float]]) -> Quad:
    """Four corners, (4, 2), as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)
