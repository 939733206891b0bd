"""Label rendered pictures on a Ray cluster of this machine, kill one of its parts, and count what was lost.

    python tests/benchmarks/bench_cluster.py [--pictures 400] [--workers 2] [--kill worker|node|nothing]

Each worker is a node of its own with one CPU, as if it were another machine. When a third of the pictures is
done, `worker` kills (SIGKILL) the process that labels, `node` the whole node, which does not come back. The
same pictures are labelled by `hupai label`'s own processes too: their speed is what the cluster's is held
against, and their rows are what the cluster's must equal. Needs Linux and the extra `cluster`; run it on an
otherwise idle machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from machine import headline

SIZES = (0.4, 0.8)
"""Of the shipped sample, a rendered scene of 1600 × 1200 pixels: each picture has a scale of its own."""


def render(folder: Path, count: int) -> None:
    """`count` pictures that differ in size."""
    import cv2

    from models.registry import SAMPLE_PHOTO

    sample = cv2.imread(str(SAMPLE_PHOTO))
    folder.mkdir()
    for number in range(count):
        scale = SIZES[0] + (SIZES[1] - SIZES[0]) * number / count
        cv2.imwrite(str(folder / f"{number:06d}.jpg"), cv2.resize(sample, None, fx=scale, fy=scale))


def labelling_processes() -> list[int]:
    """Process ids of Ray's labelling actors on this machine."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"ray::Map" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def killer(kind: str, cluster: Any) -> Callable[[int, int], None]:
    """A function to call with what is done, that kills one part of the cluster once."""
    done_once: list[str] = []

    def tell(done: int, total: int) -> None:
        if kind == "nothing" or done_once or done < total / 3:
            return
        done_once.append(kind)
        if kind == "node":
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
        else:
            os.kill(labelling_processes()[-1], signal.SIGKILL)
        print(f"killed a {kind} at {done} of {total}", file=sys.stderr)

    return tell


def main() -> None:
    """Print a table, and end with 1 where a row is lost, doubled or other than on one machine."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", choices=("worker", "node", "nothing"), default="worker")
    parser.add_argument("--shard-size", type=int, default=16)
    given = parser.parse_args()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

    from ray.cluster_utils import Cluster as Machines

    from datasets.labelling.cluster.engine import Cluster, label_shards
    from datasets.labelling.cluster.importer import read_rows
    from datasets.labelling.cluster.shards import Run
    from datasets.labelling.cluster.storage import open_store
    from datasets.labelling.inputs import Listing
    from datasets.labelling.labeller import current_models
    from datasets.labelling.manifest import Manifest
    from datasets.labelling.run import Settings, label_all

    with tempfile.TemporaryDirectory() as scratch:
        photos = Path(scratch) / "photos"
        render(photos, given.pictures)

        begun = time.perf_counter()
        with Manifest.create(Path(scratch) / "here") as manifest:
            label_all(manifest, Listing([str(photos)]), Settings(), given.workers)
            alone = time.perf_counter() - begun
            wanted = {image.source: (image.sha256, manifest.boxes(image.id)) for image in manifest.images()}

        node = {"num_cpus": 1, "object_store_memory": 100 << 20}
        machines = Machines(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        for _ in range(given.workers - 1):
            machines.add_node(**node)
        store = open_store(str(Path(scratch) / "shards"))
        begun = time.perf_counter()
        label_shards(
            [str(photos)], store, Run(current_models(), size=given.shard_size),
            Cluster(machines.address, given.workers), tell=killer(given.kill, machines),
        )  # fmt: skip
        together = time.perf_counter() - begun
        machines.shutdown()

        rows = list(read_rows(store))
        counts = Counter(row.listed.source for row in rows)
        doubled = sum(count - 1 for count in counts.values())
        lost = len(wanted.keys() - counts.keys())
        other = sum(
            row.result is None or (row.result.sha256, row.result.boxes) != wanted[row.listed.source]
            for row in rows
        )

    print(f"{headline()}; {given.pictures} pictures, {given.workers} workers")
    print(f"{'processes of one machine':32}{given.pictures / alone:7.1f} pictures/s")
    print(f"{f'Ray, {given.kill} killed':32}{given.pictures / together:7.1f} pictures/s")
    print(f"lost {lost}, doubled {doubled}, other than on one machine {other}")
    sys.exit(1 if lost or doubled or other else 0)


if __name__ == "__main__":
    main()
