"""COCO data sets: JSON files with images, annotations and categories."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datasets.labelling.check.given import Dataset, GivenBox, GivenImage


def find_coco(folder: Path) -> Dataset | None:
    """The data set in `folder`, None where there is no COCO file in it or in its folder `annotations`."""
    files = sorted(
        (*folder.glob("*.json"), *folder.glob("annotations/*.json"), *folder.glob("*/*.coco.json"))
    )
    contents = {path: content for path in dict.fromkeys(files) if (content := _content(path)) is not None}
    if not contents:
        return None
    names = dict.fromkeys(
        str(category["name"]) for content in contents.values() for category in content["categories"]
    )
    dataset = Dataset("coco", tuple(names), ())
    dataset.images = _Images(folder, contents, dataset.problems)
    return dataset


class _Images:
    def __init__(self, folder: Path, contents: Mapping[Path, dict[str, Any]], problems: list[str]) -> None:
        self._folder, self._contents, self._problems = folder, contents, problems

    def __iter__(self) -> Iterator[GivenImage]:
        for path, content in self._contents.items():
            names = {category["id"]: str(category["name"]) for category in content["categories"]}
            boxes: dict[Any, list[GivenBox]] = defaultdict(list)
            for entry in content["annotations"]:
                try:
                    x, y, w, h = (float(value) for value in entry["bbox"])
                    where = f"{path}:annotation {entry.get('id')}"
                    boxes[entry["image_id"]].append(
                        GivenBox((x, y, x + w, y + h), names[entry["category_id"]], where)
                    )
                except (KeyError, TypeError, ValueError):
                    self._problems.append(f"{path}: an annotation without box, image or category: {entry}.")
            for image in content["images"]:
                yield GivenImage(self._find(path, str(image["file_name"])), tuple(boxes[image["id"]]))

    def _find(self, path: Path, name: str) -> Path:
        """The picture, wherever the tool that wrote the file puts it."""
        split = path.stem.removeprefix("instances_")
        places = (
            path.parent, self._folder, self._folder / "images" / split, self._folder / "images",
            self._folder / split,
        )  # fmt: skip
        return next((at / name for at in places if (at / name).is_file()), self._folder / name)


def _content(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    needed = ("images", "annotations", "categories")
    return (
        content
        if isinstance(content, dict) and all(isinstance(content.get(k), list) for k in needed)
        else None
    )
