"""The run behind `hupai label-cluster`: shards of a listing, dealt to the workers of a Ray cluster."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from datasets.labelling.cluster.listing import Everything, cut
from datasets.labelling.cluster.shards import INDEX, RUN, Run, read_run, write_index
from datasets.labelling.cluster.storage import Store
from datasets.labelling.cluster.worker import Done, ShardLabeller
from datasets.labelling.inputs import InputError
from datasets.labelling.pool import usable_cores
from datasets.labelling.run import FAILURES_TOLD, Summary

OBJECT_STORE = 200 << 20
"""Bytes of shared memory for a cluster on this machine: what workers pass on are lists of names."""
_OURS = re.compile(r"part-\d{6,}-[0-9a-f]{16}\.parquet")


class ClusterError(Exception):
    """A cluster that cannot do it; `str()` is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Cluster:
    """Where work is done. address: of a running Ray cluster, `auto` for the one that this machine is part of,
    None to start one on this machine. workers: how many, None for one a CPU of the cluster."""

    address: str | None = None
    workers: int | None = None


def label_shards(
    inputs: Sequence[str],
    store: Store,
    run: Run,
    cluster: Cluster,
    *,
    resume: bool = False,
    tell: Callable[[int, int], None] | None = None,
) -> Summary:
    """Label the inputs into Parquet files in `store`. Killed at any point, it goes on by `resume`.

    tell: called with how many images are done and how many there are.

    Raises InputError, StorageError, OutputError, ClusterError, models.registry.ModelError.
    """
    _begin(store, run, resume)
    listing = Everything(inputs, run.every)
    rows: list[dict[str, Any]] = []
    total = done = failed = 0
    for shard in cut(listing, run.size, run.to_json()):
        rows.append(shard.to_row())
        total += len(shard.images)
    if not rows:
        raise InputError(f"No picture is in {', '.join(inputs)}; check the name.")
    reasons: list[str] = []
    if tell is not None:
        tell(0, total)
    with _connected(cluster) as workers:
        for part in _label(rows, store, run, workers):
            if part.stopped is not None:
                raise ClusterError(part.stopped)
            done, failed = done + part.images, failed + part.failed
            reasons += part.reasons[: FAILURES_TOLD - len(reasons)]
            if tell is not None:
                tell(done, total)
    names = [str(row["name"]) for row in rows]
    write_index(store, names, total)
    for name in set(store.names()) - set(names):
        if _OURS.fullmatch(name):  # of pictures that have changed since, or have another place
            store.remove(name)
    return Summary(done, failed, tuple(reasons), tuple(listing.problems))


def _begin(store: Store, run: Run, resume: bool) -> None:
    """Keep what the run is, or find that it goes on with the same."""
    kept = read_run(store)
    if kept is None:
        if names := store.names():
            raise ClusterError(
                f"{store.url} is not empty ({names[0]} is there); name a new folder for the shards."
            )
        store.write(RUN, run.to_json().encode())
    elif not resume:
        raise ClusterError(f"{store.url} has a run already; go on with it by --resume, or name a new folder.")
    elif kept != run:
        raise ClusterError(
            f"{store.url} was begun with other settings or models ({kept.to_json()}); resume with the same, "
            "or name a new folder."
        )
    if INDEX in store.names():  # until this run is finished, nobody may take it for finished
        store.remove(INDEX)


@contextmanager
def _connected(cluster: Cluster) -> Iterator[int]:
    """A connection to the cluster, and how many workers are wanted of it. Raises ClusterError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # tell nobody
    import ray

    already = ray.is_initialized()
    if not already:
        local: dict[str, Any] = {}
        if cluster.address is None:
            local = {"num_cpus": cluster.workers or usable_cores(), "object_store_memory": OBJECT_STORE}
        try:
            ray.init(
                cluster.address or "local",
                log_to_driver=False,
                logging_level="ERROR",
                include_dashboard=False,
                **local,
            )
        except Exception as error:  # Ray raises plain ones too
            where = f"at {cluster.address}" if cluster.address else "on this machine"
            reason = " ".join(str(error).split()).rstrip(".")
            raise ClusterError(f"There is no Ray cluster to be had {where}: {reason}.") from error
    try:
        yield cluster.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        if not already:
            ray.shutdown()


def _label(rows: Sequence[dict[str, Any]], store: Store, run: Run, workers: int) -> Iterator[Done]:
    """What comes of each shard, as it comes. A shard whose worker died is labelled by the next one: it has
    the same name, so it is kept once."""
    import ray
    from ray.data import ActorPoolStrategy, DataContext

    # Warnings stay, of a cluster without a free CPU for instance, but those that its bars are off and that a
    # pool which begins with all of its workers cannot grow.
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    for name in ("progress", "actor_autoscaler"):
        logging.getLogger(f"ray.data._internal.{name}").setLevel(logging.ERROR)
    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # One block a shard; one shard at a time with an actor, so that none waits behind another's.
    # A pool that may shrink: when a node is gone for good, Ray keeps its shard for an actor that must start
    # anew, and one of the others has to make room for it once it is idle. With a fixed size none ever does.
    most = min(workers, len(rows))
    pool = ActorPoolStrategy(min_size=1, max_size=most, initial_size=most, max_tasks_in_flight_per_actor=1)
    done = ray.data.from_items(list(rows), override_num_blocks=len(rows)).map(
        ShardLabeller,
        fn_constructor_args=(store.url, run),
        compute=pool,
        num_cpus=1,
    )
    try:
        yield from (Done.from_row(row) for row in done.iter_rows())
    except ray.exceptions.RayError as error:
        reason = " ".join(str(error).split())[:500]
        raise ClusterError(
            f"The Ray cluster gave up: {reason}. What is labelled is kept; go on by --resume."
        ) from error
