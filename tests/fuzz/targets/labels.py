"""Label files of others: YOLO, COCO, Pascal VOC, class maps, lists, truth files."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from datasets.labelling.check.compare import compare, rank
from datasets.labelling.check.dataset import find_dataset
from datasets.labelling.check.given import DatasetError
from datasets.labelling.classes import ClassesError, guess_tiles, named_classes
from datasets.labelling.inputs import InputError, Listing
from datasets.labelling.records import Box, Labelled
from models import evaluation
from models.truth import TruthError, load_truths
from vision.elements import Reading

from ..mutator import mutate_bytes, mutate_text
from ..target import BrokenPromiseError, Target, check_sentence
from .photo import SAMPLE

_QUAD = ((10.0, 10.0), (40.0, 10.0), (40.0, 50.0), (10.0, 50.0))
_SEEN = Labelled(
    "0" * 64, "0" * 16, (400, 300), (Box("5m", _QUAD, 0.9, 0.8, (("6m", 0.05),)), Box("B", _QUAD, 0.6, 0.9))
)

Reader = Callable[[Path], None]


def _dataset(folder: Path) -> None:
    """All that `hupai check` does but for looking at the pictures."""
    from models.commands.check import _as_json

    try:
        found = find_dataset(folder)
        images = list(found)
    except DatasetError as error:
        check_sentence(error)
        return
    for problem in found.problems:
        check_sentence(ValueError(problem))
    tiles = guess_tiles(found.names)
    compared = [compare(image.path, image.boxes, tiles, _SEEN) for image in images[:4]]
    for doubted in rank(compared, tiles):
        json.dumps(_as_json(doubted), allow_nan=False, ensure_ascii=False)


def _classes(folder: Path) -> None:
    try:
        classes = named_classes(str(folder / "classes.yaml"))
    except ClassesError as error:
        check_sentence(error)
        return
    if not classes.names or any(not name for name in classes.names):
        raise BrokenPromiseError(f"classes without a name: {classes}")


def _list(folder: Path) -> None:
    listing = Listing([f"@{folder / 'list.txt'}"])
    try:
        for listed in listing:
            if "/" in listed.name or listed.name in {"", ".", ".."}:
                raise BrokenPromiseError(f"an unsafe name: {listed}")
    except InputError as error:
        check_sentence(error)


def _truth(folder: Path) -> None:
    try:
        truths = load_truths(folder)
    except TruthError as error:
        check_sentence(error)
        return
    results = []
    for truth in truths:
        reading = Reading(truth.photo, (1, 1), truth.tiles, truth.groups, None, ())
        results.append(evaluation.compare(reading, truth, None))
        json.dumps([tile.quad for tile in truth.tiles], allow_nan=False)
    evaluation.to_csv(results).encode("utf-8")
    evaluation.figures_by_group(results)


_DATA_YAML = "path: .\ntrain: images/train\nval: [images/val]\nnames:\n  0: 1m\n  1: 5m\n  2: east\n"
_LABELS = "0 0.5 0.5 0.1 0.2\n1 0.1 0.1 0.2 0.1 0.2 0.3 0.1 0.3\n2 0.2 0.3 0.1 0.1\n"
_COCO = {
    "images": [{"id": 1, "file_name": "a.jpg", "width": 400, "height": 300}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 3, "bbox": [10, 10, 30, 40]},
                    {"id": 2, "image_id": 1, "category_id": 4, "bbox": [90, 10, 30, 40]}],
    "categories": [{"id": 3, "name": "5m"}, {"id": 4, "name": "East Wind"}],
}  # fmt: skip
_VOC = (
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE a [<!ENTITY b "5m">]><annotation>'
    "<filename>a.jpg</filename>"
    "<size><width>400</width><height>300</height></size><object><name>&b;</name><bndbox><xmin>10</xmin><ymin>10"
    "</ymin><xmax>40</xmax><ymax>50</ymax></bndbox></object></annotation>"
)
_KINDS: dict[str, tuple[str, str, Reader]] = {
    "data-yaml": ("data.yaml", _DATA_YAML, _dataset),
    "labels": ("labels/train/a.txt", _LABELS, _dataset),
    "yolo-list": ("train.txt", "images/train/a.jpg\n./images/val/b.jpg\n", _dataset),
    "coco": ("annotations/instances_train.json", json.dumps(_COCO), _dataset),
    "voc": ("a.xml", _VOC, _dataset),
    "classes": ("classes.yaml", "1m: character one\n2m: ~\nE: &e east\nS: *e\nN: 'no'\n1p: 1e3\n", _classes),
    "list": ("list.txt", "a.jpg\n# no\nimages/train\n../x.jpg\nb/c.mp4\n", _list),
    "truth": ("hand.json", SAMPLE.with_suffix(".json").read_text(encoding="utf-8"), _truth),
}
"""By kind: the file that is damaged, what stands in it, and who reads it."""


@cache
def _folder(kind: str) -> Path:
    """A folder in which the file of that kind is the only one that can be wrong."""
    folder = Path(tempfile.mkdtemp(prefix="hupai-fuzz-"))
    small = folder / "a.jpg"
    small.write_bytes(b"\xff\xd8")
    if kind in {"data-yaml", "labels", "yolo-list", "list"}:
        for split, name in (("train", "a"), ("val", "b")):
            for part in ("images", "labels"):
                (folder / part / split).mkdir(parents=True)
            shutil.copy(small, folder / "images" / split / f"{name}.jpg")
            (folder / "labels" / split / f"{name}.txt").write_text(_LABELS)
        yaml = _DATA_YAML.replace("images/train", "train.txt") if kind == "yolo-list" else _DATA_YAML
        (folder / "data.yaml").write_text(yaml)
        (folder / "loop").symlink_to(folder, target_is_directory=True)
        (folder / "images" / "loop").symlink_to(folder / "images", target_is_directory=True)
    (folder / _KINDS[kind][0]).parent.mkdir(parents=True, exist_ok=True)
    return folder


def run(data: bytes) -> None:
    """The first line names the kind, the rest is the file."""
    name, _, content = data.partition(b"\n")
    kind = name.decode("ascii", "replace")
    if kind not in _KINDS:
        kind = sorted(_KINDS)[len(name) % len(_KINDS)]
    file, _, read = _KINDS[kind]
    folder = _folder(kind)
    (folder / file).write_bytes(content)
    read(folder)


_BOMB = 'a: &a ["x","x","x","x","x","x","x","x","x"]\n' + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh",
    "bcdefghi", strict=True)
)  # fmt: skip
_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {n} "{f"&{b};" * 10}">' for b, n in zip("abcdefghi", "bcdefghij", strict=True))
    + "]><annotation><object><name>&j;</name></object></annotation>"
)
_WORDS = (
    *"0123456789.,:-[]{}<>\"'&*#~ \n\t", "nan", "inf", "-inf", "1e999", "-1", "99999999999999999999",
    "9" * 5000, "null",
    "true", "names", "train: ", "path: ", "val: ", "../", "../" * 50 + "etc/passwd", "/dev/zero",
    "/proc/self/mem", "loop/" * 30,
    "images", "\0", "x" * 300, "y/" * 3000, "&a ", "*a", "!!python/object:os.system ", "? [1]: 2\n",
    "- ", "<<: *a\n", "%YAML 9.9\n",
    "[" * 1200, "{" * 1200, '{"a":' * 1200, _BOMB + "names: *i\n", _BOMB + "train: *i\n", "<object>",
    "</object>", "<bndbox>",
    "<!ENTITY x SYSTEM 'file:///etc/passwd'>", "&x;", "encoding='utf-16'", "encoding='foo'",
    "encoding='idna'", "\ufeff", "\ud800",
    '"id"', '"image_id"', '"category_id"', '"bbox"', '"file_name"', '"categories"', '"annotations"',
    '"images"', '"name"',
    '"tiles"', '"quad"', '"box"', '"groups"', '"kind"', '"tile"', '"1m"', "NaN", "Infinity", "[]", "{}",
    "[[1]]", "é", "中",
)  # fmt: skip


def seeds() -> list[bytes]:
    good = [f"{kind}\n{content}".encode() for kind, (_, content, _) in _KINDS.items()]
    return [
        *good, f"voc\n{_LAUGHS}".encode(), f"data-yaml\n{_BOMB}names: *i\ntrain: images/train\n".encode(),
        f"classes\n{_BOMB}".encode(), b"coco\n" + json.dumps(_COCO).encode("utf-16"),
        b"voc\n" + _VOC.replace("utf-8", "utf-16").encode("utf-16"), *good,
    ]  # fmt: skip


def mutate(data: bytes, rng: Random) -> bytes:
    kind, _, content = data.partition(b"\n")
    changed = mutate_bytes(content, rng) if rng.random() < 0.15 else mutate_text(content, rng, _WORDS)
    return kind + b"\n" + changed


LABELS = Target(
    "labels", run, seeds, mutate,
    ("datasets.labelling.check.read_yolo", "datasets.labelling.check.read_coco",
    "datasets.labelling.check.read_voc",
     "datasets.labelling.check.given", "datasets.labelling.check.compare",
     "datasets.labelling.check.dataset",
     "datasets.labelling.classes", "datasets.labelling.inputs", "models.truth", "models.evaluation"),
)  # fmt: skip
