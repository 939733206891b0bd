"""`hupai serve` as phones use it: requests one after the other, then many at once."""

from __future__ import annotations

import importlib.util

from bench_serve import at_once, one_by_one, resident, running, shrunk
from pictures import enlarged_sample
from rounds import spread
from settings import Settings
from tables import Section, Table

LONG_SIDE = 2048
"""Pixels to which the page shrinks a photo before it sends it."""
CLIENTS = 20


def measure(settings: Settings) -> Section:
    """Time a server of its own; needs the extra `serve`."""
    if importlib.util.find_spec("fastapi") is None:
        return Section("server", missing=("hupai serve: needs the extra `serve`.",))
    sample = settings.folder / "sample-12mp.jpg"
    enlarged_sample(sample)
    sent = shrunk(sample.read_bytes(), LONG_SIDE)
    runs, photos = (5, 2 * CLIENTS) if settings.quick else (30, 10 * CLIENTS)
    with running(settings.folder) as server:
        right, seconds = one_by_one(server.port, sent, runs)
        before = resident(server.pid)
        answered = at_once(server.port, sent, right, CLIENTS, photos)
        after = resident(server.pid)
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(answered.outcomes.items()))
    rows = (
        ("up after", f"{server.up_after:.2f} s"),
        (
            f"one request, median of {runs} (quartiles)",
            f"{spread([1000 * one for one in seconds]).told()} ms",
        ),
        (f"{photos} photos from {CLIENTS} clients at once", f"{outcomes}; {answered.seconds:.1f} s"),
        ("memory before and after", f"{before:.0f} and {after:.0f} MB"),
    )
    note = (
        f"The rendered sample, shrunk as the page does it: {len(sent) / 1e6:.2f} MB; busy: 503, asked again."
    )
    data = {"up_after": server.up_after, "seconds": seconds, "outcomes": dict(answered.outcomes)}
    return Section("server", (Table("hupai serve", ("what", "measured"), rows, (note,)),), data)
