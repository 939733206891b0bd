"""Sets held out of training: which faces belong to which design, and what is counted. No photo is needed."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")

import torch

from datasets.crops import Faces
from models.training.held_out import Design, Result, as_table, designs, measure


class Brightness(torch.nn.Module):
    """Names a crop by its mean brightness, in 43 steps."""

    def forward(self, crops):
        step = (crops.mean(dim=(1, 2, 3)) * 43).long().clamp(0, 42)
        return torch.nn.functional.one_hot(step, 47).float()


def plain_faces(tiles, levels):
    images = np.stack([np.full((128, 96, 3), level, np.uint8) for level in levels])
    count = len(tiles)
    return Faces(images, np.array(tiles), np.zeros(count, int), np.ones(count, bool), np.ones(count))


def test_shares_count_every_turn_of_every_face():
    level = {tile: int((tile + 0.5) / 43 * 255) for tile in range(43)}
    faces = plain_faces([3, 9, 20, 30], [level[3], level[9], level[20], level[5]])
    plain, camera = measure(Brightness(), Design("any", 1, faces, photographed=False))
    assert plain == 0.75
    assert camera is not None and camera < 0.75, "a camera changes brightness"
    assert measure(Brightness(), Design("any", 1, faces, photographed=True)) == (0.75, None)


def test_every_catalogue_face_is_in_one_design(tmp_path):
    import cv2

    (tmp_path / "faces").mkdir()
    rows = ["file,tile,set", "a0001.jpg,1m,", "a0628.jpg,2m,", "b0001.jpg,3m,U5"]
    for row in rows[1:]:
        cv2.imwrite(str(tmp_path / "faces" / row.split(",")[0]), np.zeros((128, 96, 3), np.uint8))
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    photos = tmp_path / "photos.npz"
    np.savez(photos, images=np.zeros((2, 128, 96, 3), np.uint8), tiles=np.zeros(2, int), sets=np.arange(2))
    found = designs(tmp_path, photos)
    assert sum(len(design.faces) for design in found) == 5
    assert {design.fold for design in found if len(design.faces)} == {1, 3}
    (tmp_path / "labels.csv").write_text("\n".join([*rows, "b0001.jpg,3m,U99"]) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="U99"):
        designs(tmp_path, photos)


def test_the_last_row_weighs_sets_by_their_crops():
    table = as_table([Result("a", 30, 1.0, 0.9, 0.5), Result("b", 10, 0.6, None, 0.1)])
    assert "| all | 40 | 90.0 % | 90.0 % | 40.0 % |" in table
