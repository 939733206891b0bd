"""What a person should look at first: the order of the images, and which boxes are doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from datasets.labelling.flags import MEANINGS, rule_flags
from datasets.labelling.manifest import Manifest
from datasets.labelling.records import Box, Image
from vision.elements import UNNAMED

DOUBTFUL = 0.9
"""A name that is less than so far before the next likeliest is doubtful.

Of 1,173 faces in 80 photos of sets that the namer never saw, 33 were, on 24 photos, among them 7 of the 8
that were named wrong; at 0.8 it were 23 and 4, at 0.95 45 and 8.
"""

_BY_RULE = frozenset(MEANINGS) - {"damaged", "passes-disagree"}

# An image's place in the queue: the more flags the earlier, then by the lowest margin (0 to 1 without flags).
# One without boxes stands with the least sure. It is kept in a table of its own, which the first decision
# settles: a corrected box is sure, and its image must neither lose its place nor leave the count of doubtful
# ones.
_TABLE = """
CREATE TABLE IF NOT EXISTS review_queue (
    image INTEGER PRIMARY KEY REFERENCES images (id),
    rank REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS review_queue_rank ON review_queue (rank, image);
CREATE INDEX IF NOT EXISTS review_tiles ON boxes (tile, image);
CREATE INDEX IF NOT EXISTS review_undone ON decisions (refers) WHERE action = 'undo';
"""
_RANK = "(ifnull(i.lowest_margin, 0.0) - json_array_length(i.flags))"
_OUTDATED = f"""
SELECT i.id, {_RANK} FROM images i LEFT JOIN review_queue q ON q.image = i.id
WHERE i.state <> 'pending' AND (
    q.image IS NULL
    OR (q.rank <> {_RANK} AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.image = i.id))
)
"""


def is_doubtful(box: Box) -> bool:
    """Whether a person should look at this box: it has no name, or a model's that was close to another."""
    return box.tile == UNNAMED or (box.origin == "model" and box.margin < DOUBTFUL)


@dataclass(frozen=True)
class Flag:
    """What is odd about an image. means: in words. holds: still so, as the boxes are now."""

    name: str
    means: str
    holds: bool


def flags_now(image: Image, boxes: Sequence[Box], threshold: float) -> tuple[Flag, ...]:
    """The flags that labelling gave, and those that the boxes as they are now would get.

    threshold: least confidence of a label. What the rules cannot tell again, such as another look at the
    picture, holds as long as nobody has decided about it.
    """
    now = rule_flags(boxes, threshold)
    names = dict.fromkeys((*image.flags, *now))
    told = image.state in {"new", "failed"}
    return tuple(
        Flag(name, MEANINGS.get(name, name), name in now or (name not in _BY_RULE and told)) for name in names
    )


def prepare_queue(manifest: Manifest) -> None:
    """Make the queue's table, and the indexes without which 10,000 images are slow, where they are absent.

    Raises ManifestError when the manifest cannot be written.
    """
    with manifest.transaction() as connection:
        for statement in _TABLE.split(";"):
            connection.execute(statement)


def update_queue(manifest: Manifest) -> None:
    """Give every labelled image its place. Writes only where labelling has gone on since."""
    outdated = manifest.connection.execute(_OUTDATED).fetchall()
    if outdated:
        with manifest.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO review_queue VALUES (?, ?)", outdated)
