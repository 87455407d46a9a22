"""Maps in files beside the store, so that what took minutes is there the next time.

A file is named after all that its map depends on, and holds numbers and a sentence. One that is
damaged counts as missing; those about other records are removed when another is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind._version import __version__

if TYPE_CHECKING:
    from rarefind.geometry.maps import Map


class KeptMaps:
    """The maps of one hunt in a folder; None for a store that has no place for it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def read(self, method: str, about: Any) -> Map | None:
        """Return a map of what is told by ``about``; None if there is none."""
        path = self._path(method, about)
        if path is None:
            return None
        from rarefind.geometry.maps import Map  # brings the learners along

        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
                points, words = held["points"], json.loads(bytes(held["words"]))
            return Map(str(words["method"]), points, str(words["note"]))
        except Exception:  # whatever bytes a damaged file holds, the map can be computed
            return None

    def write(self, method: str, about: Any, made: Map) -> None:
        """Keep a map; a full disk or a folder nobody may write to stops nobody."""
        path = self._path(method, about)
        if path is None:
            return
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            words = json.dumps({"method": made.method, "note": made.note}).encode()
            handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
            try:
                with os.fdopen(handle, "wb") as file:
                    np.savez(file, points=made.points, words=np.frombuffer(words, dtype=np.uint8))
                for old in path.parent.glob(f"{method}-*.npz"):
                    old.unlink()
                Path(draft).replace(path)
            except BaseException:
                Path(draft).unlink(missing_ok=True)
                raise

    def _path(self, method: str, about: Any) -> Path | None:
        if self._folder is None:
            return None
        told = json.dumps([__version__, about], sort_keys=True, default=str)
        return self._folder / f"{method}-{hashlib.sha256(told.encode()).hexdigest()}.npz"
