"""Remarks on a reading: English sentences that can be said in Chinese too."""

from __future__ import annotations

import pickle
import string

import pytest

from vision.remark import ENGLISH, Remark


def test_it_is_its_sentence_and_survives_pickling() -> None:
    remark = Remark("check", tile=3, names=("6m", "9m"))
    assert remark == "Check tile 3: 6m or 9m."
    again = pickle.loads(pickle.dumps(remark))
    assert (again, again.code, again.values) == (remark, "check", {"tile": 3, "names": ("6m", "9m")})


def test_lists_of_tiles_have_their_numbers() -> None:
    remark = Remark("rival", gained=(("1m", 4), ("2m", 5)), lost=(("C", 7),))
    assert remark == "The hand may also be meant with 1m (tile 4), 2m (tile 5) and without C (tile 7)."


@pytest.mark.parametrize("missing", [("chek", {}), ("check", {"tile": 3})])
def test_what_cannot_be_said_is_an_error(missing: tuple[str, dict[str, int]]) -> None:
    code, values = missing
    with pytest.raises(KeyError):
        Remark(code, **values)


def test_chinese_says_the_same() -> None:
    words = pytest.importorskip("vision.serve.words", reason="the server's texts need the extra `serve`")

    def places(sentence: str) -> set[str | None]:
        return {place for _, place, _, _ in string.Formatter().parse(sentence)} - {None}

    assert words.CHINESE.sentences.keys() == ENGLISH.sentences.keys()
    for code, sentence in ENGLISH.sentences.items():
        assert places(words.CHINESE.sentences[code]) == places(sentence), code
    remark = Remark("rival-more", gained=(("1m", 4),))
    assert words.warnings_in("zh", [remark, "x"]) == ["这副牌也可能加上 1m（4 号）。", "x"]
    assert words.warnings_in("en", [remark]) == [remark]
