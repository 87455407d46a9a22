"""Tables in comma- or tab-separated files, read row by row with errors that name the place."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError, Remedy
from rarefind.features.cells.number_marks import read_columns
from rarefind.features.cells.number_word_or_gap import read_word
from rarefind.records.columns.first_line import LOOKED_AT, is_first_record
from rarefind.records.columns.head_and_foot import (
    LAST_LOOKED_AT,
    are_units,
    lines_above,
    rows_below,
    said_separator,
)
from rarefind.records.columns.titles import (
    NO_HEADER,
    check_names,
    made_up_names,
    nameless,
    without_blank_name,
)
from rarefind.records.formats.delimited_fast import read_fast
from rarefind.records.formats.delimited_writing import DELIMITERS, plain_cells
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
from rarefind.records.table import Table

_OTHER_DELIMITERS = (";", "\t", "|")
"""What else people put between cells."""

_OTHER_ENCODING = "windows-1252"
"""Latin-1 with the signs that Windows adds to it."""

_RECODED = f"read as {_OTHER_ENCODING} text, since the file is no UTF-8"
"""Said of the first column."""

_QUOTED = re.compile('"[^"]*"')
"""A quoted cell, whose commas separate nothing."""

_END_MARKS = "\0\x1a \r\n"
"""What some programs put behind the last line."""

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
            begun = _begin(path, lines, watch, how, ahead)
            fast = (
                None
                if begun.first
                else read_fast(stream, begun.header, begun.delimiter, watch, how.gaps)
            )
        if fast is not None:
            return begun.told_of(fast)
    with open_bytes(path, watch) as packed:
        lines = text_lines(as_utf8(packed, watch, how.encoding), watch)
        ahead = list(islice(lines, 1 + LOOKED_AT))
        begun = _begin(path, chain(ahead, lines), watch, how, ahead)
        cells: list[list[str]] = [[cell] for cell in begun.first] or [[] for _ in begun.header]
        for some in _batches(_rows(begun, watch)):
            for values, more in zip(cells, zip(*some, strict=True), strict=True):
                values.extend(more)
    if not cells[0]:
        raise DataError(f"{watch.name}: the file has a header but no rows.")
    below, said = rows_below(
        list(zip(*(values[-LAST_LOOKED_AT:] for values in cells), strict=True))
    )
    for values in cells if below else ():
        del values[-below:]
    original = dict(zip(begun.header, cells, strict=True))
    columns, writing = read_columns(original, begun.delimiter, missing=how.gaps)
    return begun.told_of(Table(columns, watch.name, original, "text", writing).noted(said))


@dataclass(frozen=True)
class _Begun:
    """A file whose header was read.

    ``first`` is the first record where the file has no header: names are made up then. ``above``
    counts the lines above the header, ``notes`` say what was left out.
    """

    header: list[str]
    delimiter: str
    rows: Any
    first: list[str]
    above: int
    notes: tuple[str, ...]
    nameless: tuple[str, ...]

    def told_of(self, table: Table) -> Table:
        """Return the table without empty columns that have no name, and with what is to be said."""
        empty = [name for name in self.nameless if not _holds_anything(table.original[name])]
        if empty and len(empty) < len(table.columns):
            columns = {name: cells for name, cells in table.columns.items() if name not in empty}
            original = {name: table.original[name] for name in columns}
            table = replace(table, columns=columns, original=original)
        for note in (*self.notes, NO_HEADER * bool(self.first)):
            table = table.noted(note)
        return table


def _holds_anything(cells: Any) -> bool:
    return any(cell.strip() for cell in set(plain_cells(cells)))


def _begin(
    path: Path, lines: Iterator[str], watch: Watch, how: ReadAs, ahead: Sequence[str]
) -> _Begun:
    """Read the header, and what stands above it; ``ahead`` are the first lines once more."""
    first, above, notes = next(lines, ""), 0, []
    usual, said = DELIMITERS[endings(path)[0]], said_separator(first)
    if said is not None:
        first, ahead, above = next(lines, ""), ahead[1:], 1
    choices = (how.delimiter or said,) if how.delimiter or said else (usual, *_OTHER_DELIMITERS)
    remarks = 0 if how.header is False else lines_above(ahead, [each for each in choices if each])
    if remarks:
        first = next(islice(lines, remarks - 1, None), "")
        ahead, above = ahead[remarks:], above + remarks
        notes.append(f"without {remarks} line{'s' * (remarks > 1)} above the header")
    # The comma (or tab) the ending stands for, or what there is more of in the header.
    bare = _QUOTED.sub("", first)
    delimiter = how.delimiter or said or max((usual, *_OTHER_DELIMITERS), key=bare.count)
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
    below = _below(ahead, delimiter)
    headless = how.header is False
    if how.header is None:
        headless = is_first_record(names, below)
    if headless:
        return _Begun(made_up_names(len(names)), delimiter, rows, titles, above, (), ())
    if below and len(below[0]) == len(names) and are_units(below[0], below[1:]):
        next(rows)
        notes.append("without the line of units below the header")
    header = check_names(without_blank_name(names), watch.name)
    blank = tuple(header[place] for place in nameless(names))
    return _Begun(header, delimiter, rows, [], above, tuple(notes), blank)


def _below(ahead: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the rows after the first, as far as they can be read."""
    rows: list[list[str]] = []
    # Where a cell goes on behind these lines we stop; what is wrong is said when all are read.
    with suppress(csv.Error):
        rows.extend(csv.reader(ahead, delimiter=delimiter, strict=True))
    return rows[1:]


def _rows(begun: _Begun, watch: Watch) -> Iterator[list[str]]:
    count, rows, header = 0, begun.rows, begun.header
    while True:
        line = begun.above + rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as problem:
            raise _broken(problem, line, watch) from None
        if not row or (len(row) == 1 < len(header) and not row[0].strip(_END_MARKS)):
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
