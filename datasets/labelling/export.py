"""From the manifest to label files: as often as wanted, in any formats, also while reviewing goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from datasets.labelling.bake import PICTURES, bake, baked
from datasets.labelling.classes import Classes
from datasets.labelling.files import OutputError, replaced_folder
from datasets.labelling.formats.coco import write_coco
from datasets.labelling.formats.crops import write_crops
from datasets.labelling.formats.cvat import write_cvat
from datasets.labelling.formats.item import Item, Label, Writer, clipped
from datasets.labelling.formats.labelme import write_labelme
from datasets.labelling.formats.labelstudio import write_labelstudio
from datasets.labelling.formats.voc import write_voc
from datasets.labelling.formats.yolo import write_yolo, write_yolo_obb
from datasets.labelling.manifest import Manifest
from datasets.labelling.pictures import Pictures
from datasets.labelling.pool import usable_cores
from datasets.labelling.records import Box, Image, State
from vision.errors import PhotoError
from vision.paths import is_there

FORMATS: Mapping[str, Writer] = {
    "coco": write_coco,
    "crops": write_crops,
    "cvat": write_cvat,
    "labelme": write_labelme,
    "labelstudio": write_labelstudio,
    "voc": write_voc,
    "yolo": write_yolo,
    "yolo-obb": write_yolo_obb,
}


@dataclass(frozen=True)
class Choice:
    """What is exported. threshold: least confidence of a model's label. reviewed_only: leave out what no
    person has accepted."""

    classes: Classes
    threshold: float
    reviewed_only: bool = False

    @property
    def states(self) -> tuple[State, ...]:
        """Of the images taken."""
        return ("reviewed",) if self.reviewed_only else ("new", "reviewed")


@dataclass(frozen=True)
class Exported:
    """images: how many. labels: how many of them tiles. formats: those written. missing: why pictures were
    left out, and folders of formats therefore left as they were."""

    images: int
    labels: int
    formats: tuple[str, ...]
    missing: tuple[str, ...]


def export(
    manifest: Manifest,
    formats: Sequence[str],
    choice: Choice,
    tell: Callable[[int, int], None] | None = None,
) -> Exported:
    """Write each of `formats` (names of FORMATS) into a folder of that name beside the manifest.

    A format's folder is replaced when the new one is complete, and stays as it was where that fails, where
    pictures are missing (it may hold the last copies) and where there is no picture to export.
    tell: called with how many pictures are finished and how many there are.

    Raises OutputError.
    """
    missing = tuple(_bake_all(manifest, choice, tell))
    counts = (0, 0)

    def counted() -> Iterator[Item]:
        nonlocal counts
        images = labels = 0
        for item in items(manifest, choice):
            images += 1
            labels += len(item.labels)
            yield item
        counts = images, labels

    lacking = _lacking(manifest, choice, bool(missing))
    kept, written = [], []
    for name in formats:
        target = manifest.folder / name
        if lacking is not None and is_there(target):
            kept.append(
                f"{target} stays as it was, for {lacking}, or move that folder away and export again."
            )
            continue
        with replaced_folder(target) as folder:
            FORMATS[name](folder, counted, choice.classes)
        written.append(name)
    return Exported(*counts, tuple(written), (*missing, *kept))


def _lacking(manifest: Manifest, choice: Choice, missing: bool) -> str | None:
    """Why a format's new folder would hold less than it should, and what to do; None where it would not."""
    if missing:
        return "pictures are missing: put them back"
    if manifest.count(*choice.states):
        return None
    if choice.reviewed_only:
        return "no picture is reviewed yet: accept some by `hupai review`"
    return "no picture is labelled: label some"


def items(manifest: Manifest, choice: Choice) -> Iterator[Item]:
    """The images of a choice whose pictures are finished, with the labels that have a class."""
    folder = manifest.folder / PICTURES
    for image in manifest.images(*choice.states):
        path = baked(folder, image.name)
        if path is None or image.width is None or image.height is None:
            continue
        labels = tuple(_labels(manifest.boxes(image.id), image.width, image.height, choice))
        models = manifest.models_of(image.id)
        made_by = f"hupai {models.namer_sha256[:12]}" if models is not None else "hupai"
        yield Item(
            image.id, path.name, path, image.width, image.height, image.split or "train", labels,
            image.state == "reviewed", made_by,
        )  # fmt: skip


def _labels(boxes: Sequence[Box], width: int, height: int, choice: Choice) -> Iterator[Label]:
    """A person's box counts whatever its confidence; what lies outside the picture is no label."""
    for box in boxes:
        number = choice.classes.number.get(box.tile)
        human = box.origin == "human"
        if number is None or (box.confidence < choice.threshold and not human):
            continue
        label = Label(
            number, choice.classes.names[number], clipped(box.quad, width, height), box.confidence, human
        )
        if label.area >= 1:
            yield label


def _bake_all(manifest: Manifest, choice: Choice, tell: Callable[[int, int], None] | None) -> Iterator[str]:
    """Finish the pictures that are not; why one could not be. Threads: decoders and disks let others run."""
    folder = manifest.folder / PICTURES
    total, done = manifest.count(*choice.states), 0
    workers = usable_cores()
    with ThreadPoolExecutor(workers) as pool:
        waiting: list[Future[str | None]] = []
        for image in manifest.images(*choice.states):
            waiting.append(pool.submit(_finish, image, folder))
            if len(waiting) >= 8 * workers:
                done += 1
                yield from filter(None, [waiting.pop(0).result()])
                if tell is not None and done % 50 == 0:
                    tell(done, total)
        yield from filter(None, (future.result() for future in waiting))
    if tell is not None:
        tell(total, total)


def _finish(image: Image, folder: Path) -> str | None:
    if baked(folder, image.name) is not None:
        return None
    pictures = Pictures()
    try:
        bake(image, folder, pictures)
    except PhotoError as error:
        return str(error)
    finally:
        pictures.close()
    return None


__all__ = ["FORMATS", "Choice", "Exported", "OutputError", "export", "items"]
