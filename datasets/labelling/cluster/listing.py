"""What is to be labelled, in the order of a run on one machine, and cut into shards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from datasets.labelling.cluster.storage import is_local, reaching, resolve
from datasets.labelling.inputs import PICTURES, VIDEOS, InputError, Listing, safe_name
from datasets.labelling.records import Listed

_STAMPS = ("ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified", "last_modified", "created")
"""What file systems call the thing that changes with a file's content."""


@dataclass(frozen=True)
class Stamped:
    """An image, and a text that changes when its file does."""

    listed: Listed
    stamp: str


@dataclass
class Everything:
    """Images of folders, files, patterns, lists and videos as `Listing` finds them, and of object storage.

    A folder's pictures come before those of its own folders, each by name, wherever it lies. What could not
    be looked into is named in `problems`.
    """

    inputs: Sequence[str]
    every: int = 30
    problems: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Stamped]:
        """Raises InputError for an input that is not there, StorageError for an address out of reach."""
        for given in self.inputs:
            if "://" not in given:
                yield from self._of_path(given)
                continue
            system, path = resolve(given)
            yield from self._of_path(path) if is_local(system) else _of_store(given, system, path)

    def _of_path(self, path: str) -> Iterator[Stamped]:
        listing = Listing([path], self.every, problems=self.problems)
        last, stamp = "", ""
        for listed in listing:
            if listed.picture != last:
                last, stamp = listed.picture, _stamp_of_file(Path(listed.picture))
            yield Stamped(listed, stamp)


def _stamp_of_file(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return "gone"
    return f"{status.st_size} {status.st_mtime_ns}"


def _of_store(given: str, system: Any, path: str) -> Iterator[Stamped]:
    with reaching(given):
        found: dict[str, dict[str, Any]] = system.find(path, detail=True)
    if not found:
        raise InputError(f"There is no file or folder {given}; check the name and your access.")
    top = path.rstrip("/")
    for name in sorted(found, key=lambda name: _walk_order(name[len(top) :])):
        inside = name[len(top) :].strip("/").split("/")
        hidden = any(part.startswith(".") for part in inside)
        known = Path(name).suffix.lower() in PICTURES | VIDEOS
        if name != top and (hidden or not known):
            continue
        url = system.unstrip_protocol(name)
        stamp = next((str(found[name][key]) for key in _STAMPS if found[name].get(key)), "")
        listed = Listed(url, url, safe_name(Path(name).stem), url.rsplit("/", 1)[0])
        yield Stamped(listed, f"{found[name].get('size')} {stamp}")


def _walk_order(path: str) -> tuple[tuple[int, str], ...]:
    *folders, name = path.strip("/").split("/")
    return (*((1, folder) for folder in folders), (0, name))


@dataclass(frozen=True)
class Shard:
    """Images that one worker labels into one file. first: place of the first one in the listing."""

    name: str
    first: int
    images: tuple[Listed, ...]

    def to_row(self) -> dict[str, Any]:
        """As values that Arrow holds."""
        return {
            "name": self.name,
            "first": self.first,
            "images": json.dumps([asdict(i) for i in self.images]),
        }

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Shard:
        """Back from `to_row`."""
        images = tuple(Listed(**image) for image in json.loads(row["images"]))
        return cls(str(row["name"]), int(row["first"]), images)


def cut(images: Iterable[Stamped], size: int, settled: str) -> Iterator[Shard]:
    """Shards of `size` images. settled: all else that their labels depend on.

    A shard's name is derived from what it is made of: made again it overwrites itself, and where a picture,
    a setting or a model has changed it has another name.
    """
    rest, first = iter(images), 0
    while part := tuple(islice(rest, size)):
        made_from = [[*asdict(image.listed).values(), image.stamp] for image in part]
        made_of = json.dumps([settled, first, made_from])
        digest = hashlib.sha256(made_of.encode()).hexdigest()[:16]
        yield Shard(f"part-{first // size:06d}-{digest}.parquet", first, tuple(i.listed for i in part))
        first += len(part)
