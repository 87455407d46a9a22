"""Bytes and lines of files, plain or compressed, counted while they are read."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.records.formats.limits import UNMEASURED, Watch

COMPRESSED = (".gz", ".zst")
"""Endings of compressed files; the ending before says what is inside."""

_BLOCK = 2**18
"""Bytes unpacked between two looks at the limits, so that a file made to grow is stopped early."""

_LOOKED_AT, _FEWEST = 4096, 4
"""Bytes at the beginning of a text that tell how it is written, and how few letters may tell."""


def endings(path: Path) -> tuple[str, str]:
    """Return the ending that says what a file holds, and the one that says how it is compressed.

    >>> endings(Path("graphs.jsonl.gz"))
    ('.jsonl', '.gz')
    """
    last = path.suffix.lower()
    if last in COMPRESSED:
        return Path(path.stem).suffix.lower(), last
    return last, ""


class NotUTF8Error(DataError):
    """A text is written in another encoding."""


class _Counted(io.RawIOBase):
    """Reads from a source, and has the watch count what comes and what it was made of."""

    def __init__(self, source: Any, packed: Any | None, watch: Watch) -> None:
        self._source, self._packed, self._watch = source, packed, watch
        self._total = 0
        # A little more than is left unmeasured comes at once, so that a file made to grow is known
        # before anything is done with it.
        self._ready = io.BytesIO()
        if packed is not None:
            while self._total <= UNMEASURED and (data := self._fetch(_BLOCK)):
                self._ready.write(data)
            self._ready.seek(0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        most = min(len(buffer), _BLOCK)
        data = self._ready.read(most) or self._fetch(most)
        buffer[: len(data)] = data
        return len(data)

    def _fetch(self, most: int) -> bytes:
        data: bytes = self._source.read(most)
        self._total += len(data)
        self._watch.size(self._total, None if self._packed is None else self._packed.tell())
        return data


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


def as_utf8(stream: IO[bytes], watch: Watch, encoding: str | None = None) -> IO[bytes]:
    """Return a stream of the same text in UTF-8; UTF-16 is noticed, others must be said."""
    if encoding is None and isinstance(stream, io.BufferedReader):
        encoding = _wide_encoding(stream.peek(_LOOKED_AT)[:_LOOKED_AT])
    if encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
        return stream
    return io.BufferedReader(_Recoded(stream, watch.name, encoding), _BLOCK)


def _wide_encoding(begin: bytes) -> str | None:
    """Return how a text is written that takes two or four bytes a letter, with a mark or without.

    >>> _wide_encoding("id,size".encode("utf-16-be")), _wide_encoding(b"id,size")
    ('utf-16-be', None)
    """
    if begin.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    # Half of the bytes of western letters are zero; other letters have none, and need the mark.
    for encoding, zeros, letters in (
        ("utf-16-le", begin[1::2], begin[::2]),
        ("utf-16-be", begin[::2], begin[1::2]),
    ):
        if len(zeros) >= _FEWEST and 2 * zeros.count(0) > len(zeros) and 0 not in letters:
            return encoding
    return None


class _Recoded(io.RawIOBase):
    """Reads text of another encoding and gives it on as UTF-8."""

    def __init__(self, stream: IO[bytes], name: str, encoding: str) -> None:
        self._stream, self._name, self._encoding = stream, name, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._stream.read(_BLOCK)
            try:
                text = self._decoder.decode(data, final=not data)
            except UnicodeError:
                raise DataError(
                    f"{self._name}: the file is not all {self._encoding} text. Say its "
                    "encoding, or save it as UTF-8 and try again."
                ) from None
            self._ready = text.encode("utf-8", "replace")
            if not data:
                break
        some, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(some)] = some
        return len(some)


def text_lines(stream: IO[bytes], watch: Watch) -> Iterator[str]:
    """Yield the lines of a UTF-8 text with their ends, refusing long ones and other encodings."""
    for chunk in _whole_lines(stream, watch):
        yield from io.StringIO(chunk, newline="\n")


def single_lines(stream: IO[bytes], watch: Watch) -> Iterator[str]:
    """Yield the first lines of a text, reading no further than each of them."""
    most = watch.limits.line_bytes
    number, raw = 1, stream.readline(most + 1).removeprefix(codecs.BOM_UTF8)
    while raw:
        watch.line(len(raw), number)
        # What is no UTF-8 is refused with its place by text_lines.
        yield raw.decode("utf-8", "replace")
        number, raw = number + 1, stream.readline(most + 1)


def lines_ahead(stream: IO[bytes], most: int) -> list[str]:
    """Return the first whole lines without reading them: as many as are held ready."""
    ready = stream.peek(1) if isinstance(stream, io.BufferedReader) else b""
    text = ready.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    return [line for line in islice(io.StringIO(text, newline="\n"), most) if line[-1] == "\n"]


def _whole_lines(stream: IO[bytes], watch: Watch) -> Iterator[str]:
    """Yield the text in pieces of whole lines."""
    read, number, pending = 0, 1, b""
    first = True
    while True:
        block = stream.read(_BLOCK)
        if first:
            first = False
            _refuse_other_encodings(block, watch.name)
            if block.startswith(codecs.BOM_UTF8):
                read = len(codecs.BOM_UTF8)
                block = block[read:]
        end = block.rfind(b"\n") + 1 if block else 0
        if block and not end:
            pending += block
            watch.line(len(pending), number)
            continue
        raw, pending = pending + block[:end], block[end:]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as problem:
            line = number + raw[: problem.start].count(b"\n")
            raise NotUTF8Error(
                f"{watch.name}: byte {read + problem.start} is not UTF-8 text (line {line}). "
                "Save the file as UTF-8 (spreadsheets call it CSV UTF-8) and try again."
            ) from None
        yield text
        if not block:
            return
        read += len(raw)
        number += text.count("\n")


def _refuse_other_encodings(raw: bytes, name: str) -> None:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(f"{name}: the file is UTF-16 text. Save it as UTF-8 and try again.")
    if raw.startswith(b"PK\x03\x04"):
        raise DataError(
            f"{name}: the file is a spreadsheet or a zip archive under another name. Save it "
            "as CSV UTF-8 and try again."
        )
    start = raw[:4096]
    if len(start) >= 8 and start.count(0) * 4 > len(start):
        raise DataError(
            f"{name}: line 1 is full of NUL characters, so this is no UTF-8 text. Save the file as "
            "UTF-8 and try again."
        )
