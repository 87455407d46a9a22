"""Large comma-separated files, read by Arrow where it is installed."""

from __future__ import annotations

import io
from collections.abc import Collection
from typing import IO, Any

import numpy as np

from rarefind.features.cells.number_marks import read_columns
from rarefind.records.columns.head_and_foot import LAST_LOOKED_AT, rows_below
from rarefind.records.formats.limits import Watch
from rarefind.records.table import Table

_BLOCK = 2**22
"""Bytes that Arrow parses at a time: enough to be fast, little beside memory. A choice."""


def read_fast(
    stream: IO[bytes],
    header: list[str],
    delimiter: str,
    watch: Watch,
    missing: Collection[str] = (),
) -> Table | None:
    """Read the rows after the header, or None: then the careful reader says what is wrong.

    Every different cell of a column is read once, by the same rules as in a small file.
    """
    try:
        import pyarrow as pa
        from pyarrow import compute, csv
    except ImportError:
        return None
    looked = _Looked(stream, delimiter)
    try:
        reader = csv.open_csv(
            pa.PythonFile(looked, mode="r"),
            csv.ReadOptions(use_threads=False, block_size=_BLOCK, column_names=header),
            csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            csv.ConvertOptions(
                column_types=dict.fromkeys(header, pa.string()),
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
        batches, rows = [], 0
        for batch in reader:
            rows += batch.num_rows
            watch.rows(rows)
            watch.cells(rows * len(header))
            batches.append(batch)
    except pa.ArrowException:
        return None
    if not rows or not looked.is_sound():
        return None
    table = pa.Table.from_batches(batches)
    last = table.slice(max(0, rows - LAST_LOOKED_AT)).to_pydict()
    below, said = rows_below(list(zip(*last.values(), strict=True)))
    table = table.slice(0, rows - below)
    original, places, different = {}, {}, {}
    for name in header:
        watch.time()
        cells = table.column(name)
        longest = compute.max(compute.binary_length(cells)).as_py()
        watch.cell(longest, f"column {name!r:.60}")
        original[name] = cells
        places[name], different[name] = _coded(cells)
    columns, writing = read_columns(
        different, delimiter, lambda name: np.bincount(places[name]), missing
    )
    return Table(
        {name: column[places[name]] for name, column in columns.items()},
        watch.name,
        original,
        "text",
        writing,
    ).noted(said)


class _Looked(io.RawIOBase):
    """Passes a file on, and looks whether its quotes and line ends are where they should be.

    Arrow takes a quoted cell that never ends for a cell that holds all that follows. In a sound
    file every other quote begins a cell and the rest end one, or double a quote within.
    """

    def __init__(self, stream: IO[bytes], delimiter: str) -> None:
        self._stream = stream
        self._around = np.zeros(256, dtype=bool)
        self._around[[ord(delimiter), *b'\n\r"']] = True
        self._tail, self._quotes, self._sound = b"\n", 0, True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._look(data or b"\n")
        return len(data)

    def is_sound(self) -> bool:
        """Whether all quotes and line ends seen so far are in their places."""
        return self._sound and self._quotes % 2 == 0

    def _look(self, data: bytes) -> None:
        # The last byte waits for the one that follows it.
        text = self._tail + data
        self._tail = text[-2:]
        if b'"' not in text and b"\r" not in text:
            return
        letters = np.frombuffer(text, dtype=np.uint8)
        places = np.flatnonzero(letters[1:-1] == ord('"')) + 1
        begins, ends = (places[(self._quotes + turn) % 2 :: 2] for turn in (0, 1))
        returns = np.flatnonzero(letters[1:-1] == ord("\r")) + 1
        self._quotes += len(places)
        self._sound = bool(
            self._sound
            and self._around[letters[begins - 1]].all()
            and self._around[letters[ends + 1]].all()
            and (letters[returns + 1] == ord("\n")).all()
        )


def _coded(cells: Any) -> tuple[Any, list[str]]:
    """Return where each cell is in the list of different ones, and that list."""
    coded = cells.dictionary_encode().unify_dictionaries().combine_chunks()
    coded = coded.chunk(0) if hasattr(coded, "chunk") else coded
    return np.asarray(coded.indices), coded.dictionary.to_pylist()
