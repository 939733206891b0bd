"""What `hupai teach` prints of a lesson, and of the sets that it has taught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.commands.output import complain, counted, plain, print_json

if TYPE_CHECKING:
    from vision.taught.lesson import Lesson
    from vision.taught.store import Store, TaughtSet


def print_lesson(lesson: Lesson, taught: TaughtSet | None, name: str, as_json: bool) -> None:
    """What was seen and kept, and on stderr what is unsure. taught: the set, None where nothing was kept."""
    if as_json:
        print_json(_object(lesson, taught, name))
    else:
        _print(lesson, taught, name)
    for tile in lesson.unsure:
        complain(
            f"tile {tile.id} of {lesson.sights[tile.photo].photo} is left out: {tile.tile} or {tile.second}? "
            f"Say which with --correct {tile.id}={tile.tile}."
        )
    for tile in lesson.taught:
        if tile.disputed is not None:
            complain(
                f"tile {tile.id} of {lesson.sights[tile.photo].photo} is taken for {tile.tile} and looks "
                f"like {tile.disputed}; if it is one, say --correct {tile.id}={tile.disputed}."
            )


def _print(lesson: Lesson, taught: TaughtSet | None, name: str) -> None:
    start = 0
    for sight in lesson.sights:
        print(plain(sight.photo))
        for row in sight.all_rows:
            tiles = [lesson.tiles[start + face] if face >= 0 else None for face in row]
            words = ["B" if tile is None else tile.tile if tile.sure else f"{tile.tile}?" for tile in tiles]
            first = next((f"{tile.id}:" for tile in tiles if tile is not None), "")
            print(f"  {first:>5} {' '.join(words)}")
        start += len(sight)
    if taught is None:
        print("Nothing was kept.")
        return
    print(f"The set '{name}' has {len(taught.tiles)} tiles and is in use.")
    if taught.missing:
        print(f"Not taught: {' '.join(taught.missing)}")


def _object(lesson: Lesson, taught: TaughtSet | None, name: str) -> dict[str, Any]:
    return {
        "set": name,
        "kept": taught is not None,
        "tiles": [
            {
                "id": tile.id,
                "photo": lesson.sights[tile.photo].photo,
                "tile": tile.tile,
                "sure": tile.sure,
                "alternative": None if tile.sure else tile.second,
                "disputed": tile.disputed,
            }
            for tile in lesson.tiles
        ],
        "missing": [] if taught is None else list(taught.missing),
    }


def print_sets(store: Store, as_json: bool) -> None:
    """The sets that have been taught; a damaged one is told on stderr."""
    from vision.taught.errors import TeachError

    in_use = store.in_use()
    for name in store.names():
        try:
            taught = store.load(name)
        except TeachError as error:
            complain(str(error))
            continue
        photos = len(set(taught.photos))
        if as_json:
            print_json(
                {
                    "set": name,
                    "in_use": name == in_use,
                    "tiles": len(taught.tiles),
                    "photos": photos,
                    "missing": list(taught.missing),
                }
            )
            continue
        mark = "*" if name == in_use else " "
        missing = f", without {' '.join(taught.missing)}" if taught.missing else ""
        print(f"{mark} {name}: {len(taught.tiles)} tiles of {counted(photos, 'photo')}{missing}")
    if not store.names() and not as_json:
        print("No set has been taught; `hupai teach PHOTO` teaches one.")
