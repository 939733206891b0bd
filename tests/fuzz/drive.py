"""Fuzz in processes of their own, and start another where one dies: a crash of a native library is a finding
like any other."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .target import Finding, Run
from .worker import OVER_MEMORY

ROOT = Path(__file__).parents[2]
_SLACK = 300.0
"""Seconds for a process to load, and to end when its time is over; one that takes longer is killed. It is no
finding: an input at which it stands still has long been one by then."""


def drive(
    target: str,
    *,
    engine: str = "random",
    executions: int = 1 << 40,
    seconds: float = 1e9,
    seed: int = 0,
    corpus: Path | None = None,
) -> Run:
    """Run a target until so many executions or seconds are over. corpus: where atheris keeps its inputs."""
    began, done, findings = time.monotonic(), 0, {}
    with tempfile.TemporaryDirectory(prefix="hupai-fuzz-") as folder:
        out = Path(folder)
        while done < executions and (left := seconds - (time.monotonic() - began)) > 0:
            ended = _process(target, engine, executions - done, left, seed, out, corpus)
            count = _count(out)
            for kept in sorted((out / "findings").glob("*.json")):
                told = json.loads(kept.read_text())
                finding = Finding(told["key"], bytes.fromhex(told["data"]), told["told"])
                if finding.key not in findings or len(finding.data) < len(findings[finding.key].data):
                    findings[finding.key] = finding
            died = _death(ended, out)
            if died is not None:
                findings.setdefault(died.key, died)
            done, seed = done + count, seed + 1
            if died is None and engine == "random":
                break
            if died is not None and not count:
                break  # it cannot even start
    return Run(target, engine, done, time.monotonic() - began, tuple(findings.values()))


def _process(
    target: str, engine: str, executions: int, seconds: float, seed: int, out: Path, corpus: Path | None
) -> subprocess.CompletedProcess[str]:
    words = [
        sys.executable, "-m", f"{__package__}.worker", target, "--engine", engine, "--seed", str(seed),
        "--executions", str(executions), "--seconds", str(seconds), "--out", str(out),
        *(["--corpus", str(corpus)] if corpus else []),
    ]  # fmt: skip
    (out / "count").unlink(missing_ok=True)
    with (out / "stderr").open("w+", errors="replace") as stderr:
        code = subprocess.Popen(
            words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=stderr, text=True, env=_environment(out)
        )
        try:
            code.wait(seconds + _SLACK if seconds < 1e8 else None)
            status = code.returncode
        except subprocess.TimeoutExpired:
            code.kill()
            code.wait()
            status = 0
        stderr.seek(0)
        return subprocess.CompletedProcess(words, status, "", stderr.read())


def _environment(out: Path) -> dict[str, str]:
    """The repository and its tests can be imported; what a target writes goes with `out`."""
    places = [str(ROOT), str(ROOT / "tests")]
    path = os.pathsep.join([*places, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {
        **os.environ, "PYTHONPATH": path, "TMPDIR": str(out), "OMP_NUM_THREADS": "1",
        "PYTHONWARNINGS": "ignore",
    }  # fmt: skip


def _count(out: Path) -> int:
    path = out / "count"
    return struct.unpack("<Q", path.read_bytes())[0] if path.exists() else 0


def _death(ended: subprocess.CompletedProcess[str], out: Path) -> Finding | None:
    """How a process ended that did not end by itself."""
    code = ended.returncode
    if code == 0:
        return None
    if code == OVER_MEMORY:
        key = "held too much memory"
    elif code == -signal.SIGPROF or "Timeout (" in ended.stderr:
        key = "took too long"
    elif code < 0:
        key = f"died of {signal.Signals(-code).name}"
    else:
        key = f"ended with status {code}"
    where = next((line.strip() for line in ended.stderr.splitlines() if line.startswith("  File")), "")
    data = (out / "input").read_bytes() if (out / "input").exists() else b""
    return Finding(f"{key} {where}".strip(), data, ended.stderr[-4000:])
