"""How large the batches of an Arrow file say they are, before any of them is unpacked.

Arrow writes its messages as flatbuffers: tables whose fields are found through a list of offsets.
A packed buffer begins with the size it unpacks to, which Arrow sets aside without asking.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

_HEADER, _DICTIONARY_DATA = 2, 1
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3
"""Places of fields in Arrow's tables: of a message, of a dictionary batch, of a record batch."""


@dataclass(frozen=True)
class BatchSize:
    """What a batch says of itself: its rows, and the bytes of its buffers once unpacked."""

    rows: int
    bytes: int


def batch_size(message: Any) -> BatchSize | None:
    """Read the size of a batch from its message; None for a message of another kind."""
    if message.type not in ("record batch", "dictionary"):
        return None
    data = memoryview(message.metadata)
    batch = _field(data, _root(data), _HEADER)
    if message.type == "dictionary" and batch is not None:
        batch = _field(data, batch, _DICTIONARY_DATA)
    if batch is None:
        return BatchSize(0, 0)
    place = _place(data, batch, _LENGTH)
    rows = 0 if place is None else _number(data, place, "q")
    if _place(data, batch, _COMPRESSION) is None:
        return BatchSize(rows, 0 if message.body is None else message.body.size)
    return BatchSize(rows, _unpacked(data, batch, memoryview(message.body)))


def _unpacked(data: memoryview, batch: int, body: memoryview) -> int:
    vector = _field(data, batch, _BUFFERS)
    if vector is None:
        return 0
    total = 0
    for each in range(_number(data, vector, "I")):
        start = _number(data, vector + 4 + 16 * each, "q")
        length = _number(data, vector + 12 + 16 * each, "q")
        if length >= 8:
            size = _number(body, start, "q")
            total += length - 8 if size == -1 else size  # -1: left as it was
    return total


def _number(data: memoryview, place: int, kind: str) -> int:
    return int(struct.unpack_from(f"<{kind}", data, place)[0])


def _root(data: memoryview) -> int:
    return _number(data, 0, "I")


def _place(data: memoryview, table: int, field: int) -> int | None:
    """Return where a field of a table lies, or None if it is left out."""
    offsets = table - _number(data, table, "i")
    entry = 4 + 2 * field
    if entry >= _number(data, offsets, "H"):
        return None
    offset = _number(data, offsets + entry, "H")
    return table + offset if offset else None


def _field(data: memoryview, table: int, field: int) -> int | None:
    """Follow a field that points to another table or a list."""
    place = _place(data, table, field)
    return None if place is None else place + _number(data, place, "I")
