"""What is wrong with a hand: every reason at once, each with a stable code and one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.hand import Hand, Meld, MeldKind
from scoring.reading import Facts, readings
from scoring.tiles import CHOWS, FLOWERS, KONGS, ONES, PUNGS, tile_count

COPIES = 4
EIGHT_FLOWERS: Mapping[str, int] = dict.fromkeys(FLOWERS, 1)
"""How many of each flower a set of tiles holds."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why a hand cannot be, or does not win. `code` is stable; `message` is for people."""

    code: str
    message: str

    def to_dict(self) -> dict[str, str]:
        return {"code": self.code, "message": self.message}


def problems(hand: Hand, sets: int = 4, flowers: Mapping[str, int] = EIGHT_FLOWERS) -> list[Problem]:
    """Why these tiles and circumstances cannot occur in a game of `sets` sets and a pair; [] if they can.

    >>> from scoring.notation import parse_hand
    >>> for problem in problems(parse_hand("[ESW,1]111112344m5m|EE0011")):
    ...     print(problem.code)
    wrong-tile-count
    five-of-a-kind
    not-a-chow
    two-wall-end-claims
    """
    return facts_problems(Facts(hand), sets, flowers)


def facts_problems(facts: Facts, sets: int = 4, flowers: Mapping[str, int] = EIGHT_FLOWERS) -> list[Problem]:
    """As `problems`, where the facts of the hand are known."""
    hand = facts.hand
    found = [*_check_size(hand, sets), *_check_copies(facts)]
    if hand.melds:
        found += _check_melds(hand.melds)
    if facts.last_copy or facts.on_kong:
        found += circumstance_problems(facts)
    if hand.flowers or hand.unnamed_flowers:
        found += _check_flowers(hand, flowers)
    return found


NO_SHAPE = Problem("not-winning", "The tiles make neither sets and a pair nor one of the special hands.")
_OF_TILES = {
    "wrong-tile-count",
    "too-many-melds",
    "not-a-chow",
    "not-a-pung",
    "not-a-kong",
    "five-of-a-kind",
    "not-winning",
}


def not_winning(facts: Facts, found: Sequence[Problem]) -> list[Problem]:
    """The problem of tiles that do not win; [] if they do, or if the problems found say already that there
    are no such tiles."""
    return [] if denies_tiles(found) or readings(facts) else [NO_SHAPE]


def denies_tiles(found: Sequence[Problem]) -> bool:
    """Whether the problems found say that there are no such tiles, so that asking for a shape is vain."""
    return any(problem.code in _OF_TILES for problem in found)


def _check_size(hand: Hand, sets: int) -> Sequence[Problem]:
    tiles, wanted = len(hand.concealed) + 1, 3 * (sets - len(hand.melds)) + 2
    if tiles == wanted:
        return ()
    if wanted < 2:
        return [Problem("too-many-melds", f"There are {len(hand.melds)} melds; a hand has at most {sets}.")]
    held = tiles + 3 * len(hand.melds)
    message = f"The hand has {held} tiles (a kong counting three); a winning hand has {3 * sets + 2}."
    return [Problem("wrong-tile-count", message)]


_SET_OF_KIND: Mapping[MeldKind, Mapping[tuple[str, ...], int]] = {
    kind: CHOWS if kind is MeldKind.CHOW else PUNGS if kind is MeldKind.PUNG else KONGS for kind in MeldKind
}
_MELD_PROBLEMS = {
    MeldKind.CHOW: ("not-a-chow", "is no chow: a chow is three tiles of one suit in a row."),
    MeldKind.PUNG: ("not-a-pung", "is no pung: a pung is three equal tiles."),
}
_NO_KONG = ("not-a-kong", "is no kong: a kong is four equal tiles.")


def _check_melds(melds: Sequence[Meld]) -> Sequence[Problem]:
    wrong = [meld for meld in melds if meld.tiles not in _SET_OF_KIND[meld.kind]]
    reasons = [(" ".join(meld.tiles), *_MELD_PROBLEMS.get(meld.kind, _NO_KONG)) for meld in wrong]
    return [Problem(code, f"The meld {tiles} {reason}") for tiles, code, reason in reasons]


def _check_copies(facts: Facts) -> Sequence[Problem]:
    tiles, hand = facts.tiles, facts.hand
    fours = tiles & ONES << 2
    above_four = tiles & (fours >> 1 | fours >> 2)
    held = len(hand.concealed) + 1
    for meld in hand.melds:
        held += len(meld.tiles)
    if not above_four and tile_count(tiles) == held:
        return ()
    counts = Counter([*hand.concealed, hand.winning, *(tile for meld in hand.melds for tile in meld.tiles)])
    return [
        Problem("five-of-a-kind", f"{tile} appears {count} times; a set of tiles has four of it.")
        for tile, count in counts.items()
        if count > COPIES
    ]


def circumstance_problems(facts: Facts) -> list[Problem]:
    """What the hand denies of a win that is said to be on a last copy or a kong."""
    found = []
    tile = facts.hand.winning
    copies_elsewhere = facts.rest & 7 * facts.winning
    if facts.last_copy and copies_elsewhere:
        message = (
            f"The last {tile} of its kind is claimed to win, but another {tile} is concealed in the hand."
        )
        found.append(Problem("last-copy-contradicted", message))
    if facts.on_kong and facts.self_drawn and not facts.kongs:
        message = "A win on the tile that replaced a kong is claimed, but the hand shows no kong."
        found.append(Problem("no-kong", message))
    if facts.on_kong and not facts.self_drawn:
        if (facts.tiles - facts.winning) & 7 * facts.winning:
            message = f"A kong of {tile} is claimed to be robbed, but the hand holds another {tile}."
            found.append(Problem("robbed-kong-contradicted", message))
        if facts.last_tile:
            message = "A robbed kong and the last discard are claimed at once; an empty wall allows no kong."
            found.append(Problem("two-wall-end-claims", message))
    return found


def _check_flowers(hand: Hand, allowed: Mapping[str, int]) -> Sequence[Problem]:
    most = sum(allowed.values())
    if hand.flower_count <= most and len(allowed.keys() & hand.flowers) == len(hand.flowers):
        return ()  # none of them twice
    found = []
    for flower, count in Counter(hand.flowers).items():
        if flower not in allowed:
            found.append(Problem("not-a-flower", f"{flower} is no flower under these rules."))
        elif count > allowed[flower]:
            message = (
                f"The flower {flower} appears {count} times; a set of tiles has {allowed[flower]} of it."
            )
            found.append(Problem("repeated-flower", message))
    if hand.flower_count > most:
        found.append(
            Problem("too-many-flowers", f"There are {hand.flower_count} flowers; a set of tiles has {most}.")
        )
    return found
