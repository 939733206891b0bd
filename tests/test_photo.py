"""The door for photos: every way in gives the same upright RGB pixels, and every bad photo one sentence."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
import pytest
from benchmarks.pictures import stored_as
from PIL import Image

from models.registry import SAMPLE_PHOTO
from vision.errors import (
    PhotoAnimatedError,
    PhotoDamagedError,
    PhotoError,
    PhotoFormatError,
    PhotoSizeError,
    PhotoUnreadableError,
)
from vision.photo import load_photo

# Four flat quarters: survives JPEG, and every turn and mirror image of it is different.
RED, GREEN, BLUE, GREY = (200, 30, 30), (30, 160, 40), (40, 50, 190), (128, 128, 128)


# How videos of phones and AVIF pictures begin: as HEIC does, but for the brand.
MP4 = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(1000)
AVIF = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(1000)


def picture(width: int = 96, height: int = 64) -> Image.Image:
    pixels = np.empty((height, width, 3), np.uint8)
    top, left = height // 2, width // 2
    pixels[:top, :left], pixels[:top, left:] = RED, GREEN
    pixels[top:, :left], pixels[top:, left:] = BLUE, GREY
    return Image.fromarray(pixels)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    if kind == "HEIF":
        pillow_heif.from_pillow(image).save(stream, **options)
    else:
        image.save(stream, kind, **options)
    return stream.getvalue()


def assert_same(pixels: np.ndarray, expected: Image.Image, tolerance: int = 40) -> None:
    wanted = np.asarray(expected)
    assert pixels.shape == wanted.shape
    assert pixels.dtype == np.uint8
    # Quarters' middles: lossy codecs smear the borders between them.
    height, width = wanted.shape[:2]
    for y in (height // 4, 3 * height // 4):
        for x in (width // 4, 3 * width // 4):
            assert np.abs(pixels[y, x].astype(int) - wanted[y, x].astype(int)).max() <= tolerance


def png_header(width: int, height: int, bits: int = 8, colour: int = 0) -> bytes:
    """A PNG of a few hundred bytes that claims a size; its pixel data is a stub."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("longer", "factor"), [(2399, 1), (2401, 2), (7203, 4)])
@pytest.mark.parametrize("orientation", [1, 3, 6, 7])
def test_a_large_jpeg_is_decoded_smaller_where_that_will_do(
    longer: int, factor: int, orientation: int
) -> None:
    """Upright, at the same places, and all of its pixels still to be had."""
    stored, tags = stored_as(picture(longer, 1601), orientation)
    data = encoded(stored, "JPEG", exif=tags)
    whole, less = load_photo(data), load_photo(data, reduce=True)
    assert (less.factor, less.size) == (factor, whole.size)
    assert less.pixels.shape[:2] == tuple(-(-side // factor) for side in whole.pixels.shape[:2])
    assert_same(less.pixels, Image.fromarray(whole.pixels).resize(less.pixels.shape[1::-1]))
    assert (less.whole().pixels == whole.pixels).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_other_kinds_are_decoded_whole(kind: str) -> None:
    photo = load_photo(encoded(picture(2500, 64), kind), reduce=True)
    assert (photo.factor, photo.size) == (1, (2500, 64))
    assert photo.whole() is photo


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "GIF"])
def test_each_kind_of_picture_by_each_way_in(kind: str, tmp_path: Path) -> None:
    data = encoded(picture(), kind)
    path = tmp_path / "hand.bin"
    path.write_bytes(data)
    for source in (path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data)):
        photo = load_photo(source)
        assert_same(photo.pixels, picture())
        assert photo.size == (96, 64)


def test_name_is_the_path_as_given_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "hand.png"
    path.write_bytes(encoded(picture(), "PNG"))
    assert load_photo(path).name == str(path)
    assert load_photo(path, name="mine").name == "mine"
    assert load_photo(path.read_bytes()).name == "photo"


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_baked_once(kind: str, orientation: int) -> None:
    stored, exif = stored_as(picture(), orientation)
    data = encoded(stored, kind, exif=exif.tobytes())
    assert_same(load_photo(data).pixels, picture())
    assert_same(load_photo(Image.open(io.BytesIO(data))).pixels, picture())


def test_heic_that_is_stored_turned_comes_out_upright_once() -> None:
    stored, exif = stored_as(picture(), 6)
    heif = pillow_heif.from_pillow(stored)
    heif[0].info["exif"] = exif.tobytes()
    stream = io.BytesIO()
    heif.save(stream)
    assert_same(load_photo(stream.getvalue()).pixels, picture())


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_damaged_exif_does_not_lose_the_photo() -> None:
    data = encoded(picture(), "JPEG", exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + b"\xff" * 40)
    assert_same(load_photo(data).pixels, picture())


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "YCbCr"])
def test_every_colour_mode_becomes_rgb(mode: str) -> None:
    image = picture().convert(mode)
    kind = "JPEG" if mode in {"CMYK", "YCbCr"} else "PNG"
    assert_same(load_photo(encoded(image, kind)).pixels, image.convert("RGB"))


def test_transparent_parts_are_white() -> None:
    image = picture().convert("RGBA")
    image.putalpha(0)
    assert (load_photo(encoded(image, "PNG")).pixels == 255).all()
    assert (load_photo(np.asarray(image)).pixels == 255).all()


def test_sixteen_bits_are_scaled_not_clipped() -> None:
    ramp = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (64, 1))
    pixels = load_photo(cv2.imencode(".png", ramp)[1].tobytes()).pixels
    assert pixels.shape == (64, 64, 3)
    assert np.abs(pixels[0, :, 0].astype(int) - (ramp[0] >> 8)).max() <= 1


def test_arrays_are_rgb() -> None:
    array = np.asarray(picture())
    assert (load_photo(array).pixels == array).all()
    grey = load_photo(array[:, :, 0])
    assert (grey.pixels == array[:, :, :1]).all()
    assert grey.size == (96, 64)


@pytest.mark.parametrize("array", [
    np.zeros((64, 64, 3), np.float32), np.zeros((64, 64, 2), np.uint8), np.zeros(64, np.uint8),
    np.zeros((2, 64, 64, 3), np.uint8),
])  # fmt: skip
def test_arrays_of_other_shapes_are_refused(array: np.ndarray) -> None:
    with pytest.raises(PhotoFormatError, match="uint8"):
        load_photo(array)


@pytest.mark.parametrize("shape", [(0, 64, 3), (64, 0, 3), (8, 640, 3)])
def test_arrays_too_small_for_a_tile_are_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(PhotoSizeError, match="too few"):
        load_photo(np.zeros(shape, np.uint8))


@pytest.mark.parametrize(
    ("width", "height"), [(30_000, 30_000), (60_000, 900), (900, 60_000), (7_751, 7_751)]
)
def test_too_many_pixels_are_refused_before_they_are_decoded(
    width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decoded(self: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", decoded)
    with pytest.raises(PhotoSizeError, match=f"{width} × {height}"):
        load_photo(png_header(width, height))


def test_a_jpeg_that_claims_too_many_pixels_is_refused() -> None:
    data = encoded(picture(), "JPEG")
    at = data.index(b"\xff\xc0") + 5
    with pytest.raises(PhotoSizeError, match="60000 × 60000"):
        load_photo(data[:at] + struct.pack(">HH", 60_000, 60_000) + data[at + 4 :])


@pytest.mark.parametrize("side", [8_000, 10_000, 16_383])  # from the last on Pillow refuses by itself
def test_a_webp_that_claims_too_many_pixels_is_refused(side: int) -> None:
    data = encoded(picture(), "WEBP", lossless=True)
    at = data.index(b"VP8L") + 9
    (word,) = struct.unpack("<I", data[at : at + 4])
    claim = word & 0xF0000000 | (side - 1) << 14 | (side - 1)
    with pytest.raises(PhotoSizeError, match="60 megapixels"):
        load_photo(data[:at] + struct.pack("<I", claim) + data[at + 4 :])


def test_a_heic_that_claims_too_many_pixels_is_refused() -> None:
    data = encoded(picture(), "HEIF")
    at = data.index(b"ispe") + 8
    with pytest.raises(PhotoSizeError, match="30000 × 30000"):
        load_photo(data[:at] + struct.pack(">II", 30_000, 30_000) + data[at + 8 :])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", "GIF"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.95])
def test_a_photo_cut_short_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (128, 128, 3), np.uint8)
    data = encoded(Image.fromarray(noise), kind)
    with pytest.raises(PhotoError, match=r"photo (is cut short|is not a picture)"):
        load_photo(data[: int(len(data) * share)])


def test_any_damage_gives_pixels_or_a_photo_error() -> None:
    rng = np.random.default_rng(7)
    noise = Image.fromarray(rng.integers(0, 255, (64, 64, 3), np.uint8))
    for kind in ("JPEG", "PNG", "WEBP", "HEIF", "GIF"):
        data = encoded(noise, kind)
        for _ in range(60):
            broken = bytearray(data)
            for at in rng.integers(0, min(len(data), 400), 6):
                broken[at] = rng.integers(0, 256)
            with contextlib.suppress(PhotoError):
                assert load_photo(bytes(broken)).pixels.dtype == np.uint8


def rendered(**options: object) -> bytes:
    """Part of the sample, rendered: a picture with detail, so that damage changes it."""
    with Image.open(SAMPLE_PHOTO) as image:
        return encoded(image.crop((0, 0, 320, 240)), "JPEG", **options)


@pytest.mark.parametrize("mode", [{}, {"progressive": True}])
def test_a_jpeg_damaged_in_the_middle_is_told(
    mode: dict[str, bool], capfd: pytest.CaptureFixture[str]
) -> None:
    good = rendered(quality=90, **mode)
    whole = load_photo(good)
    assert not whole.damaged
    middle = len(good) // 2
    photo = load_photo(good[:middle] + good[middle + 64 :])
    assert photo.damaged
    assert photo.pixels.shape == whole.pixels.shape
    assert (photo.pixels != whole.pixels).any()
    assert capfd.readouterr().err == ""  # no word of the decoder's own


def test_damage_is_told_of_a_jpeg_decoded_smaller_too() -> None:
    with Image.open(SAMPLE_PHOTO) as image:
        good = encoded(image.resize((2600, 1950)), "JPEG")
    middle = len(good) // 2
    photo = load_photo(good[:middle] + good[middle + 64 :], reduce=True)
    assert (photo.damaged, photo.factor) == (True, 2)
    assert photo.whole().damaged


def test_a_jpeg_of_two_headers_is_refused() -> None:
    """Its size is checked by the first one; a decoder might believe the second."""
    good = encoded(picture(), "JPEG")
    start = good.index(b"\xff\xc0")
    header = bytearray(good[start : start + 2 + int.from_bytes(good[start + 2 : start + 4], "big")])
    header[5:9] = struct.pack(">HH", 9000, 9000)
    for doubled in (good[:start] + bytes(header) + good[start:], good[:2] + bytes(header) + good[2:]):
        with pytest.raises(PhotoDamagedError):
            load_photo(doubled)


def test_a_jpeg_sampled_in_a_way_that_the_fast_decoder_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("Could not determine subsampling level of JPEG image")

    monkeypatch.setattr("simplejpeg.decode_jpeg_header", refuse)
    photo = load_photo(encoded(picture(), "JPEG"))
    assert_same(photo.pixels, picture())
    assert not photo.damaged


def test_empty_and_other_files_are_refused() -> None:
    with pytest.raises(PhotoDamagedError, match="empty"):
        load_photo(b"")
    for data in (b"hello", b"%PDF-1.7 ...", b"BM" + bytes(100), b"\0" * 1000, b"<svg/>", MP4, AVIF):
        with pytest.raises(PhotoFormatError, match="JPEG, PNG, WebP or HEIC"):
            load_photo(data)


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animations_are_refused(kind: str) -> None:
    second = picture().transpose(Image.Transpose.ROTATE_180)
    data = encoded(picture(), kind, save_all=True, append_images=[second], duration=100)
    with pytest.raises(PhotoAnimatedError, match="still photo"):
        load_photo(data)


def test_a_jpeg_with_a_second_picture_behind_the_first_is_a_photo() -> None:
    data = encoded(picture(), "MPO", save_all=True, append_images=[picture(48, 32)])
    assert_same(load_photo(data).pixels, picture())


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PhotoUnreadableError, match="no file"):
        load_photo(tmp_path / "absent.jpg")
    with pytest.raises(PhotoUnreadableError, match="folder"):
        load_photo(tmp_path)
    with pytest.raises(PhotoUnreadableError, match="cannot be read"):
        load_photo("a\0b.jpg")
    with pytest.raises(PhotoUnreadableError, match="binary"):
        load_photo(io.StringIO("text"))  # type: ignore[arg-type]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "hand.jpg"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(PhotoUnreadableError, match="may not"):
        load_photo(path)


def test_an_endless_stream_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.photo.MAX_BYTES", 1 << 20)
    with Path("/dev/zero").open("rb") as endless, pytest.raises(PhotoSizeError, match="MiB"):
        load_photo(endless)


def test_a_device_is_refused() -> None:
    """Reading one, or a pipe, may never end."""
    with pytest.raises(PhotoUnreadableError, match="is a pipe or a device"):
        load_photo("/dev/zero")
