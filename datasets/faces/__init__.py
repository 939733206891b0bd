"""Mahjong tile faces that the project draws itself, from vector shapes and open CJK fonts.

`random_style(rng)` invents a tile set, `house_style()` is the one the project ships, and
`draw_face(tile, style)` draws one of the 42 faces in it. Nothing here comes from a photograph. Importing this
package loads no image library; the modules that draw are imported on first use.
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "FaceStyle": "datasets.faces.style",
    "TILES": "datasets.faces.style",
    "random_style": "datasets.faces.sampling",
    "house_style": "datasets.faces.house",
    "draw_face": "datasets.faces.draw",
    "fonts": "datasets.faces.typefaces",
    "build_atlas": "datasets.faces.atlas",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_HOMES[name])
    value = getattr(module, name)
    globals()[name] = value
    return value
