"""`python -m tests.fuzz TARGET --minutes N`: fuzz one target for as long as you want."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from .drive import drive
from .target import Run
from .targets import TARGETS

OPENAPI = "openapi"
"""Not a target of bytes: schemathesis makes whole requests."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=[*TARGETS, OPENAPI])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument(
        "--engine", choices=["atheris", "random"], help="atheris where it is installed, by default"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the random engine: the same inputs again")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="where findings are written")
    parser.add_argument("--corpus", type=Path, help="folder of inputs that atheris goes on from")
    told = parser.parse_args()
    if told.target == OPENAPI:
        sys.path.insert(0, str(Path(__file__).parents[1]))  # stand-ins that tests share
        from .openapi import explore

        run = explore(seconds=told.minutes * 60, number=told.seed)
        _tell(run, told.out)
        return 1 if run.findings else 0
    engine = told.engine or ("atheris" if importlib.util.find_spec("atheris") else "random")
    run = drive(told.target, engine=engine, seconds=told.minutes * 60, seed=told.seed, corpus=told.corpus)
    _tell(run, told.out)
    return 1 if run.findings else 0


def _tell(run: Run, out: Path) -> None:
    print(
        f"{run.target}: {run.executions:,} executions in {run.seconds / 60:.1f} minutes by {run.engine}, "
        f"{len(run.findings)} findings"
    )
    for number, finding in enumerate(run.findings, 1):
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"{run.target}-{number}"
        path.write_bytes(finding.data)
        path.with_suffix(".txt").write_text(finding.told, encoding="utf-8")
        print(f"{number}. {finding.key}: {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
