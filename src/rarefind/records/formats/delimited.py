"""Tables in comma- or tab-separated files, read row by row with errors that name the place."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError, Remedy
from rarefind.features.cells.number_marks import read_columns
from rarefind.features.cells.number_word_or_gap import kept_text, read_word, safe_word
from rarefind.records.columns.first_line import LOOKED_AT, is_first_record
from rarefind.records.columns.titles import (
    NO_HEADER,
    check_names,
    made_up_names,
    without_blank_name,
)
from rarefind.records.formats.delimited_fast import read_fast
from rarefind.records.formats.limits import WORD_BYTES, Watch
from rarefind.records.formats.streams import (
    NotUTF8Error,
    as_utf8,
    endings,
    lines_ahead,
    open_bytes,
    single_lines,
    text_lines,
)
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.records.table import Table, as_word

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""What the ending stands for."""

_OTHER_DELIMITERS = (";", "\t", "|")
"""What else people put between cells."""

_OTHER_ENCODING = "windows-1252"
"""Latin-1 with the signs that Windows adds to it."""

_RECODED = f"read as {_OTHER_ENCODING} text, since the file is no UTF-8"
"""Said of the first column."""

_QUOTED = re.compile('"[^"]*"')
"""A quoted cell, whose commas separate nothing."""

_BATCH = 4096
"""Rows turned into columns at a time: a few megabytes."""

LARGE = 2**21
"""From this many bytes on Arrow reads, where it is installed; it is ten times as fast."""


def read_csv(path: Path, watch: Watch, how: ReadAs = USUAL) -> Table:
    """Read a .csv or .tsv file, with a header line or without."""
    try:
        return _said(path, watch, how)
    except NotUTF8Error:
        if how.encoding is not None:
            raise
    # What is no UTF-8 was nearly always written on Windows in a western language.
    return _said(path, watch, replace(how, encoding=_OTHER_ENCODING)).noted(_RECODED)


def _said(path: Path, watch: Watch, how: ReadAs) -> Table:
    table = _read(path, watch, how)
    return table.noted(how.gaps.unmatched([table.original]))


def _read(path: Path, watch: Watch, how: ReadAs) -> Table:
    if path.stat().st_size >= LARGE:
        with open_bytes(path, watch) as packed:
            stream = as_utf8(packed, watch, how.encoding)
            ahead, lines = lines_ahead(stream, 1 + LOOKED_AT), single_lines(stream, watch)
            header, delimiter, _, first = _begin(path, lines, watch, how, ahead)
            fast = None if first else read_fast(stream, header, delimiter, watch, how.gaps)
        if fast is not None:
            return fast
    with open_bytes(path, watch) as packed:
        lines = text_lines(as_utf8(packed, watch, how.encoding), watch)
        ahead = list(islice(lines, 1 + LOOKED_AT))
        header, delimiter, rows, first = _begin(path, chain(ahead, lines), watch, how, ahead)
        cells: list[list[str]] = [[cell] for cell in first] or [[] for _ in header]
        for some in _batches(_rows(rows, header, watch)):
            for values, more in zip(cells, zip(*some, strict=True), strict=True):
                values.extend(more)
    if not cells[0]:
        raise DataError(f"{watch.name}: the file has a header but no rows.")
    original = dict(zip(header, cells, strict=True))
    columns, writing = read_columns(original, delimiter, missing=how.gaps)
    table = Table(columns, watch.name, original, "text", writing)
    return table.noted(NO_HEADER) if first else table


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


def _begin(
    path: Path, lines: Iterator[str], watch: Watch, how: ReadAs, ahead: Sequence[str]
) -> tuple[list[str], str, Any, list[str]]:
    """Read the header; return it with the delimiter, the rows that follow, and the first record.

    That is empty, unless the file has no header: then names are made up. ``ahead`` are the first
    lines once more, to tell.
    """
    first = next(lines, "")
    # The comma (or tab) the ending stands for, or what there is more of in the header.
    usual, bare = _DELIMITERS[endings(path)[0]], _QUOTED.sub("", first)
    delimiter = how.delimiter or max((usual, *_OTHER_DELIMITERS), key=bare.count)
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
    headless = how.header is False
    if how.header is None:
        headless = is_first_record(names, _below(ahead, delimiter))
    if headless:
        return made_up_names(len(names)), delimiter, rows, titles
    return check_names(without_blank_name(names), watch.name), delimiter, rows, []


def _below(ahead: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the rows after the first, as far as they can be read."""
    rows: list[list[str]] = []
    # Where a cell goes on behind these lines we stop; what is wrong is said when all are read.
    with suppress(csv.Error):
        rows.extend(csv.reader(ahead, delimiter=delimiter, strict=True))
    return rows[1:]


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
                f"{len(header)} column{'s' if len(header) > 1 else ''}. Check it for a missing or "
                "unquoted delimiter."
            ).advising(Remedy("If another mark stands between cells, name it with {delimiter}."))
        count += 1
        watch.rows(count)
        if count % _BATCH == 0:
            watch.cells(count * len(header), WORD_BYTES)
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
