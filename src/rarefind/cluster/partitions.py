"""Partitions: groups of rows in Parquet files, and the vectors made of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, MissingPackageError
from rarefind.geometry import TreeEngine

_HELD = 6
"""Partitions that a worker keeps in memory."""


@dataclass(frozen=True)
class Source:
    """One group of rows of a Parquet file; size and time of the file tell if it has changed."""

    path: str
    group: int
    start: int
    rows: int
    size: int
    changed: int

    @property
    def what(self) -> str:
        """The partition in words."""
        return f"row group {self.group} of {Path(self.path).name}"

    def read(self, columns: Sequence[str] | None = None) -> Any:
        """Read the rows as an Arrow table."""
        parquet = _parquet()
        try:
            with parquet.ParquetFile(self.path) as file:
                return file.read_row_group(self.group, columns=columns)
        except (OSError, ValueError) as problem:
            words = " ".join(str(problem).split())[:200]
            raise DataError(f"Partition {self.what} cannot be read: {words}.") from None


@dataclass(frozen=True)
class Part:
    """The vectors of one partition, in a file: some of its rows, each standing for itself or more.

    ``first`` is the number of its first point among all; ``low`` and ``high`` are the corners of
    the box that holds it.
    """

    vectors: str
    kept: str
    first: int
    n: int
    low: tuple[float, ...]
    high: tuple[float, ...]

    @property
    def what(self) -> str:
        """The partition in words."""
        return f"the partition of points {self.first} to {self.first + self.n - 1}"

    def engine(self) -> TreeEngine:
        """Return what answers questions about these vectors; it is kept for the next task."""
        try:
            return _engine(self.vectors, self.kept)
        except (OSError, ValueError) as problem:
            words = " ".join(str(problem).split())[:200]
            raise DataError(f"The vectors of {self.what} cannot be read: {words}.") from None


@lru_cache(maxsize=_HELD)
def _engine(vectors: str, kept: str) -> TreeEngine:
    matrix = np.load(vectors, allow_pickle=False)
    if not kept:
        return TreeEngine(matrix)
    with np.load(kept, allow_pickle=False) as file:
        return TreeEngine(matrix[file["rows"]], file["weights"])


def find_sources(path: Path) -> list[Source]:
    """List the partitions of a Parquet file, or of all in a folder by name."""
    path = Path(path)
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not files or not path.exists():
        raise DataError(f"There is no Parquet file at {path}. Check the name and the folder.")
    found: list[Source] = []
    start = 0
    for file in files:
        about, state = _metadata(file), file.stat()
        for group in range(about.num_row_groups):
            rows = about.row_group(group).num_rows
            if rows:
                found.append(
                    Source(
                        str(file.absolute()), group, start, rows, state.st_size, state.st_mtime_ns
                    )
                )
                start += rows
    if not found:
        raise DataError(f"{path.name}: there are no rows.")
    return found


def number_columns(source: Source, columns: Sequence[str] | None) -> list[str]:
    """Return the columns of numbers to compare by; refuse others by name."""
    import pyarrow as pa

    schema = _parquet().read_schema(source.path)
    names = list(columns) if columns is not None else list(schema.names)
    for name in names:
        if name not in schema.names:
            raise DataError(f"{Path(source.path).name} has no column {name!r}.")
        kind = schema.field(name).type
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
            raise DataError(
                f"Column {name!r} holds {kind}, not numbers. On a cluster, name the columns of "
                "numbers to compare by, or turn the others into numbers first."
            )
    return names


def write_array(path: Path, array: NDArray[Any] | dict[str, NDArray[Any]]) -> None:
    """Write an array, or several by name; the file is there only when it is whole."""
    draft = path.with_suffix(f".{os.getpid()}.part")
    with draft.open("wb") as file:
        if isinstance(array, dict):
            np.savez(file, **array)  # type: ignore[arg-type]
        else:
            np.save(file, array)
    draft.replace(path)


def gap(low: FloatArray, high: FloatArray, part: Part) -> float:
    """Tell how far a box is from that of a partition."""
    apart = np.maximum(np.maximum(np.array(part.low) - high, low - np.array(part.high)), 0.0)
    return float(np.sqrt(apart @ apart))


def _metadata(path: Path) -> Any:
    parquet = _parquet()
    try:
        return parquet.read_metadata(path)
    except (OSError, ValueError) as problem:
        words = " ".join(str(problem).split())[:200]
        raise DataError(f"{path.name} is not a readable Parquet file: {words}.") from None


def _parquet() -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError("Reading Parquet", "pyarrow", "parquet") from None
    return parquet
