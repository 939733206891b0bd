"""What a camera does to a picture: light, focus, motion, sensor noise and JPEG, drawn at random.

Shared by the scene generator (whole pictures) and the crop generator (single faces). Mirror flips are
absent on purpose: a mirrored tile is not a tile.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def relight(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Change exposure, white balance, contrast, gamma and saturation of `image` ((H, W, 3) uint8 RGB)."""
    pixels = image.astype(np.float32)
    gains = 1.0 + strength * rng.normal(0.0, 0.06, 3)
    exposure = np.exp(strength * rng.normal(-0.05, 0.25))
    pixels *= (gains * exposure).astype(np.float32)
    grey = pixels.mean(axis=2, keepdims=True)
    pixels = grey + (pixels - grey) * np.float32(np.clip(1.0 + strength * rng.normal(0.0, 0.3), 0.1, 1.9))
    contrast = np.float32(np.exp(strength * rng.normal(0.0, 0.18)))
    mean = np.float32(pixels.mean())
    pixels = mean + (pixels - mean) * contrast
    if rng.random() < 0.3:
        gamma = np.exp(strength * rng.normal(0.0, 0.3))
        pixels = 255.0 * np.power(np.clip(pixels, 0.0, 255.0) / 255.0, np.float32(gamma))
    return np.clip(pixels, 0, 255).astype(np.uint8)


def shade(image: Image, rng: np.random.Generator) -> Image:
    """Lay a smooth light gradient over `image`, and at times a soft shadow edge or a glare spot."""
    height, width = image.shape[:2]
    xs = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    ys = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    angle = rng.uniform(0, 2 * np.pi)
    ramp = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))
    field = 1.0 + ramp * np.float32(rng.normal(0.0, 0.15))
    if rng.random() < 0.3:
        edge = 1.0 / (1.0 + np.exp(-(ramp - rng.uniform(-0.8, 0.8)) * np.float32(rng.uniform(4, 40))))
        field = field * (1.0 - np.float32(rng.uniform(0.15, 0.6)) * edge)
    pixels = image.astype(np.float32) * field[..., None]
    if rng.random() < 0.2:
        cx, cy = rng.uniform(-1, 1, 2)
        spread = rng.uniform(0.08, 0.6)
        spot = np.exp(-((xs - cx) ** 2 + (ys - cy) ** 2) / np.float32(2 * spread**2))
        pixels += np.float32(rng.uniform(30, 170)) * spot[..., None]
    return np.clip(pixels, 0, 255).astype(np.uint8)


def defocus(image: Image, rng: np.random.Generator, sigma: float) -> Image:
    """Blur with a Gaussian of about `sigma` pixels, or smear along a line of about three `sigma`."""
    if sigma < 0.25:
        return image
    if rng.random() < 0.3:
        length = max(3, int(round(3 * sigma)) | 1)
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        half = (length - 1) / 2
        dx, dy = half * np.cos(angle), half * np.sin(angle)
        start = (int(round(half - dx)), int(round(half - dy)))
        end = (int(round(half + dx)), int(round(half + dy)))
        cv2.line(kernel, start, end, 1.0, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)
    return cv2.GaussianBlur(image, (0, 0), sigma)


def sensor(image: Image, rng: np.random.Generator) -> Image:
    """Add sensor noise (luminance and colour), at times the halo of a phone's sharpening, then JPEG."""
    out = image
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.7, 1.6))
        out = cv2.addWeighted(out, 1 + (gain := rng.uniform(0.3, 1.3)), soft, -gain, 0)
    if rng.random() < 0.6:
        level = np.float32(rng.gamma(1.3, 2.2))
        noise = rng.standard_normal((*out.shape[:2], 1), np.float32) * level
        noise = noise + rng.standard_normal(out.shape, np.float32) * (level * np.float32(0.5))
        out = np.clip(out.astype(np.float32) + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(25, 96))
        _, data = cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[..., ::-1]
    return np.ascontiguousarray(out)


def backdrop(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """A table top of `size` (width, height): felt, wood, cloth, paper or plain, from noise at several
    scales."""
    width, height = size
    hue, value = rng.uniform(0, 180), rng.uniform(25, 245)
    if rng.random() < 0.35:
        hue = rng.uniform(45, 85)
    saturation = rng.uniform(0, 60) if rng.random() < 0.35 else rng.uniform(40, 230)
    pixel = np.array([[[hue, saturation, value]]], np.uint8)
    base = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32)
    canvas = np.tile(base, (height, width, 1))
    stretch = rng.uniform(4, 40) if rng.random() < 0.35 else 1.0
    for _ in range(int(rng.integers(1, 4))):
        cell = float(np.exp(rng.uniform(np.log(1.5), np.log(120))))
        columns = max(2, int(width / cell / (stretch if stretch > 1 else 1)))
        rows = max(2, int(height / cell))
        grain = rng.standard_normal((rows, columns, 1), np.float32) * np.float32(rng.gamma(1.2, 5.0))
        if rng.random() < 0.3:
            grain = grain + rng.standard_normal((rows, columns, 3), np.float32) * np.float32(
                rng.gamma(1.2, 5.0)
            )
        layer = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
        canvas += layer if layer.ndim == 3 else layer[..., None]
    if rng.random() < 0.15:
        period = rng.uniform(6, 60)
        phase = np.arange(width, dtype=np.float32) / np.float32(period)
        canvas += (np.sin(phase * 2 * np.pi) * np.float32(rng.uniform(3, 25)))[None, :, None]
    return np.clip(canvas, 0, 255).astype(np.uint8)
