"""Labelling on a Ray cluster of two machines (two nodes of one CPU here), a part of which is killed."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="needs Ray: pip install 'hupai[cluster]'")
if not sys.platform.startswith("linux"):
    pytest.skip("finds the worker to kill in /proc", allow_module_level=True)

import cv2
from cluster_rows import content
from ray.cluster_utils import Cluster as TwoMachines

from datasets.labelling.cluster.engine import Cluster, label_shards
from datasets.labelling.cluster.importer import import_shards, read_rows, settings_of
from datasets.labelling.cluster.shards import Run
from datasets.labelling.cluster.storage import open_store
from datasets.labelling.inputs import Listing
from datasets.labelling.labeller import current_models
from datasets.labelling.run import Settings, label_all, opened
from models.registry import SAMPLE_PHOTO

PICTURES = 16
STORE = 100 << 20


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> Iterator[TwoMachines]:
    """A cluster of two nodes with one CPU each, on this machine."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    node = {"num_cpus": 1, "object_store_memory": STORE}
    cluster = TwoMachines(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        cluster.add_node(**node)
        yield cluster
    finally:
        cluster.shutdown()


def workers() -> list[int]:
    """Process ids of the actors that label, of the nodes that this process has started."""
    parents, named = {}, []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if b"ray::Map" in (entry / "cmdline").read_bytes():
                named.append(int(entry.name))
        except OSError:  # has ended meanwhile
            continue

    def ours(process: int) -> bool:
        while process in parents:
            process = parents[process]
            if process == os.getpid():
                return True
        return False

    return sorted(filter(ours, named))


@pytest.mark.parametrize("part", ["worker", "node"])
def test_what_is_killed_loses_nothing_and_doubles_nothing(
    part: str, tmp_path: Path, machines: TwoMachines
) -> None:
    """A killed worker is started anew; a killed node does not come back, and the other one does all."""
    photos = tmp_path / "photos"
    photos.mkdir()
    sample = cv2.imread(str(SAMPLE_PHOTO))  # rendered
    for k in range(PICTURES):
        scale = 0.4 + 0.01 * k
        cv2.imwrite(str(photos / f"{k:02d}.jpg"), cv2.resize(sample, None, fx=scale, fy=scale))
    (photos / "bad.jpg").write_bytes(b"no picture")

    store, killed, address = open_store(str(tmp_path / "shards")), [], machines.address
    run = Run(current_models(), size=2)

    def tell(done: int, total: int) -> None:
        # When the first shard is kept, the other worker is in the middle of its own.
        if not 0 < done < total or killed or not (found := workers()):
            return
        if part == "node":
            machines.remove_node(next(iter(machines.worker_nodes)), allow_graceful=False)
        else:
            os.kill(found[-1], signal.SIGKILL)
        killed.append(found[-1])

    summary = label_shards([str(photos)], store, run, Cluster(address, workers=2), tell=tell)
    assert killed
    assert part == "node" or not Path(f"/proc/{killed[0]}").exists()
    assert (summary.done, summary.failed) == (PICTURES + 1, 1)
    sources = [row.listed.source for row in read_rows(store)]
    assert sources == [item.source for item in Listing([str(photos)])]
    assert len([name for name in store.names() if name.endswith(".parquet")]) == (PICTURES + 2) // 2
    assert not [path for path in (tmp_path / "shards").iterdir() if path.name.startswith(".")]

    settings = Settings()
    with opened(tmp_path / "there", settings_of(store, settings), resume=False) as manifest:
        import_shards(manifest, store, settings)
    with opened(tmp_path / "here", settings, resume=False) as manifest:
        label_all(manifest, Listing([str(photos)]), settings, workers=2)
    assert content(tmp_path / "there") == content(tmp_path / "here")

    begun = time.time()
    again = label_shards([str(photos)], store, run, Cluster(address), resume=True)
    assert (again.done, again.failed) == (PICTURES + 1, 1)
    changed = [path.name for path in (tmp_path / "shards").glob("*.parquet") if path.stat().st_mtime > begun]
    assert changed == []
