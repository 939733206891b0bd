"""Photograph a table: painter's algorithm over boxes, with the truth of every face that stays visible."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.scenes.arrange import Piece
from datasets.scenes.geometry import REAR, SIDES, Camera

Image = NDArray[np.uint8]
Array = NDArray[np.float64]

ROUND = 0.49  # corner radius, in widths, that makes a square a disc
SHIFT = 4  # sub-pixel bits of cv2's polygon drawing


@dataclass(frozen=True)
class Look:
    """How the tiles of a scene look. Colours RGB; `body` None: taken from each face's rim.

    split: share of the depth that has the body's colour, the rest has `back`. light: direction to the light.
    rounding: corner radius in tile widths. shadow: 0 none .. 1 black.
    """

    back: tuple[float, float, float]
    split: float
    light: tuple[float, float, float]
    ambient: float
    rounding: float
    shadow: float
    bevel: float
    body: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Seen:
    """One face or back as the camera sees it.

    quad: (4, 2) float64 pixels, from the face's own top left, clockwise, of the part that is visible.
    visible: share of the whole face's area on the picture that nothing hides.
    """

    piece: int
    tile: int | None
    quad: Array
    visible: float


def paint(
    canvas: Image, pieces: list[Piece], faces: list[Image | None], camera: Camera, look: Look
) -> tuple[Image, list[Seen]]:
    """Draw `pieces` over `canvas` ((H, W, 3) uint8 RGB, changed in place); returns it and the visible faces.

    faces: for each piece the picture of its front ((h, w, 3) uint8 RGB), None where it has none.
    """
    _cast_shadows(canvas, pieces, camera, look)
    owners = np.zeros(canvas.shape[:2], np.int32)
    distances = [float(np.linalg.norm(p.box.corners().mean(axis=0) - camera.eye)) for p in pieces]
    fronts: dict[int, tuple[Array, int | None]] = {}
    for index in np.argsort(distances)[::-1]:
        piece, face = pieces[index], faces[index]
        corners = piece.box.corners()
        points = camera.project(corners)
        if not np.isfinite(points).all():
            continue
        body = _body_colour(piece, face, look)
        back = np.array(look.back if piece.colour is None else piece.colour)
        _draw_sides(canvas, owners, corners, points, body, back, camera, look)
        toward = float((camera.eye - piece.box.centre) @ piece.box.normal) > 0
        code = int(index) + 1
        if toward and face is not None:
            rounding = ROUND if piece.printed == "marker" else look.rounding
            light = _lit(piece.box.normal, look)
            _draw_front(canvas, owners, points[:4], face, code, light, rounding, look.bevel)
            if piece.tile is not None:
                fronts[int(index)] = (points[:4], piece.tile)
        elif toward:
            _fill(canvas, owners, points[:4], back * _lit(piece.box.normal, look), 0)
        elif piece.colour is None:
            quad = points[list(REAR)]
            _fill(canvas, owners, quad, back * _lit(-piece.box.normal, look), code)
            fronts[int(index)] = (quad, None)
    return canvas, _visible(owners, fronts)


def _lit(normal: Array, look: Look) -> float:
    light = np.array(look.light) / np.linalg.norm(look.light)
    return look.ambient + (1 - look.ambient) * max(0.0, float(normal @ light))


def _body_colour(piece: Piece, face: Image | None, look: Look) -> Array:
    if piece.colour is not None:
        return np.array(piece.colour)
    if look.body is not None or face is None:
        return np.array(look.body if look.body is not None else (235.0, 232.0, 222.0))
    height = len(face)
    return np.median(face[height // 24 : height // 12].reshape(-1, 3), axis=0).astype(np.float64)


def _fixed(points: Array) -> NDArray[np.int32]:
    return np.round(points * (1 << SHIFT)).astype(np.int32)


def _fill(canvas: Image, owners: NDArray[np.int32], quad: Array, colour: Array, code: int) -> None:
    value = tuple(float(v) for v in np.clip(colour, 0, 255))
    cv2.fillConvexPoly(canvas, _fixed(quad), value, cv2.LINE_AA, SHIFT)
    cv2.fillConvexPoly(owners, _fixed(quad), code, cv2.LINE_8, SHIFT)


def _draw_sides(
    canvas: Image,
    owners: NDArray[np.int32],
    corners: Array,
    points: Array,
    body: Array,
    back: Array,
    camera: Camera,
    look: Look,
) -> None:
    for first, second, rear_first, rear_second in SIDES:
        normal = np.cross(corners[rear_first] - corners[first], corners[second] - corners[first])
        normal = normal / (np.linalg.norm(normal) + 1e-9)
        if (camera.eye - corners[first]) @ normal <= 0:
            continue
        shade = _lit(normal, look) * 0.92
        half = corners[[first, second]] * (1 - look.split) + corners[[rear_first, rear_second]] * look.split
        middle = camera.project(half)
        _fill(canvas, owners, points[[first, second, rear_second, rear_first]], back * shade, 0)
        _fill(
            canvas, owners, np.stack([points[first], points[second], middle[1], middle[0]]), body * shade, 0
        )


def _draw_front(
    canvas: Image,
    owners: NDArray[np.int32],
    quad: Array,
    face: Image,
    code: int,
    light: float,
    rounding: float,
    bevel: float,
) -> None:
    """Warp the face into its quad, with rounded, shaded corners."""
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, [canvas.shape[1], canvas.shape[0]])
    if (high <= low).any():
        return
    height, width = face.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32))
    span = (int(high[0] - low[0]), int(high[1] - low[1]))
    shrink = width / max(1.0, float(np.linalg.norm(quad[1] - quad[0])))
    picture = cv2.GaussianBlur(face, (0, 0), 0.35 * shrink) if shrink > 1.4 else face
    alpha = _rounded((width, height), rounding)
    picture = picture.astype(np.float32) * light
    if bevel:
        picture += (bevel * _rim((width, height)))[..., None]
    rgba = np.dstack([np.clip(picture, 0, 255), alpha * np.float32(255)])
    warped = cv2.warpPerspective(rgba, matrix, span, flags=cv2.INTER_LINEAR)
    mask = warped[..., 3:] / 255
    region = canvas[low[1] : high[1], low[0] : high[0]]
    region[:] = (region * (1 - mask) + warped[..., :3] * (mask > 0) * mask).astype(np.uint8)
    cv2.fillConvexPoly(owners, _fixed(quad), code, cv2.LINE_8, SHIFT)


_masks: dict[tuple[int, int, int], NDArray[np.float32]] = {}


def _rounded(size: tuple[int, int], radius: float) -> NDArray[np.float32]:
    key = (*size, int(round(radius * size[0])))
    if key not in _masks:
        width, height = size
        reach = key[2]
        mask = np.zeros((height, width), np.float32)
        cv2.rectangle(mask, (reach, 0), (width - 1 - reach, height - 1), 1.0, -1)
        cv2.rectangle(mask, (0, reach), (width - 1, height - 1 - reach), 1.0, -1)
        for x in (reach, width - 1 - reach):
            for y in (reach, height - 1 - reach):
                cv2.circle(mask, (x, y), reach, 1.0, -1, cv2.LINE_AA)
        _masks[key] = mask
    return _masks[key]


def _rim(size: tuple[int, int]) -> NDArray[np.float32]:
    """+1 along the top and left edges, -1 along the bottom and right ones, 0 within."""
    width, height = size
    rim = np.zeros((height, width), np.float32)
    edge = max(1, width // 24)
    rim[:edge], rim[:, :edge] = 1, 1
    rim[-edge:], rim[:, -edge:] = -1, -1
    return cv2.GaussianBlur(rim, (0, 0), edge)


def _cast_shadows(canvas: Image, pieces: list[Piece], camera: Camera, look: Look) -> None:
    if not look.shadow:
        return
    scale = 0.5
    height, width = canvas.shape[:2]
    mask = np.zeros((int(height * scale), int(width * scale)), np.float32)
    light = np.array(look.light) / np.linalg.norm(look.light)
    for piece in pieces:
        corners = piece.box.corners()
        ground = corners - light * (corners[:, 2:] / max(light[2], 0.15))
        ground[:, 2] = 0
        points = camera.project(ground)
        if np.isfinite(points).all() and (np.abs(points) < 4 * max(width, height)).all():
            hull = cv2.convexHull((points * scale).astype(np.float32)).astype(np.float64)
            cv2.fillConvexPoly(mask, _fixed(hull[:, 0]), 1.0, cv2.LINE_8, SHIFT)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.006 * width * scale + 0.5)
    factor = 1 - look.shadow * cv2.resize(soft, (width, height))
    canvas[:] = (canvas * factor[..., None]).astype(np.uint8)


def _visible(owners: NDArray[np.int32], fronts: dict[int, tuple[Array, int | None]]) -> list[Seen]:
    """What is left of each face: the visible pixels' extent in the face's own coordinates, mapped back."""
    height, width = owners.shape
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    seen = []
    for index, (quad, tile) in fronts.items():
        area = abs(float(cv2.contourArea(quad.astype(np.float32))))
        low = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, [width, height])
        if area < 20 or (high <= low).any():
            continue
        ys, xs = np.nonzero(owners[low[1] : high[1], low[0] : high[0]] == index + 1)
        share = min(1.0, len(xs) / area)
        if share < 0.2:
            continue
        if share < 0.93:
            matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), unit)
            pixels = np.stack([xs + low[0] + 0.5, ys + low[1] + 0.5], axis=1).astype(np.float32)
            inside = cv2.perspectiveTransform(pixels[None], matrix)[0]
            u0, v0 = np.clip(np.percentile(inside, 2, axis=0), 0, 1)
            u1, v1 = np.clip(np.percentile(inside, 98, axis=0), 0, 1)
            part = np.array([[[u0, v0], [u1, v0], [u1, v1], [u0, v1]]], np.float32)
            quad = cv2.perspectiveTransform(part, np.linalg.inv(matrix))[0].astype(np.float64)
        seen.append(Seen(index, tile, quad, share))
    return seen
