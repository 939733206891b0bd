"""`hupai teach`: photos of the player's own set in; from then on that set is read better."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from models.commands.output import complain
from models.commands.teach_output import print_lesson, print_sets

if TYPE_CHECKING:
    from vision.taught.lesson import Lesson, Sight
    from vision.taught.store import Store, TaughtSet

DEFAULT_NAME = "mine"

Photos = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PHOTO",
        help="One or two photos: every face once (34, or 42 with flowers), or the whole set.",
    ),
]
Layouts = Annotated[
    list[Path] | None,
    typer.Option(
        "--layout",
        metavar="FILE",
        help="Text file of a photo's tiles, one line a row (`123m EE C`); one a photo.",
    ),
]
Hands = Annotated[
    list[str] | None,
    typer.Option("--hand", metavar="TILES", help="The hand that a photo shows, in any order; one a photo."),
]
Truths = Annotated[
    list[Path] | None, typer.Option("--truth", metavar="FILE", help="A photo's truth file; one a photo.")
]
Corrections = Annotated[
    list[str] | None,
    typer.Option(
        "--correct",
        metavar="N=TILE",
        help="Name a tile by its number: 17=3s, or 17=? to leave it out; repeatable.",
    ),
]


def teach(
    photos: Photos = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="What to call the set.")] = DEFAULT_NAME,
    layout: Layouts = None,
    hand: Hands = None,
    truth: Truths = None,
    correct: Corrections = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jpg", help="Draw the tiles with their numbers into this picture."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the names, keep nothing.")] = False,
    use: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read with this set from now on; `none`: with none.")
    ] = None,
    remove: Annotated[str | None, typer.Option(metavar="NAME", help="Forget this set.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the taught sets.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON objects.")] = False,
) -> None:
    """Teach a tile set by one or two photos of it.

    The set's crops are kept on this machine, and `hupai read` uses the set last taught.
    """
    from models.commands.overlay import OverlayError
    from models.registry import ModelError
    from models.truth import TruthError
    from vision.errors import VisionError
    from vision.taught.store import Store

    photos = photos or []
    tasks = [bool(photos), use is not None, remove is not None, list_]
    if sum(tasks) != 1:
        raise typer.BadParameter("give photos, or one of --list, --use and --remove")
    if sum(bool(given) for given in (layout, hand, truth)) > 1:
        raise typer.BadParameter("give one of --layout, --hand and --truth")
    for option, given in (("--layout", layout), ("--hand", hand), ("--truth", truth)):
        if given and len(given) != len(photos):
            raise typer.BadParameter(f"give one {option} for each photo, in their order")
    try:
        store = Store()
        if list_:
            print_sets(store, json_)
        elif use is not None:
            store.use(None if use == "none" else use)
        elif remove is not None:
            store.remove(remove)
        else:
            said = _corrections(correct or [])
            store.check_name(name)
            lesson = _lesson(photos, layout or [], hand or [], truth or [], said)
            if sheet is not None:
                _draw(lesson, photos, sheet)
            taught = None if dry_run else _keep(store, lesson, name)
            print_lesson(lesson, taught, name, json_)
    except (VisionError, ModelError, TruthError, OverlayError) as error:
        complain(str(error))
        raise typer.Exit(1) from error


def _lesson(
    photos: Sequence[Path],
    layouts: Sequence[Path],
    hands: Sequence[str],
    truths: Sequence[Path],
    said: dict[int, str],
) -> Lesson:
    from vision.locator import Locator
    from vision.namer import Namer
    from vision.taught.lesson import look_at, name_as_said, name_by_counts, names_in_rows

    locator, namer = Locator(), Namer()
    sights = [look_at(photo, locator, namer) for photo in photos]
    _once_each(sights)
    if truths:
        return name_as_said(sights, [_by_truth(*pair) for pair in zip(sights, truths, strict=True)], said)
    if layouts:
        rows = [_layout(path) for path in layouts]
        return name_as_said(sights, [names_in_rows(*pair) for pair in zip(sights, rows, strict=True)], said)
    if hands:
        counts = [_counts(hand) for hand in hands]
        return name_by_counts(sights, counts, said)
    return name_by_counts(sights, None, said)


def _once_each(sights: Sequence[Sight]) -> None:
    from vision.taught.errors import TeachError

    seen: dict[str, str] = {}
    for sight in sights:
        if sight.fingerprint in seen:
            raise TeachError(f"{sight.photo} and {seen[sight.fingerprint]} are the same photo; give it once.")
        seen[sight.fingerprint] = sight.photo


def _by_truth(sight: Sight, path: Path) -> list[str]:
    import numpy as np

    from models.truth import load_truth
    from vision.taught.lesson import names_by_place

    truth = load_truth(path)
    quads = np.array([tile.quad for tile in truth.tiles], np.float32).reshape(-1, 4, 2)
    return names_by_place(sight, quads, [tile.tile for tile in truth.tiles])


def _layout(path: Path) -> list[list[str]]:
    from vision.paths import may_never_end
    from vision.taught.errors import TeachError
    from vision.taught.order import parse_layout

    if may_never_end(path):
        raise TeachError(f"The layout {path} is a pipe or a device; give a file.")
    try:
        return parse_layout(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise TeachError(f"The layout {path} is not UTF-8 text.") from error
    except OSError as error:
        raise TeachError(f"The layout {path} cannot be read: {error.strerror}.") from error


def _counts(hand: str) -> dict[str, int]:
    from collections import Counter

    from scoring import NotationError, parse_hand
    from scoring.tiles import FLOWERS

    try:
        read = parse_hand(hand)
    except NotationError as error:
        raise typer.BadParameter(str(error), param_hint="--hand") from error
    melds = [tile for meld in read.melds for tile in meld.tiles]
    flowers = read.flowers or (FLOWERS if read.unnamed_flowers else ())
    return dict(Counter([*melds, *read.concealed, read.winning, *flowers]))


def _corrections(texts: Sequence[str]) -> dict[int, str]:
    said: dict[int, str] = {}
    for text in texts:
        match = re.fullmatch(r"(\d+)=(\S+)", text)
        if match is None:
            raise typer.BadParameter(f"'{text}' is no correction: write NUMBER=TILE, for instance 17=3s.")
        said[int(match[1])] = match[2]
    return said


def _draw(lesson: Lesson, photos: Sequence[Path], path: Path) -> None:
    from models.commands.overlay import overlay_paths, write_picture
    from vision.taught.sheet import contact_sheet

    try:
        for photo in photos:
            overlay_paths([photo], path)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--sheet") from error
    write_picture(contact_sheet(lesson), path)


def _keep(store: Store, lesson: Lesson, name: str) -> TaughtSet:
    from vision.namer import Namer
    from vision.taught.errors import TeachError
    from vision.taught.namer import correction_of, up_to_date

    if len(lesson.taught) < len(lesson.unsure) or not lesson.taught:
        raise TeachError(
            f"Only {len(lesson.taught)} of {len(lesson.tiles)} tiles are sure; photograph them from nearer, "
            "or say what lies there with --layout (--sheet FILE.jpg shows what was found)."
        )
    _warn_of_namesakes(store, lesson, name)
    namer = Namer()
    with store.locked():  # what another process teaches meanwhile is added to, not replaced
        before = store.load(name) if name in store.names() else None
        taught = up_to_date(lesson.add_to(before, name), namer)
        correction_of(taught, namer)
        store.save(taught)
        store.use(name)
    return taught


def _warn_of_namesakes(store: Store, lesson: Lesson, name: str) -> None:
    """One set under two names is taught half under each."""
    from vision.taught.errors import TeachError

    prints = {sight.fingerprint: sight.photo for sight in lesson.sights}
    for other in store.names():
        try:
            known = set() if other == name else prints.keys() & set(store.load(other).photos)
        except TeachError:
            continue  # damaged: `--list` says so
        for photo in sorted(known):
            complain(f"{prints[photo]} has taught the set '{other}' before; for one set take one name.")
