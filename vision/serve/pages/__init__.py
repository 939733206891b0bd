"""What the phone shows: templates, script, styles, tile drawings and the words of both languages.

Everything lies here as plain files, no build step. The server mounts `static` at `/static` and renders the
templates with `lang`, `t` (the words of that language) and `config` (`lang`, `keeps`, `table`).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
LANGUAGES = ("en", "zh")


@cache
def translations(language: str) -> dict[str, str]:
    """Every text of the pages by its key. Raises KeyError for a language that there is none of."""
    if language not in LANGUAGES:
        raise KeyError(language)
    path = STATIC / "i18n" / f"{language}.json"
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words
