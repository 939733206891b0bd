"""What is found to be labelled, under which names; and pictures as exports hold them."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_folder import photo
from PIL import Image as Pillow

from datasets.labelling.bake import strip_jpeg, strip_png
from datasets.labelling.inputs import LONGEST_NAME, InputError, Listing, safe_name
from datasets.labelling.pictures import Pictures
from vision.errors import PhotoError, PhotoUnreadableError
from vision.locator import halved
from vision.photo import load_photo


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")
    return path


def found(*inputs: object, skip: Path | None = None) -> list[str]:
    return [item.source for item in Listing([str(i) for i in inputs], skip=skip)]


def test_folders_are_walked_in_order_and_links_that_loop_once(tmp_path: Path) -> None:
    for name in ("b/2.jpg", "a/1.PNG", "a/notes.txt", ".hidden/3.jpg", "a/.4.jpg", "c.heic"):
        touch(tmp_path / name)
    (tmp_path / "a" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b" / "a").symlink_to(tmp_path / "a", target_is_directory=True)
    expected = [tmp_path / "c.heic", tmp_path / "a" / "1.PNG", tmp_path / "b" / "2.jpg"]
    assert found(tmp_path) == [str(path) for path in expected]


def test_the_labels_own_folder_is_not_labelled(tmp_path: Path) -> None:
    touch(tmp_path / "1.jpg")
    touch(tmp_path / "out" / "pictures" / "1.jpg")
    assert found(tmp_path, skip=tmp_path / "out") == [str(tmp_path / "1.jpg")]


def test_patterns_and_lists(tmp_path: Path) -> None:
    one, two = touch(tmp_path / "a" / "1.jpg"), touch(tmp_path / "b" / "2.jpg")
    touch(tmp_path / "b" / "2.txt")
    assert found(tmp_path / "*" / "*") == [str(one), str(two)]
    listing = tmp_path / "list.txt"
    listing.write_text("# mine\na/1.jpg\n\nb\nabsent.jpg\n")
    assert found(f"@{listing}") == [str(one), str(two), str(tmp_path / "absent.jpg")]


def test_a_list_as_windows_writes_it(tmp_path: Path) -> None:
    listing = tmp_path / "list.txt"
    listing.write_bytes("1.jpg\r\n照片.jpg\r\n".encode("utf-8-sig"))
    assert found(f"@{listing}") == [str(tmp_path / "1.jpg"), str(tmp_path / "照片.jpg")]
    for encoding in ("utf-16", "utf-16-be"):
        listing.write_bytes("1.jpg\r\n".encode(encoding))
        for _ in range(2):
            with pytest.raises(InputError, match=r"list\.txt is not UTF-8 text; save it as UTF-8"):
                found(f"@{listing}")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/fd")
def test_a_list_from_a_pipe_is_read_once_and_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hupai label --list <(find ...)`: its paths are relative to the current folder."""
    names = [f"photos/{number}.jpg" for number in range(1000)]
    monkeypatch.chdir(tmp_path)
    read, write = os.pipe()
    os.write(write, "\n".join(names).encode())
    os.close(write)
    listing = Listing([f"@/dev/fd/{read}"])
    listing.check()
    assert [item.source for item in listing] == names
    os.close(read)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_named_and_not_waited_for(tmp_path: Path) -> None:
    for name in ("pipe.jpg", "pipe.mp4"):
        os.mkfifo(tmp_path / name)
    for sign in ("", "@"):
        with pytest.raises(InputError, match=r"pipe\.jpg is a pipe or a device"):
            Listing([f"{sign}{tmp_path / 'pipe.jpg'}"]).check()
    good = touch(tmp_path / "z.jpg")
    listing = Listing([str(tmp_path)])
    listing.check()
    assert [item.source for item in listing] == [str(good)]
    assert [problem.split(" is a pipe")[0] for problem in listing.problems] == [
        str(tmp_path / "pipe.jpg"), str(tmp_path / "pipe.mp4"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given", ["nowhere", "nowhere/*.jpg", "@nowhere", "nowhere" * 50, "@" + "nowhere" * 50, "nowhere*" * 50]
)
def test_what_is_not_there_is_said(given: str) -> None:
    with pytest.raises(InputError, match="nowhere"):
        found(given)


def test_a_folder_that_may_not_be_read_is_a_problem_and_not_an_end(tmp_path: Path) -> None:
    touch(tmp_path / "a.jpg")
    listing = Listing([str(tmp_path)])
    walked = iter(listing)
    (tmp_path / "closed").mkdir()
    assert next(walked).source.endswith("a.jpg")
    (tmp_path / "closed").rmdir()  # between listing and looking, as permissions do not bind root
    assert list(walked) == []
    assert len(listing.problems) == 1 and "closed" in listing.problems[0]


@given(st.text(max_size=150))
def test_names_are_safe_and_stay_different(stem: str) -> None:
    name = safe_name(stem)
    assert name.isascii() and 0 < len(name) <= LONGEST_NAME
    assert not set(name) & set('<>:"/\\|?* \0') and name[0] not in "." and name[-1] not in "."
    if name != stem:
        assert name != safe_name(stem + "x")


def test_a_video_of_more_frames_than_bytes_is_named_and_its_frames_are_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "clip.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))
    if not video.isOpened():
        pytest.skip("this OpenCV cannot write MJPG videos")
    for _ in range(20):
        video.write(np.zeros((48, 64, 3), np.uint8))
    video.release()
    assert found(path) == [f"{path}#0"]
    data = bytearray(path.read_bytes())
    for chunk, place in ((b"avih", 16), (b"strh", 32)):  # where these count frames
        start = data.index(chunk) + 8 + place
        data[start : start + 4] = (2**31 - 1).to_bytes(4, "little")
    path.write_bytes(data)
    listing = Listing([str(path)], every=1)
    assert next(iter(listing), None) is None
    (problem,) = listing.problems
    assert "clip.avi says that it has 2147483647 frames" in problem


def test_an_empty_input_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "1.jpg")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="is empty; name a folder"):
        Listing([""]).check()
    assert found(".") == ["1.jpg"]


@pytest.mark.parametrize("stem", ["con", "LPT1", "照片", "é", "", "a b", "..", "x" * 300])
def test_names_that_some_system_refuses_are_changed(stem: str) -> None:
    assert safe_name(stem) != stem


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_large_jpeg_is_decoded_at_half_size_upright(tmp_path: Path, orientation: int) -> None:
    path = photo(tmp_path / "large.jpg", (2401, 1501), orientation)
    half = Pictures().open(str(path), None, "large", reduce=True)
    full = load_photo(path)
    assert half.reduced and half.size == full.size
    small = cv2.resize(full.pixels, half.pixels.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert max(small.shape) == 1201
    assert np.abs(small.astype(int) - half.pixels).mean() < 3


def test_what_is_not_worth_halving_is_decoded_whole(tmp_path: Path) -> None:
    assert not Pictures().open(str(photo(tmp_path / "small.jpg")), None, "", reduce=True).reduced
    large = photo(tmp_path / "large.png", (2400, 1500))
    assert not Pictures().open(str(large), None, "", reduce=True).reduced


@pytest.mark.parametrize(
    ("size", "small", "scale"), [((639, 480), (639, 480), 1), ((2001, 1503), (500, 375), 4)]
)
def test_halving_keeps_places(size: tuple[int, int], small: tuple[int, int], scale: int) -> None:
    """A white spot is found where it was, whether or not sides are odd."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    pixels[200:208, 400:408] = 255
    less, factor = halved(pixels, 640)
    assert (less.shape[1::-1], factor) == (small, scale)
    assert np.argwhere(less[..., 0] == 255).mean(axis=0) * scale == pytest.approx((203.5, 403.5), abs=scale)


def test_pictures_that_cannot_be_opened_say_so(tmp_path: Path) -> None:
    for name, data in (("a.jpg", b""), ("b.jpg", b"\xff\xd8\xff\xe0"), ("c.mp4", b"1")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PhotoError, match=name):
            Pictures().open(str(tmp_path / name), None, name, reduce=True)
    with pytest.raises(PhotoUnreadableError, match=r"gone\.jpg cannot be read"):
        Pictures().open(str(tmp_path / "gone.jpg"), None, "gone.jpg")


def test_stripping_a_jpeg_keeps_pixels_and_colours(tmp_path: Path) -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    path = photo(tmp_path / "a.jpg")
    with Pillow.open(path) as image:
        image.save(path, exif=image.getexif(), icc_profile=profile, comment=b"home", quality=90)
    data = path.read_bytes()
    stripped = strip_jpeg(data + b"a second picture, as some phones append")
    assert stripped is not None and len(stripped) < len(data)
    with Pillow.open(io.BytesIO(stripped)) as image:
        assert image.info["icc_profile"] == profile
        assert not image.getexif() and "comment" not in image.info
    np.testing.assert_array_equal(load_photo(stripped).pixels, load_photo(data).pixels)


def test_stripping_a_png_keeps_pixels(tmp_path: Path) -> None:
    from PIL.PngImagePlugin import PngInfo

    text = PngInfo()
    text.add_itxt("place", "home")
    path = tmp_path / "a.png"
    with Pillow.open(photo(tmp_path / "b.png")) as image:
        image.save(path, pnginfo=text, exif=image.getexif())
    data = path.read_bytes()
    stripped = strip_png(data)
    assert stripped is not None and b"home" in data and b"home" not in stripped
    np.testing.assert_array_equal(load_photo(stripped).pixels, load_photo(data).pixels)


@given(st.binary(max_size=200))
def test_stripping_what_is_cut_short_gives_nothing_or_less(data: bytes) -> None:
    for strip, magic in ((strip_jpeg, b"\xff\xd8\xff"), (strip_png, b"\x89PNG\r\n\x1a\n")):
        stripped = strip(magic + data)
        assert stripped is None or len(stripped) <= len(magic + data)
