"""Tables in comma- or tab-separated files, read row by row with errors that name the place."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.features.cells.number_marks import read_columns
from rarefind.features.cells.single import (
    kept_text,
    read_number,
    read_word,
    safe_word,
)
from rarefind.records.columns.titles import check_names
from rarefind.records.formats.delimited_fast import read_fast
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.streams import (
    as_utf8,
    endings,
    open_bytes,
    single_lines,
    text_lines,
)
from rarefind.records.table import Table, as_word

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""What the ending stands for."""

_OTHER_DELIMITERS = (";", "\t", "|")
"""What else people put between cells."""

_NO_HEADER = "in a file without a header line: names are made up"
"""Said of the first column."""

_QUOTED = re.compile('"[^"]*"')
"""A quoted cell, whose commas separate nothing."""

_BATCH = 4096
"""Rows turned into columns at a time: a few megabytes."""

_LARGE = 2**21
"""From this many bytes on Arrow reads, where it is installed; it is ten times as fast."""


def read_csv(path: Path, watch: Watch) -> Table:
    """Read a .csv or .tsv file with a header line."""
    if path.stat().st_size >= _LARGE:
        with open_bytes(path, watch) as packed:
            stream = as_utf8(packed, watch)
            header, delimiter, _, first = _begin(path, single_lines(stream, watch), watch)
            fast = None if first else read_fast(stream, header, delimiter, watch)
        if fast is not None:
            return fast
    with open_bytes(path, watch) as packed:
        lines = text_lines(as_utf8(packed, watch), watch)
        header, delimiter, rows, first = _begin(path, lines, watch)
        cells: list[list[str]] = [[cell] for cell in first] or [[] for _ in header]
        for some in _batches(_rows(rows, header, watch)):
            for values, more in zip(cells, zip(*some, strict=True), strict=True):
                values.extend(more)
    if not cells[0]:
        raise DataError(f"{watch.name}: the file has a header but no rows.")
    original = dict(zip(header, cells, strict=True))
    columns, writing = read_columns(original, delimiter)
    if first:
        noted = {**writing.notes, header[0]: _joined(writing.notes.get(header[0]), _NO_HEADER)}
        writing = replace(writing, notes=noted)
    return Table(columns, watch.name, original, "text", writing)


def write_csv(table: Table, path: Path, *, raw: bool = False) -> None:
    """Write a table as a .csv or .tsv file; missing cells are empty.

    A table that came from a file with semicolons and decimal commas is written so again.

    Cells that a spreadsheet would run get an apostrophe in front, unless ``raw``.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        ending = path.suffix.lower()
        semicolons = ending == ".csv" and table.writing.delimiter == ";"
        writer = csv.writer(file, delimiter=";" if semicolons else _DELIMITERS[ending])
        writer.writerow(table.columns if raw else map(safe_word, table.columns))
        writer.writerows(zip(*_texts(table, raw=raw), strict=True))


def _begin(path: Path, lines: Iterator[str], watch: Watch) -> tuple[list[str], str, Any, list[str]]:
    """Read the header; return it with the delimiter, the rows that follow, and the first record.

    That is empty, unless the file has no header: then names are made up.
    """
    first = next(lines, "")
    # The comma (or tab) the ending stands for, or what there is more of in the header.
    usual, bare = _DELIMITERS[endings(path)[0]], _QUOTED.sub("", first)
    delimiter = max((usual, *_OTHER_DELIMITERS), key=bare.count)
    csv.field_size_limit(watch.limits.cell_bytes)
    rows = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    try:
        titles = next(rows, None)
    except csv.Error as problem:
        raise _broken(problem, 1, watch) from None
    if not titles or (len(titles) == 1 and not titles[0].strip()):
        raise DataError(
            f"{watch.name}: the file is empty. Expected a header line with column names, then one "
            "line per record."
        )
    watch.columns(len(titles))
    names = [read_word(title) or title for title in titles]
    if _are_cells(names):
        made_up = [f"column {number}" for number in range(1, len(names) + 1)]
        return made_up, delimiter, rows, titles
    if not names[0].strip() and all(map(str.strip, names[1:])) and len(names) > 1:
        # So pandas writes the numbers of its rows.
        names[0] = "index" if "index" not in names else "index of rows"
    return check_names(names, watch.name), delimiter, rows, []


def _are_cells(names: Sequence[str]) -> bool:
    """Whether what should be names are the numbers of a first record.

    Names may be numbers, as years are or what pandas gives columns without names; but these are
    whole, not negative, and all different.

    >>> _are_cells(["0.5", "3"]), _are_cells(["0", "1", "2"]), _are_cells(["x", "0.5"])
    (True, False, False)
    """
    numbers = [read_number(name) for name in names]
    if None in numbers or len(numbers) < 2:
        return False
    whole = all(name.isdigit() for name in names)
    return not whole or len(set(numbers)) < len(numbers)


def _joined(*notes: str | None) -> str:
    return ", ".join(note for note in notes if note)


def _rows(rows: Any, header: Sequence[str], watch: Watch) -> Iterator[list[str]]:
    count = 0
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as problem:
            raise _broken(problem, line, watch) from None
        if not row:
            continue
        if len(row) != len(header):
            raise DataError(
                f"{watch.name}: line {line} has {len(row)} cells where the header has "
                f"{len(header)} columns. Check it for a missing or unquoted delimiter."
            )
        count += 1
        watch.rows(count)
        yield row


def _batches(rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    """Yield a few thousand rows at a time: columns take less room than rows."""
    while some := list(islice(rows, _BATCH)):
        yield some


def _broken(problem: csv.Error, line: int, watch: Watch) -> DataError:
    words = str(problem)
    if "field larger" in words:
        watch.cell(watch.limits.cell_bytes + 1, f"line {line}")
    if "new-line" in words:
        words = "a line ends in a carriage return alone; save the file with usual line ends"
    if "end of data" in words:
        words = "a quoted cell begins there and never ends"
    return DataError(f"{watch.name}: line {line} cannot be read: {words}.")


def _texts(table: Table, *, raw: bool) -> list[list[str]]:
    cells = table.to_write()
    return [
        _as_read(cells[name], raw=raw)
        if table.form == "text" and name in table.original
        else _as_is(cells[name], table.writing.decimal, raw=raw)
        for name in table.columns
    ]


def _as_read(cells: Any, *, raw: bool) -> list[str]:
    texts = _plain(cells)
    return list(texts) if raw else _each(texts, kept_text)


def _as_is(cells: Any, decimal: str, *, raw: bool) -> list[str]:
    def text(cell: object) -> str:
        if isinstance(cell, float):
            number = as_word(cell) if math.isfinite(cell) else None
            return "" if number is None else number.replace(".", decimal)
        if isinstance(cell, np.ndarray):
            cell = cell.tolist()
        word = json.dumps(cell, ensure_ascii=False) if isinstance(cell, dict) else as_word(cell)
        return "" if word is None else word if raw else safe_word(word)

    return _each(_plain(cells), text)


def _each(cells: Sequence[Any], change: Callable[[Any], str]) -> list[str]:
    """Change every cell; equal ones of one plain type only once."""
    types = set(map(type, cells)) - {type(None)}
    if len(types) != 1 or not types <= {str, int, float, bool}:
        return [change(cell) for cell in cells]
    changed = {cell: change(cell) for cell in set(cells)}
    return [changed[cell] for cell in cells]


def _plain(cells: Any) -> Sequence[Any]:
    if hasattr(cells, "to_pylist"):
        return cells.to_pylist()
    return cells.tolist() if isinstance(cells, np.ndarray) else cells
