"""Where files lie that can be made or fetched again."""

from __future__ import annotations

import os
from pathlib import Path

CACHE = "RAREFIND_CACHE"
"""Names the folder of such files; set to nothing, none is kept and nothing is fetched."""


def cache_folder() -> Path | None:
    """Return the folder of files that are kept for the next time; None if none may be."""
    named = os.environ.get(CACHE)
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "rarefind"
