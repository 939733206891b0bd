"""What can be wrong with a photo. Each message is one sentence for the person who gave the photo."""

from __future__ import annotations


class VisionError(Exception):
    """Base of all errors of this package; `str()` is one sentence: what is wrong and what to do."""


class PhotoError(VisionError):
    """A photo that cannot be opened."""


class PhotoUnreadableError(PhotoError):
    """Missing, a folder, not permitted, or not readable for another reason of the file system."""


class PhotoFormatError(PhotoError):
    """Not a picture, or not of a kind that is read here."""


class PhotoDamagedError(PhotoError):
    """Begins as a picture, but is cut short or corrupt."""


class PhotoAnimatedError(PhotoError):
    """An animation; which of its frames shows the hand is not ours to guess."""


class PhotoSizeError(PhotoError):
    """More pixels, or fewer, than a hand can be read from."""


class NoTilesError(VisionError):
    """A photo that opens well and shows no tile."""
