"""Boxes on a table and a pinhole camera. One length unit is one tile width; z points up, y away from the
player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """A tile (or anything box-shaped) in the world.

    centre: (3,) centre of the front face. right, down: (3,) unit vectors along the face's own right and down
    edges. size: (width, height, depth). The front looks along right x down, away from the body.
    """

    centre: Array
    right: Array
    down: Array
    size: tuple[float, float, float]

    @property
    def normal(self) -> Array:
        return np.cross(self.down, self.right)

    def corners(self) -> Array:
        """(8, 3): the front's corners from its top left, clockwise seen from in front, then those of the
        rear."""
        width, height, depth = self.size
        across, along = self.right * width / 2, self.down * height / 2
        front = np.stack([-across - along, across - along, across + along, -across + along]) + self.centre
        return np.concatenate([front, front - self.normal * depth])


SIDES = ((1, 0, 5, 4), (2, 1, 6, 5), (3, 2, 7, 6), (0, 3, 4, 7))
"""The four sides (top, right, bottom, left) as indices into `Box.corners`: two in front, then the two
behind them."""
REAR = (5, 4, 7, 6)


@dataclass(frozen=True)
class Camera:
    """A pinhole camera at `eye` looking at `target`, rolled by `roll` radians; `focal` in pixels."""

    eye: Array
    target: Array
    focal: float
    size: tuple[int, int]
    roll: float = 0.0

    def project(self, points: Array) -> Array:
        """(N, 3) world points to (N, 2) pixels; points behind the camera come out as NaN."""
        forward = self.target - self.eye
        forward = forward / np.linalg.norm(forward)
        up = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        below = np.cross(forward, right)
        cos, sin = np.cos(self.roll), np.sin(self.roll)
        right, below = cos * right + sin * below, cos * below - sin * right
        relative = points - self.eye
        depth = relative @ forward
        depth = np.where(depth > 1e-3, depth, np.nan)
        x = relative @ right / depth * self.focal + self.size[0] / 2
        y = relative @ below / depth * self.focal + self.size[1] / 2
        return np.stack([x, y], axis=1)


def lying(x: float, y: float, yaw: float, size: tuple[float, float, float], level: float = 0.0) -> Box:
    """Face up on the table (or on tiles `level` high); `yaw` turns it counter-clockwise seen from above."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    right, down = np.array([cos, sin, 0.0]), np.array([sin, -cos, 0.0])
    return Box(np.array([x, y, level + size[2]]), right, down, size)


def face_down(x: float, y: float, yaw: float, size: tuple[float, float, float], level: float = 0.0) -> Box:
    """Back up on the table: the front lies on it."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    right, down = np.array([-cos, -sin, 0.0]), np.array([sin, -cos, 0.0])
    return Box(np.array([x, y, level]), right, down, size)


def standing(
    x: float, y: float, yaw: float, lean: float, size: tuple[float, float, float], upside_down: bool = False
) -> Box:
    """On its short edge, facing the player (yaw 0) and leaning back by `lean` radians."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    right, back = np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0])
    down = np.array([0.0, 0.0, -1.0]) * np.cos(lean) - back * np.sin(lean)
    centre = np.array([x, y, 0.0]) - down * size[1] / 2
    return Box(centre, -right, -down, size) if upside_down else Box(centre, right, down, size)
