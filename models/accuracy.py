"""The tables of `vision/docs/accuracy.md`, from the two files of results beside the weights.

    python -m models.accuracy

writes them into the page again, between the comments that name them; the words around stay as they are.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from models.doubts import MISSED, WARNING, Doubt, read_csv
from models.evaluation import Figures, PhotoResult, figures_by_group

WEIGHTS = Path(__file__).parent / "weights"
RESULTS = WEIGHTS / "eval-kimwong.csv"
DOUBTS = WEIGHTS / "doubts-kimwong.csv"
PAGE = WEIGHTS.parent.parent / "vision" / "docs" / "accuracy.md"

_COLUMNS = ("photos of", "photos", "tiles", "found", "precision", "named right of found",
            "found and named right", "whole hands", "layouts")  # fmt: skip
_PLACE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def load_results(path: Path = RESULTS) -> list[PhotoResult]:
    """What `hupai evaluate --csv` wrote."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [_result(row) for row in csv.DictReader(stream)]


def _result(row: Mapping[str, str]) -> PhotoResult:
    score = row["score_right"]
    return PhotoResult(
        photo=row["photo"],
        series=row["series"],
        quality=row["quality"],
        tiles=int(row["tiles"]),
        predicted=int(row["predicted"]),
        found=int(row["found"]),
        named=int(row["named"]),
        hand_right=row["hand_right"] == "1",
        layout_right=row["layout_right"] == "1",
        score_right=score == "1" if score else None,
        mistakes=row["mistakes"],
        error=row["error"],
    )


def series_table(results: Sequence[PhotoResult]) -> str:
    """Shares for all photos, by where they come from, and by series."""
    groups = figures_by_group(results)
    rows = [
        (key, figures) for section in ("all", "source", "series") for key, figures in groups[section].items()
    ]
    return _table(_COLUMNS, [(key, *_cells(figures)) for key, figures in rows])


def doubts_table(results: Sequence[PhotoResult], doubts: Sequence[Doubt]) -> str:
    """How many wrong names, made-up tiles and wrong hands a person was told of."""
    found = sum(result.found for result in results)
    tiles = [doubt for doubt in doubts if doubt.true and doubt.read]
    made_up = [doubt for doubt in doubts if not doubt.true and doubt.kind != WARNING]
    in_hand = [doubt for doubt in made_up if doubt.kind != "other"]
    told = {doubt.photo for doubt in doubts if doubt.marked and doubt.kind != "other"}
    right = [result.photo in told for result in results if result.hand_right]
    wrong = [result.photo in told for result in results if not result.hand_right]
    marked = sum(doubt.marked for doubt in tiles)
    mistakes = [doubt for doubt in tiles if doubt.true != doubt.read]
    known = sum(doubt.marked for doubt in mistakes)
    rows = [
        ("found tiles with the right name", marked - known, found - len(mistakes) - (marked - known)),
        ("found tiles with a wrong name", known, len(mistakes) - known),
        ("made up, in the hand", sum(d.marked for d in in_hand), sum(not d.marked for d in in_hand)),
        (
            "made up, beside the hand",
            sum(d.marked for d in made_up if d.kind == "other"),
            sum(not d.marked for d in made_up if d.kind == "other"),
        ),
        ("missed", 0, sum(doubt.kind == MISSED for doubt in doubts)),
        ("photos whose hand is right", sum(right), len(right) - sum(right)),
        ("photos whose hand is wrong", sum(wrong), len(wrong) - sum(wrong)),
    ]
    return _table(("", "pointed out", "not pointed out"), rows)


def rules_table(doubts: Sequence[Doubt]) -> str:
    """Names that the rules changed."""
    changed = [doubt for doubt in doubts if doubt.own]
    return _table(
        ("photo", "there", "the namer alone", "under the rules"),
        [(_stem(d.photo), d.true, d.own, d.read) for d in changed],
    )


def mistakes_table(doubts: Sequence[Doubt]) -> str:
    """Every tile that was misnamed, missed or made up, photo by photo."""
    photos: dict[str, list[str]] = {}
    for doubt in doubts:
        if doubt.kind != WARNING and doubt.true != doubt.read:
            photos.setdefault(doubt.photo, []).append(_mistake(doubt))
    return _table(("photo", "tiles"), [(_stem(photo), ", ".join(_counted(m))) for photo, m in photos.items()])


def tables() -> dict[str, str]:
    """All tables by name."""
    results, doubts = load_results(), read_csv(DOUBTS)
    return {
        "series": series_table(results),
        "doubts": doubts_table(results, doubts),
        "rules": rules_table(doubts),
        "mistakes": mistakes_table(doubts),
    }


def filled(page: str) -> str:
    """The page with its tables as the results have them."""
    made = tables()
    return _PLACE.sub(lambda place: f"{place[1]}\n{made[place[2]]}\n{place[3]}", page)


def _mistake(doubt: Doubt) -> str:
    mark = " ✓" if doubt.marked else ""
    if not doubt.read:
        return f"{doubt.true} missed"
    if not doubt.true:
        where = "beside the hand" if doubt.kind == "other" else "in the hand"
        return f"{doubt.read} made up {where}{mark}"
    return f"{doubt.true} read as {doubt.read}{mark}"


def _counted(words: Iterable[str]) -> Iterator[str]:
    for word, count in Counter(words).items():
        yield word if count == 1 else f"{count} × {word}"


def _cells(figures: Figures) -> tuple[str, ...]:
    shares = (figures.recall, figures.precision, figures.named_of_found, figures.found_and_named,
              figures.hands_right, figures.layouts_right)  # fmt: skip
    return (str(figures.photos), str(figures.tiles), *(_percent(share) for share in shares))


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _stem(photo: str) -> str:
    return photo.removesuffix(".jpg")


def _table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
