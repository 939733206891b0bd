"""Boxes around quads, the face within a located box, and matching."""

import numpy as np
import pytest

from vision.boxes import FACE_SHARE, around, face_of, match


def test_the_box_around_a_turned_quad():
    assert around(np.array([[[10, 0], [20, 10], [10, 20], [0, 10]]], np.float32)).tolist() == [[0, 0, 20, 20]]
    assert around(np.zeros((0, 4, 2), np.float32)).shape == (0, 4)


def test_the_face_is_drawn_in_towards_the_middle_and_keeps_its_first_corner():
    face = np.array(face_of(((0.0, 0.0), (100.0, 0.0), (100.0, 200.0), (0.0, 200.0))))
    assert face.mean(axis=0) == pytest.approx([50, 100])
    assert np.ptp(face, axis=0) == pytest.approx([100 * FACE_SHARE, 200 * FACE_SHARE])
    assert face[0] == pytest.approx(face.min(axis=0))


def test_each_box_is_matched_once_and_the_better_pair_wins():
    true = np.array([[0, 0, 30, 30], [100, 0, 130, 30]], np.float32)
    found = np.array([[8, 0, 38, 30], [1, 0, 31, 30], [115, 0, 145, 30]], np.float32)
    assert match(found, true) == [(1, 0)]
