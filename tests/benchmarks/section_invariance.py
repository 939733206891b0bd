"""Whether a reading depends on how the photo was taken. Nothing is timed."""

from __future__ import annotations

from dataclasses import asdict

from bench_invariance import CHANGES, rows
from settings import Settings
from tables import Section, Table

from models.truth import load_truths

QUICK = ("as taken", "exif 6", "turned 90", "darker")


def measure(settings: Settings) -> Section:
    """Read the real photos once for each change."""
    if not (settings.photos / "truth").is_dir():
        return Section("invariance", missing=("Other takes: no real photos; give their folder by --photos.",))
    truths = load_truths(settings.photos / "truth")[:: 20 if settings.quick else 1]
    found = list(rows(truths, settings.photos, list(QUICK if settings.quick else CHANGES)))
    table = Table(
        f"Other takes of {len(truths)} real photos",
        ("take", "hands right", "layouts right", "found and named", "read otherwise"),
        tuple(
            (
                row.change, str(row.hands), str(row.layouts), f"{100 * row.named / max(row.tiles, 1):.1f} %",
                str(len(row.otherwise)),
            )
            for row in found
        ),
        ("Read otherwise: photos whose hand differs from that of the photo as taken.",),
    )  # fmt: skip
    return Section("invariance", (table,), {"takes": [asdict(row) for row in found]})
