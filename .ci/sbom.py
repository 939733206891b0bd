"""Complete a CycloneDX bill of materials, and check it: `python .ci/sbom.py sbom.json pyproject.toml`.

Needs packaging and cyclonedx-python-lib[validation]. Ends with 1 where the file is not valid by its schema, a
package that pyproject.toml names is missing from it, or one has no licence.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

USED = ("label", "review", "serve")
"""The extras that users have."""
LICENCES = {
    "flatbuffers": "Apache-2.0",
    "imagehash": "BSD-2-Clause",
    "jinja2": "BSD-3-Clause",
    "opencv-python-headless": "Apache-2.0",
    "protobuf": "BSD-3-Clause",
    "scipy": "BSD-3-Clause",
    "segno": "BSD-3-Clause",
}
"""Of packages whose metadata name none by SPDX's identifier: read in the licence files that they install, of
flatbuffers, which installs none, in its metadata. Of their own code; the wheels of NumPy, SciPy and OpenCV
hold libraries of others besides, with licence files of their own."""


def complete(bill: dict[str, Any]) -> None:
    """Give licences to packages whose metadata lack them, marked as concluded and not as declared."""
    for component in bill["components"]:
        name = canonicalize_name(component["name"])
        if name in LICENCES and not _spdx(component):
            licence = {"acknowledgement": "concluded", "id": LICENCES[name]}
            component["licenses"] = [{"license": licence}]


def problems(text: str, project: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a bill of materials, one sentence each."""
    invalid = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if invalid is not None:
        yield f"It is not valid by the schema: {str(invalid).splitlines()[0]}."
    found = {canonicalize_name(component["name"]): component for component in json.loads(text)["components"]}
    extras = project["optional-dependencies"]
    for requirement in map(Requirement, sum((extras[extra] for extra in USED), project["dependencies"])):
        component = found.get(canonicalize_name(requirement.name))
        if component is None:
            yield f"{requirement.name} is missing."
        elif not requirement.specifier.contains(component["version"]):
            yield f"{requirement.name} {component['version']} is not what pyproject.toml asks for."
    for name, component in found.items():
        if not _spdx(component):
            yield f"{name} has no licence by its SPDX name; read its licence file, and add it to LICENCES."


def main() -> int:
    """argv: the bill of materials, which is written back, and pyproject.toml."""
    path, pyproject = map(Path, sys.argv[1:])
    bill = json.loads(path.read_text(encoding="utf-8"))
    complete(bill)
    text = json.dumps(bill, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    path.write_text(text, encoding="utf-8")
    wrong = list(problems(text, tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]))
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    print(f"{path}: {len(bill['components'])} packages, CycloneDX {bill['specVersion']}")
    return 1 if wrong else 0


def _spdx(component: dict[str, Any]) -> bool:
    """Whether a licence is given by SPDX's identifier or an expression of such."""
    return any("expression" in entry or "id" in entry["license"] for entry in component.get("licenses", []))


if __name__ == "__main__":
    sys.exit(main())
