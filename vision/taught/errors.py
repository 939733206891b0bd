"""What can be wrong with a taught set. Each message is one sentence for the person."""

from __future__ import annotations

from vision.errors import VisionError


class TeachError(VisionError):
    """Photos, names or a stored set that cannot be taught or used."""
