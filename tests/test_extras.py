"""What a command says where the packages of its extra are not installed."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import typer

from models.commands.extras import PACKAGES, need

ROOT = Path(__file__).parent.parent
COMMANDS = {
    "check": ("label", ["nowhere"]),
    "export": ("label", ["nowhere"]),
    "label": ("label", ["nowhere", "--out", "nowhere"]),
    "label-cluster": ("cluster", ["nowhere", "--shards", "nowhere"]),
    "review": ("review", ["nowhere", "--no-open"]),
    "serve": ("serve", ["--port", "0", "--data", "nowhere"]),
    "train": ("train", ["export", "--out", "nowhere", "--namer", __file__]),
}
TRAINING = ("onnx", "onnxslim", "torch", "torchvision", "ultralytics")


def told(missing: Sequence[str], command: Sequence[str], folder: Path) -> str:
    """What a command says, run in a folder as if the packages were not installed; all else checked."""
    code = (
        "import sys; from models.cli import main\n"
        f"sys.modules.update(dict.fromkeys({tuple(missing)!r})); sys.argv = {['hupai', *command]!r}; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    (sentence,) = done.stderr.splitlines()
    return sentence


@pytest.mark.parametrize("command", COMMANDS)
def test_without_its_extra_a_command_says_what_to_install(command: str, tmp_path: Path) -> None:
    extra, arguments = COMMANDS[command]
    missing = TRAINING if extra == "train" else PACKAGES[extra]
    sentence = told(missing, [command, *arguments], tmp_path)
    assert sentence.endswith(f"install with: pip install 'hupai[{extra}]'.")


def test_labels_of_a_cluster_need_its_packages(tmp_path: Path) -> None:
    for package in PACKAGES["label"]:
        pytest.importorskip(package, reason="needs the extra `label`")
    sentence = told(
        ("fsspec", "pyarrow"), ["label", "--from-shards", "nowhere", "--out", "nowhere"], tmp_path
    )
    assert "needs fsspec, pyarrow; install with: pip install 'hupai[cluster]'." in sentence


@pytest.mark.parametrize(
    ("extra", "package"), [(extra, package) for extra, packages in PACKAGES.items() for package in packages]
)
def test_each_package_is_missed(
    extra: str, package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(typer.Exit):
        need(extra)
    assert package in capsys.readouterr().err


@pytest.mark.parametrize("extra", PACKAGES)
def test_all_that_an_extra_installs_is_looked_for(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = {distribution(needed) for needed in project["dependencies"]}
    modules: dict[str, set[str]] = {}
    for module, names in packages_distributions().items():
        for name in names:
            modules.setdefault(distribution(name), set()).add(module)
    for needed in project["optional-dependencies"][extra]:
        name = distribution(needed)
        if name in modules and name not in base | {"hupai"}:  # where it is installed, its modules are known
            assert modules[name] & set(PACKAGES[extra]), needed


def distribution(requirement: str) -> str:
    """The normal form of a requirement's name."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~! ;]", requirement)[0]).lower()
