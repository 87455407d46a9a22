"""Pictures of files made ready for a page."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from rarefind.records.pictures.cell import Picture
from rarefind.records.pictures.opening import address_of

_LONGEST = 640
"""Points of the longer side: what a question shows on a screen of twice the usual sharpness."""

_KEPT = 256
"""Pictures made ready that are kept, of some 50 kB each: a grid, and the questions ahead."""


def photograph(cell: Any) -> dict[str, Any] | None:
    """Return what a page needs to show a picture: its address, its shape and its name."""
    if not isinstance(cell, Picture):
        return None
    source = cell.source
    written = 0
    if isinstance(source, Path) and source.is_file():
        written = source.stat().st_mtime_ns  # one drawn anew is another
    address, (height, width) = _ready(source, written, str(cell))
    return {"shape": [height, width, 3], "address": address, "text": str(cell)}


@lru_cache(_KEPT)
def _ready(source: Path | bytes, written: int, name: str) -> tuple[str, tuple[int, int]]:
    return address_of(source, _LONGEST, name)
