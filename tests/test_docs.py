"""The Markdown pages: links lead somewhere, commands exist with their options, figures are those measured.

Only the example of the page on reading runs the models (on the rendered sample); all else is text.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer.main

import models.cli

ROOT = Path(__file__).parent.parent
FOLDERS = ("vision", "scoring", "models", "datasets", "tests")
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
HOW = ROOT / "vision" / "README.md"
LIMITS = ROOT / "vision" / "docs" / "limits.md"
PIPELINE = ROOT / "vision" / "docs" / "pipeline.svg"
EVERYWHERE = {"--help"}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The headings as GitHub makes anchors of them."""
    found: dict[str, int] = {}
    names = []
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(page), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names.append(slug if slug not in found else f"{slug}-{found[slug]}")
        found[slug] = found.get(slug, 0) + 1
    return frozenset(names)


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    without_code = re.sub(r"`[^`\n]*`", "", prose(page))
    for target in re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", without_code):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / unquote(path)).resolve() if path else page
        assert there.is_relative_to(ROOT), f"{target} leaves the repository"
        assert there.exists(), f"there is no {target}"
        if anchor:
            assert unquote(anchor) in anchors(there), f"{name_of(there)} has no heading for #{anchor}"


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each command: lines of shell blocks, and code within a line that begins with `hupai `."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += [code.replace("\n", " ") for code in re.findall(r"`(hupai [^`]+)`", prose(page))]
    for line in lines:
        for part in re.split(r" && | \| ", re.sub(r" #.*", "", line)):
            words = shlex.split(part.replace("…", ""), comments=True)
            if words:
                yield words


@cache
def typer_app(name: str) -> Any:
    """The command tree of `hupai`, or of `hupai train`."""
    if name == "train":
        from models.training.commands import app

        return typer.main.get_command(app)
    return typer.main.get_command(models.cli.app)


def options(words: list[str]) -> set[str]:
    """The options that a command line uses, without their values."""
    return {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}


def known(command: Any) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}


@each_page
def test_commands_exist_and_take_their_options(page: Path) -> None:
    for words in commands(page):
        program = words[0].rpartition("/")[2]
        if program == "hupai":
            check_hupai(words[1:])
        elif program == "python" and words[1:2] == ["-m"]:
            check_module(words[2], words[3:])
        elif program == "python" and words[1:] and words[1].endswith(".py"):
            check_script(ROOT / words[1], words[2:])


def test_the_check_of_commands_refuses_what_there_is_not() -> None:
    check_hupai(["read", "hand.jpg", "--json", "--claimed"])
    check_hupai(["train", "namer", "--minutes", "3"])
    for words in (["reed"], ["read", "--jsn"], ["train", "namers"], ["train", "namer", "--minute", "3"]):
        with pytest.raises(AssertionError):
            check_hupai(words)
    assert sum(1 for page in PAGES for _ in commands(page)) > 80


def check_hupai(words: list[str]) -> None:
    app, name = typer_app("hupai"), ""
    for word in words:
        if word.startswith("-") or not getattr(app, "commands", None):
            break
        names = word.split("|")  # `hupai train scenes | locator`
        assert all(name in app.commands for name in names), f"there is no command {word}"
        name, words = word, words[1:]
        app = typer_app("train") if name == "train" else app.commands[names[0]]
    unknown = options(words) - known(app) - EVERYWHERE
    assert not unknown, f"hupai {name} has no {' '.join(sorted(unknown))}"


def check_module(name: str, words: list[str]) -> None:
    if name.partition(".")[0] not in FOLDERS:
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None, f"there is no module {name}"
    assert spec.origin is not None
    origin = Path(spec.origin)
    check_script(origin.with_name("__main__.py") if origin.name == "__init__.py" else origin, words)


def check_script(path: Path, words: list[str]) -> None:
    assert path.is_file(), f"there is no {path.name}"
    text = text_of(path)
    for option in options(words):
        assert f'"{option}"' in text or "photo_arguments" in text, f"{path.name} has no {option}"


def test_the_picture_of_the_stages_is_whole_and_stands_alone() -> None:
    root = ET.fromstring(text_of(PIPELINE))
    words = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for word in (word for line in words for word in re.findall(r"[\w/]+\.py", line)):
        place = ROOT / word if "/" in word else ROOT / "vision" / word
        assert place.is_file(), f"the picture names {word}"
    drawn = " ".join(words)
    for named in (
        "load_photo",
        "Located",
        "Named",
        "Layout",
        "Reading",
        "changed_from",
        "assumed",
        "by_winning_tile",
    ):
        assert named in drawn
    assert "prefers-color-scheme: dark" in text_of(PIPELINE)
    assert not re.search(r"(href|src|url\(|@import)", text_of(PIPELINE))


def test_the_sample_is_seen_as_the_page_on_reading_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = text_of(HOW)
    (example,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    said: list[Any] = []
    scope: dict[str, Any] = {"print": lambda *values: said.append(values)}
    exec(example, scope)
    located = scope["located"]
    faces, backs = int((~located.backs).sum()), int(located.backs.sum())
    assert said == [(faces + backs, backs, (faces + backs, 43))]
    assert (faces, backs) == (16, 7)
    assert located.scores[~located.backs].min() > 0.8
    from vision.reader import Reader

    reading = Reader().read("datasets/sample/hand.jpg")
    assert f"`{reading.hand}`" in text
    groups = {group.kind: len(group.tiles) for group in reading.groups}
    assert groups == {"concealed": 10, "chow": 3, "flowers": 2, "winning": 1}


def test_the_limits_are_those_measured() -> None:
    measured = "".join(
        text_of(ROOT / page)
        for page in ("vision/docs/accuracy.md", "models/weights/held-out.md", "README.md")
    )
    for share in re.findall(r"\d+\.\d %", text_of(LIMITS)):
        assert share in measured, f"{share} is in none of the tables"
    of_takes = text_of(ROOT / "README.md").partition("| as taken |")[2]
    for count in re.findall(r"(\d+)(?: and (\d+))? of 80", text_of(LIMITS)):
        assert all(number in re.findall(r"\d+", of_takes) for number in count if number)
