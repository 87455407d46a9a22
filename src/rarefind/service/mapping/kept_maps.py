"""Maps in files beside the store, so that what took minutes is there the next time.

A file is named after all that its map depends on, and holds numbers and a sentence. One that is
damaged counts as missing; those about other records are removed when another is written.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind._version import __version__

if TYPE_CHECKING:
    from rarefind.geometry.maps import Map


class KeptMaps:
    """The maps of one hunt in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, method: str, about: Any) -> Map | None:
        """Return a map of what is told by ``about``; None if there is none."""
        from rarefind.geometry.kept_answers import read_answer
        from rarefind.geometry.maps import Map  # brings the learners along

        found = read_answer(self._path(method, about))
        if found is None:
            return None
        points, words = found
        return Map(points=points, **json.loads(bytes(words)))

    def write(self, method: str, about: Any, made: Map) -> None:
        """Keep a map; a full disk or a folder nobody may write to stops nobody."""
        from rarefind.geometry.kept_answers import write_answer

        words = json.dumps({"method": made.method, "note": made.note}).encode()
        with suppress(OSError):
            for old in self._folder.glob(f"{method}-*.npz"):
                old.unlink()
            kept = (made.points, np.frombuffer(words, dtype=np.uint8))
            write_answer(self._path(method, about), kept)

    def _path(self, method: str, about: Any) -> Path:
        told = json.dumps([__version__, about], sort_keys=True, default=str)
        return self._folder / f"{method}-{hashlib.sha256(told.encode()).hexdigest()}.npz"
