"""Bytes and lines of files, plain or compressed, counted while they are read."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.records.limits import Watch

COMPRESSED = (".gz", ".zst")
"""Endings of compressed files; the ending before says what is inside."""

_BLOCK = 2**18


def endings(path: Path) -> tuple[str, str]:
    """Return the ending that says what a file holds, and the one that says how it is compressed.

    >>> endings(Path("graphs.jsonl.gz"))
    ('.jsonl', '.gz')
    """
    last = path.suffix.lower()
    if last in COMPRESSED:
        return Path(path.stem).suffix.lower(), last
    return last, ""


class _Counted(io.RawIOBase):
    """Reads from a source, and has the watch count what comes and what it was made of."""

    def __init__(self, source: Any, packed: Any | None, watch: Watch) -> None:
        self._source, self._packed, self._watch = source, packed, watch
        self._total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._source.read(min(len(buffer), _BLOCK))
        buffer[: len(data)] = data
        self._total += len(data)
        self._watch.size(self._total, None if self._packed is None else self._packed.tell())
        return len(data)


@contextmanager
def open_bytes(path: Path, watch: Watch) -> Iterator[IO[bytes]]:
    """Open a file for reading its decompressed content; what is damaged is said in words."""
    _, packing = endings(path)
    try:
        with path.open("rb") as packed:
            if packing == ".gz":
                source: Any = gzip.GzipFile(fileobj=packed)
            elif packing == ".zst":
                source = _zstd(packed)
            else:
                source = packed
            counted = _Counted(source, packed if packing else None, watch)
            yield io.BufferedReader(counted, _BLOCK)
    except (gzip.BadGzipFile, zlib.error, EOFError) as problem:
        raise DataError(f"{watch.name}: the gzip file is damaged ({problem}).") from None
    except OSError as problem:
        what = "the zstd file is damaged" if packing == ".zst" else "the file cannot be read"
        raise DataError(f"{watch.name}: {what} ({problem.strerror or problem}).") from None


def _zstd(packed: IO[bytes]) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingPackageError("Reading .zst files", "pyarrow", "parquet") from None
    return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")


def read_all(path: Path, watch: Watch) -> bytes:
    """Read the whole decompressed content."""
    with open_bytes(path, watch) as stream:
        parts = []
        while part := stream.read(_BLOCK):
            parts.append(part)
    return b"".join(parts)


def text_lines(stream: IO[bytes], watch: Watch) -> Iterator[str]:
    """Yield the lines of a UTF-8 text with their ends, refusing long ones and other encodings."""
    most = watch.limits.line_bytes
    read = number = 0
    while True:
        raw = stream.readline(most + 1)
        number += 1
        if not raw:
            return
        watch.line(len(raw), number)
        if number == 1:
            _refuse_other_encodings(raw, watch.name)
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as problem:
            raise DataError(
                f"{watch.name}: byte {read + problem.start} is not UTF-8 text (line {number}). "
                "Save the file as UTF-8 and try again."
            ) from None
        read += len(raw)
        yield line


def _refuse_other_encodings(raw: bytes, name: str) -> None:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{name}: the file is UTF-16 text. Save it as UTF-8 and try again.")
    start = raw[:4096]
    if len(start) >= 8 and start.count(0) * 4 > len(start):
        raise DataError(
            f"{name}: line 1 is full of NUL characters, so this is no UTF-8 text. Save the file as "
            "UTF-8 and try again."
        )
