"""How much of a file is read at most, and the watch that counts while it is read.

Files may be damaged, or made to exhaust a machine: what they say about themselves is not believed.
Everything is counted while it streams, so that the first byte too many ends the reading.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rarefind.core.errors import DataError
from rarefind.core.memory_guard import readable_size

UNMEASURED = 2**22
"""Decompressed bytes that are read before their ratio is looked at: small files cannot harm."""

PLENTY = 2**27
"""Bytes of cells that any file may become. A table is held three or four times over (as read, as
numbers or words, as vectors, as a copy of these): one of this size stays well below a gigabyte."""

NUMBER_BYTES, WORD_BYTES, OBJECT_BYTES = 8, 16, 64
"""What a cell takes in memory besides its letters: a number, a word that others share, and a cell
that Python makes an object of. Rounded up, since each is also looked at several times."""

_CELLS_TO_BYTES = 2
"""A cell takes more room than it has letters. Half as much would refuse a common table of half a
million connections, which Parquet writes in 1.3 MB."""

_PACE = 2**23
"""Bytes that are read in ``Limits.seconds`` at the latest: a tenth of what slow readers manage."""


_PACKED = 10
"""How many times smaller common tables become when they are packed: more of a content than that
earns a packed file no more time."""


@dataclass(frozen=True)
class Limits:
    """The most that is read of one file.

    Attributes
    ----------
    bytes
        Size of the content, decompressed.
    rows, columns
        Records, and columns of each. Judging and scaling 20,000 columns took over ten seconds of
        the processor, half as many about five.
    cell_bytes
        Size of one cell. A line may be four times as long.
    ratio
        How many times larger than the file its decompressed content may be; the cells that are
        made of it may be twice as large.
    nesting
        Depth of lists within lists, in JSON and XML.
    seconds
        Processor time that reading may take, and as much again for every 8 MiB of the content, of
        which a packed file has at most ten times its size.

    Examples
    --------
    >>> Limits(rows=1000).rows
    1000
    """

    bytes: int = 4 * 2**30
    rows: int = 20_000_000
    columns: int = 12_000
    cell_bytes: int = 4 * 2**20
    ratio: float = 100.0
    nesting: int = 64
    seconds: float = 8.0

    @property
    def line_bytes(self) -> int:
        """Size that one line may have."""
        return 4 * self.cell_bytes


DEFAULT_LIMITS = Limits()
"""What is read unless somebody says otherwise."""


@dataclass
class Watch:
    """Counts what is read of one file, and refuses to go on beyond the limits.

    Attributes
    ----------
    name
        The name of the file, for messages.
    limits
        What is allowed.
    file_bytes
        Size of the file as it lies there; None where there is no such thing, as for a folder.
    """

    name: str
    limits: Limits = DEFAULT_LIMITS
    file_bytes: int | None = None
    _started: float = field(default_factory=time.thread_time)
    _read: int = 0

    def size(self, read: int, compressed: int | None = None) -> None:
        """Refuse more bytes than allowed, or many from few compressed ones."""
        limits = self.limits
        self._read = max(self._read, read)
        if read > limits.bytes:
            self._refuse(f"holds more than {readable_size(limits.bytes)}", "bytes")
        if compressed is not None and read > max(UNMEASURED, limits.ratio * compressed):
            self._refuse(
                f"grows to more than {limits.ratio:g} times its size when decompressed", "ratio"
            )
        self.time()

    def cells(self, count: int, each: int = NUMBER_BYTES, words: int = 0) -> None:
        """Refuse more cells than memory should hold, before they are made.

        ``each`` is what one of them takes, ``words`` the bytes of all their letters together.
        """
        if count * NUMBER_BYTES + words > self.limits.bytes:
            self._refuse(
                f"holds cells of more than {readable_size(self.limits.bytes)} in all", "bytes"
            )
        if self.file_bytes is not None and count * each + words > self.most_of_cells():
            self.unfolds()
        self.time()

    def most_of_cells(self) -> int:
        """Return how many bytes the cells of this file may become."""
        if self.file_bytes is None:
            return self.limits.bytes
        return int(max(PLENTY, _CELLS_TO_BYTES * self.limits.ratio * self.file_bytes))

    def unfolds(self) -> None:
        """Refuse a file whose cells become more than they may."""
        most = readable_size(self.most_of_cells())
        self._refuse(f"grows to more than {most} when its cells are unfolded", "ratio")

    def most_seconds(self, read: int) -> float:
        """Return how long the processor may work for so many bytes of content."""
        if self.file_bytes is not None:
            read = min(read, _PACKED * self.file_bytes)
        return self.limits.seconds * (1 + read / _PACE)

    def time(self) -> None:
        """Refuse to go on when the processor has worked long enough."""
        seconds = self.most_seconds(self._read)
        if time.thread_time() - self._started > seconds:
            self._refuse(f"takes longer than {seconds:.3g} seconds to read", "seconds")

    def rows(self, count: int) -> None:
        """Refuse more rows than allowed."""
        if count > self.limits.rows:
            self._refuse(f"has more than {self.limits.rows:,} rows", "rows")

    def columns(self, count: int) -> None:
        """Refuse more columns than allowed."""
        if count > self.limits.columns:
            self._refuse(f"has more than {self.limits.columns:,} columns", "columns")

    def cell(self, size: int, place: str) -> None:
        """Refuse a cell that is too large; ``place`` says where it is."""
        if size > self.limits.cell_bytes:
            self._refuse(
                f"has a cell of more than {readable_size(self.limits.cell_bytes)} ({place})",
                "cell_bytes",
            )

    def line(self, size: int, number: int) -> None:
        """Refuse a line that is too long."""
        if size > self.limits.line_bytes:
            self._refuse(
                f"has a line of more than {readable_size(self.limits.line_bytes)} (line {number})",
                "cell_bytes",
            )

    def nesting(self, depth: int, place: str) -> None:
        """Refuse lists within lists beyond the depth allowed."""
        if depth > self.limits.nesting:
            self._refuse(
                f"is nested more than {self.limits.nesting} levels deep ({place})", "nesting"
            )

    def _refuse(self, what: str, limit: str) -> None:
        raise DataError(
            f"{self.name}: the file {what}, which is more than is read. If it is meant to, allow "
            f"it with Limits({limit}=...)."
        )
