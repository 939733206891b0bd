"""All comparisons in one run, as tables: photos, scoring, labelling; with --all also the server and takes.

    python tests/benchmarks [--quick] [--only photo,scoring,labelling] [--json FILE] [--markdown]

Runs the code of this clone. Where a package or photos are missing a line says so, and the rest is measured.
Times mean something on an otherwise idle machine only: the load at start and end is told. README.md beside
this file says what is measured and how.
"""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

# What is measured is this clone, whatever is installed. Modules here find each other by their own folder,
# which Python adds itself only where the folder is run, not with -m.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from annotated import BESIDE
from commands import CommandFailedError
from machine import Machine, this_machine, told_load
from rich.console import Console
from settings import PROGRAMS, Settings
from tables import Section, as_markdown, draw

SECTIONS = ("photo", "scoring", "labelling")
MORE = ("server", "invariance")
ROUNDS, QUICK_ROUNDS = 7, 2


def main(words: Sequence[str] | None = None) -> int:
    """Print the tables; 1 where a program that was to be measured failed."""
    arguments = _parser().parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that programs being measured are ended, too
    names = tuple(arguments.only or (SECTIONS + MORE if arguments.all else SECTIONS))
    rounds = arguments.rounds or (QUICK_ROUNDS if arguments.quick else ROUNDS)
    console = Console()
    markdown = arguments.markdown or not console.is_terminal
    machine, before = this_machine(), told_load()
    _show_machine(machine, before, console, markdown)
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            print(f"measuring {name} ...", file=sys.stderr, flush=True)
            settings = Settings(
                quick=arguments.quick,
                rounds=rounds,
                photos=arguments.photos,
                workers=arguments.workers,
                without=frozenset(arguments.without),
                folder=Path(folder) / name,
            )
            settings.folder.mkdir()
            section = _measured(name, settings)
            _show(section, console, markdown)
            sections.append(section)
    after = told_load()
    print(f"At the end: {after}.")
    if arguments.json:
        found = {
            "machine": asdict(machine) | {"load_before": before, "load_after": after},
            "rounds": rounds,
            "sections": {section.name: asdict(section) for section in sections},
        }
        arguments.json.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return int(any(section.failed for section in sections))


def _measured(name: str, settings: Settings) -> Section:
    try:
        section: Section = importlib.import_module(f"section_{name}").measure(settings)
    except CommandFailedError as error:
        return Section(name, failed=str(error))
    return section


def _show_machine(machine: Machine, load: str, console: Console, markdown: bool) -> None:
    for line in (*machine.lines(), f"At the start: {load}."):
        if markdown:
            print(f"{line}\n", flush=True)
        else:
            console.print(line, highlight=False)


def _show(section: Section, console: Console, markdown: bool) -> None:
    for table in section.tables:
        if markdown:
            print(as_markdown(table), flush=True)
        else:
            draw(table, console)
    if section.failed:
        print(f"hupai benchmarks: {section.name} failed: {section.failed}", file=sys.stderr)
    for line in section.missing:
        print(f"Not measured: {line}" + ("\n" if markdown else ""), flush=True)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SECTIONS + MORE:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(SECTIONS + MORE)}")
    return names


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    assert __doc__
    parser = argparse.ArgumentParser("python tests/benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="little of everything, in a minute")
    parser.add_argument("--only", type=_names, metavar="NAMES", help=f"of {','.join(SECTIONS + MORE)}")
    parser.add_argument("--all", action="store_true", help="the server and other takes of photos too")
    parser.add_argument("--rounds", type=_count, help=f"by default {ROUNDS}, with --quick {QUICK_ROUNDS}")
    parser.add_argument("--photos", type=Path, default=BESIDE, help="folder of real photos and their truth/")
    parser.add_argument("--workers", type=_count, default=2, help="of labelling, by default 2")
    parser.add_argument("--without", action="append", default=[], choices=PROGRAMS, help="leave one out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's values there")
    parser.add_argument("--markdown", action="store_true", help="Markdown on a terminal too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
