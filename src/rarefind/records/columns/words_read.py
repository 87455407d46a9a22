"""Words of files that know types, read as those of text files: numbers, dates and gaps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from rarefind.features.cells.number_marks import read_columns
from rarefind.records.columns.gap_words import GapWords
from rarefind.records.table import Table, word_array


def read_words(table: Table) -> Table:
    """Read columns of words as a text file's are read; cells stay as they were for writing.

    >>> from rarefind.records.table import word_array
    >>> table = Table({"price": word_array(["$1,200.50", "$3"])}, "t", {}, "json")
    >>> read_words(table).columns["price"].tolist()
    [1200.5, 3.0]
    """
    counts = {
        name: Counter(cell for cell in column.tolist() if cell is not None)
        for name, column in table.columns.items()
        if column.dtype == object and all(cell is None or type(cell) is str for cell in column)
    }
    words = {name: list(counted) for name, counted in counts.items() if counted}
    columns, writing = read_columns(
        words, ",", lambda name: np.array(list(counts[name].values()), dtype=np.int64)
    )
    read = dict(table.columns)
    for name, column in columns.items():
        numbers = column.dtype.kind == "f" and not np.isnan(column).all()
        if not (numbers or name in writing.notes):
            continue  # what is neither numbers nor dates stays as it is
        values = dict(zip(words[name], column.tolist(), strict=True))
        gap = np.nan if column.dtype.kind == "f" else None
        cells = [gap if cell is None else values[cell] for cell in table.columns[name].tolist()]
        read[name] = np.array(cells, dtype=column.dtype)
    notes = dict(table.writing.notes)
    for name, note in writing.notes.items():
        notes[name] = f"{notes[name]}, {note}" if name in notes else note
    return replace(table, columns=read, writing=replace(table.writing, notes=notes))


def with_gaps(table: Table, missing: GapWords) -> Table:
    """Make gaps of the words, and numbers, that stand for one."""
    if not missing:
        return table
    numbers = list(missing.numbers)
    columns = {
        name: np.where(np.isin(column, numbers), np.nan, column)
        if column.dtype.kind == "f"
        else word_array(None if _stands_for_one(cell, missing) else cell for cell in column)
        for name, column in table.columns.items()
    }
    note = missing.unmatched([table.columns, table.original])
    return read_words(replace(table, columns=columns)).noted(note)


def _stands_for_one(cell: object, missing: GapWords) -> bool:
    return isinstance(cell, str) and cell.strip().lower() in missing
