"""Whether looking more often pays: the locator at other scales or at two, the namer over shifted crops.

    python tests/benchmarks/bench_looks.py TRUTH_DIR --photos DIR [--every N] [--only NAME...]

One line for each way of looking: figures as `hupai evaluate` has them for phone photos and stream frames, and
the seconds a photo that locating and naming take. Times count only on an otherwise idle machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from annotated import photo_arguments, truths_of

from models.evaluation import evaluate, figures_by_group
from models.truth import Truth
from vision.codecs import Pixels
from vision.elements import FloatArray, Located, Named, Reading
from vision.evidence import distinct
from vision.locator import Locator
from vision.namer import Namer
from vision.reader import Reader, TileLocator, TileNamer

UNSURE = 0.98
"""Faces believed less are looked at again."""
SHIFT = 0.06
"""By this part of their edges crops are shifted."""

FIGURES = ("recall", "precision", "found_and_named", "hands_right", "layouts_right")


@dataclass(frozen=True)
class Scales:
    """The finds at several input sides together; of two of one tile the surer stays."""

    locator: Locator
    sides: tuple[int, ...]

    def locate(self, pixels: Pixels) -> Located:
        """See `vision.reader.TileLocator`."""
        looks = [self.locator.locate(pixels, side) for side in self.sides]
        quads = np.concatenate([look.quads for look in looks])
        backs = np.concatenate([look.backs for look in looks])
        scores = np.concatenate([look.scores for look in looks])
        nothing = Named(np.zeros((len(quads), 43), np.float32), np.zeros((len(quads), 4), np.float32))
        kept = distinct(Located(quads, backs, scores), nothing)
        return Located(quads[kept], backs[kept], scores[kept])


@dataclass(frozen=True)
class Shifted:
    """The namer; unsure faces are cut four times more, shifted along their edges, and the logs averaged."""

    namer: Namer
    below: float

    def name(self, pixels: Pixels, quads: FloatArray) -> Named:
        """See `vision.reader.TileNamer`."""
        named = self.namer.name(pixels, quads)
        unsure = np.flatnonzero(named.faces.max(axis=1) < self.below)
        if not len(unsure):
            return named
        first = (quads[unsure, 1] - quads[unsure, 0])[:, None] * SHIFT
        second = (quads[unsure, 3] - quads[unsure, 0])[:, None] * SHIFT
        looks = [named.faces[unsure], *(
            self.namer.name(pixels, quads[unsure] + a * first + b * second).faces
            for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1))
        )]  # fmt: skip
        mean = np.exp(np.mean([np.log(np.maximum(look, 1e-6)) for look in looks], axis=0))
        faces = named.faces.copy()
        faces[unsure] = mean / mean.sum(axis=1, keepdims=True)
        return replace(named, faces=faces)


WAYS: dict[str, Callable[[Locator, Namer], tuple[TileLocator, TileNamer]]] = {
    "as shipped": lambda locator, namer: (locator, namer),
    "locator at 800": lambda locator, namer: (Scales(locator, (800,)), namer),
    "locator at 960": lambda locator, namer: (Scales(locator, (960,)), namer),
    "locator at 640 and 960": lambda locator, namer: (Scales(locator, (640, 960)), namer),
    "unsure faces shifted": lambda locator, namer: (locator, Shifted(namer, UNSURE)),
    "all faces shifted": lambda locator, namer: (locator, Shifted(namer, 1.1)),
}


def line(name: str, truths: Sequence[Truth], photos: Path) -> str:
    """The figures of one way of looking."""
    locator, namer = WAYS[name](Locator(), Namer())
    reader = Reader(locator=locator, namer=namer)
    seconds: list[float] = []

    def read(path: Path) -> Reading:
        reading = reader.read(path)
        seconds.append(sum(reading.seconds.get(stage, 0.0) for stage in ("detect", "name", "closer")))
        return reading

    sources = figures_by_group(list(evaluate(truths, photos, read, reader.score_layout)))["source"]
    text = f"{name:<24}"
    for source in ("phone", "stream"):
        found = sources.get(source)
        shares = [None if found is None else getattr(found, figure) for figure in FIGURES]
        text += "".join(f"{'' if share is None else f'{100 * share:.1f}':>7}" for share in shares) + "  |"
    return f"{text}{np.median(seconds):>7.3f} s"


def main() -> None:
    """Print the table."""
    parser = photo_arguments(__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=list(WAYS), choices=list(WAYS))
    arguments = parser.parse_args()
    truths = truths_of(arguments)
    print(f"{len(truths)} photos; phone, then stream: recall, precision, found and named, hands, layouts (%)")
    for name in arguments.only:
        print(line(name, truths, arguments.photos), flush=True)


if __name__ == "__main__":
    main()
