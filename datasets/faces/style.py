"""What defines one tile set: every choice that its 42 faces share.

Lengths are in design units: a face is 300 units wide and 300 / aspect high. Colours are RGB, 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.tiles import TILES

__all__ = ["FACE_WIDTH", "TILES"]

Colour = tuple[int, int, int]

FACE_WIDTH = 300.0


@dataclass(frozen=True)
class FontRef:
    """One face of a font file. hand: `brush`, `kai`, `song`, `hei` or `display`."""

    path: str
    index: int
    hand: str
    chars: frozenset[str] = field(repr=False)


@dataclass(frozen=True)
class GlyphStyle:
    """How written characters look: the font and what is done to its outlines."""

    font: FontRef
    weight: float = 0.0
    """Thickening (above 0) or thinning of the strokes, as a share of the character's height."""
    stretch: float = 1.0
    """Width over the font's own width."""
    shear: float = 0.0
    outline: float = 0.0
    """Above 0: only the outline of each stroke is painted, this thick (share of the height)."""
    warp: float = 0.0
    """How far outlines are bent by hand, as a share of the height."""
    warp_seed: int = 0
    rise: float = 0.0
    """How steeply horizontal strokes climb to the right."""
    flare: float = 0.0
    """How much wider the foot is than the head, as a share of the width."""


@dataclass(frozen=True)
class Inks:
    """The paints of a set."""

    dark: Colour
    green: Colour
    red: Colour
    blue: Colour

    def __getitem__(self, name: str) -> Colour:
        return {"dark": self.dark, "green": self.green, "red": self.red, "blue": self.blue}[name]


@dataclass(frozen=True)
class CharacterStyle:
    """1m to 9m: numeral above, 萬 or 万 below."""

    numeral: GlyphStyle
    wan: GlyphStyle
    wan_char: str
    five_char: str
    numeral_ink: str
    wan_ink: str
    numeral_size: float
    wan_size: float
    gap: float
    """Clear space between the two characters' boxes; below 0 they overlap a little."""


@dataclass(frozen=True)
class Layer:
    """One painted layer of a round ornament.

    shape: disc, ring, petals, loops, ticks, beads, star, cross, lobes or grid. r: outer radius and inner:
    inner radius (or stroke), both as shares of the ornament's radius. ink: main, second, accent or body
    (scraped bare).
    """

    shape: str
    r: float
    ink: str
    inner: float = 0.0
    n: int = 0
    turn: float = 0.0


@dataclass(frozen=True)
class DotStyle:
    """1p to 9p."""

    layers: tuple[Layer, ...]
    rosette: tuple[Layer, ...]
    rosette_inks: tuple[str, str, str]
    rosette_radius: float
    heart: str
    """Character written in the middle of 1p's ornament, or empty."""
    scheme: str
    first: str
    """Ink name of the first of the two cool colours (the other is `second`)."""
    second: str
    inner: str
    """Ink of the `second` slot of each dot's layers; `same` keeps the dot's own colour."""
    radius: float
    """Size of each dot relative to the layout's normal one."""
    spread: float
    six: str
    seven_slope: float


@dataclass(frozen=True)
class BambooStyle:
    """1s to 9s."""

    stick: str
    width: float
    length: float
    groove: float
    """Width of the bare line down the middle, as a share of the stick's; 0: none."""
    knots: bool
    scheme: str
    main: str
    other: str
    spread: float
    six: str
    eight: str
    bird: str
    bird_inks: tuple[str, str, str]
    bird_size: float
    bird_seed: int
    bird_left: bool
    bird_turn: float
    """Slant of the bird, radians."""
    bird_squeeze: float
    bird_line: float


@dataclass(frozen=True)
class HonourStyle:
    """Winds and dragons."""

    wind: GlyphStyle
    dragon: GlyphStyle
    east_char: str
    green_char: str
    wind_ink: str
    size: float
    red_height: float
    """Height of 中 relative to the other honours (it is often drawn taller)."""
    white: str
    """blank, frame, double, octagon, corners, bands, letter or character."""
    white_inks: tuple[str, str]
    white_line: float
    white_size: tuple[float, float]
    white_text: str


@dataclass(frozen=True)
class FlowerStyle:
    """The eight flowers: character, number, drawing."""

    glyph: GlyphStyle
    characters: tuple[str, ...]
    numbers: tuple[str, ...]
    number_font: str
    number_size: float
    character_size: float
    layout: str
    """Where the number stands: corners (seasons left, plants right), swapped, left or right. Or what stands
    alone above the drawing: character or number. Or big: a large character and no drawing."""
    season_inks: tuple[str, str]
    plant_inks: tuple[str, str]
    drawings: tuple[str, ...]
    drawing_inks: tuple[str, str, str]
    drawing_size: float
    drawing_squeeze: float
    """Width over height given to the drawing (1: as it is)."""
    line: float
    seed: int


@dataclass(frozen=True)
class IndexStyle:
    """Western index in the corners; `corners` empty means none."""

    corners: tuple[str, ...] = ()
    font: str = ""
    size: float = 44.0
    ink: str = "red"
    suit_inks: bool = False
    white_letter: str = "P"


@dataclass(frozen=True)
class Finish:
    """Body and surface."""

    body: Colour
    grain: float
    relief: float
    """Strength of the engraving's shading, 0 (printed flat) to 1."""
    light: float
    """Direction the light comes from, radians."""
    core: float
    """How much lighter the middle of a painted stroke is (thin paint, gloss), 0 to 1."""
    edge: float
    opacity: float
    soft: float
    """Blur of the paint's edge in design units."""


@dataclass(frozen=True)
class FaceStyle:
    """One tile set."""

    aspect: float
    """Width over height of the real face; drawn faces are squeezed to the size asked for."""
    inks: Inks
    character: CharacterStyle
    dots: DotStyle
    bamboo: BambooStyle
    honours: HonourStyle
    flowers: FlowerStyle
    index: IndexStyle
    finish: Finish
