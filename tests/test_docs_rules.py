"""The page on adding a rule set, done as it says: its files are written into a copy of the project, its lines
put in, its examples and tests run there."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "scoring" / "docs" / "adding-a-rule-set.md"
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
LINE = re.compile(r"<!-- line after \"([\w-]+)\" in: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the page touches, with what it adds."""
    copy = tmp_path_factory.mktemp("project")
    ignored = shutil.ignore_patterns("__pycache__", "pages")
    for package in ("scoring", "vision"):
        shutil.copytree(ROOT / package, copy / package, ignore=ignored)
    (copy / "tests").mkdir()
    for name, content in FILE.findall(TEXT):
        assert not (copy / name).exists(), f"the page would overwrite {name}"
        (copy / name).write_text(content, encoding="utf-8")
    for after, name, line in LINE.findall(TEXT):
        text, count = re.subn(
            rf'^ +"{after}": .*\n', rf"\g<0>{line}", (copy / name).read_text("utf-8"), flags=re.MULTILINE
        )
        assert count == 1, f"{name} has no one line of {after}"
        (copy / name).write_text(text, encoding="utf-8")
    return copy


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python in the copy; what is not copied comes from the project itself."""
    path = os.pathsep.join([str(project), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_its_own_tests_and_those_that_take_up_the_set_pass(project: Path) -> None:
    assert run(project, "-m", "scoring.catalogue").returncode == 0
    page = (project / "scoring" / "docs" / "garden.md").read_text(encoding="utf-8")
    assert "双数 All Even" in page
    catalogue = (ROOT / "tests" / "test_rules_catalogue.py").read_text(encoding="utf-8")
    told = re.search(r'`("garden": \d+)`', TEXT)
    assert told is not None
    sizes, count = re.subn(
        r"^SIZES = \{", f'SIZES = {{{told[1]}, "terrace": 4, ', catalogue, flags=re.MULTILINE
    )
    assert count == 1
    (project / "tests" / "test_rules_catalogue.py").write_text(sizes, encoding="utf-8")
    (project / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    wanted = "garden or terrace or covers or lists"
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", "-k", wanted)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


def test_its_examples_are_true(project: Path) -> None:
    blocks = re.findall(r"```python\n(>>> .*?)```", TEXT, re.DOTALL)
    assert len(blocks) >= 2
    assert sum(len(doctest.DocTestParser().get_examples(block)) for block in blocks) >= 5
    done = run(project, "-m", "doctest", str(_plain(project, blocks)))
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_command_and_the_server_know_it(project: Path) -> None:
    hand = "[222m,1][444p,1]666s88m88s8s|EE0000|0"
    done = run(project, "-m", "models.cli", "score", hand, "--rules", "garden", "--json")
    assert json.loads(done.stdout)["total"] == 10
    code = "from vision.serve.catalogue import rules_answer as all_rules\n"
    code += "print(*(rules['name'] for rules in all_rules()['rule_sets']))"
    done = run(project, "-c", code)
    assert done.stdout.split()[-2:] == ["garden", "terrace"], done.stderr


def _plain(project: Path, blocks: list[str]) -> Path:
    path = project / "examples.txt"
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path
