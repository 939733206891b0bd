"""`hupai label-cluster`: the labelling of `hupai label` on many machines, kept as Parquet files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from models.commands.extras import need
from models.commands.labelling_options import Every, Fast, Lists, SecondPass
from models.commands.output import INTERRUPTED, complain

if TYPE_CHECKING:
    from datasets.labelling.export import Choice
    from datasets.labelling.manifest import Manifest
    from datasets.labelling.run import Settings, Summary


def label_cluster(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FOLDER",
            help="Folders, pictures, videos, patterns, @FILE with one path a line; or addresses such as "
            "s3://bucket/photos.",
            show_default=False,
        ),
    ] = None,
    shards: Annotated[
        str | None,
        typer.Option(
            "--shards", metavar="URL", help="A new folder for the Parquet files, here or at an address."
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="A running Ray cluster, `auto` for this machine's; by default one is started here.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="How many; by default one a CPU.", show_default=False),
    ] = None,
    min_confidence: Annotated[
        float,
        typer.Option(
            metavar="X", min=0.0, max=1.0, help="As for `hupai label`: what flags are held against."
        ),
    ] = 0.25,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is there already.")] = False,
    list_: Lists = None,
    every: Every = 30,
    second_pass: SecondPass = False,
    fast: Fast = False,
    shard_size: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Pictures of one file: what a worker that dies has to do again."
        ),
    ] = 128,
) -> None:
    """Label pictures on a Ray cluster.

    `hupai label --from-shards URL --out DIR` makes label files of what it found.
    """
    need("cluster")
    if shards is None:
        raise typer.BadParameter("say where the Parquet files go, by --shards URL.")
    given = [*(inputs or ()), *(f"@{path}" for path in list_ or ())]
    if not given:
        raise typer.BadParameter("name a folder of pictures.")

    from datasets.labelling.cluster.engine import Cluster, ClusterError, label_shards
    from datasets.labelling.cluster.shards import Run
    from datasets.labelling.cluster.storage import open_store
    from datasets.labelling.files import OutputError
    from datasets.labelling.inputs import InputError
    from datasets.labelling.labeller import current_models
    from models.commands.progress import progress
    from models.registry import ModelError

    try:
        run = Run(current_models(), min_confidence, every, second_pass, fast, shard_size)
        store = open_store(shards)
        with progress("Labelling") as tell:
            done = label_shards(given, store, run, Cluster(address, workers), resume=resume, tell=tell)
    except InputError as error:
        complain(str(error))
        raise typer.Exit(2) from error
    except (ClusterError, ModelError, OutputError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
    except KeyboardInterrupt as error:
        complain("Stopped. The files that are finished are kept; go on with --resume.")
        raise typer.Exit(INTERRUPTED) from error
    for reason in (*done.problems, *done.failures):
        complain(reason)
    complain(f"{done.done - done.failed} of {done.done} pictures are labelled, in {store.url}.")
    if done.failed > len(done.failures):
        complain(f"{done.failed - len(done.failures)} more could not be labelled; the files say why.")
    raise typer.Exit(1 if done.failed or done.problems else 0)


def from_cluster(
    url: str, settings: Settings, choice: Choice, min_confidence: float | None
) -> tuple[Settings, Choice, Callable[[Manifest, Callable[[int, int], None]], Summary]]:
    """For `hupai label --from-shards`: settings and choice with what the cluster was told, and the work.

    min_confidence: what the person said for the exports, if anything. Raises StorageError.
    """
    need("cluster", "fsspec", "pyarrow")
    from datasets.labelling.cluster.importer import import_shards, settings_of
    from datasets.labelling.cluster.storage import open_store

    store = open_store(url)
    made = settings_of(store, settings)
    threshold = made.threshold if min_confidence is None else min_confidence

    def work(manifest: Manifest, tell: Callable[[int, int], None]) -> Summary:
        return import_shards(manifest, store, made, tell)

    return made, replace(choice, threshold=threshold), work
