"""A file looked at before anything runs."""

from __future__ import annotations

from collections.abc import Mapping

from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.table import Table, as_word
from rarefind.service.showing.views import ColumnView, Inspection

_PREVIEW_ROWS, _PREVIEW_COLUMNS, _LONGEST_CELL = 20, 200, 200
"""Rows, columns and characters of a cell in the preview: what a page shows without waiting."""

_LABEL_NAMES = (
    "label", "labels", "class", "target", "y", "category", "kind", "type", "outcome", "diagnosis",
)  # fmt: skip
"""Names that people give to columns of labels."""

_MOST_CLASSES = 100
"""A column with more different words is hardly one of labels."""


def inspect_table(table: Table, kinds: Mapping[str, str]) -> Inspection:
    """Say what the columns of a table hold and why, and show the first rows."""
    found = detect_kinds(table, kinds)
    return Inspection(
        table.source,
        table.n_rows,
        tuple(map(ColumnView.of, found)),
        tuple(_row(table, row) for row in range(min(_PREVIEW_ROWS, table.n_rows))),
        label_guesses(table),
    )


def label_guesses(table: Table) -> tuple[str, ...]:
    """Name the columns that may hold labels, likeliest first: by their name, then by content.

    >>> import numpy as np
    >>> label_guesses(Table({"x": np.arange(9.0), "label": np.array(["a"] * 9, object)}, "t"))
    ('label',)
    """
    by_name = [
        name
        for wanted in _LABEL_NAMES
        for name in table.columns
        if name.lower() == wanted or name.lower().startswith(f"{wanted}_")
    ]
    return tuple(
        dict.fromkeys(name for name in by_name if 1 <= _different(table, name) <= _MOST_CLASSES)
    )


def _different(table: Table, name: str) -> int:
    return len({as_word(cell) for cell in table.columns[name]} - {None})


def _row(table: Table, row: int) -> dict[str, str]:
    cells = {}
    for name in list(table.columns)[:_PREVIEW_COLUMNS]:
        word = as_word(table.columns[name][row]) or ""
        cells[name] = word if len(word) <= _LONGEST_CELL else f"{word[: _LONGEST_CELL - 1]}…"
    return cells
