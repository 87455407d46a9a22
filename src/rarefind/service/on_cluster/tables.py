"""Tables that lie in Parquet files on a cluster: columns are read when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarefind.cluster.partitions import Files, find_files
from rarefind.core.errors import DataError
from rarefind.records.columns.titles import check_names
from rarefind.records.formats.by_ending import file_digest
from rarefind.records.formats.limits import Limits, Watch
from rarefind.records.formats.parquet import arrow_table
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.table import Column, Table
from rarefind.service.hunts.table_cache import TableCache

_NO_END = Limits(bytes=2**62, rows=2**62, seconds=float("inf"))
"""Our own partitions are not measured again: their files passed the limits already."""


@dataclass(frozen=True)
class ClusterTable(Table):
    """A table whose columns this process reads one by one, and only if it needs them.

    Attributes
    ----------
    files
        Where the rows lie.
    """

    files: Files | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.partitions.n_rows

    @property
    def partitions(self) -> Files:
        """Where the rows lie."""
        assert self.files is not None
        return self.files

    def stored_name(self, name: str) -> str:
        """Tell what the files call a column."""
        assert isinstance(self.columns, _Cells)
        return self.columns.shelf.names[name]

    def without(self, names: Iterable[str]) -> ClusterTable:
        """Return the table without these columns."""
        left_out = set()
        for name in names:
            if name not in self.columns:
                self.column(name)  # refuses it, with the nearest match
            left_out.add(name)
        kept = [name for name in self.columns if name not in left_out]
        return ClusterTable(
            _narrowed(self.columns, kept),
            self.source,
            _narrowed(self.original, kept),
            self.form,
            files=self.files,
        )


class _Cells(Mapping[str, Any]):
    """Columns by name, as numbers and words or as Arrow has them, read when looked at."""

    def __init__(self, shelf: _Shelf, names: Iterable[str], *, original: bool) -> None:
        self.shelf, self.original = shelf, original
        self._names = dict.fromkeys(names)

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        table = self.shelf.table(name)
        return table.original[name] if self.original else table.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Shelf:
    """The columns read so far."""

    def __init__(self, files: Files) -> None:
        self._files = files
        titles = check_names(files.names, files.name)
        self.names = dict(zip(titles, files.names, strict=True))
        self._read: dict[str, Table] = {}

    def table(self, name: str) -> Table:
        if name not in self._read:
            arrow = self._files.column(self.names[name])
            self._read[name] = arrow_table(arrow, Watch(self._files.name, _NO_END))
        return self._read[name]


def _narrowed(cells: Mapping[str, Column], names: Iterable[str]) -> Mapping[str, Column]:
    assert isinstance(cells, _Cells)
    return _Cells(cells.shelf, names, original=cells.original)


class ClusterTables(TableCache):
    """Finds Parquet files for a cluster; nothing but their ends is read at first."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[Files, tuple[str, ClusterTable]] = {}

    def read(self, path: Path, how: ReadAs = USUAL) -> tuple[str, Table]:
        """Return the digest and the table of a Parquet file or a folder of them."""
        if how != USUAL:
            raise DataError(f"{path}: a cluster reads Parquet files as they are; say nothing else.")
        return self._read(path)

    def cluster_table(self, path: Path) -> ClusterTable:
        """Return the table of a Parquet file or a folder of them."""
        return self._read(path)[1]

    def _read(self, path: Path) -> tuple[str, ClusterTable]:
        files = find_files(path)
        if files not in self._found:
            shelf = _Shelf(files)
            cells = _Cells(shelf, shelf.names, original=False)
            original = _Cells(shelf, shelf.names, original=True)
            table = ClusterTable(cells, files.name, original, "arrow", files=files)
            self._found[files] = (file_digest(path), table)
        return self._found[files]
