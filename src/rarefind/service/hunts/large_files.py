"""Files that are larger than memory should hold."""

from __future__ import annotations

from pathlib import Path

from rarefind.core.memory_guard import allowed_bytes
from rarefind.records.formats.limits import DEFAULT_LIMITS
from rarefind.records.formats.parquet_stream import ParquetStream

_COPIES = 4
"""Cells are held as read, as numbers or words, and as vectors, and a copy of these is worked on."""


def too_large(path: Path) -> bool:
    """Tell whether a file is a Parquet file that is better worked on by stream.

    That is one beyond the limits for reading, or whose cells would take more memory than a result
    may (half of what is free, or ``RAREFIND_MEMORY_LIMIT``).
    """
    path = Path(path)
    if path.suffix.lower() != ".parquet" or not path.is_file():
        return False
    stream = ParquetStream(path)
    needed = 8 * _COPIES * stream.n_rows * len(stream.names)
    beyond = stream.n_rows > DEFAULT_LIMITS.rows or path.stat().st_size > DEFAULT_LIMITS.bytes
    return beyond or needed > allowed_bytes()
