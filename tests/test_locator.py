"""Locator and rectifier arithmetic, on boxes that the test makes itself; no weights and no photo needed."""

import cv2
import numpy as np
import pytest

from vision.locator import Boxes, corners, decode, letterbox, suppress
from vision.rectify import rectify, signed_area


def boxes(rows):
    """Rows of x, y, w, h, angle, face score, back score."""
    table = np.array(rows, np.float32)
    return Boxes(table[:, :2], table[:, 2:4], table[:, 4], table[:, 5:])


@pytest.mark.parametrize("angle", np.linspace(-np.pi, np.pi, 9))
def test_corners_run_clockwise_at_any_angle(angle):
    quad = corners(np.array([[50.0, 60.0]]), np.array([[20.0, 30.0]]), np.array([angle]))[0]
    assert signed_area(quad) == pytest.approx(600, rel=1e-4)
    assert quad.mean(axis=0) == pytest.approx([50, 60], abs=1e-3)


def test_corners_of_an_unturned_box_start_top_left():
    quad = corners(np.array([[50.0, 60.0]]), np.array([[20.0, 30.0]]), np.array([0.0]))[0]
    assert quad.tolist() == [[40, 45], [60, 45], [60, 75], [40, 75]]


def test_suppression_keeps_touching_neighbours_and_drops_doubles():
    found = suppress(
        boxes(
            [
                (100, 100, 40, 54, 0.3, 0.9, 0.1),
                (102, 101, 40, 54, 0.3, 0.8, 0.1),
                (138, 112, 40, 54, 0.3, 0.7, 0.1),
                (400, 400, 40, 54, 0.0, 0.2, 0.6),
                (500, 500, 40, 54, 0.0, 0.05, 0.05),
            ]
        ),
        threshold=0.25,
        overlap=0.3,
    )
    assert len(found) == 3
    assert found.backs.tolist() == [False, False, True]
    assert found.scores == pytest.approx([0.9, 0.7, 0.6])


def test_nothing_found_is_an_empty_result():
    found = suppress(boxes([(1, 1, 9, 9, 0, 0.1, 0.1)]), 0.25, 0.3)
    assert len(found) == 0 and found.quads.shape == (0, 4, 2)


@pytest.mark.parametrize("size", [(4000, 3000), (3000, 4000), (640, 640), (100, 30)])
def test_letterbox_scales_the_longer_side_and_pads_to_the_stride(size):
    blob, scale = letterbox(np.full((size[1], size[0], 3), 255, np.uint8), 640)
    assert blob.shape[2] % 32 == 0 and blob.shape[3] % 32 == 0
    assert max(blob.shape[2:]) == 640
    assert scale * max(size) == pytest.approx(640)
    assert blob.max() == 1.0 and blob.dtype == np.float32


def test_decoded_boxes_are_in_pixels_of_the_photo():
    output = np.array([[10.0], [20.0], [4.0], [6.0], [0.9], [0.1], [0.5]], np.float32)
    found = decode(output, scale=0.5)
    assert found.centres.tolist() == [[20, 40]]
    assert found.sizes.tolist() == [[8, 12]]
    assert found.angles.tolist() == [0.5]


def test_rectified_faces_are_upright_and_not_mirrored():
    face = np.zeros((120, 90, 3), np.uint8)
    face[:60, :45] = 255  # only the top left quarter is white
    target = np.array([[200, 300], [262, 330], [222, 413], [160, 383]], np.float32)
    source = np.array([[0, 0], [90, 0], [90, 120], [0, 120]], np.float32)
    photo = cv2.warpPerspective(face, cv2.getPerspectiveTransform(source, target), (640, 640))
    crop = rectify(photo, target[None], 64)[0].mean(axis=2)
    quarters = [
        crop[8:24, 8:24].mean(),
        crop[8:24, 40:56].mean(),
        crop[40:56, 8:24].mean(),
        crop[40:56, 40:56].mean(),
    ]
    assert quarters[0] > 240 and max(quarters[1:]) < 15


def test_counter_clockwise_corners_are_refused():
    quad = np.array([[[0, 0], [0, 10], [10, 10], [10, 0]]], np.float32)
    with pytest.raises(ValueError, match="counter-clockwise"):
        rectify(np.zeros((20, 20, 3), np.uint8), quad, 8)


def test_large_faces_are_averaged_down_not_sampled():
    photo = np.zeros((800, 800, 3), np.uint8)
    photo[:, ::2] = 255  # a pattern that plain sampling would turn into stripes
    quad = np.array([[[100, 100], [700, 100], [700, 700], [100, 700]]], np.float32)
    crop = rectify(photo, quad, 96)[0].astype(float)
    assert crop[..., 0].std() < 40


@pytest.mark.parametrize("size", [(4000, 3000), (4001, 3003), (1279, 961), (640, 480), (200, 150)])
def test_letterbox_keeps_places_however_it_scales(size):
    """A white spot lies where the scale says, also after halving, and white and black stay 1 and 0."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    side = size[0] // 10
    pixels[4 * side : 5 * side, 6 * side : 7 * side] = 255
    blob, scale = letterbox(pixels, 640)
    shown = blob[0, 0, : round(size[1] * scale)]
    rows, columns = np.nonzero(shown > 0.5)
    middle = np.array([columns.mean(), rows.mean()]) + 0.5
    assert middle == pytest.approx(np.array([6.5 * side, 4.5 * side]) * scale, abs=1)
    assert len(rows) == pytest.approx((side * scale) ** 2, rel=0.05)
    assert (shown.min(), shown.max()) == (0, 1)


def test_no_quads_give_no_crops():
    crops = rectify(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4, 2), np.float32), 96)
    assert crops.shape == (0, 96, 96, 3)


def test_one_mirrored_quad_among_others_is_refused():
    quad = np.array([[10, 10], [30, 10], [30, 40], [10, 40]], np.float32)
    with pytest.raises(ValueError, match="counter-clockwise"):
        rectify(np.zeros((50, 50, 3), np.uint8), np.stack([quad, quad[::-1]]), 96)
