"""Training crops for the namer: one face as the reader would cut it out of a photo.

A source picture of a face is set among neighbours on a table, cut out along a quad as inexact as the
locator's, at the resolution of a real photo, and put through a camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import augment
from datasets.scenes import prints

Image = NDArray[np.uint8]

FACE_SIZE = (96, 128)
"""(width, height) at which source faces are kept, pixels."""

NOT_A_FACE = 42
NO_TURN = -1


@dataclass(frozen=True)
class Faces:
    """Source pictures of faces.

    images: (N, 128, 96, 3) uint8 RGB. tiles: (N,) int, index into the 42 names or NOT_A_FACE.
    sets: (N,) int, faces of one number are of one tile set. upright: (N,) bool, False where the picture
    may lie any way round (its turn is then not trained on). weights: (N,) float, relative chance within a
    tile.
    """

    images: Image
    tiles: NDArray[np.int64]
    sets: NDArray[np.int64]
    upright: NDArray[np.bool_]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.tiles)


def with_share(faces: Faces, share: float) -> Faces:
    """The same faces, weighed so that they are drawn `share` as often as another source's of that tile.

    Sources differ in how many pictures of a tile they hold; what counts is how far each is to be trusted.
    """
    counts = np.bincount(faces.tiles, minlength=NOT_A_FACE + 1)
    return replace(faces, weights=share / counts[faces.tiles])


def join(parts: list[Faces]) -> Faces:
    """One Faces of several; set numbers stay apart."""
    offset, sets = 0, []
    for part in parts:
        sets.append(part.sets + offset)
        offset += int(part.sets.max(initial=-1)) + 1
    return Faces(
        np.concatenate([part.images for part in parts]),
        np.concatenate([part.tiles for part in parts]),
        np.concatenate(sets),
        np.concatenate([part.upright for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


class CropMaker:
    """Draws training crops from `faces`; every tile is equally likely, NOT_A_FACE at `negatives`."""

    def __init__(self, faces: Faces, size: int = 96, negatives: float = 0.08) -> None:
        self.faces, self.size, self.negatives = faces, size, negatives
        self._by_tile = [np.flatnonzero(faces.tiles == tile) for tile in range(NOT_A_FACE + 1)]
        self._chance = []
        for members in self._by_tile:
            weight = faces.weights[members]
            self._chance.append(np.cumsum(weight / weight.sum()) if len(members) else weight)
        self._by_set = {int(s): np.flatnonzero(faces.sets == s) for s in np.unique(faces.sets)}
        self._backdrops: list[Image] = []

    def draw(self, rng: np.random.Generator) -> tuple[Image, int, int]:
        """One crop: ((size, size, 3) uint8 RGB, tile index, turn 0..3 in clockwise quarter turns or
        NO_TURN)."""
        if rng.random() < self.negatives:
            return self._negative(rng), NOT_A_FACE, NO_TURN
        tile = int(rng.integers(NOT_A_FACE))
        chance = self._chance[tile]
        place = min(int(np.searchsorted(chance, rng.random())), len(chance) - 1)
        crop, turn = self.view(int(self._by_tile[tile][place]), rng)
        return crop, tile, turn

    def view(self, index: int, rng: np.random.Generator) -> tuple[Image, int]:
        """Face `index` as a photo would show it: ((size, size, 3) uint8 RGB, turn or NO_TURN)."""
        canvas, corners = self._scene(index, rng)
        quad = inexact(corners, rng)
        crop = self._photograph(canvas, quad, rng)
        turn = int(rng.integers(4))
        return np.ascontiguousarray(np.rot90(crop, -turn)), turn if self.faces.upright[index] else NO_TURN

    def _scene(self, index: int, rng: np.random.Generator) -> tuple[Image, NDArray[np.float32]]:
        """Set the face in the middle of a 2 x 2 faces wide canvas; returns it and the face's corners."""
        width, height = FACE_SIZE
        canvas = self._backdrop(rng)
        x0, y0 = width // 2, height // 2
        face = self.faces.images[index]
        if not self.faces.upright[index]:
            face = turned(face, int(rng.integers(4)))
        if rng.random() < 0.7:
            self._neighbours(canvas, index, x0, y0, rng)
        if rng.random() < 0.35:  # the tile's own side, seen below or above the face
            depth = int(rng.uniform(0.05, 0.5) * height)
            side = face[4:12].mean(axis=(0, 1)) * rng.uniform(0.55, 1.05)
            top = y0 + height if rng.random() < 0.7 else y0 - depth
            canvas[top : top + depth, x0 : x0 + width] = np.clip(side, 0, 255).astype(np.uint8)
        canvas[y0 : y0 + height, x0 : x0 + width] = face
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return canvas, corners + np.array([x0, y0], np.float32)

    def _backdrop(self, rng: np.random.Generator) -> Image:
        """A table, from a pool that is renewed one in eight times: drawing one costs more than the whole
        crop."""
        if len(self._backdrops) < 128 or rng.random() < 0.125:
            fresh = augment.backdrop((FACE_SIZE[0] * 2, FACE_SIZE[1] * 2), rng)
            self._backdrops.append(fresh)
            self._backdrops = self._backdrops[-256:]
            return fresh.copy()
        return self._backdrops[int(rng.integers(len(self._backdrops)))].copy()

    def _neighbours(self, canvas: Image, index: int, x0: int, y0: int, rng: np.random.Generator) -> None:
        width, height = FACE_SIZE
        mates = self._by_set[int(self.faces.sets[index])]
        for side in (-1, 1):
            if rng.random() < 0.75:
                seam = int(rng.integers(0, 5))
                mate = self.faces.images[int(rng.choice(mates))]
                dy = int(rng.normal(0, 3))
                left = x0 + side * (width + seam)
                lo, hi = max(left, 0), min(left + width, canvas.shape[1])
                canvas[y0 + dy : y0 + dy + height, lo:hi] = mate[:, lo - left : hi - left]

    def _photograph(self, canvas: Image, quad: NDArray[np.float32], rng: np.random.Generator) -> Image:
        """Cut `quad` at a random, often low and anisotropic resolution and put it through a camera."""
        across = float(np.exp(rng.uniform(np.log(20), np.log(110))))
        down = float(np.clip(across * 1.33 * rng.uniform(0.45, 1.1), 14, 130))
        target = (int(round(across)), int(round(down)))
        scale = FACE_SIZE[0] / across
        picture = canvas
        if scale > 1.3:  # stay clear of aliasing when the photo is much coarser than the source
            picture = cv2.GaussianBlur(picture, (0, 0), 0.4 * scale)
        picture = augment.shade(augment.relight(cut(picture, quad, target), rng), rng)
        sigma = rng.gamma(1.2, 0.3) * min(1.0, across / 50)
        picture = augment.sensor(augment.defocus(picture, rng, sigma), rng)
        how = (
            cv2.INTER_AREA
            if across > self.size
            else (cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC)
        )
        return np.ascontiguousarray(cv2.resize(picture, (self.size, self.size), interpolation=how))

    def _negative(self, rng: np.random.Generator) -> Image:
        """A place that holds no legible face: a photographed one, a key, the seam of two tiles, or the
        table."""
        width, height = FACE_SIZE
        members = self._by_tile[NOT_A_FACE]
        if len(members) and rng.random() < 0.4:
            canvas, quad = self._scene(int(rng.choice(members)), rng)
        elif rng.random() < 0.35:
            canvas = self._backdrop(rng)
            body = np.clip(rng.uniform(10, 250) + rng.normal(0, 12, 3), 0, 255)
            thing = prints.letters(body, rng)  # no dice: cut square, their pips are the dots of plain sets
            edge = int(rng.uniform(0.85, 1.1) * width)
            thing = cv2.resize(thing, (edge, edge if rng.random() < 0.7 else height))
            canvas[32 : 32 + len(thing), 48 : 48 + edge] = thing
            corners = np.array([[0, 0], [edge, 0], [edge, len(thing)], [0, len(thing)]], np.float32)
            quad = corners + np.array([48, 32], np.float32)
        elif rng.random() < 0.7:
            canvas, quad = self._scene(int(rng.integers(len(self.faces))), rng)
            shift = rng.uniform(0.42, 0.58) * rng.choice([-1, 1])
            quad = quad + np.array([shift * width, rng.normal(0, 0.1) * height], np.float32)
        else:
            canvas = self._backdrop(rng)
            quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + width / 2
        crop = self._photograph(canvas, inexact(quad, rng), rng)
        return np.ascontiguousarray(np.rot90(crop, int(rng.integers(4))))


def turned(face: Image, quarter: int) -> Image:
    """`face` turned clockwise by `quarter` quarter turns and brought back to its size."""
    out = np.rot90(face, -quarter)
    return out if quarter % 2 == 0 else cv2.resize(out, (face.shape[1], face.shape[0]))


def inexact(corners: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """`corners` ((4, 2), clockwise from top left) as a locator finds them: shifted, scaled, skewed, turned.

    One in seven is the part of a face that a nearer row leaves visible (RECIPE of real photos: the front row
    hides up to half of the row behind).
    """
    quad = corners.copy()
    size = np.array([np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])], np.float32)
    if rng.random() < 0.15:
        keep = np.float32(rng.uniform(0.5, 0.92))
        if rng.random() < 0.75:  # the lower part is hidden, whichever way up the tile lies
            quad[2:] = quad[1::-1] + (quad[2:] - quad[1::-1]) * keep
        elif rng.random() < 0.5:
            quad[:2] = quad[:1:-1] + (quad[:2] - quad[:1:-1]) * keep
        else:
            quad[1:3] = quad[[0, 3]] + (quad[1:3] - quad[[0, 3]]) * max(keep, np.float32(0.7))
    centre = quad.mean(axis=0)
    angle, lean = rng.normal(0, 0.05), rng.normal(0, 0.09)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], np.float32)
    # A locator of rotated boxes cannot follow the skew of a tile seen from the side.
    skew = np.array([[1, lean], [0, 1]] if rng.random() < 0.5 else [[1, 0], [lean, 1]], np.float32)
    quad = (quad - centre) @ (turn @ skew).T * np.exp(rng.normal(0.02, 0.06, 2)).astype(np.float32) + centre
    quad = quad + rng.normal(0, 0.025, (1, 2)) * size + rng.normal(0, 0.03, (4, 2)) * size
    return quad.astype(np.float32)


def cut(image: Image, quad: NDArray[np.float32], size: tuple[int, int]) -> Image:
    """Rectify `quad` ((4, 2), clockwise from top left) of `image` to `size` (width, height)."""
    width, height = size
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
