"""Leave sets out: how well the namer names tile sets that it was not trained on.

Each fold is trained from a base that saw drawn faces only, on every photographed set but those held out; the
held-out sets are then named. Designs and folds are listed in designs.toml.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datasets.crops import CropMaker, Faces, join, turned, with_share
from datasets.sources import archive, catalogue
from models.training.checkpoints import load_weights
from models.training.namer import FACE_OUTPUTS, NamerRun, build, to_pixels, train

CAMERA_VIEWS = 4
"""Simulated photographs of each held-out catalogue face."""
BATCH = 256


@dataclass(frozen=True)
class Design:
    """A tile set's design: the faces that show it and the fold that holds it out."""

    name: str
    fold: int
    faces: Faces
    photographed: bool
    """Cut from photos of tables, whose light and blur are real; else catalogue pictures."""


@dataclass(frozen=True)
class Result:
    """Shares of a design's crops that are named right, 0..1. `plain`: as they are; `camera`: through a
    simulated camera (None for photos); `drawn_only`: as they are, by the base that saw no photograph."""

    design: str
    crops: int
    plain: float
    camera: float | None
    drawn_only: float


def designs(folder: Path, photos: Path) -> list[Design]:
    """The designs of the catalogue in `folder` and of the crops in `photos` (`hupai train crops`).

    Raises ValueError when a catalogue picture belongs to no design.
    """
    table = tomllib.loads(files("models.training").joinpath("designs.toml").read_text(encoding="utf-8"))
    faces = catalogue(folder)
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    owner = np.array([_design_of(row, table["design"]) for row in rows])
    found = [
        Design(entry["name"], entry["fold"], _part(faces, owner == number), photographed=False)
        for number, entry in enumerate(table["design"])
    ]
    scenes = archive(photos)
    return [*found, Design(table["photos"]["name"], table["photos"]["fold"], scenes, photographed=True)]


def _design_of(row: dict[str, str], table: list[dict[str, str | int]]) -> int:
    number = int(Path(row["file"]).stem[1:])
    for index, entry in enumerate(table):
        if row["set"] and row["set"] == entry.get("set"):
            return index
        if not row["set"] and int(entry.get("first", 1)) <= number <= int(entry.get("last", 0)):
            return index
    raise ValueError(f"{row['file']} of set {row['set']!r} is in no design of designs.toml.")


def _part(faces: Faces, keep: NDArray[np.bool_]) -> Faces:
    return Faces(
        faces.images[keep], faces.tiles[keep], faces.sets[keep], faces.upright[keep], faces.weights[keep]
    )


def measure(model: nn.Module, design: Design, seed: int = 0) -> tuple[float, float | None]:
    """(named right as they are, in all four turns; named right through a simulated camera)."""
    faces = design.faces
    turns = range(1) if design.photographed else range(4)
    crops = [_square(turned(image, turn)) for image in faces.images for turn in turns]
    plain = _right(model, crops, np.repeat(faces.tiles, len(turns)))
    if design.photographed:
        return plain, None
    rng = np.random.default_rng(seed)
    maker = CropMaker(faces)
    views = [maker.view(index, rng)[0] for index in range(len(faces)) for _ in range(CAMERA_VIEWS)]
    return plain, _right(model, views, np.repeat(faces.tiles, CAMERA_VIEWS))


def _square(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import cv2

    return np.asarray(cv2.resize(image, (96, 96), interpolation=cv2.INTER_AREA), np.uint8)


def _right(model: nn.Module, crops: list[NDArray[np.uint8]], tiles: NDArray[np.int64]) -> float:
    model.eval()
    named = []
    with torch.no_grad():
        for start in range(0, len(crops), BATCH):
            output = model(to_pixels(torch.from_numpy(np.stack(crops[start : start + BATCH]))))
            logits = output[1] if isinstance(output, tuple) else output
            named.append(logits[:, :FACE_OUTPUTS].argmax(dim=1).numpy())
    return float((np.concatenate(named) == tiles).mean())


def load(checkpoint: Path) -> nn.Module:
    """The namer of a checkpoint."""
    model = build(start=False)
    load_weights(model, checkpoint, "the namer")
    return model


def hold_out(
    sets: list[Design], drawn: Faces, out: Path, base_minutes: float, minutes: float, workers: int = 1
) -> list[Result]:
    """Train the base and every fold under `out` (a fold whose checkpoint is there is not trained again)."""
    base = out / "base" / "namer.pt"
    if not base.exists():
        train(drawn, NamerRun(out=out / "base.new", minutes=base_minutes, workers=workers))
        (out / "base.new").rename(out / "base")
    drawn_only, results = load(base), []
    for fold in sorted({design.fold for design in sets}):
        checkpoint = out / f"fold{fold}" / "namer.pt"
        if not checkpoint.exists():
            seen = [with_share(d.faces, 0.3 if d.photographed else 0.05) for d in sets if d.fold != fold]
            faces = join([with_share(drawn, 0.4), *seen])
            run = NamerRun(out=out / f"fold{fold}.new", minutes=minutes, peak_rate=1.3e-3, workers=workers)
            train(faces, run, resume=base)
            (out / f"fold{fold}.new").rename(checkpoint.parent)
        model = load(checkpoint)
        for design in (d for d in sets if d.fold == fold):
            plain, camera = measure(model, design)
            base_plain, _ = measure(drawn_only, design)
            results.append(Result(design.name, len(design.faces), plain, camera, base_plain))
    return results


def as_table(results: list[Result]) -> str:
    """The results as a Markdown table, with a last row over all crops."""
    lines = [
        "| set, held out | crops | named right | through a simulated camera | by drawn faces alone |",
        "|---|---|---|---|---|",
    ]
    for r in results:
        camera = "" if r.camera is None else f"{100 * r.camera:.1f} %"
        lines.append(
            f"| {r.design} | {r.crops} | {100 * r.plain:.1f} % | {camera} | {100 * r.drawn_only:.1f} % |"
        )
    crops = sum(r.crops for r in results)
    plain = sum(r.crops * r.plain for r in results) / crops
    drawn = sum(r.crops * r.drawn_only for r in results) / crops
    filmed = [r for r in results if r.camera is not None]
    camera_all = sum(r.crops * (r.camera or 0) for r in filmed) / max(1, sum(r.crops for r in filmed))
    lines.append(f"| all | {crops} | {100 * plain:.1f} % | {100 * camera_all:.1f} % | {100 * drawn:.1f} % |")
    return "\n".join(lines) + "\n"
