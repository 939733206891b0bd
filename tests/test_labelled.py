"""Labelled photos and sources of faces. The pictures are drawn by the test; the locator is a stand-in."""

import csv

import numpy as np
import pytest
from PIL import Image

from datasets.crops import Faces, join, with_share
from datasets.labelled import LabelsError, cut_tiles, read_folder, rotated_labels
from datasets.sources import archive, catalogue
from vision.elements import Located


def quad(x, y, width=20, height=26):
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


class StandIn:
    """A locator that finds what it is told to."""

    def __init__(self, quads, scores):
        self.found = Located(
            np.array(quads, np.float32), np.zeros(len(quads), bool), np.array(scores, np.float32)
        )

    def locate(self, pixels):
        return self.found


@pytest.fixture
def folder(tmp_path):
    """One 200 x 100 photo with a red tile (class 3) at (20, 20) and a blue one (class 7) at (60, 20)."""
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    pixels = np.zeros((100, 200, 3), np.uint8)
    pixels[20:46, 20:40], pixels[20:46, 60:80] = (255, 0, 0), (0, 0, 255)
    Image.fromarray(pixels).save(tmp_path / "images" / "one.png")
    (tmp_path / "labels" / "one.txt").write_text("3 0.15 0.33 0.1 0.26\n7 0.35 0.33 0.1 0.26\n")
    return tmp_path


def test_labels_become_boxes_in_pixels(folder):
    (photo,) = read_folder(folder)
    assert photo.tiles.tolist() == [3, 7]
    assert photo.boxes == pytest.approx(np.array([[20, 20, 40, 46], [60, 20, 80, 46]]), abs=0.01)


def test_photos_named_to_be_skipped_are(folder):
    assert list(read_folder(folder, frozenset({"one"}))) == []


def test_a_label_line_that_is_none_is_named(folder):
    (folder / "labels" / "one.txt").write_text("3 0.1 0.2\n")
    with pytest.raises(ValueError, match=r"one\.txt"):
        list(read_folder(folder))


def test_one_of_several_splits_is_read_and_none_is_skipped_silently(folder):
    for part in ("images", "labels"):
        (folder / part).rename(folder / "train")
        (folder / part).mkdir()
        (folder / "train").rename(folder / part / "train")
    (folder / "images" / "val").mkdir()
    with pytest.raises(LabelsError, match=r"the folders train, val; .*--split"):
        list(read_folder(folder))
    (photo,) = read_folder(folder, split="train")
    assert photo.tiles.tolist() == [3, 7]
    with pytest.raises(LabelsError, match="test cannot be read"):
        list(read_folder(folder, split="test"))


def test_tiles_are_cut_at_the_located_quads_and_unlabelled_finds_left_out(folder):
    faces = cut_tiles(
        read_folder(folder), StandIn([quad(61, 20), quad(20, 21), quad(150, 60)], [0.9, 0.9, 0.9])
    )
    assert sorted(faces.tiles.tolist()) == [3, 7]
    red = faces.images[faces.tiles.tolist().index(3)]
    assert red[64, 48].tolist() == [255, 0, 0]
    assert not faces.upright.any()


def test_a_sure_find_without_a_label_is_a_tile_too(folder):
    locator = StandIn([quad(20, 20), quad(60, 20), quad(120, 50)], [0.9, 0.9, 0.8])
    assert rotated_labels(read_folder(folder), locator, folder / "out") == 1
    lines = (folder / "out" / "labels" / "one.txt").read_text().splitlines()
    assert len(lines) == 3
    assert [float(v) for v in lines[0].split()[1:3]] == pytest.approx([0.1, 0.2], abs=1e-3)


@pytest.mark.parametrize(
    ("quads", "scores"),
    [([quad(20, 20)], [0.9]), ([quad(20, 20), quad(60, 20), quad(120, 50)], [0.9, 0.9, 0.4])],
    ids=["a labelled tile missed", "an unsure find without a label"],
)
def test_photos_that_would_leave_a_tile_unlabelled_are_left_out(folder, quads, scores):
    assert rotated_labels(read_folder(folder), StandIn(quads, scores), folder / "out") == 0
    assert list((folder / "out" / "labels").iterdir()) == []


def test_catalogue_reads_crops_and_numbers_their_sets(tmp_path):
    (tmp_path / "faces").mkdir()
    Image.new("RGB", (48, 64), (10, 200, 30)).save(tmp_path / "faces" / "a.png")
    with (tmp_path / "labels.csv").open("w", newline="") as lines:
        csv.writer(lines).writerows([["file", "tile", "set"], ["a.png", "E", "X"], ["a.png", "9s", "Y"]])
    faces = catalogue(tmp_path)
    assert faces.tiles.tolist() == [27, 26]
    assert faces.sets.tolist() == [0, 1]
    assert faces.images.shape == (2, 128, 96, 3)


def test_catalogue_names_a_row_that_it_cannot_use(tmp_path):
    (tmp_path / "faces").mkdir()
    (tmp_path / "labels.csv").write_text("file,tile,set\nmissing.png,E,X\n")
    with pytest.raises(ValueError, match=r"missing\.png"):
        catalogue(tmp_path)


def test_archives_round_trip_and_sets_stay_apart_when_joined(tmp_path):
    images = np.zeros((2, 128, 96, 3), np.uint8)
    np.savez(tmp_path / "faces.npz", images=images, tiles=[0, 1], sets=[0, 1])
    faces = archive(tmp_path / "faces.npz")
    both = join([faces, faces])
    assert both.sets.tolist() == [0, 1, 2, 3]
    np.savez(tmp_path / "bad.npz", images=images, tiles=[0, 99], sets=[0, 1])
    with pytest.raises(ValueError, match="0\\.\\.42"):
        archive(tmp_path / "bad.npz")


def test_a_share_weighs_a_source_whatever_its_size():
    def flat(count):
        return Faces(
            np.zeros((count, 128, 96, 3), np.uint8),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.ones(count, bool),
            np.ones(count),
        )

    small, large = with_share(flat(2), 0.75), with_share(flat(50), 0.25)
    assert small.weights.sum() == pytest.approx(0.75)
    assert large.weights.sum() == pytest.approx(0.25)
