"""Files that were read a moment ago."""

from __future__ import annotations

import time
from pathlib import Path

from rarefind.records.embedding.joining import file_and_key
from rarefind.records.formats.by_ending import file_digest, read_table
from rarefind.records.formats.digests import joint_digest
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.several_names import is_there
from rarefind.records.table import Table
from rarefind.service.remembered import Remembered

_KEPT = 2
"""Files kept: the one somebody looks at, and the one before. A choice."""

_FINE_SECONDS, _COARSE_SECONDS = 0.1, 2.5
"""A file written this long ago cannot be written again under the same time: file systems that count
in nanoseconds step by up to ten milliseconds, others by up to two seconds."""

_Mark = tuple[int, ...]


class TableCache:
    """Reads files, and remembers the last few by what is in them.

    A file whose size and times are those of the last look is not looked through again.
    """

    def __init__(self) -> None:
        self._tables = Remembered(_KEPT)
        self._digests: dict[Path, tuple[_Mark, str]] = {}

    def read(self, path: Path, how: ReadAs = USUAL) -> tuple[str, Table]:
        """Return the digest and the records of a file, or of several as one."""
        if not is_there(path):
            read_table(path)  # says what is wrong
        digest = self.digest(path, how)
        return digest, self._tables.of((digest, how), None, lambda: read_table(path, how=how))

    def table(self, path: Path, how: ReadAs = USUAL) -> Table:
        """Return the records of a file."""
        return self.read(path, how)[1]

    def digest(self, path: Path, how: ReadAs = USUAL) -> str:
        """Return the digest of a file, and of embeddings that are read with it."""
        if how.embeddings is None:
            return self._digest(path)
        return joint_digest(self._digest(path), self._digest(file_and_key(how.embeddings)[0]))

    def _digest(self, path: Path) -> str:
        place = path.absolute()
        before = _mark(place)
        known = self._digests.get(place)
        if known is not None and known[0] == before:
            return known[1]
        digest = file_digest(path)
        if before is not None and before == _mark(place):
            self._digests[place] = before, digest
        return digest

    def forget(self) -> None:
        """Let go of the records."""
        self._tables.clear()


def _mark(path: Path) -> _Mark | None:
    """Return what changes whenever a file is written; None where that cannot be told."""
    if not path.is_file():  # files in a folder change without it
        return None
    facts = path.stat()
    written = facts.st_mtime_ns
    settled = _COARSE_SECONDS if written % 1_000_000_000 == 0 else _FINE_SECONDS
    if time.time() - written / 1e9 < settled:
        return None
    return facts.st_dev, facts.st_ino, facts.st_size, written, facts.st_ctime_ns
