"""Flags, duplicates and splits of labelled pictures."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_folder import turned

from datasets.labelling.duplicates import NEAR, group_alike, perceptual_hash
from datasets.labelling.flags import MEANINGS, rule_flags
from datasets.labelling.labeller import Labeller
from datasets.labelling.records import Box
from datasets.labelling.splits import SPLITS, joined, split_groups
from models.registry import SAMPLE_PHOTO


def row(tiles: str, **changes: float) -> list[Box]:
    """Clear boxes side by side."""
    options = {"confidence": 0.95, "margin": 0.95, **changes}
    names = tiles.split()
    return [Box(name, turned(40 + 32 * n, 50, 30, 40, 0), **options) for n, name in enumerate(names)]


@pytest.mark.parametrize(
    ("boxes", "flags"),
    [
        (row("1m 1m 1m 1m 2m a b"), ()),
        ([], ("no-tiles",)),
        (row("1m 1m 1m 1m 1m"), ("five-of-a-kind",)),
        (row("a a 1m"), ("two-of-one-flower",)),
        (row("B B B B B B"), ()),
        (row("1m ? 2m"), ("unnamed",)),
        (row("1m 2m 3m", confidence=0.3), ("near-threshold",)),
        (row("1m 2m 3m", margin=0.3), ("unsure-name",)),
        ([*row("1m 2m 3m"), Box("4m", turned(44, 52, 30, 40, 3), 0.9, 0.9)], ("overlapping",)),
        ([*row("1m 2m 3m"), Box("4m", turned(200, 50, 60, 40, 0), 0.9, 0.9)], ("odd-aspect",)),
        ([*row("1m 2m 3m"), Box("4m", turned(200, 50, 12, 16, 0), 0.9, 0.9)], ("tiny",)),
        ([*row("1m 2m"), Box("4m", turned(150, 50, 30, 40, 0), 0.1, 0.1, origin="human")], ()),
        # Neighbours in a slanting row: their upright boxes share a third.
        ([Box("1m", turned(100 + 23 * n, 60 + 23 * n, 30, 40, 45), 0.9, 0.9) for n in range(4)], ()),
    ],
)
def test_flags(boxes: list[Box], flags: tuple[str, ...]) -> None:
    assert rule_flags(boxes, 0.25) == flags
    assert set(flags) <= set(MEANINGS)


def test_a_picture_scaled_and_saved_anew_is_the_same_and_another_is_not() -> None:
    scene = cv2.cvtColor(cv2.imread(str(SAMPLE_PHOTO)), cv2.COLOR_BGR2RGB)
    small = cv2.resize(scene, (640, 480), interpolation=cv2.INTER_AREA)
    coarse = cv2.imdecode(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 40])[1], cv2.IMREAD_COLOR)
    hashes = [perceptual_hash(picture) for picture in (scene, small, coarse, scene[200:1000, :800])]
    assert group_alike(hashes).tolist() == [0, 0, 0, 3]


@given(st.lists(st.integers(0, 2**64 - 1), max_size=40), st.randoms())
def test_groups_are_those_of_comparing_each_with_each(numbers: list[int], chance: random.Random) -> None:
    numbers += [n ^ sum(1 << bit for bit in chance.sample(range(64), NEAR)) for n in numbers[:5]]
    numbers += [n ^ sum(1 << bit for bit in chance.sample(range(64), NEAR + 1)) for n in numbers[:5]]
    first = list(range(len(numbers)))
    for _ in numbers:  # until nothing changes
        for a, one in enumerate(numbers):
            for b, two in enumerate(numbers):
                if (one ^ two).bit_count() <= NEAR:
                    first[a] = first[b] = min(first[a], first[b])
    assert group_alike([f"{n:016x}" for n in numbers]).tolist() == first


def test_ten_thousand_hashes_are_grouped_in_seconds() -> None:
    rng = np.random.default_rng(0)
    hashes = [f"{n:016x}" for n in rng.integers(0, 2**63, 10_000, dtype=np.uint64)]
    groups = group_alike([*hashes, *hashes[:100]])
    assert groups[10_000:].tolist() == list(range(100))
    assert len(set(groups.tolist())) == 10_000


def test_what_belongs_together_by_either_is_one_group() -> None:
    groups = joined(["a", "a", "b", "c"], [1, 2, 2, 3])
    assert groups[0] == groups[1] == groups[2] != groups[3]


@given(st.dictionaries(st.text(min_size=1, max_size=5), st.integers(1, 30), max_size=30), st.integers(0, 5))
def test_splits_do_not_depend_on_order_and_leave_none_empty(sizes: dict[str, int], seed: int) -> None:
    shares = (0.8, 0.1, 0.1)
    split = split_groups(sizes, shares, seed)
    assert split == split_groups(dict(reversed(sizes.items())), shares, seed)
    assert set(split) == set(sizes)
    if sizes:
        assert len(set(split.values())) == min(len(sizes), 3)


def test_splits_have_about_their_shares_and_another_seed_deals_anew() -> None:
    sizes = {f"group {n}": 1 + n % 7 for n in range(500)}
    counts: defaultdict[str, int] = defaultdict(int)
    dealt = split_groups(sizes, (0.7, 0.2, 0.1), 0)
    for name, split in dealt.items():
        counts[split] += sizes[name]
    total = sum(sizes.values())
    for split, share in zip(SPLITS, (0.7, 0.2, 0.1), strict=True):
        assert counts[split] / total == pytest.approx(share, abs=0.02)
    assert dealt != split_groups(sizes, (0.7, 0.2, 0.1), 1)
    assert "test" not in split_groups(sizes, (0.8, 0.2, 0.0), 0).values()


def test_a_damaged_file_is_flagged(tmp_path: Path) -> None:
    """The rendered sample with 64 bytes gone, by the shipped models; whole it is not flagged."""
    data = SAMPLE_PHOTO.read_bytes()
    labeller = Labeller(0.25, second_pass=True)
    flags = []
    for name, content in (("whole", data), ("damaged", data[: len(data) // 2] + data[len(data) // 2 + 64 :])):
        path = tmp_path / f"{name}.jpg"
        path.write_bytes(content)
        flags.append("damaged" in labeller.label(str(path), None, name).flags)
    assert flags == [False, True]
