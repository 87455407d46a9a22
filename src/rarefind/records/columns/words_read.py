"""Words of files that know types, read as those of text files: numbers, dates and gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from rarefind.features.cells.number_marks import read_columns
from rarefind.records.table import Table


def read_words(table: Table, missing: Collection[str] = ()) -> Table:
    """Read columns of words as a text file's are read; cells stay as they were for writing.

    ``missing`` are further words for a gap, in small letters.

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
        words, ",", lambda name: np.array(list(counts[name].values()), dtype=np.int64), missing
    )
    read = dict(table.columns)
    for name, column in columns.items():
        numbers = column.dtype.kind == "f" and not np.isnan(column).all()
        if not (numbers or name in writing.notes or missing):
            continue  # what is neither numbers nor dates stays as it is
        values = dict(zip(words[name], column.tolist(), strict=True))
        gap = np.nan if column.dtype.kind == "f" else None
        cells = [gap if cell is None else values[cell] for cell in table.columns[name].tolist()]
        read[name] = np.array(cells, dtype=column.dtype)
    noted = replace(table.writing, notes={**table.writing.notes, **writing.notes})
    return replace(table, columns=read, writing=noted)
