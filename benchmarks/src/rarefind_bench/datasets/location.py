"""Where the files of data sets are: in a folder, or in the cache of those fetched by name."""

from __future__ import annotations

import os
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.embedding.cache_folder import CACHE
from rarefind_bench.datasets.download import CannotFetchError, cached, fetch
from rarefind_bench.datasets.openml import RECIPES

VARIABLE = "RAREFIND_DATA"
"""The environment variable that names the folder."""

DEFAULT_FOLDER = Path("../shared/datasets")
"""Beside the repository."""

_PUT_IT = (
    "Put files such as shuttle_train.parquet (a column 'label', every other column a feature) into "
    f"a folder and name it in the environment variable {VARIABLE}"
)
"""What to do without it."""

_OR_FETCH = (
    f", or run this where there is a network: what OpenML has is fetched, and kept in {CACHE} "
    "(usually ~/.cache/rarefind)"
)
"""What else to do, where that helps."""


def data_folder() -> Path:
    """Return the folder with the data sets; one sentence if it is not there."""
    folder = named_folder()
    if not folder.is_dir():
        raise DataError(f"There is no folder {folder} with data sets. {_PUT_IT}{_OR_FETCH}.")
    return folder


def data_file(file: str, wanted_by: str) -> Path:
    """Return where a file is: in the folder, or else in the cache, fetched if need be.

    ``wanted_by`` begins the sentence that says what to put where if there is no way to get it.
    """
    folder = named_folder()
    if (folder / file).exists():
        return folder / file
    try:
        return cached(file) or fetch(file)
    except CannotFetchError as problem:
        raise DataError(
            f"{wanted_by} needs the file {file}, which is not in {folder} and was not fetched: "
            f"{problem}. {_PUT_IT}{_OR_FETCH if file in RECIPES else ''}."
        ) from None


def named_folder() -> Path:
    """Return the folder that is named, whether it is there or not."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else DEFAULT_FOLDER
