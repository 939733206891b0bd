"""COCO data sets: JSON files with images, annotations and categories."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datasets.labelling.check.given import Dataset, DatasetError, GivenBox, GivenImage, unreadable
from vision.paths import is_file


def find_coco(folder: Path) -> Dataset | None:
    """The data set in `folder`, None where there is no COCO file in it or in its folder `annotations`.

    Raises DatasetError for one whose categories have no names.
    """
    files = sorted(
        (*folder.glob("*.json"), *folder.glob("annotations/*.json"), *folder.glob("*/*.coco.json"))
    )
    contents = {path: content for path in dict.fromkeys(files) if (content := _content(path)) is not None}
    if not contents:
        return None
    names = dict.fromkeys(
        name for path, content in contents.items() for name in _categories(path, content).values()
    )
    dataset = Dataset("coco", tuple(names), (), unreadable(files))
    dataset.images = _Images(folder, contents, dataset.problems)
    return dataset


class _Images:
    def __init__(self, folder: Path, contents: Mapping[Path, dict[str, Any]], problems: list[str]) -> None:
        self._folder, self._contents, self._problems = folder, contents, problems

    def __iter__(self) -> Iterator[GivenImage]:
        for path, content in self._contents.items():
            names = _categories(path, content)
            boxes: dict[Any, list[GivenBox]] = defaultdict(list)
            for number, entry in enumerate(content["annotations"], 1):
                where = f"{path}:annotation {number}"
                try:
                    x, y, w, h = (float(value) for value in entry["bbox"])
                    box = GivenBox((x, y, x + w, y + h), names[entry["category_id"]], where)
                    boxes[entry["image_id"]].append(box)
                except (KeyError, TypeError, ValueError, OverflowError):
                    self._problems.append(f"{where} has no box, image or category that can be read.")
            for number, image in enumerate(content["images"], 1):
                try:
                    name, labels = image["file_name"], tuple(boxes[image["id"]])
                except (KeyError, TypeError):
                    name, labels = None, ()
                if isinstance(name, str):
                    yield GivenImage(self._find(path, name), labels)
                else:
                    self._problems.append(f"{path}:image {number} has no file name or id.")

    def _find(self, path: Path, name: str) -> Path:
        """The picture, wherever the tool that wrote the file puts it."""
        split = path.stem.removeprefix("instances_")
        places = (
            path.parent, self._folder, self._folder / "images" / split, self._folder / "images",
            self._folder / split,
        )  # fmt: skip
        return next((at / name for at in places if is_file(at / name)), self._folder / name)


def _categories(path: Path, content: Mapping[str, Any]) -> dict[Any, str]:
    """Names by id. Raises DatasetError."""
    try:
        names = {category["id"]: category["name"] for category in content["categories"]}
    except (KeyError, TypeError) as error:
        raise DatasetError(f"{path} has a category without id or name; complete it.") from error
    if not all(isinstance(name, str) for name in names.values()):
        raise DatasetError(f"{path} has a category whose name is no text; write it in quotes.")
    return names


def _content(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    needed = ("images", "annotations", "categories")
    return (
        content
        if isinstance(content, dict) and all(isinstance(content.get(k), list) for k in needed)
        else None
    )
