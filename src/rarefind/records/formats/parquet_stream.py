"""Parquet files of any size, read and written a batch of rows at a time."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import IntArray
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.progress import announce
from rarefind.records.formats.arrow.unfolded_size import Scales
from rarefind.records.formats.limits import Limits, Watch
from rarefind.records.formats.parquet import arrow_table, import_pyarrow
from rarefind.records.formats.parquet_mapping import OpenParquet, changed, open_parquet
from rarefind.records.table import Table

BATCH_ROWS = 2**16
"""Rows read at a time."""

GROUP_ROWS, _GROUP_BYTES = 2**18, 2**25
"""Rows written together, and their size in memory: fewer of very many columns."""

_NO_END = Limits(bytes=2**62, rows=2**62, seconds=float("inf"))
"""What is read by stream may be of any length; cells and columns keep their limits."""


_BATCH_LIMITS = Limits(seconds=float("inf"))
"""What one batch may hold."""


@dataclass(frozen=True)
class Batch:
    """Some rows of a file: the number of the first, and the rows as Arrow has them."""

    start: int
    arrow: Any
    source: str

    def table(self) -> Table:
        """Return the rows as a table of numbers and words."""
        pa = import_pyarrow("Reading Parquet")
        return table_of(pa.Table.from_batches([self.arrow]), self.source)


def table_of(arrow: Any, source: str) -> Table:
    """Return rows of a file that is read in parts as a table of numbers and words."""
    return arrow_table(arrow, Watch(source, _NO_END))


class ParquetStream:
    """The rows of a Parquet file, which need not fit into memory.

    Parameters
    ----------
    path
        The file.

    Attributes
    ----------
    source
        The name of the file.
    n_rows
        How many rows it has.
    names
        The names of its columns.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(path)
        self.source = self._path.name
        self._state: tuple[int, int] | None = None
        with self._opened() as reading:
            self._state, about = reading.state, reading.file.metadata
            self.n_rows = int(about.num_rows)
            self.names = tuple(reading.file.schema_arrow.names)
            self._group_rows = [
                about.row_group(group).num_rows for group in range(about.num_row_groups)
            ]
        if self.n_rows == 0:
            raise DataError(f"{self.source}: the file has no rows.")

    def batches(
        self, columns: Sequence[str] | None = None, rows: int = BATCH_ROWS
    ) -> Iterator[Batch]:
        """Yield all rows in order, so many at a time; of these columns only, if any are named."""
        for name in columns or ():
            self.check_column(name)
        start = 0
        with self._opened() as reading:
            for batch in reading.batches(rows, columns=columns):
                yield Batch(start, self._weighed(batch, reading), self.source)
                start += batch.num_rows

    def check_column(self, name: str) -> None:
        """Refuse the name of a column that is not there."""
        if name not in self.names:
            raise DataError(f"{self.source}: {unknown_name('column', name, self.names)}")

    def chosen(self, rows: IntArray) -> Table:
        """Return the table of these rows, given in rising order; only their groups are read."""
        pa = import_pyarrow("Reading Parquet")
        kept, start = [], 0
        with self._opened() as reading:
            for group, size in enumerate(self._group_rows):
                low, high = np.searchsorted(rows, [start, start + size])
                if high > low:
                    kept += self._chosen_in(reading, group, rows[low:high] - start)
                start += size
                announce("reading examples", start, self.n_rows)
        return table_of(pa.Table.from_batches(kept), self.source)

    def _chosen_in(self, reading: OpenParquet, group: int, rows: IntArray) -> list[Any]:
        kept, start = [], 0
        for batch in reading.batches(BATCH_ROWS, row_groups=[group]):
            low, high = np.searchsorted(rows, [start, start + batch.num_rows])
            if high > low:
                kept.append(self._weighed(batch.take(rows[low:high] - start), reading))
            start += batch.num_rows
        return kept

    def _weighed(self, batch: Any, reading: OpenParquet) -> Any:
        """Weigh a batch by itself: the file may be of any length."""
        return Scales(Watch(self.source, _BATCH_LIMITS), reading.schema).add(batch)

    @contextmanager
    def _opened(self) -> Iterator[OpenParquet]:
        pa = import_pyarrow("Reading Parquet")
        try:
            with open_parquet(self._path) as reading:
                if self._state is not None and reading.state != self._state:
                    raise changed(self.source)
                yield reading
        except FileNotFoundError:
            raise DataError(f"There is no file {self._path}. Check the name and folder.") from None
        except (pa.ArrowException, OSError, ValueError) as problem:
            if isinstance(problem, DataError):
                raise
            words = " ".join(str(problem).split())[:200]
            raise DataError(f"{self.source} is not a readable Parquet file: {words}.") from None


class ParquetSink:
    """Writes batches of rows to a file that is there only when it is whole.

    Use it in a ``with`` block. If the block ends with an error, nothing is left behind, and a file
    that was there before stays as it was.

    Parameters
    ----------
    path
        The file.
    alone
        Whether nobody else may be writing the same file; otherwise the last to finish counts.
    """

    def __init__(self, path: Path, *, alone: bool = True) -> None:
        self._path = Path(path)
        mark = "" if alone else f".{uuid.uuid4().hex}"
        self._draft = self._path.with_name(f".{self._path.stem}{mark}.part{self._path.suffix}")
        self._writer: Any = None
        self._waiting: list[Any] = []
        self._rows = self._bytes = 0

    def __enter__(self) -> ParquetSink:
        import_pyarrow("Writing Parquet")
        if self._path.suffix.lower() != ".parquet":
            raise DataError(f"{self._path.name}: a file written by stream must end in .parquet.")
        folder = self._path.absolute().parent
        if not folder.is_dir():
            raise DataError(f"{self._path} cannot be written: there is no folder {folder}.")
        return self

    def write(self, batch: Any) -> None:
        """Add an Arrow batch; all must have the same columns."""
        self._waiting.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        try:
            if kind is None:
                self._flush()
                self._close()
                with self._draft.open("rb+") as file:
                    os.fsync(file.fileno())
                self._draft.replace(self._path)
            else:
                self._close()
        except OSError as problem:
            raise self._unwritable(problem) from None
        finally:
            self._draft.unlink(missing_ok=True)

    def _flush(self) -> None:
        pa = import_pyarrow("Writing Parquet")
        from pyarrow import parquet

        if not self._waiting:
            return
        try:
            if self._writer is None:
                schema = self._waiting[0].schema
                # A dictionary of numbers that do not repeat takes more time than all the rest.
                repeating = [kind.name for kind in schema if not pa.types.is_floating(kind.type)]
                self._writer = parquet.ParquetWriter(
                    self._draft, schema, use_dictionary=repeating, compression="lz4"
                )
            self._writer.write_table(pa.Table.from_batches(self._waiting))
        except OSError as problem:
            raise self._unwritable(problem) from None
        self._waiting, self._rows, self._bytes = [], 0, 0

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _unwritable(self, problem: OSError) -> DataError:
        return DataError(f"{self._path} cannot be written: {problem.strerror or problem}.")


def with_numbers(batch: Any, name: str, numbers: Any) -> Any:
    """Return an Arrow batch with one more column of numbers."""
    pa = import_pyarrow("Writing Parquet")
    fields = [*batch.schema, pa.field(name, pa.float64())]
    return pa.record_batch([*batch.columns, pa.array(numbers)], schema=pa.schema(fields))
