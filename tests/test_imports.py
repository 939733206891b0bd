"""The layers: who may import whom, what stays light, and how fast the command answers."""

from __future__ import annotations

import ast
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("scoring", "vision", "models", "datasets")
HEAVY = {"cv2", "datasets", "numpy", "onnxruntime", "PIL", "pillow_heif", "rich", "torch", "ultralytics"}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[str]:
    """Absolute names of all that a module imports, also inside functions and for type checkers only."""
    return {name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for name in names(node)}


def names(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"relative import of {node.module}"
        return {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


def internal(path: Path) -> set[str]:
    return {name for name in imports(path) if name.split(".")[0] in PACKAGES}


@pytest.mark.parametrize("path", modules("scoring"), ids=name_of)
def test_scoring_knows_only_itself_and_the_standard_library(path: Path) -> None:
    tops = {name.split(".")[0] for name in imports(path)}
    assert tops <= set(sys.stdlib_module_names) | {"scoring"}


@pytest.mark.parametrize("path", modules("vision"), ids=name_of)
def test_vision_knows_scoring_and_the_registry(path: Path) -> None:
    outside = {name for name in internal(path) if name.split(".")[0] != "vision"}
    others = {name for name in outside if name.split(".")[0] != "scoring"}
    assert all(name == "models" or name.startswith("models.registry") for name in others)


def test_the_registry_knows_only_the_standard_library() -> None:
    tops = {name.split(".")[0] for name in imports(ROOT / "models" / "registry.py")}
    assert tops <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", modules("datasets"), ids=name_of)
def test_datasets_know_nothing_of_the_commands(path: Path) -> None:
    assert not any(name.startswith(("models.commands", "models.cli")) for name in internal(path))


def test_modules_import_each_other_without_a_cycle() -> None:
    paths = {name_of(path): path for package in PACKAGES for path in modules(package)}
    needs: dict[str, set[str]] = {}
    for name, path in paths.items():
        found = [names(node) & paths.keys() for node in ast.parse(path.read_text(encoding="utf-8")).body]
        # `from package import module` needs the module; that it imports the package too is no cycle.
        needs[name] = {
            needed for some in found for needed in some if not any(n.startswith(f"{needed}.") for n in some)
        }
    while ready := [name for name, needed in needs.items() if not needed & needs.keys()]:
        for name in ready:
            del needs[name]
    assert not needs


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


@pytest.mark.parametrize(
    "module", ["scoring", "vision", "models", "datasets", "models.registry", "models.cli"]
)
def test_nothing_heavy_is_imported_early(module: str) -> None:
    loaded = set(run(f"import sys, {module}; print(*sys.modules)").split())
    assert not loaded & (HEAVY - {module})


def test_help_answers_at_once() -> None:
    # 0.3 s is the bound (0.07 s measured). Other tests run at the same time, so the processor's time counts.
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(3):
        before = spent()
        out = run("import sys; sys.argv = ['hupai', '--help']; from models.cli import main; main()")
        times.append(spent() - before)
    assert "read" in out
    assert min(times) < 0.3
