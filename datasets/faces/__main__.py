"""`python -m datasets.faces atlas OUT.npz --sets N --seed S --size 96x128`, `... sheet OUT.png --sets N`,
`... vectors OUT.npz FOLDER`, `... sprite OUT.svg` and `... fonts`."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; write it as WIDTHxHEIGHT, such as 96x128")
    return int(match[1]), int(match[2])


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 5000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of sets from 1 to 5000")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m datasets.faces", description="Draw mahjong tile faces.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text, sets in (
        ("atlas", "write many invented sets as one NPZ file for training", 400),
        ("sheet", "write a contact sheet of invented sets as a picture", 12),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("out", type=Path)
        command.add_argument("--sets", type=_count, default=sets)
        command.add_argument("--seed", type=int, default=0)
        command.add_argument("--size", type=_size, default=(96, 128), metavar="WxH")
    text = "write the vector sets of others (see datasets.faces.vector) as one NPZ file"
    command = commands.add_parser("vectors", help=text, description=text)
    command.add_argument("out", type=Path)
    command.add_argument(
        "folder", type=Path, help="where the SVG files lie, such as ../shared/data/tiles/vector"
    )
    command.add_argument("--size", type=_size, default=(96, 128), metavar="WxH")
    text = "write the project's own set as one SVG file of symbols"
    command = commands.add_parser("sprite", help=text, description=text)
    command.add_argument("out", type=Path)
    commands.add_parser("fonts", help="list the fonts that will be used")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    args = _parser().parse_args(argv)
    from datasets.faces.typefaces import FontsMissingError, fonts

    try:
        if args.command == "fonts":
            for font in fonts():
                print(f"{font.hand:8} {font.path}#{font.index}")
        else:
            _write(args)
    except (FontsMissingError, ImportError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Cannot write {args.out}: {error.strerror or error}.", file=sys.stderr)
        return 1
    return 0


def _write(args: argparse.Namespace) -> None:
    if args.command == "sprite":
        from datasets.faces.sprite import save_sprite

        save_sprite(args.out)
        return
    from datasets.faces.atlas import build_atlas, save_atlas, save_sheet

    if args.command == "vectors":
        from datasets.faces.vector import vector_sets

        save_atlas(args.out, vector_sets(args.folder, size=args.size))
    elif args.command == "atlas":
        save_atlas(args.out, build_atlas(args.sets, args.seed, args.size))
    else:
        save_sheet(args.out, build_atlas(args.sets, args.seed, args.size))


if __name__ == "__main__":
    sys.exit(main())
