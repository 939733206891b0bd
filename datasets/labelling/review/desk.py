"""The threads behind the page: one that has the manifest open, a few that open pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from datasets.labelling.manifest import Manifest, damaged
from datasets.labelling.review.doubt import prepare_queue, update_queue
from datasets.labelling.schema import DAMAGE

T = TypeVar("T")

DECODERS = 2
"""Pictures decoded at a time: the largest take 180 MB each."""


class Desk:
    """Work on one labelled folder. A manifest is for one thread, so its work is done one after the other;
    decoding, which takes longer, does not stand in its way."""

    def __init__(self, folder: Path) -> None:
        """Raises ManifestError for a folder without a manifest that can be written."""
        self._writer = ThreadPoolExecutor(1, "manifest")
        self._decoders = ThreadPoolExecutor(DECODERS, "decoder")
        try:
            self._manifest = self._writer.submit(_open, folder).result()
        except BaseException:
            self._writer.shutdown()
            raise

    async def ask(self, work: Callable[[Manifest], T]) -> T:
        """What `work` makes of the manifest. Raises ManifestError where that is damaged."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._done, work)

    def _done(self, work: Callable[[Manifest], T]) -> T:
        try:
            return work(self._manifest)
        except DAMAGE as error:
            raise damaged(self._manifest.folder, error) from error

    async def decode(self, work: Callable[[], T]) -> T:
        """Do work that takes a picture's memory."""
        return await asyncio.get_running_loop().run_in_executor(self._decoders, work)

    def close(self) -> None:
        """Finish what was begun and close the manifest."""
        self._decoders.shutdown(cancel_futures=True)
        self._writer.submit(self._manifest.close).result()
        self._writer.shutdown()


def _open(folder: Path) -> Manifest:
    manifest = Manifest.open(folder)
    try:
        prepare_queue(manifest)
        update_queue(manifest)
    except DAMAGE as error:
        raise damaged(folder, error) from error
    return manifest
