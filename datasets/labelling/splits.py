"""Train, val and test: whole groups only, so that nothing seen in training is measured on."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

SPLITS = ("train", "val", "test")
Key = TypeVar("Key", bound=Hashable)


def joined(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[int]:
    """(N,) numbers of the groups when all of one `first` and all of one `second` belong together."""
    a = {key: number for number, key in enumerate(dict.fromkeys(first))}
    b = {key: len(a) + number for number, key in enumerate(dict.fromkeys(second))}
    rows, columns = [a[key] for key in first], [b[key] for key in second]
    size = len(a) + len(b)
    links = coo_array(([1] * len(rows), (rows, columns)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    return [int(component[row]) for row in rows]


def split_groups(sizes: Mapping[str, int], shares: Sequence[float], seed: int) -> dict[str, str]:
    """A split for each group, by its name. sizes: images of each. shares: of train, val and test, sum 1.

    The groups are dealt in an order drawn by `seed` and their names, each to the split that lacks most of
    its share; so the same groups always fall alike, whatever order they come in. With two groups or more
    there is something in val, with three in test, where these have a share.
    """

    def drawn(name: str) -> tuple[int, bytes]:
        """Large groups first: small ones fill the gaps."""
        return -sizes[name], hashlib.sha256(f"{seed}\0{name}".encode(errors="replace")).digest()

    order = sorted(sizes, key=drawn)
    total = sum(sizes.values())
    wanted = [k for k, share in enumerate(shares) if share > 0]
    filled = [0] * len(shares)
    chosen: dict[str, str] = {}
    for place, name in enumerate(order):
        left = len(order) - place
        empty = [k for k in wanted if not filled[k]]
        among = empty if len(empty) >= left else wanted
        split = max(among, key=lambda k: (shares[k] * total - filled[k], -k))
        filled[split] += sizes[name]
        chosen[name] = SPLITS[split]
    return chosen
