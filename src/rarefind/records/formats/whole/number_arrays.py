"""Arrays of numbers that numpy saved: .npy, and .npz with several."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.columns.titles import check_names
from rarefind.records.columns.vectors import block_column
from rarefind.records.formats.limits import NUMBER_BYTES, OBJECT_BYTES, Watch
from rarefind.records.formats.streams import read_all
from rarefind.records.formats.whole.zipped import check_zip
from rarefind.records.table import Column, Table, word_array

_WIDE = 100
"""An array of more columns is one of vectors: embeddings, or whatever has no names."""

_PROBLEMS = (ValueError, OSError, EOFError, zipfile.BadZipFile, KeyError, SyntaxError, MemoryError)
"""What numpy raises for a damaged file, or one that holds Python objects."""


def read_npy(path: Path, watch: Watch) -> Table:
    """Read an array: a row is a record. Arrays of three dimensions are pictures."""
    raw = read_all(path, watch)
    try:
        array = np.load(io.BytesIO(raw), allow_pickle=False)
    except _PROBLEMS as problem:
        raise _damaged(watch, problem) from None
    return _table({"": array}, watch)


def read_npz(path: Path, watch: Watch) -> Table:
    """Read arrays that have a row for each record, side by side."""
    watch.size(path.stat().st_size)
    try:
        check_zip(path, watch)
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except _PROBLEMS as problem:
        if isinstance(problem, DataError):
            raise
        raise _damaged(watch, problem) from None
    return _table(arrays, watch)


def _damaged(watch: Watch, problem: BaseException) -> DataError:
    words = " ".join(str(problem).split())[:200].rstrip(".")
    return DataError(
        f"{watch.name} is no array of numbers or words that can be read ({words}). Save it with "
        "numpy.save, and without Python objects."
    )


def _table(arrays: dict[str, Any], watch: Watch) -> Table:
    columns: dict[str, Column] = {}
    for name, array in arrays.items():
        if array.ndim == 0 or array.shape[0] == 0:
            raise DataError(f"{watch.name}: the array {name!r} has no rows.")
        watch.rows(array.shape[0])
        number = array.dtype.names is None and array.dtype.kind in "biuf"
        # A cell that is no number becomes a word of its own.
        each, words = (NUMBER_BYTES, 0) if number else (OBJECT_BYTES, array.nbytes)
        watch.cells(array.size, each, words)
        columns |= _columns(name, array, watch)
        watch.columns(len(columns))
    rows = {len(column) for column in columns.values()}
    if len(rows) != 1:
        sizes = ", ".join(f"{name} {array.shape[0]}" for name, array in arrays.items())
        raise DataError(
            f"{watch.name}: all arrays must have a row for each record. Got {sizes or 'none'}."
        )
    names = check_names(list(columns), watch.name)
    return Table(dict(zip(names, columns.values(), strict=True)), watch.name)


def _columns(name: str, array: Any, watch: Watch) -> dict[str, Column]:
    if array.dtype.names:
        found: dict[str, Column] = {}
        for field in array.dtype.names:  # each may be of several numbers, or have fields itself
            found |= _columns(field, array[field], watch)
        return found
    if array.ndim == 1:
        return {name or "column 1": _cells(array, name, watch)}
    flat = array.reshape(len(array), -1)
    watch.columns(flat.shape[1])
    if array.ndim == 2 and flat.shape[1] > _WIDE and array.dtype.kind in "biuf":
        block = flat.astype(np.float64)
        return {name or "vector": block_column(block, range(len(block)), len(block))}
    titles = [
        (f"{name}[{place}]" if name else f"column {place + 1}") if array.ndim == 2
        else f"{name or 'p'}{place}"  # named as the dots of a picture are
        for place in range(flat.shape[1])
    ]  # fmt: skip
    return {title: _cells(flat[:, place], title, watch) for place, title in enumerate(titles)}


def _cells(array: Any, name: str, watch: Watch) -> Column:
    if array.dtype.kind in "biuf":
        numbers = array.astype(np.float64)
        numbers[~np.isfinite(numbers)] = np.nan
        return np.asarray(numbers)
    if array.dtype.kind in "UM":
        words = array.astype(str).tolist()
        return word_array(None if word in ("", "NaT") else word for word in words)
    raise DataError(
        f"{watch.name}: the array {name or 'of the file'!r} holds {array.dtype}. Numbers, dates or "
        "words are needed."
    )
