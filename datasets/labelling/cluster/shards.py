"""The Parquet files of a run: one row an image, its boxes within it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from datasets.labelling.cluster.storage import StorageError, Store
from datasets.labelling.inputs import safe_name
from datasets.labelling.records import Box, Labelled, Listed, Models

VERSION = 1
"""Of the columns and of the files beside them."""
RUN = "_run.json"
INDEX = "_index.json"
"""Files that start with an underscore are no part of a data set to Spark, DuckDB's globs and Arrow."""

_BOX = pa.struct(
    [
        pa.field("tile", pa.string(), nullable=False),
        pa.field("confidence", pa.float64(), nullable=False),
        pa.field("margin", pa.float64(), nullable=False),
        pa.field("quad", pa.list_(pa.float64(), 8), nullable=False),
        pa.field("alternatives", pa.list_(pa.struct([("tile", pa.string()), ("probability", pa.float64())]))),
    ]
)
SCHEMA = pa.schema(
    [
        pa.field("position", pa.int64(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("picture", pa.string(), nullable=False),
        pa.field("frame", pa.int64()),
        pa.field("name", pa.string(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("sha256", pa.string()),
        pa.field("phash", pa.string()),
        pa.field("width", pa.int32()),
        pa.field("height", pa.int32()),
        pa.field("flags", pa.list_(pa.string())),
        pa.field("boxes", pa.list_(_BOX)),
        pa.field("reason", pa.string()),
    ]
)


@dataclass(frozen=True)
class Row:
    """An image of a shard: what labelling found, or the reason why it found nothing."""

    listed: Listed
    result: Labelled | None
    reason: str | None = None


@dataclass(frozen=True)
class Run:
    """What the shards of a folder have in common. The other fields are as in `labelling.run.Settings`."""

    models: Models
    threshold: float = 0.25
    every: int = 30
    second_pass: bool = False
    fast: bool = False
    size: int = 128
    version: int = VERSION

    def to_json(self) -> str:
        """One line, the same for the same run."""
        return json.dumps(asdict(self), sort_keys=True)


def encode(first: int, rows: Sequence[Row]) -> bytes:
    """A Parquet file of these rows; the same bytes for the same rows. first: position of the first one."""
    table = pa.Table.from_pylist([_to_dict(first + k, row) for k, row in enumerate(rows)], schema=SCHEMA)
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def decode(content: bytes) -> list[Row]:
    """Rows of a Parquet file. Raises ValueError for one that is cut short or has other columns."""
    try:
        return [_from_dict(item) for item in pq.read_table(io.BytesIO(content)).to_pylist()]
    except (OSError, KeyError, TypeError, pa.ArrowException) as error:
        raise ValueError(str(error)) from error


def read_run(store: Store) -> Run | None:
    """What the shards of a folder were made with, None where none were begun. Raises StorageError."""
    content = store.read(RUN)
    if content is None:
        return None
    try:
        values = json.loads(content)
        if values["version"] != VERSION:
            raise StorageError(
                f"{store.url} was written by another version of hupai (its files say {values['version']}, "
                f"this one reads {VERSION}); label into a new folder."
            )
        return Run(**{**values, "models": Models(**values["models"])})
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(f"{store.url}/{RUN} is damaged; label into a new folder.") from error


def read_index(store: Store) -> tuple[tuple[str, ...], int]:
    """Names of the shards of a finished run, in their order, and how many images they hold.

    Raises StorageError where the run is not finished.
    """
    content = store.read(INDEX)
    if content is None:
        raise StorageError(
            f"{store.url} has no finished run; run `hupai label-cluster ... --shards {store.url} --resume`."
        )
    try:
        index = json.loads(content)
        return tuple(str(name) for name in index["shards"]), int(index["images"])
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(f"{store.url}/{INDEX} is damaged; label again with --resume.") from error


def write_index(store: Store, names: Sequence[str], images: int) -> None:
    """Say which shards the finished run consists of. Raises OutputError."""
    store.write(INDEX, json.dumps({"version": VERSION, "images": images, "shards": list(names)}).encode())


def _to_dict(position: int, row: Row) -> dict[str, Any]:
    item: dict[str, Any] = {"position": position, **asdict(row.listed), "reason": row.reason}
    if (found := row.result) is not None:
        width, height = found.size
        item.update(sha256=found.sha256, phash=found.phash, width=width, height=height)
        item.update(flags=list(found.flags), boxes=[_box_to_dict(box) for box in found.boxes])
    return item


def _box_to_dict(box: Box) -> dict[str, Any]:
    others = [{"tile": tile, "probability": share} for tile, share in box.alternatives]
    quad = [value for corner in box.quad for value in corner]
    return {
        "tile": box.tile, "confidence": box.confidence, "margin": box.margin, "quad": quad,
        "alternatives": others,
    }  # fmt: skip


def _from_dict(item: dict[str, Any]) -> Row:
    if safe_name(item["name"]) != item["name"]:  # files are written by it
        raise ValueError(f"{item['name']!r} is no safe name")
    listed = Listed(item["source"], item["picture"], item["name"], item["group"], item["frame"])
    if item["sha256"] is None:
        return Row(listed, None, item["reason"] or "unknown")
    boxes = tuple(_box_from_dict(box) for box in item["boxes"])
    size = (item["width"], item["height"])
    return Row(listed, Labelled(item["sha256"], item["phash"], size, boxes, tuple(item["flags"])))


def _box_from_dict(item: dict[str, Any]) -> Box:
    x1, y1, x2, y2, x3, y3, x4, y4 = item["quad"]
    others = tuple((other["tile"], other["probability"]) for other in item["alternatives"])
    quad = ((x1, y1), (x2, y2), (x3, y3), (x4, y4))
    return Box(item["tile"], quad, item["confidence"], item["margin"], others)
