"""Opening Parquet files: mapped into memory where that is safe, else read a little at a time.

A mapped file is not copied: its pages are decoded where the system keeps them, and let go again.
But whoever shortens a file that we have mapped would end our process without a word. So the system
is asked for a lease: it then makes writers wait until we have noticed them, and we let go before
they write. Where there is no lease (a file of somebody else, one that is being written, a system
without) the file is read through a small buffer. Both ways take bounded memory, however large the
groups of rows in the file are.
"""

from __future__ import annotations

import mmap
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from rarefind.core.errors import DataError

try:
    import fcntl
except ImportError:  # there is no such thing on this system
    fcntl = None  # type: ignore[assignment]

_BUFFER = 2**20
"""Bytes read at a time where a file is not mapped. Without a buffer, all of a group would be."""


_FEW_ROWS = 256
"""Rows read at a time where each may unfold to megabytes. A choice."""

_LOOKED_AT = 100
"""Groups of rows in which a column's way of writing is looked up; it hardly ever changes."""


class OpenParquet:
    """An open Parquet file.

    Attributes
    ----------
    file
        What pyarrow has made of it.
    mapped
        Whether it is mapped into memory.
    schema
        The types of its columns.
    state
        Its size and when it was changed, by which another version is known.
    """

    def __init__(self, name: str, opened: IO[bytes]) -> None:
        from pyarrow import parquet

        self._name, self._opened = name, opened
        self._map = _mapped(opened)
        self.state = _state(opened)
        self.mapped = self._map is not None
        source = opened.name if self._map is None else _reader(self._map)
        buffer = _BUFFER if self._map is None else 0  # what is mapped need not be copied
        try:
            with parquet.ParquetFile(source, pre_buffer=False, buffer_size=buffer) as file:
                folded, self._most_rows = folding(file)
                about, self.schema = file.metadata, file.schema_arrow
            source = opened.name if self._map is None else _reader(self._map)
            self.file: Any = parquet.ParquetFile(
                source,
                metadata=about,
                pre_buffer=False,
                buffer_size=buffer,
                read_dictionary=folded,
            )
        except BaseException:
            self._let_go()
            raise

    def batches(
        self, rows: int, *, row_groups: list[int] | None = None, columns: Any = None
    ) -> Iterator[Any]:
        """Yield the rows, so many at a time; refuse to go on if somebody changes the file.

        Words come as dictionaries where the file has them so, and fewer rows at a time where a row
        may unfold to very much.
        """
        turns = self.file.iter_batches(
            min(rows, self._most_rows), row_groups=row_groups, columns=columns, use_threads=False
        )
        while True:
            self.check()
            batch = next(turns, None)
            if batch is None:
                return
            if self._map is not None:
                # Nothing decoded refers to the file; what is needed again comes back by itself.
                self._map.madvise(mmap.MADV_DONTNEED)
            yield batch

    def check(self) -> None:
        """Refuse to go on if somebody has changed the file, or waits to do so."""
        waiting = self._map is not None and not _has_lease(self._opened)
        if waiting or _state(self._opened) != self.state:
            self._let_go()
            raise changed(self._name)

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()
        self._let_go()

    def _let_go(self) -> None:
        if self._map is not None:
            self._map = None
            # Closing is not enough: whatever still holds the map has the file open as well.
            fcntl.fcntl(self._opened, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        self._opened.close()


@contextmanager
def open_parquet(path: Path) -> Iterator[OpenParquet]:
    """Open a Parquet file for the block."""
    with path.open("rb") as opened:
        reading = OpenParquet(path.name, opened)
        try:
            yield reading
        finally:
            reading.close()


def folding(file: Any, rows: int = 2**30) -> tuple[list[str], int]:
    """Tell which columns of a Parquet file are read as dictionaries, and how many rows at a time.

    A word that many rows share is then read once. What is written as differences to the word
    before, or as lists, cannot be read so: a few rows at a time are, and weighed.
    """
    about, folded, few = file.metadata, [], False
    for place in range(about.num_columns):
        column = file.schema.column(place)
        nested = column.max_repetition_level > 0
        if column.physical_type != "BYTE_ARRAY" or nested or "." in column.path:
            few |= nested
            continue
        ways = {
            way
            for group in range(min(about.num_row_groups, _LOOKED_AT))
            for way in about.row_group(group).column(place).encodings
        }
        if any(way.startswith("DELTA") for way in ways):
            few = True
        else:
            folded.append(column.path)
    return folded, min(rows, _FEW_ROWS) if few else rows


def changed(name: str) -> DataError:
    """Say that a file is no longer what it was when work on it began."""
    return DataError(f"{name} has changed while it was read. Start again.")


def _reader(mapped: mmap.mmap) -> Any:
    import pyarrow as pa

    return pa.BufferReader(pa.py_buffer(mapped))


def _mapped(opened: IO[bytes]) -> mmap.mmap | None:
    """Map a file, if nobody can shorten it without our notice."""
    if not hasattr(fcntl, "F_SETLEASE") or not hasattr(mmap, "MADV_DONTNEED"):
        return None
    with suppress(OSError, ValueError):  # somebody else's, being written, a pipe, empty
        # The signal that a lease ends is one that is ignored: we look before every batch.
        fcntl.fcntl(opened, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(opened, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        return mmap.mmap(opened.fileno(), 0, prot=mmap.PROT_READ)
    return None


def _has_lease(opened: IO[bytes]) -> bool:
    return fcntl.fcntl(opened, fcntl.F_GETLEASE) == fcntl.F_RDLCK


def _state(opened: IO[bytes]) -> tuple[int, int]:
    state = os.fstat(opened.fileno())
    return state.st_size, state.st_mtime_ns
