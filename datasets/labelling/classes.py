"""From our tile names to the class names of any data set, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from datasets.labelling.records import NAMES
from scoring.tiles import TILES
from vision.elements import FACE_DOWN, UNNAMED
from vision.paths import is_file

_NUMERALS = "一二三四五六七八九"
_RANKED = TILES[:27]
_OURS = {name: name for name in (*TILES, FACE_DOWN)}
_RIICHI = {
    **{tile: tile for tile in _RANKED},
    **dict(zip("ESWNPFC", (f"{rank}z" for rank in range(1, 8)), strict=True)),
    **dict(zip("abcdefgh", (f"{rank}f" for rank in range(1, 9)), strict=True)),
    FACE_DOWN: "back",
}
_SUIT_WORDS = {"m": "characters", "p": "dots", "s": "bamboo"}
_WORDS = {
    **{tile: f"{_SUIT_WORDS[tile[1]]}-{tile[0]}" for tile in _RANKED},
    "E": "wind-east", "S": "wind-south", "W": "wind-west", "N": "wind-north",
    "C": "dragon-red", "F": "dragon-green", "P": "dragon-white",
    "a": "season-spring", "b": "season-summer", "c": "season-autumn", "d": "season-winter",
    "e": "flower-plum", "f": "flower-orchid", "g": "flower-bamboo", "h": "flower-chrysanthemum",
    FACE_DOWN: "back",
}  # fmt: skip
_CHINESE = {
    **{tile: _NUMERALS[int(tile[0]) - 1] + {"m": "万", "p": "饼", "s": "条"}[tile[1]] for tile in _RANKED},
    **dict(zip("ESWNCFP", "东南西北中发白", strict=True)),
    **dict(zip("abcdefgh", "春夏秋冬梅兰菊竹", strict=True)),
    FACE_DOWN: "背",
}
# The contract's order of the four plants is 梅兰竹菊.
_CHINESE.update({"g": "竹", "h": "菊"})

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "ours": _OURS,
    "riichi": _RIICHI,
    "words": _WORDS,
    "chinese": _CHINESE,
}


class ClassesError(Exception):
    """A class map that cannot be used; `str()` is one sentence: what is wrong and what to do."""


@dataclass(frozen=True)
class Classes:
    """names: the classes in the order of their numbers. number: of each tile that has a class."""

    names: tuple[str, ...]
    number: Mapping[str, int]

    @classmethod
    def of(cls, mapping: Mapping[str, str | None]) -> Classes:
        """Classes of tile → name, numbered in the order of the mapping; tiles of one name are one class, a
        tile without a name has none."""
        names = tuple(dict.fromkeys(name for name in mapping.values() if name))
        numbers = {name: number for number, name in enumerate(names)}
        return cls(names, {tile: numbers[name] for tile, name in mapping.items() if name})


def named_classes(choice: str) -> Classes:
    """The classes of a built-in map, or of a YAML file of `tile: name` lines.

    Raises ClassesError for a name or file that is none, and for a file that names what is no tile.
    """
    if choice in BUILT_IN:
        return Classes.of(BUILT_IN[choice])
    path = Path(choice)
    if not is_file(path):
        known = ", ".join(BUILT_IN)
        raise ClassesError(f"{choice} is neither a class map ({known}) nor a YAML file; check the name.")
    return Classes.of(_read_file(path))


def _read_file(path: Path) -> dict[str, str | None]:
    import yaml

    try:
        # The base loader keeps N, 1e3 and the like as the text that they are.
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (OSError, UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        raise ClassesError(f"{path} cannot be read as YAML: {' '.join(str(error).split())}.") from error
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise ClassesError(f"{path} must hold one `tile: name` a line, for instance `1m: character one`.")
    if unknown := [str(tile) for tile in content if tile not in NAMES]:
        raise ClassesError(
            f"{path} names {', '.join(unknown)}, no tile: write 1m to 9s, E S W N, C F P, a to h, B or ?."
        )
    mapping = {tile: None if name in {"", "~", "null"} else name for tile, name in content.items()}
    if not any(mapping.values()):
        raise ClassesError(f"{path} gives no tile a name; write one `tile: name` a line.")
    return mapping


# Other spellings that public data sets use, lower case, without spaces, dashes and underscores.
_SUITS = {
    "m": ("m", "w", "c", "man", "wan", "crak", "char", "character", "characters", "万", "萬"),
    "p": ("p", "t", "d", "b0", "pin", "tong", "dot", "dots", "circle", "circles", "饼", "餅", "筒"),
    "s": ("s", "b", "sou", "suo", "bam", "bamboo", "bamboos", "条", "條", "索"),
}
_DIGIT_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_OTHERS = {
    "E": "e east eastwind windeast ew 1z 东 東", "S": "s south southwind windsouth sw 2z 南",
    "W": "w west westwind windwest ww 3z 西", "N": "n north northwind windnorth nw 4z 北",
    "P": "p white whitedragon dragonwhite wd haku blank 5z 白",
    "F": "f green greendragon dragongreen gd hatsu fa 6z 发 發",
    "C": "c red reddragon dragonred rd chun zhong 7z 中",
    "a": "a spring seasonspring 1f 春", "b": "b summer seasonsummer 2f 夏",
    "c": "c autumn fall seasonautumn 3f 秋", "d": "d winter seasonwinter 4f 冬",
    "e": "e plum plumblossom flowerplum 5f 梅", "f": "f orchid flowerorchid 6f 兰 蘭",
    "g": "g flowerbamboo 7f 竹", "h": "h chrysanthemum flowerchrysanthemum 8f 菊",
    FACE_DOWN: "back facedown 背",
}  # fmt: skip


def _aliases() -> dict[str, str]:
    found: dict[str, str] = {}
    for suit, spellings in _SUITS.items():
        for rank in range(1, 10):
            digits = (str(rank), _NUMERALS[rank - 1], _DIGIT_WORDS[rank - 1])
            for spelling in spellings:
                for digit in digits:
                    found[digit + spelling] = found[spelling + digit] = f"{rank}{suit}"
                    found[f"{digit}of{spelling}"] = f"{rank}{suit}"
        found[f"0{suit}"] = f"5{suit}"  # a red five is a five
    for tile, spellings_of in _OTHERS.items():
        for spelling in spellings_of.split():
            found.setdefault(spelling, tile)
    return found


def guess_tiles(names: Iterable[str]) -> dict[str, str | None]:
    """For each class name of somebody's data set the tile that it means, None where that is not known.

    Our own names hold as they are written (`E` is a wind, `e` a plum); otherwise case, spaces and dashes do
    not matter. In a set that writes its flowers 1f to 8f, those are ours a to h.
    """
    aliases = _aliases()
    return {name: name if name in NAMES - {UNNAMED} else aliases.get(_plain(name)) for name in names}


def tiles_by(classes: Classes) -> dict[str, str]:
    """Class name → tile, for the classes that mean one tile only."""
    tiles: dict[str, list[str]] = {}
    for tile, number in classes.number.items():
        tiles.setdefault(classes.names[number], []).append(tile)
    return {name: of[0] for name, of in tiles.items() if len(of) == 1}


def _plain(name: str) -> str:
    return "".join(character for character in name.casefold() if character not in " -_.")
