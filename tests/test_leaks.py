"""Photos of every kind leave no file open and no thread behind; `benchmarks/bench_soak.py` says more."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from PIL import Image
from pillow_heif import from_pillow

from models.registry import SAMPLE_PHOTO
from vision.errors import PhotoError
from vision.photo import load_photo

OPEN, RUNNING = Path("/proc/self/fd"), Path("/proc/self/task")
TIMES = 10

pytestmark = pytest.mark.skipif(not OPEN.is_dir(), reason="needs Linux's /proc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped, rendered sample, small, in each format, whole and cut short; a text; nothing."""
    folder = tmp_path_factory.mktemp("photos")
    sample = Image.open(SAMPLE_PHOTO).convert("RGB").resize((640, 480))
    for kind in ("jpeg", "png", "webp"):
        sample.save(folder / f"whole.{kind}")
    from_pillow(sample).save(folder / "whole.heic")
    for whole in list(folder.iterdir()):
        data = whole.read_bytes()
        whole.with_stem("cut").write_bytes(data[: len(data) // 2])
    shutil.copy(__file__, folder / "text.jpg")
    (folder / "empty.png").touch()
    return folder


def test_opening_photos_leaves_no_file_and_no_thread_behind(folder: Path) -> None:
    """Given as paths, streams and bytes."""
    held, answers = [], set()
    for _ in range(TIMES):
        opened = refused = 0
        for path in sorted(folder.iterdir()):
            for source in (path, io.BytesIO(path.read_bytes()), path.read_bytes()):
                try:
                    load_photo(source)
                    opened += 1
                except PhotoError:
                    refused += 1
        held.append([len(list(kind.iterdir())) for kind in (OPEN, RUNNING)])
        answers.add((opened, refused))
    assert len(answers) == 1
    assert opened >= 4 * 3
    assert refused >= 4 * 3
    assert held[-1] == held[0]
