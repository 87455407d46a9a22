"""Tables written as comma- or tab-separated files."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.features.cells.number_word_or_gap import kept_text, safe_word
from rarefind.records.table import Table, as_word

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""What the ending stands for."""


def write_csv(table: Table, path: Path, *, raw: bool = False) -> None:
    """Write a table as a .csv or .tsv file; missing cells are empty.

    A table that came from a file with semicolons and decimal commas is written so again.

    Cells that a spreadsheet would run get an apostrophe in front, unless ``raw``.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        ending = path.suffix.lower()
        semicolons = ending == ".csv" and table.writing.delimiter == ";"
        writer = csv.writer(file, delimiter=";" if semicolons else DELIMITERS[ending])
        writer.writerow(table.columns if raw else map(safe_word, table.columns))
        writer.writerows(zip(*_texts(table, raw=raw), strict=True))


def _texts(table: Table, *, raw: bool) -> list[list[str]]:
    cells = table.to_write()
    return [
        _as_read(cells[name], raw=raw)
        if table.form == "text" and name in table.original
        else _as_is(cells[name], table.writing.decimal, raw=raw)
        for name in table.columns
    ]


def _as_read(cells: Any, *, raw: bool) -> list[str]:
    texts = plain_cells(cells)
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

    return _each(plain_cells(cells), text)


def _each(cells: Sequence[Any], change: Callable[[Any], str]) -> list[str]:
    """Change every cell; equal ones of one plain type only once."""
    types = set(map(type, cells)) - {type(None)}
    if len(types) != 1 or not types <= {str, int, float, bool}:
        return [change(cell) for cell in cells]
    changed = {cell: change(cell) for cell in set(cells)}
    return [changed[cell] for cell in cells]


def plain_cells(cells: Any) -> Sequence[Any]:
    """Return the cells of a column as Python values."""
    if hasattr(cells, "to_pylist"):
        return cells.to_pylist()
    return cells.tolist() if isinstance(cells, np.ndarray) else cells
