"""Files that were read a moment ago."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from rarefind.records.formats.by_ending import file_digest, read_table
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.several_names import is_there
from rarefind.records.table import Table


class TableCache:
    """Reads files, and remembers the last few by what is in them."""

    def __init__(self, kept: int = 2) -> None:
        self._kept = kept
        self._lock = threading.Lock()
        self._tables: OrderedDict[tuple[str, ReadAs], Table] = OrderedDict()

    def read(self, path: Path, how: ReadAs = USUAL) -> tuple[str, Table]:
        """Return the digest and the records of a file, or of several as one."""
        if not is_there(path):
            read_table(path)  # says what is wrong
        digest = file_digest(path)
        with self._lock:
            table = self._tables.get((digest, how))
            if table is not None:
                self._tables.move_to_end((digest, how))
                return digest, table
        table = read_table(path, how=how)
        with self._lock:
            self._tables[digest, how] = table
            while len(self._tables) > self._kept:
                self._tables.popitem(last=False)
        return digest, table

    def table(self, path: Path, how: ReadAs = USUAL) -> Table:
        """Return the records of a file."""
        return self.read(path, how)[1]
