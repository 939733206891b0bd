"""The check of a whole data set: find its format, read its pictures on all cores, rank its doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from datasets.labelling.check.compare import Compared, Doubted, compare, rank
from datasets.labelling.check.given import Dataset, DatasetError, GivenImage
from datasets.labelling.check.read_coco import find_coco
from datasets.labelling.check.read_voc import find_voc
from datasets.labelling.check.read_yolo import find_yolo
from datasets.labelling.classes import Classes, guess_tiles, tiles_by
from datasets.labelling.pool import LabellingPool, Task
from models import registry
from vision.paths import is_folder


@dataclass(frozen=True)
class Checked:
    """doubted: pictures with likely errors, most likely first. pictures: how many were compared.

    failures: why pictures could not be read. problems: what is wrong with the label files. unknown: class
    names that mean no tile we know, whose labels were not compared.
    """

    doubted: tuple[Doubted, ...]
    pictures: int
    failures: tuple[str, ...]
    problems: tuple[str, ...]
    unknown: tuple[str, ...]


def find_dataset(folder: Path, classes: Classes | None = None) -> Dataset:
    """Raises DatasetError for a folder that holds no data set of a known format."""
    if not is_folder(folder):
        raise DatasetError(f"There is no folder {folder}; check the name.")
    found = (
        find_yolo(folder, None if classes is None else classes.names) or find_coco(folder) or find_voc(folder)
    )
    if found is None:
        raise DatasetError(
            f"{folder} holds no labels in YOLO, COCO or Pascal VOC format; name the folder with data.yaml, "
            "or with images and labels."
        )
    return found


def check_dataset(
    folder: Path,
    classes: Classes | None = None,
    workers: int | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Checked:
    """Compare the labels in `folder` with what is seen. classes: what its class names mean, or guess.

    Raises DatasetError, models.registry.ModelError.
    """
    dataset = find_dataset(folder, classes)
    tiles: Mapping[str, str | None] = (
        guess_tiles(dataset.names)
        if classes is None
        else {name: tiles_by(classes).get(name) for name in dataset.names}
    )
    if not any(tiles.values()):
        raise DatasetError(
            f"The classes of {folder} ({', '.join(dataset.names[:5])}, …) mean no tile that is known; say by "
            "--classes what they mean."
        )
    for model in ("locator", "namer"):
        registry.verified_path(model)
    images = list(dataset)
    if not images:
        nothing = f"{folder} has no picture with labels; check the folders that its data.yaml names."
        raise DatasetError(dataset.problems[0] if dataset.problems else nothing)
    failures: list[str] = []
    with LabellingPool(0.25, workers=workers) as pool:
        compared = list(_compare_all(pool, images, tiles, failures, tell))
    unknown = tuple(name for name in dataset.names if tiles.get(name) is None)
    doubted = rank(sorted(compared, key=lambda one: str(one.path)), tiles)
    return Checked(tuple(doubted), len(compared), tuple(sorted(failures)), tuple(dataset.problems), unknown)


def _compare_all(
    pool: LabellingPool,
    images: list[GivenImage],
    tiles: Mapping[str, str | None],
    failures: list[str],
    tell: Callable[[int, int], None] | None,
) -> Iterator[Compared]:
    tasks = (Task(number, str(image.path), None, str(image.path)) for number, image in enumerate(images))
    for done, answer in enumerate(pool.label(tasks), 1):
        if answer.result is None:
            failures.append(answer.reason or "unknown")
        else:
            image = images[answer.task.id]
            yield compare(image.path, image.boxes, tiles, answer.result)
        if tell is not None:
            tell(done, len(images))
