"""Tables that lie in Parquet files on a cluster: columns are read when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rarefind.cluster.partitions import Files
from rarefind.records.columns.titles import check_names
from rarefind.records.formats.parquet_stream import table_of
from rarefind.records.table import Column, Table


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
            self._read[name] = table_of(arrow, self._files.name)
        return self._read[name]


def _narrowed(cells: Mapping[str, Column], names: Iterable[str]) -> Mapping[str, Column]:
    assert isinstance(cells, _Cells)
    return _Cells(cells.shelf, names, original=cells.original)


def cluster_table(files: Files) -> ClusterTable:
    """Return the table of partitions; nothing of it is read yet."""
    shelf = _Shelf(files)
    cells = _Cells(shelf, shelf.names, original=False)
    original = _Cells(shelf, shelf.names, original=True)
    return ClusterTable(cells, files.name, original, "arrow", files=files)
