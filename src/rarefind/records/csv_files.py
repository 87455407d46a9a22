"""Tables in comma-separated files, read row by row with errors that name the place."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.tables import Column, Table

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_MISSING = {"", "na", "n/a", "nan", "null", "none", "?"}
MAX_CELL = 1_000_000
"""Longest cell that is read, in characters."""


def read_csv(path: Path) -> Table:
    """Read a .csv or .tsv file with a header line."""
    name = path.name
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            csv.field_size_limit(MAX_CELL)
            rows = csv.reader(file, delimiter=_delimiter(path, file), strict=True)
            header = _header(next(rows, None), name)
            cells = list(zip(*_rows(rows, header, name), strict=True))
    except UnicodeDecodeError as problem:
        raise DataError(
            f"{name}: byte {problem.start} is not UTF-8 text. Save the file as UTF-8 and try again."
        ) from None
    if not cells:
        raise DataError(f"{name}: the file has a header but no rows.")
    columns = {title: _column(values) for title, values in zip(header, cells, strict=True)}
    return Table(columns, name, dict(zip(header, cells, strict=True)))


def write_csv(table: Table, path: Path) -> None:
    """Write a table as a .csv or .tsv file; missing cells are empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=_DELIMITERS[path.suffix.lower()])
        writer.writerow(table.columns)
        for cells in zip(*map(_plain, table.to_write().values()), strict=True):
            writer.writerow([_written(cell) for cell in cells])


def _delimiter(path: Path, file: TextIO) -> str:
    """Take the comma (or tab) the ending stands for, or a semicolon where only that separates."""
    first = file.readline()
    file.seek(0)
    usual = _DELIMITERS[path.suffix.lower()]
    return ";" if usual not in first and ";" in first else usual


def _plain(cells: Any) -> Sequence[object]:
    return cells.to_pylist() if hasattr(cells, "to_pylist") else cells


def _header(row: list[str] | None, name: str) -> list[str]:
    if not row or (len(row) == 1 and not row[0].strip()):
        raise DataError(
            f"{name}: the file is empty. Expected a header line with column names, then one line "
            "per record."
        )
    titles = [cell.strip() for cell in row]
    for position, title in enumerate(titles, start=1):
        if not title:
            raise DataError(f"{name}: column {position} of the header has no name. Give it one.")
        if titles.index(title) + 1 != position:
            raise DataError(
                f"{name}: columns {titles.index(title) + 1} and {position} of the header are both "
                f"called {title!r}. Rename one of them."
            )
    return titles


def _rows(rows: Iterator[list[str]], header: Sequence[str], name: str) -> Iterator[list[str]]:
    number = 1
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as problem:
            raise DataError(f"{name}: line {number} cannot be read: {problem}.") from None
        if not row:
            continue
        if len(row) != len(header):
            raise DataError(
                f"{name}: line {number} has {len(row)} cells where the header has {len(header)} "
                "columns. Check it for a missing or unquoted delimiter."
            )
        yield row


def _column(values: Sequence[str]) -> Column:
    words = [None if value.strip().lower() in _MISSING else value.strip() for value in values]
    numbers = np.full(len(words), np.nan)
    for position, word in enumerate(words):
        if word is None:
            continue
        number = _number(word)
        if number is None:
            return np.array(words, dtype=object)
        numbers[position] = number
    return numbers


def _number(word: str) -> float | None:
    # float() would take 1_000, and an identifier such as 0017 or one of 17 digits is no number.
    digits = word.lstrip("+-")
    long = digits.isdigit() and (len(digits) > 15 or (digits[0] == "0" and len(digits) > 1))
    if "_" in word or long:
        return None
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _written(cell: object) -> object:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
