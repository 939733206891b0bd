"""`hupai read`: photos in; tiles, groups, fans and payment out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.commands.options import (
    Choices,
    Dealer,
    Discarder,
    Edition,
    Events,
    Gold,
    Responsible,
    Rules,
    Streak,
    Wild,
    named_rules,
    scorer,
)
from models.commands.output import complain, console, plain, print_json

if TYPE_CHECKING:
    from vision.elements import Reading
    from vision.hand import Scorer
    from vision.reader import Reader


def read(
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO", help="JPEG, PNG, WebP or HEIC photos.")],
    seat: Annotated[str | None, typer.Option(metavar="WIND", help="The winner's wind: E, S, W or N.")] = None,
    round_: Annotated[str | None, typer.Option("--round", metavar="WIND", help="The prevalent wind.")] = None,
    self_drawn: Annotated[
        bool | None, typer.Option("--self-drawn/--claimed", help="How the winning tile came.")
    ] = None,
    win: Annotated[
        str | None, typer.Option(metavar="TILE", help="The winning tile, for instance 5s.")
    ] = None,
    last_copy: Annotated[
        bool, typer.Option("--last-copy", help="The last copy of its kind (和绝张).")
    ] = False,
    last_tile: Annotated[bool, typer.Option("--last-tile", help="Won on the wall's last tile.")] = False,
    kong: Annotated[bool, typer.Option("--kong", help="杠上开花 or 抢杠和.")] = False,
    event: Events = None,
    rules: Rules = "mcr",
    edition: Edition = None,
    wild: Wild = None,
    gold: Gold = None,
    dealer: Dealer = False,
    streak: Streak = None,
    discarder: Discarder = None,
    responsible: Responsible = None,
    option: Choices = None,
    set_: Annotated[
        str | None,
        typer.Option(
            "--set", metavar="NAME", help="The taught set (default: the one in use; `none`: read without)."
        ),
    ] = None,
    locator: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.onnx", help="Find tiles with these weights (an ONNX file) instead of hupai's own."
        ),
    ] = None,
    namer: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.onnx",
            help="Name tiles with these weights (an ONNX file), and without a taught set.",
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object a photo.")] = False,
    overlay: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jpg", help="Draw what was found into this picture (a folder for several photos)."
        ),
    ] = None,
) -> None:
    """Read photos of finished hands."""
    from models.commands.overlay import OverlayError, overlay_paths
    from models.registry import ModelError
    from vision.circumstances import Circumstances
    from vision.errors import VisionError

    try:
        said = Circumstances(seat, round_, win, self_drawn, last_copy, last_tile, kong)
        drawings = overlay_paths(photos, overlay) if overlay is not None else [None] * len(photos)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    if namer is not None and set_ not in {None, "none"}:
        raise typer.BadParameter("a taught set corrects the namer that ships: give --namer or --set.")
    table = scorer(rules, edition, event, wild, gold, dealer, streak, discarder, responsible, option)
    said = replace(said, honours_are_flowers=named_rules(rules).honours_are_flowers)
    try:
        reader, assumed = _reader(table, set_, locator, namer)
    except (ModelError, VisionError) as error:
        complain(str(error))
        raise typer.Exit(1) from error
    failed = False
    for photo, drawing in zip(photos, drawings, strict=True):
        try:
            source = photo if drawing is None else _for_twice(photo)
            reading = reader.read(source, said, name=str(photo))
            reading = replace(reading, assumed={**reading.assumed, **assumed})
            _show(reading, json_)
            if drawing is not None:
                _draw(source, reading, drawing)
        except (ModelError, VisionError, OverlayError) as error:
            complain(str(error))
            failed = True
    raise typer.Exit(1 if failed else 0)


def _reader(
    table: Scorer, said: str | None, locator: Path | None, namer: Path | None
) -> tuple[Reader, dict[str, str]]:
    """The reader for the taught set that was said, else for the one in use, which is assumed then.

    A set in use that cannot be read stops nobody from reading: it is reported, and left out. Own weights of
    the namer are read with as they are.
    """
    from vision.errors import VisionError
    from vision.locator import Locator
    from vision.namer import Namer
    from vision.reader import Reader
    from vision.taught.store import NONE, Store

    reader = Reader if locator is None else partial(Reader, locator=Locator(weights=locator))
    if namer is not None:
        return reader(table, namer=Namer(weights=namer)), {}
    if said is not None:
        return (reader(table) if said == NONE else reader(table, taught=said)), {}
    try:
        name = Store().in_use()
        return (reader(table), {}) if name is None else (reader(table, taught=name), {"set": name})
    except VisionError as error:
        complain(f"{error} Reading without it.")
        return reader(table), {}


def _show(reading: Reading, as_json: bool) -> None:
    if as_json:
        print_json(reading.to_dict())
        return
    from vision.table import NARROWEST, print_reading

    print_reading(replace(reading, photo=plain(reading.photo)), console(NARROWEST))


def _for_twice(photo: Path) -> Path | BytesIO:
    """What the photo is read from and drawn on: a pipe gives its bytes only once."""
    from vision.paths import is_pipe, may_never_end
    from vision.photo import MAX_BYTES

    if not is_pipe(photo) or may_never_end(photo):
        return photo
    try:
        with photo.open("rb") as stream:
            return BytesIO(stream.read(MAX_BYTES + 1))
    except OSError:  # whoever opens it says why
        return photo


def _draw(source: Path | BytesIO, reading: Reading, path: Path) -> None:
    """Decodes the photo once more: a reading holds no pixels, and few ask for the picture."""
    from models.commands.overlay import write_picture
    from vision.draw import draw_overlay
    from vision.photo import load_photo

    if isinstance(source, BytesIO):
        source.seek(0)
    write_picture(draw_overlay(load_photo(source).pixels, reading), path)
