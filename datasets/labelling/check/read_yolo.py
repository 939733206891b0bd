"""Ultralytics YOLO data sets: upright boxes, rotated ones and outlines, as `data.yaml` lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from datasets.labelling.check.given import (
    Dataset,
    DatasetError,
    GivenBox,
    GivenImage,
    hull,
    pictures_in,
    unseen,
)
from vision.paths import is_file, is_folder, is_there

_SPLITS = ("train", "val", "valid", "test")


def find_yolo(folder: Path, names: Sequence[str] | None) -> Dataset | None:
    """The data set in `folder`, None where it is no YOLO one. names: of its classes, where the caller knows.

    `data.yaml` is looked for in the folder and in the one above it. Raises DatasetError.
    """
    config_path = next(
        (p for at in (folder, folder.parent) for n in ("data.yaml", "data.yml") if is_file(p := at / n)),
        None,
    )
    own = config_path is not None and config_path.parent == folder
    config = _config(config_path) if config_path is not None else {}
    picture_folders = (
        [folder / "images"]
        if is_folder(folder / "images") and is_folder(folder / "labels") and not own
        else _folders(config_path, config)
        if own and config_path is not None
        else []
    )
    if not picture_folders and is_folder(folder / "labels") and is_folder(folder / "images"):
        picture_folders = [folder / "images"]
    if not picture_folders:
        return None
    known = tuple(names or _names(config) or _listed_names(folder))
    if not known:
        raise DatasetError(
            f"{folder} has no data.yaml that names its classes; say by --classes what their numbers mean."
        )
    dataset = Dataset("yolo", known, ())
    dataset.images = _Images(picture_folders, known, dataset.problems)
    return dataset


class _Images:
    def __init__(self, folders: Sequence[Path], names: Sequence[str], problems: list[str]) -> None:
        self._folders, self._names, self._problems = folders, names, problems

    def __iter__(self) -> Iterator[GivenImage]:
        for folder in self._folders:
            for path in self._pictures(folder):
                label = _label_file(path)
                if is_file(label):
                    yield GivenImage(path, tuple(self._boxes(label)))
                elif (problem := unseen(label)) is not None:
                    self._problems.append(problem)

    def _pictures(self, folder: Path) -> list[Path]:
        """Of a folder with its own folders, or of a list of paths."""
        try:
            if is_file(folder):
                lines = folder.read_text(encoding="utf-8").splitlines()
                return [folder.parent / line.strip() for line in lines if line.strip()]
            folders = sorted(path for path in folder.rglob("*") if is_folder(path))
            return [picture for at in (folder, *folders) for picture in pictures_in(at)]
        except (OSError, ValueError) as error:
            self._problems.append(f"{folder} cannot be read: {error}.")
            return []

    def _boxes(self, label: Path) -> Iterator[GivenBox]:
        try:
            lines = label.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            self._problems.append(f"{label} cannot be read: {error}.")
            return
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            where = f"{label}:{number}"
            try:
                kind, *values = (float(word) for word in line.split())
                if kind < 0 or not kind.is_integer():
                    raise ValueError(kind)
                name = self._names[int(kind)]
                yield GivenBox(_bounds(values), name, where, relative=True)
            except (ValueError, IndexError):
                self._problems.append(f"{where} is no label of a known class: `class x y w h` or corners.")


def _bounds(values: list[float]) -> tuple[float, float, float, float]:
    """Of a box (x, y, w, h) or of corners. Raises ValueError."""
    if len(values) == 4:
        x, y, w, h = values
        return x - w / 2, y - h / 2, x + w / 2, y + h / 2
    if len(values) < 6 or len(values) % 2:
        raise ValueError(values)
    return hull(values)


def _label_file(picture: Path) -> Path:
    """As Ultralytics has it: the last `images` of the path becomes `labels`."""
    parts = list(picture.parts)
    for place in range(len(parts) - 2, -1, -1):
        if parts[place] == "images":
            parts[place] = "labels"
            break
    return Path(*parts).with_suffix(".txt")


def _config(path: Path) -> dict[str, Any]:
    import yaml

    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise DatasetError(f"{path} cannot be read as YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(content, dict):
        raise DatasetError(f"{path} is no data.yaml: it must hold `names` and the folders of the pictures.")
    return content


def _folders(path: Path, config: dict[str, Any]) -> list[Path]:
    """Folders of the splits, each once. `path` in data.yaml may be anything; Roboflow writes `../train`."""
    root = path.parent
    bases = (*(root / text for text in _texts(config.get("path"))), root)
    found: dict[Path, None] = {}
    for split in _SPLITS:
        for entry in _texts(config.get(split)):
            tries = [base / text for base in bases for text in (entry, entry.removeprefix("../"))]
            there = next((at for at in tries if is_there(at)), None)
            if there is not None:
                found[there.resolve()] = None
    return list(found)


def _texts(value: object) -> list[str]:
    """A text, or those of a list. Anything else is passed over: a list that holds itself ten times ten times
    has no end as text."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def _names(config: dict[str, Any]) -> list[str]:
    names = config.get("names") or []
    if isinstance(names, dict):
        try:
            names = [names[key] for key in sorted(names, key=int)]
        except ValueError as error:
            raise DatasetError("The numbers of `names` in data.yaml are no numbers.") from error
    if not isinstance(names, list) or len(_texts(names)) < len(names):
        raise DatasetError("The `names` in data.yaml are no list of names; write one a line.")
    return names


def _listed_names(folder: Path) -> list[str]:
    """Of a `classes.txt`, as labelImg and Label Studio write it."""
    for path in (folder / "classes.txt", folder / "labels" / "classes.txt"):
        if is_file(path):
            try:
                lines = path.read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError) as error:
                raise DatasetError(f"{path} cannot be read: {error}.") from error
            return [line.strip() for line in lines if line.strip()]
    return []
