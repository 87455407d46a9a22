"""A record, and a cell of it, told in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rarefind.core.identifiers import COUNTING
from rarefind.features.cells.lists import are_written_lists, read_list
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.shown.column_facts import Unusual
from rarefind.records.table import Table, as_word

_LONGEST_NUMBER = 14
"""Characters: a number as it stands in the file, unless it is too long for its field."""

_LONGEST_WRITTEN = 120
"""Characters of a list of numbers as a text file writes it; a longer one is shown by its first."""

_SUMMARY_FIELDS, _SUMMARY_LETTERS = 4, 60
"""Fields of a summary and characters of each: it stands in one line of a list."""

_FILE_ORDER = 8
"""Plain fields that a summary tells in the order of the file, as eyes expect them; of more it tells
those that set the record apart from others."""


def record_summary(
    table: Table,
    kinds: Sequence[ColumnKind],
    row: int,
    unusual: Mapping[str, Unusual] | None = None,
) -> str:
    """Tell a record in a line: its id, then what is unusual about it, then its other fields."""
    shares = {name: each.share for name, each in (unusual or {}).items()}
    rare = {name for name, each in (unusual or {}).items() if each.marked}
    ordered = shares if len(shares) > _FILE_ORDER else {name: shares[name] for name in rare}
    named = [kind for kind in kinds if kind.kind == "picture" and kind.shape is None]
    aside = ("id", "picture", "vector") if named else ("id", "picture")
    told = [kind for kind in kinds if kind.kind not in aside]
    alone = len(told) == 1
    told.sort(key=lambda kind: ordered.get(kind.name, 1.0))  # the others as in the file
    ids = named + [kind for kind in kinds if kind.kind == "id" and kind.why not in COUNTING]
    names = [kind for kind in ids if as_word(table.columns[kind.name][row]) is not None]
    parts = []
    for kind in [*names[:1], *told[:_SUMMARY_FIELDS]]:
        value = shown_cell(table, kind.name, row)
        longest = _SUMMARY_LETTERS if alone or kind.kind == "text" else _SUMMARY_LETTERS // 2
        value = value if len(value) <= longest else f"{value[: longest - 1]}…"
        value = f"{value}*" if kind.name in rare else value
        bare = kind in named or (alone and kind.kind != "id")
        parts.append(value if bare else f"{kind.name} {value}")
    if told:
        return ", ".join(parts)
    picture = next((kind for kind in kinds if kind.shape), None)
    if picture is None or picture.shape is None:
        return ", ".join(parts) or f"row {row}"
    return ", ".join([*parts, f"a picture of {picture.shape[0]} by {picture.shape[1]}"])


def shown_cell(table: Table, name: str, row: int) -> str:
    """Write a cell for people: as its file writes it, short numbers, "missing" where it is."""
    cell = table.columns[name][row]
    if isinstance(cell, str) and len(cell) > _LONGEST_WRITTEN and are_written_lists([cell]):
        return as_word(read_list(cell)) or ""
    in_words = table.form == "text" or name in table.writing.notes
    if isinstance(cell, float) and np.isfinite(cell) and in_words:
        cells = table.original.get(name)
        written = "" if cells is None else str(cells[int(row)]).strip()
        if 0 < len(written) <= _LONGEST_NUMBER:
            return written
    return _shown(cell)


def _shown(cell: object) -> str:
    if isinstance(cell, float) and np.isfinite(cell) and not cell.is_integer():
        # Hundredths are money and the like: rounded, two payments would look the same.
        exact = abs(cell) >= 1.0 and round(cell, 2) == cell and len(str(cell)) <= _LONGEST_NUMBER
        return str(cell) if exact else f"{cell:.4g}"
    return as_word(cell) or "missing"
