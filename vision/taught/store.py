"""Taught sets on disk: one .npz a set in the user's data folder, the crops included, and which is in use."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import TILES
from vision.namer import Looks
from vision.paths import is_file
from vision.taught.correction import COPIES
from vision.taught.errors import TeachError

Pixels = NDArray[np.uint8]

FORMAT, VERSION = "hupai taught set", 1
MOST_TILES = 600
"""Four photos of a whole set of 144."""
MOST_BYTES = 1 << 28
"""Of an unpacked file: MOST_TILES crops and their looks take a third of it."""
NONE = "none"
_IN_USE = "in-use"
# What NumPy and zipfile raise for files that are not as they should be; the last two for an array's header.
_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile,
    zlib.error, SyntaxError, tokenize.TokenError,
)  # fmt: skip
_NAME = re.compile(r"\w[\w -]{0,39}")


@dataclass(frozen=True)
class TaughtSet:
    """What is known of a player's set.

    crops: (N, side, side, 3) uint8 RGB. tiles: (N,) indices into `scoring.TILES`. photos: (N,) SHA-256 of the
    pixels of the photo that each was cut from.
    looks: of the namer `namer` (its SHA-256) at `copies(crops)`, 8 N of them; of another namer they are of no
    use, and are made again from the crops.
    """

    name: str
    crops: Pixels
    tiles: NDArray[np.int64]
    photos: tuple[str, ...]
    looks: Looks
    namer: str

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that no crop shows."""
        return tuple(tile for index, tile in enumerate(TILES) if index not in self.tiles)

    def without(self, photos: frozenset[str]) -> TaughtSet:
        """The set less what these photos taught."""
        keep = np.array([photo not in photos for photo in self.photos], bool)
        kept = tuple(photo for photo in self.photos if photo not in photos)
        return untold(self.name, self.crops[keep], self.tiles[keep], kept)


def untold(name: str, crops: Pixels, tiles: NDArray[np.int64], photos: tuple[str, ...]) -> TaughtSet:
    """A set whose looks are still to be made, by `vision.taught.namer.up_to_date`."""
    nothing = Looks(np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32))
    return TaughtSet(name, crops, tiles, photos, nothing, "")


class Store:
    """The taught sets of one user. Every method raises TeachError."""

    def __init__(self, folder: Path | None = None) -> None:
        """folder: by default `sets` in the user's data folder (`platformdirs`)."""
        if folder is None:
            from platformdirs import user_data_path

            folder = user_data_path("hupai", appauthor=False) / "sets"
        self.folder = folder

    def names(self) -> list[str]:
        """The sets there are, by name."""
        try:
            return sorted(path.stem for path in self.folder.iterdir() if path.suffix == ".npz")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise _unreadable(self.folder, error) from error

    def in_use(self) -> str | None:
        """The set that photos are read with where nothing else is said."""
        try:
            name = (self.folder / _IN_USE).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise TeachError(f"{self.folder / _IN_USE} is damaged; delete it.") from error
        except OSError as error:
            raise _unreadable(self.folder / _IN_USE, error) from error
        return name or None

    def use(self, name: str | None) -> None:
        """Read with this set from now on; None: with none."""
        if name is None:
            self._erase(self.folder / _IN_USE)
            return
        self._known(name)
        self._write(self.folder / _IN_USE, name.encode())

    def load(self, name: str) -> TaughtSet:
        """The set of this name."""
        path = self._known(name)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError("it is too large")
            with zipfile.ZipFile(path) as archive:
                if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                    raise ValueError("it is too large")
                if (part := archive.testzip()) is not None:
                    raise ValueError(f"{part} is corrupt")
            with np.load(path, allow_pickle=False) as data:
                return _from_arrays(name, {key: data[key] for key in data.files})
        except _UNREADABLE as error:
            raise TeachError(
                f"The file {path} of the set '{name}' is damaged or none of hupai's ({error}); teach the set "
                f"again after `hupai teach --remove '{name}'`."
            ) from error

    def save(self, taught: TaughtSet) -> None:
        """Write the set; whoever looks finds the old file or the whole new one."""
        stream = io.BytesIO()
        about = {"format": FORMAT, "version": VERSION, "namer": taught.namer, "photos": list(taught.photos)}
        np.savez_compressed(
            stream,
            about=np.array(json.dumps(about)),
            crops=taught.crops,
            tiles=taught.tiles.astype(np.int64),
            logits=taught.looks.logits.astype(np.float32),
            features=taught.looks.features.astype(np.float16),  # half the file
        )
        self._write(self._path(taught.name), stream.getvalue())

    def remove(self, name: str) -> None:
        """Forget the set."""
        path = self._known(name)
        with self.locked():  # who is adding to it would bring it back
            if self.in_use() == name:
                self.use(None)
            self._erase(path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """From loading a set to saving it: another process that would change the sets waits for its turn.

        Where a system or a disk has no `flock` (Windows, some network drives), nobody waits.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TeachError(f"{self.folder} cannot be written: {error.strerror}.") from error
        with ExitStack() as held:
            with suppress(ImportError, OSError):
                import fcntl

                folder = os.open(self.folder, os.O_RDONLY)  # the folder itself: no file of its own is left
                held.callback(os.close, folder)  # lets the next one in, as does a killed process
                fcntl.flock(folder, fcntl.LOCK_EX)
            yield

    def check_name(self, name: str) -> None:
        """A set may be called this."""
        self._path(name)

    def _known(self, name: str) -> Path:
        path = self._path(name)
        if not is_file(path):
            known = self.names()
            there = f"there are {', '.join(known)}" if known else "none has been taught yet"
            raise TeachError(f"There is no set named '{name}'; {there} (`hupai teach PHOTO --name NAME`).")
        return path

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name) or name.lower() == NONE:
            raise TeachError(
                f"'{name}' cannot name a set; take up to 40 letters, digits, blanks, - and _, not '{NONE}'."
            )
        return self.folder / f"{name}.npz"

    def _write(self, path: Path, data: bytes) -> None:
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError as error:
            raise TeachError(f"{path} cannot be written: {error.strerror}.") from error
        finally:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def _erase(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise TeachError(f"{path} cannot be deleted: {error.strerror}.") from error


def _unreadable(path: Path, error: OSError) -> TeachError:
    return TeachError(
        f"{path} cannot be read: {error.strerror}; mend your data folder, or name another by XDG_DATA_HOME."
    )


def fingerprint(pixels: Pixels) -> str:
    """SHA-256 of a photo's pixels: the same photo under another name or with other metadata is the same."""
    return hashlib.sha256(pixels.tobytes()).hexdigest()


def _from_arrays(name: str, arrays: dict[str, NDArray[np.generic]]) -> TaughtSet:
    """Raises ValueError, KeyError or TypeError for arrays that are no taught set."""
    about = json.loads(str(arrays["about"]))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError("it is not a taught set")
    if about["version"] != VERSION:
        raise ValueError(f"it is of version {about['version']}, this hupai reads version {VERSION}")
    crops, tiles = np.asarray(arrays["crops"]), np.asarray(arrays["tiles"])
    photos = tuple(str(photo) for photo in about["photos"])
    logits = np.asarray(arrays["logits"], np.float32)
    features = np.asarray(arrays["features"], np.float32)
    count = len(tiles)
    shaped = (
        crops.dtype == np.uint8
        and crops.ndim == 4
        and crops.shape[1] == crops.shape[2] > 0
        and crops.shape[3] == 3
        and tiles.dtype == np.int64
        and tiles.ndim == 1
        and len(crops) == len(photos) == count <= MOST_TILES
        and logits.ndim == features.ndim == 2
        and len(logits) == len(features) == COPIES * count
    )
    if not shaped:
        raise ValueError("its arrays do not fit together")
    if count and (tiles.min() < 0 or tiles.max() >= len(TILES)):
        raise ValueError("it names tiles that there are not")
    if not (np.isfinite(logits).all() and np.isfinite(features).all()):
        raise ValueError("it holds numbers that are none")
    looks = Looks(logits, features)
    return TaughtSet(name, crops.astype(np.uint8), tiles.astype(np.int64), photos, looks, str(about["namer"]))
