"""What the phone shows: templates, script, styles, tile drawings and the words of both languages.

Everything lies here as plain files, no build step. The server mounts `static` at `/static` and renders the
templates with `lang`, `t` (the words of that language) and `config` (`lang`, `keeps`, `table`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
LANGUAGES = ("en", "zh")


@cache
def translations(language: str) -> Mapping[str, str]:
    """Every text of the pages by its key. Raises KeyError for a language that there is none of."""
    if language not in LANGUAGES:
        raise KeyError(language)
    path = STATIC / "i18n" / f"{language}.json"
    return MappingProxyType(json.loads(path.read_text(encoding="utf-8")))
