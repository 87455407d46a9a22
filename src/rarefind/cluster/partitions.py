"""Partitions: groups of rows in Parquet files that all machines see."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import IntArray
from rarefind.core.errors import DataError, Remedy
from rarefind.records.formats.parquet import import_pyarrow

BATCH_ROWS = 2**15
"""Rows read at a time: a group may be larger than a worker's memory."""


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

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Yield the rows as Arrow batches, a few at a time."""
        parquet = _parquet()
        with self._readable():
            state = Path(self.path).stat()
            if (state.st_size, state.st_mtime_ns) != (self.size, self.changed):
                raise DataError(
                    f"Partition {self.what} has changed while it was worked on. Start again."
                )
            with parquet.ParquetFile(self.path, pre_buffer=False, buffer_size=2**20) as file:
                names = None if columns is None else list(columns)
                for batch in file.iter_batches(
                    BATCH_ROWS, row_groups=[self.group], columns=names, use_threads=False
                ):
                    batch.validate(full=True)
                    yield batch

    def chosen(
        self, rows: IntArray, columns: Sequence[str] | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """Yield some rows, given in rising order from 0, and which of those given they are."""
        start = 0
        for batch in self.batches(columns):
            low, high = np.searchsorted(rows, [start, start + batch.num_rows])
            if low < high:
                yield slice(int(low), int(high)), batch.take(rows[low:high] - start)
            start += batch.num_rows

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise DataError(
                f"Partition {self.what} cannot be read: there is no file {self.path}. All machines "
                "must see it."
            ) from None
        except (OSError, ValueError) as problem:
            if isinstance(problem, DataError):
                raise
            raise DataError(f"Partition {self.what} cannot be read: {_words(problem)}.") from None


@dataclass(frozen=True)
class Files:
    """The partitions of a Parquet file, or of a folder of them, and the columns all have.

    Attributes
    ----------
    name
        What people call them.
    sources
        The partitions that hold rows, in order.
    names, types
        The names and Arrow types of the columns.
    """

    name: str
    sources: tuple[Source, ...]
    names: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.sources[-1].start + self.sources[-1].rows

    def column(self, name: str) -> Any:
        """Read one column of all partitions, as an Arrow table of one column."""
        import pyarrow as pa

        batches = [batch for source in self.sources for batch in source.batches([name])]
        return pa.Table.from_batches(batches)

    def rows(self, rows: IntArray) -> Any:
        """Read some rows, given in rising order, as an Arrow table."""
        import pyarrow as pa

        kept = []
        for source in self.sources:
            low, high = np.searchsorted(rows, [source.start, source.start + source.rows])
            if low < high:
                kept += [batch for _, batch in source.chosen(rows[low:high] - source.start)]
        return pa.Table.from_batches(kept)


def find_files(path: Path) -> Files:
    """List the partitions of a Parquet file, or of all in a folder by name.

    Columns that differ between files are refused before any work begins.
    """
    path = Path(path)
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    if not path.exists() or not files:
        raise DataError(f"There is no Parquet file at {path}. Check the name and the folder.")
    if path.suffix.lower() != ".parquet" and not path.is_dir():
        raise DataError(
            f"{path.name}: a cluster reads Parquet files. Write it as .parquet."
        ).advising(Remedy("Or leave out {cluster}."))
    found: list[Source] = []
    first: Any = None
    start = 0
    for file in files:
        about, schema, state = _looked_at(file)
        first = schema if first is None else first
        _check_columns(file.name, schema, files[0].name, first)
        for group in range(about.num_row_groups):
            rows = about.row_group(group).num_rows
            if rows:
                where = str(file.absolute())
                found.append(Source(where, group, start, rows, state.st_size, state.st_mtime_ns))
                start += rows
    if not found:
        raise DataError(f"{path.name}: there are no rows.")
    types = tuple(str(kind) for kind in first.types)
    return Files(path.name, tuple(found), tuple(first.names), types)


def _looked_at(path: Path) -> tuple[Any, Any, os.stat_result]:
    try:
        with _parquet().ParquetFile(path) as file:
            return file.metadata, file.schema_arrow, path.stat()
    except (OSError, ValueError) as problem:
        raise DataError(f"{path.name} is not a readable Parquet file: {_words(problem)}.") from None


def _check_columns(name: str, schema: Any, first_name: str, first: Any) -> None:
    missing = [column for column in first.names if column not in schema.names]
    further = [column for column in schema.names if column not in first.names]
    if missing or further:
        words = f"lacks column {missing[0]!r}" if missing else f"also has column {further[0]!r}"
        raise DataError(
            f"{name} {words}, unlike {first_name}. All files must have the same columns."
        )
    for column in first.names:
        there, here = schema.field(column).type, first.field(column).type
        if there != here:
            raise DataError(
                f"{name}: column {column!r} holds {there}, and {here} in {first_name}. All files "
                "must have the same columns."
            )


def _words(problem: BaseException) -> str:
    return " ".join(str(problem).split())[:200].rstrip(".")


def _parquet() -> Any:
    import_pyarrow("Reading Parquet")
    from pyarrow import parquet

    return parquet
