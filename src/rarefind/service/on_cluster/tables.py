"""Parquet files that were found a moment ago."""

from __future__ import annotations

from pathlib import Path

from rarefind.cluster.partitions import Files, find_files
from rarefind.cluster.reading.lazy_table import ClusterTable, cluster_table
from rarefind.core.errors import DataError
from rarefind.records.formats.by_ending import file_digest
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.table import Table
from rarefind.service.hunts.table_cache import TableCache


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
            self._found[files] = (file_digest(path), cluster_table(files))
        return self._found[files]
