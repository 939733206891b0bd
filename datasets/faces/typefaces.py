"""Open fonts for the written faces, found on this machine.

Only families known here are used, each under an open licence (OFL, Arphic, GPL with font exception, IPA, or
the authors' free terms as packaged by Debian): a font with a wrong or unreadable glyph would teach the wrong
face.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from datasets.faces.style import FontRef

NUMERALS = "一二三四五六七八九"
REQUIRED = NUMERALS + "南西北中春夏秋冬梅竹菊"
OPTIONAL = "伍萬万東东發发白蘭兰福壽寿吉喜"

DEBIAN_PACKAGES = (
    "fonts-noto-cjk fonts-noto-cjk-extra fonts-arphic-ukai fonts-arphic-uming fonts-arphic-bkai00mp "
    "fonts-arphic-gkai00mp fonts-cns11643-kai fonts-cns11643-sung fonts-cwtex-kai fonts-cwtex-ming "
    "fonts-cwtex-fs fonts-cwtex-heib fonts-cwtex-yen fonts-aoyagi-soseki fonts-aoyagi-kouzan-t "
    "fonts-kouzan-mouhitsu fonts-lxgw-wenkai fonts-dejima-mincho fonts-hanazono "
    "fonts-ipaexfont-mincho fonts-oradano-mincho-gsrr fonts-seto fonts-wqy-microhei fonts-wqy-zenhei "
    "fonts-motoya-l-maruberi fonts-reggae fonts-kiloji fonts-yozvox-yozfont-edu fonts-dejavu-core "
    "fonts-urw-base35"
)

# File name -> hand, collection indices to use. Cursive families (Sousyo, Liu Jian Mao Cao) are left out:
# their numerals are not the ones engraved on tiles.
_KNOWN: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    (r"ma-shan-zheng|long-cang|zhi-mang-xing", "brush", (0,)),
    (r"kouzan-mouhitsu(-gyosho)?\.ttf|aoyagi-soseki|AoyagiKouzanT", "brush", (0,)),
    (r"yuji-(boku|mai|syuku)", "brush", (0,)),
    (r"ukai\.ttc", "kai", (0, 2)),
    (r"bkai00mp|gkai00mp|TW-Kai-98_1|cwkai|LXGWWenKai-(Bold|Regular)", "kai", (0,)),
    (r"uming\.ttc", "song", (0, 2)),
    (r"NotoSerifCJK-(Medium|SemiBold|Bold|Black)\.ttc", "song", (0, 3)),
    (r"dejima-mincho|OradanoGSRR|cwming|cwfs|ipaexm\.ttf|TW-Sung-98_1|HanaMinA\.ttf", "song", (0,)),
    (
        r"zen-antique|kaisei-|shippori-mincho-[678]00|zen-old-mincho-[679]00|cactus-classical|hina-mincho",
        "song",
        (0,),
    ),
    (r"NotoSansCJK-(Regular|Medium|Bold|Black)\.ttc", "hei", (0, 3)),
    (r"wqy-(microhei|zenhei)\.ttc|cwheib|cwyen|MTLmr3m|chocolate-classical", "hei", (0,)),
    (
        r"potta-one|dela-gothic|ReggaeOne|yusei-magic|zcool-(xiaowei|kuaile|qingke)|wdxl-lubrifont",
        "display",
        (0,),
    ),
    (r"kiloji(_b|_p)?\.ttf|setofont\.ttf|YOzBEF\.ttf|YOzREF\.ttf|YOzBE_\.ttf", "display", (0,)),
)
_LATIN = (
    r"DejaVuSans(-Bold|Condensed-Bold)?\.ttf|DejaVuSerif(-Bold|Condensed-Bold)?\.ttf|"
    r"(NimbusSans|NimbusSansNarrow|NimbusRoman|C059|P052|URWBookman|URWGothic)-(Regular|Bold|Roman|Demi|Light)\.(otf|ttf)"
)


class FontsMissingError(RuntimeError):
    """No usable font on this machine."""


def font_folders() -> list[Path]:
    """Folders searched, in order; `HUPAI_FONTS` (paths joined by `:`) adds more in front."""
    extra = [Path(p) for p in os.environ.get("HUPAI_FONTS", "").split(":") if p]
    return [
        *extra,
        Path("/usr/share/fonts"),
        Path("/usr/local/share/fonts"),
        Path.home() / ".local/share/fonts",
    ]


def _files(folders: tuple[Path, ...]) -> list[Path]:
    found: dict[str, Path] = {}
    for folder in folders:
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                if path.suffix.lower() in {".ttf", ".otf", ".ttc"}:
                    found.setdefault(path.name, path)
    return [found[name] for name in sorted(found)]


def _drawable(path: Path, index: int, wanted: set[str]) -> frozenset[str]:
    """The characters that a font really draws: not its sign for a missing one, and not an empty space."""
    from PIL import ImageFont

    try:
        font = ImageFont.truetype(str(path), 20, index=index)
    except OSError:
        return frozenset()

    def picture(char: str) -> tuple[tuple[int, int], bytes]:
        mask = font.getmask(char)
        return mask.size, bytes(mask) if mask.getbbox() is not None else b""

    absent = picture("\U0010fffd")
    return frozenset(c for c in wanted if (shown := picture(c)) != absent and shown[1])


@lru_cache(maxsize=4)
def _discover(folders: tuple[Path, ...]) -> tuple[FontRef, ...]:
    wanted = set(REQUIRED + OPTIONAL)
    refs: list[FontRef] = []
    for path in _files(folders):
        for pattern, hand, indices in _KNOWN:
            if re.match(pattern, path.name):
                for index in indices:
                    chars = _drawable(path, index, wanted)
                    if set(REQUIRED) <= chars:
                        refs.append(FontRef(str(path), index, hand, chars))
                break
    return tuple(refs)


def fonts() -> tuple[FontRef, ...]:
    """Every known open CJK font on this machine that has all characters a set cannot do without.

    Raises FontsMissingError, naming the Debian packages, when there is none.
    """
    refs = _discover(tuple(font_folders()))
    if not refs:
        raise FontsMissingError(
            "No open CJK font was found for drawing tile faces; on Debian install some with: "
            f"apt-get install {DEBIAN_PACKAGES}"
        )
    return refs


@lru_cache(maxsize=4)
def _latin(folders: tuple[Path, ...]) -> tuple[str, ...]:
    return tuple(str(p) for p in _files(folders) if re.fullmatch(_LATIN, p.name))


def latin_fonts() -> tuple[str, ...]:
    """Paths of the fonts used for corner indices. Raises FontsMissingError when there is none."""
    paths = _latin(tuple(font_folders()))
    if not paths:
        raise FontsMissingError(
            "No Latin font was found for the tiles' corner indices; on Debian install some with: "
            "apt-get install fonts-dejavu-core fonts-urw-base35"
        )
    return paths
