"""Files that are not part of the repository: public data sets, and scores of the R package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "RAREFIND_DATA": ROOT / "../shared/datasets",
    "RAREFIND_REFERENCE": ROOT / "../shared/reference",
}


def outside(variable: str, name: str) -> Path:
    """The path of a file; without it the test is left out, and the summary says what to set."""
    path = Path(os.environ.get(variable, FOLDERS[variable])) / name
    if not path.exists():
        pytest.skip(f"there is no {path}: set {variable} to the folder that holds {name}")
    return path
