"""The scene generator: geometry, truth of what is visible, labels. Faces here are flat colours made by the
test."""

import numpy as np
import pytest

from datasets.crops import NOT_A_FACE, CropMaker, Faces, inexact
from datasets.scenes.arrange import Piece, random_table, random_tile_size
from datasets.scenes.generate import Scene, SceneMaker, label_lines
from datasets.scenes.geometry import SIDES, Camera, face_down, lying, standing
from datasets.scenes.render import Look, paint
from vision.rectify import rectify, signed_area

SIZE = (1.0, 1.35, 0.8)
LOOK = Look(
    back=(0, 120, 0),
    split=0.6,
    light=(0, 0, 1),
    ambient=1.0,
    rounding=0.0,
    shadow=0.0,
    bevel=0.0,
    body=(250, 250, 250),
)


def overhead(side: int = 400, distance: float = 10.0, roll: float = 0.0) -> Camera:
    return Camera(np.array([0.0, -0.01, distance]), np.zeros(3), 400.0, (side, side), roll)


def quadrants() -> np.ndarray:
    """A face whose four quarters differ: red, green / blue, white."""
    face = np.zeros((128, 96, 3), np.uint8)
    face[:64, :48], face[:64, 48:] = (255, 0, 0), (0, 255, 0)
    face[64:, :48], face[64:, 48:] = (0, 0, 255), (255, 255, 255)
    return face


def invented_faces(sets: int = 2) -> Faces:
    rng = np.random.default_rng(3)
    count = 42 * sets
    images = np.repeat(
        np.repeat(rng.integers(0, 255, (count, 8, 6, 3), dtype=np.uint8), 16, axis=1), 16, axis=2
    )
    tiles = np.tile(np.arange(42), sets)
    return Faces(images, tiles, np.repeat(np.arange(sets), 42), np.ones(count, bool), np.ones(count))


@pytest.mark.parametrize(
    ("box", "normal"),
    [
        (lying(0, 0, 0.4, SIZE), (0, 0, 1)),
        (face_down(0, 0, 0.4, SIZE), (0, 0, -1)),
        (standing(0, 0, 0.0, 0.0, SIZE), (0, -1, 0)),
        (standing(0, 0, 0.0, 0.0, SIZE, upside_down=True), (0, -1, 0)),
    ],
)
def test_boxes_face_where_they_should_and_rest_on_the_table(box, normal):
    assert box.normal == pytest.approx(np.array(normal), abs=1e-9)
    assert box.corners()[:, 2].min() == pytest.approx(0.0, abs=1e-9)


def test_sides_point_outwards():
    corners = lying(0, 0, 0, SIZE).corners()
    middle = corners.mean(axis=0)
    for first, second, rear_first, _ in SIDES:
        normal = np.cross(corners[rear_first] - corners[first], corners[second] - corners[first])
        assert normal @ (corners[first] - middle) > 0


@pytest.mark.parametrize("roll", [0.0, 0.7, np.pi / 2, np.pi])
def test_a_painted_face_is_never_mirrored_and_its_quad_starts_at_its_own_top_left(roll):
    box = lying(0, 0, 0.3, SIZE)
    canvas = np.zeros((400, 400, 3), np.uint8)
    image, seen = paint(canvas, [Piece(box, 5)], [quadrants()], overhead(roll=roll), LOOK)
    (face,) = seen
    assert signed_area(face.quad.astype(np.float32)) > 0
    crop = rectify(image, face.quad[None].astype(np.float32), 96)[0]
    assert crop[20, 20, 0] > 200 and crop[20, 20, 1] < 60
    assert crop[20, 75, 1] > 200 and crop[20, 75, 0] < 60
    assert crop[75, 20, 2] > 200 and crop[75, 20, 0] < 60


def test_a_nearer_tile_hides_a_farther_one_and_the_quad_shrinks_to_what_shows():
    below = lying(0, 0, 0, SIZE)
    above = lying(0, -0.6, 0, SIZE, level=SIZE[2])
    faces = [quadrants(), quadrants()]
    canvas = np.zeros((400, 400, 3), np.uint8)
    _, seen = paint(canvas, [Piece(below, 1), Piece(above, 2)], faces, overhead(), LOOK)
    part = next(s for s in seen if s.piece == 0)
    whole = next(s for s in seen if s.piece == 1)
    assert whole.visible > 0.97
    assert 0.2 < part.visible < 0.6
    assert np.ptp(part.quad[:, 1]) < 0.65 * np.ptp(whole.quad[:, 1])


def test_face_down_tiles_are_seen_as_backs():
    canvas = np.zeros((400, 400, 3), np.uint8)
    _, seen = paint(canvas, [Piece(face_down(0, 0, 0, SIZE), 3)], [quadrants()], overhead(), LOOK)
    assert [s.tile for s in seen] == [None]


def test_tables_of_every_kind_can_be_drawn():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = random_table(rng, random_tile_size(rng))
        assert all(p.tile is None or 0 <= p.tile < 42 for p in table.pieces)


def test_scenes_repeat_with_their_seed_and_labels_stay_inside_the_picture():
    maker = SceneMaker(invented_faces(), [], side=256)
    first, again = (maker.draw(np.random.default_rng(5)) for _ in range(2))
    assert (first.image == again.image).all()
    tiles = 0
    for seed in range(12):
        scene = maker.draw(np.random.default_rng(seed))
        assert scene.image.shape == (256, 256, 3) and scene.image.dtype == np.uint8
        for line in label_lines(scene).splitlines():
            name, *numbers = line.split()
            assert name in {"0", "1"} and len(numbers) == 8
            assert all(0 <= float(n) <= 1 for n in numbers)
            tiles += 1
    assert tiles > 20


def test_an_empty_scene_has_an_empty_label_file():
    assert label_lines(Scene(np.zeros((8, 8, 3), np.uint8), [])) == ""


def test_crops_have_a_known_tile_and_turn():
    maker = CropMaker(invented_faces(), negatives=0.3)
    rng = np.random.default_rng(0)
    seen = {tile for _ in range(400) for crop, tile, turn in [maker.draw(rng)] if crop.shape == (96, 96, 3)}
    assert NOT_A_FACE in seen
    assert len(seen) > 35


def test_inexact_quads_stay_clockwise_and_near():
    rng = np.random.default_rng(1)
    corners = np.array([[0, 0], [96, 0], [96, 128], [0, 128]], np.float32)
    for _ in range(300):
        quad = inexact(corners, rng)
        assert signed_area(quad) > 0
        assert np.abs(quad.mean(axis=0) - [48, 64]).max() < 60
