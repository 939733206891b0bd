"""Pascal VOC data sets: one XML file a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as Xml

from datasets.labelling.check.given import Dataset, GivenBox, GivenImage, unreadable
from datasets.labelling.inputs import PICTURES
from vision.paths import is_file


def find_voc(folder: Path) -> Dataset | None:
    """The data set in `folder`, None where there are no VOC files in it, its `Annotations`, or its splits."""
    files = sorted({*folder.glob("*.xml"), *folder.glob("*/*.xml")})
    parsed = ((path, _parse(path)) for path in files)
    good = [path for path, root in parsed if root is not None]
    if not good:
        return None
    names: dict[str, None] = {}
    for path in good:
        root = _parse(path)
        names.update(
            dict.fromkeys(e.findtext("name", "") for e in root.iter("object")) if root is not None else {}
        )
    dataset = Dataset("voc", tuple(names), (), unreadable(files))
    dataset.images = _Images(good, dataset.problems)
    return dataset


class _Images:
    def __init__(self, files: Sequence[Path], problems: list[str]) -> None:
        self._files, self._problems = files, problems

    def __iter__(self) -> Iterator[GivenImage]:
        for path in self._files:
            root = _parse(path)
            if root is not None:
                yield GivenImage(
                    _picture(path, root.findtext("filename", "")), tuple(self._boxes(path, root))
                )

    def _boxes(self, path: Path, root: Xml.Element) -> Iterator[GivenBox]:
        for number, entry in enumerate(root.iter("object"), 1):
            where = f"{path}:object {number}"
            try:
                # Pixels count from 1 and belong to the box.
                x1, y1, x2, y2 = (
                    float(entry.findtext(f"bndbox/{k}", "")) for k in ("xmin", "ymin", "xmax", "ymax")
                )
                yield GivenBox((x1 - 1, y1 - 1, x2, y2), entry.findtext("name", ""), where)
            except ValueError:
                self._problems.append(f"{where} has no box that can be read.")


def _parse(path: Path) -> Xml.Element | None:
    try:
        root = Xml.parse(path).getroot()
    except (OSError, Xml.ParseError, LookupError, ValueError):  # the last two: of no known encoding
        return None
    return root if root.tag == "annotation" else None


def _picture(path: Path, name: str) -> Path:
    """The picture beside the file, in `JPEGImages` or in `images`; named as in the file, or like it."""
    folders = (path.parent, path.parent.parent / "JPEGImages", path.parent.parent / "images")
    names = [name] if name else []
    names += [f"{path.stem}{suffix}" for suffix in sorted(PICTURES)]
    return next((f / n for f in folders for n in names if is_file(f / n)), path.with_suffix(".jpg"))
