"""What is where in a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError

FORMAT = "rarefind model"
"""Says in the manifest that this is a model of ours. Never changes, or old files could not be
told."""

VERSION = 2
"""The version that is written. A change to what files hold makes a new one, and the reader of every
earlier version stays."""
MANIFEST = "model.json"
"""The member of the archive that is read first. Never changes either."""


def array_name(number: int) -> str:
    """Name an array by its number."""
    return f"arrays/{number}.npy"


def file_path(path: Any, doing: str) -> Path:
    """Take the name of a file from a caller, or say what came instead."""
    try:
        return Path(path)
    except TypeError:
        raise DataError(
            f"{doing} needs the name of a file. Got {type(path).__name__} instead."
        ) from None
