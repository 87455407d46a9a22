"""What Arrow's columns take when they are unfolded, told without unfolding them.

A column may hold a long word once and point to it from every row, or name a length of a run: a file
of a few kilobytes then stands for gigabytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.formats.limits import (
    NUMBER_BYTES,
    OBJECT_BYTES,
    WORD_BYTES,
    Watch,
)

_OBJECTS_PER_BYTE = 8
"""A small number in a list takes one byte in Arrow and a few dozen in Python."""


class Scales:
    """Adds up what the batches of one file take, and has the watch refuse too much.

    ``schema`` has the types that columns shall have; words that were read as a dictionary, though
    the file does not call them so, are unfolded once they were weighed.
    """

    def __init__(self, watch: Watch, schema: Any) -> None:
        self._watch, self._schema = watch, schema
        self._rows = self._bytes = 0

    def add(self, batch: Any) -> Any:
        """Weigh a batch of rows, then return it with the columns as they shall be."""
        import pyarrow as pa

        self._rows += batch.num_rows
        self._watch.rows(self._rows)
        batch.validate(full=True)
        columns = []
        for field, cells in zip(batch.schema, batch.columns, strict=True):
            self._bytes += weight(cells, field.name, self._watch)
            self._watch.cells(0, words=self._bytes)
            wanted = self._schema.field(field.name).type if self._is_unique(field) else None
            folded = pa.types.is_dictionary(field.type) and wanted != field.type
            columns.append(cells.dictionary_decode() if folded else cells)
        return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    def _is_unique(self, field: Any) -> bool:
        return len(self._schema.get_all_field_indices(field.name)) == 1


def weight(cells: Any, name: str, watch: Watch) -> int:
    """Return the bytes that a column takes as numbers, words or other objects."""
    import pyarrow as pa

    kind, types = cells.type, pa.types
    if _is_folded(pa, kind):
        raise DataError(
            f"{watch.name}: column {name!r:.60} is written as Arrow's {kind!s:.60}, which is "
            "not read. Write it as plain numbers, words or lists."
        )
    if types.is_dictionary(kind):
        each = _lengths(pa, cells.dictionary)
        if each is None:
            return len(cells) * OBJECT_BYTES
        places = cells.indices.drop_null().to_numpy(zero_copy_only=False)
        watch.cell(int(each.max(initial=0)), f"column {name!r:.60}")
        return len(cells) * WORD_BYTES + int(each[places].sum())
    each = _lengths(pa, cells)
    if each is not None:
        watch.cell(int(each.max(initial=0)), f"column {name!r:.60}")
        return len(cells) * WORD_BYTES + int(each.sum())
    if types.is_null(kind) or types.is_boolean(kind) or types.is_integer(kind):
        return len(cells) * NUMBER_BYTES
    if types.is_floating(kind):
        return len(cells) * NUMBER_BYTES
    if _holds_numbers(types, kind):
        return len(cells) * OBJECT_BYTES + len(cells.flatten()) * NUMBER_BYTES
    if types.is_nested(kind):
        within = max(cells.nbytes * _OBJECTS_PER_BYTE, _within(types, cells))
        return int(len(cells) * OBJECT_BYTES + within)
    return len(cells) * OBJECT_BYTES


def _within(types: Any, cells: Any) -> int:
    """Return the bytes of what lists and structs hold: in Arrow, gaps take none."""
    kind = cells.type
    if types.is_struct(kind):
        parts = cells.flatten()
    elif types.is_map(kind):
        parts = [cells.keys, cells.items]
    elif types.is_nested(kind):
        parts = [cells.flatten()]
    else:
        return 0
    each = [OBJECT_BYTES if types.is_nested(part.type) else NUMBER_BYTES for part in parts]
    return sum(
        len(part) * size + _within(types, part) for part, size in zip(parts, each, strict=True)
    )


def _holds_numbers(types: Any, kind: Any) -> bool:
    """Whether cells are lists of plain numbers, which are read without a look at each."""
    lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    if not any(test(kind) for test in lists):
        return False
    return bool(types.is_floating(kind.value_type) or types.is_integer(kind.value_type))


def _is_folded(pa: Any, kind: Any) -> bool:
    """Whether a type, or one within it, lets few bytes stand for many cells without a count."""
    types = pa.types
    folded = (
        types.is_run_end_encoded,
        types.is_list_view,
        types.is_large_list_view,
        types.is_union,
    )
    if any(test(kind) for test in folded):
        return True
    if types.is_dictionary(kind):
        return types.is_nested(kind.value_type)
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return any(types.is_dictionary(each) or _is_folded(pa, each) for each in inner)


def _lengths(pa: Any, cells: Any) -> Any:
    """Return the bytes of every word, or None if the cells are no words."""
    types, kind = pa.types, cells.type
    if types.is_string_view(kind) or types.is_binary_view(kind):
        views = cells.buffers()[1]
        if views is None:
            return np.zeros(0, np.int64)
        whole = np.frombuffer(views, np.int32)[::4].astype(np.int64)
        found = whole[cells.offset : cells.offset + len(cells)]
        return found[cells.is_valid().to_numpy(zero_copy_only=False)]
    if types.is_fixed_size_binary(kind):
        return np.full(len(cells), kind.byte_width, np.int64)
    if types.is_string(kind) or types.is_binary(kind):
        width = "<i4"
    elif types.is_large_string(kind) or types.is_large_binary(kind):
        width = "<i8"
    else:
        return None
    starts = cells.buffers()[1]
    if starts is None or not len(cells):
        return np.zeros(0, np.int64)
    places = np.frombuffer(starts, width)[cells.offset : cells.offset + len(cells) + 1]
    return np.diff(places.astype(np.int64))
