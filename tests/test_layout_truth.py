"""Layouts of the annotated public photos, with names drawn at a given accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from layout_simulation import Verdict, judge, simulate, truth_folder, truths

from vision.layout import lay_out

pytestmark = pytest.mark.skipif(
    truth_folder() is None,
    reason="needs the public photos' truth files (data/eval under HUPAI_SHARED or ../shared)",
)


def verdicts(accuracy: float, seed: int = 1, roll: float = 0.0, **noise: float) -> list[Verdict]:
    rng = np.random.default_rng(seed)
    scenes = [simulate(truth, rng, accuracy, roll=roll, **noise) for truth in truths()]
    return [judge(scene, lay_out(scene.located, scene.named, photo_size=scene.size)) for scene in scenes]


@pytest.mark.parametrize("roll", [0.0, 180.0, 25.0])
def test_with_every_name_right_nearly_all_hands_and_layouts_are(roll: float) -> None:
    found = verdicts(1.0, roll=roll)
    hands = [verdict for verdict in found if verdict.has_hand]
    assert np.mean([verdict.hand for verdict in hands]) >= 0.95
    assert np.mean([verdict.layout for verdict in hands]) >= 0.88
    assert all(verdict.hand for verdict in found if not verdict.has_hand)


def test_the_rules_repair_far_more_than_they_break() -> None:
    hands = [verdict for verdict in verdicts(0.96) if verdict.has_hand]
    before, after = np.mean([v.before for v in hands]), np.mean([v.hand for v in hands])
    assert after >= before + 0.15
    assert sum(v.repaired for v in hands) >= 4 * sum(v.broken for v in hands)
    assert sum(v.before and not v.hand for v in hands) <= 3


def test_false_and_missed_finds_spoil_few_hands() -> None:
    hands = [verdict for verdict in verdicts(1.0, false=0.5) if verdict.has_hand]
    assert np.mean([verdict.hand for verdict in hands]) >= 0.88
