"""Labels made elsewhere, brought into a hunt."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import DataError, Remedy
from rarefind.records.formats.by_ending import read_table
from rarefind.records.table import Table
from rarefind.service.exchange.label_studio import read_tasks


class FoundLabel(NamedTuple):
    """A label in a file: of which row, by whom if it says so, and who had asked."""

    row: int
    label: str
    annotator: str | None
    asked_by: AskedBy | None = None


_NAMESPACE = uuid.UUID("6f1d3f0e-6d0f-4e57-9a39-6b7d6f3c1c55")
"""Drawn once. With another one, labels imported again would count twice."""


def read_labels(
    path: Path, records: Table, *, column: str | None = None, by: str | None = None
) -> list[FoundLabel]:
    """Read the labels of a file; what we exported also tells who had asked.

    Parameters
    ----------
    path
        A table with a label in each row, or Label Studio's .json.
    records
        The records of the hunt.
    column
        The column that holds the labels; None for "label".
    by
        The column of the records by which rows are found (an id, say). None: the table's column
        "row" counts records from 0, and without it the table must have as many rows as there are
        records, in the same order.
    """
    if not path.exists():
        raise DataError(f"There is no file {path}. Check the name and the folder.")
    if path.suffix.lower() == ".json":
        found = [FoundLabel(*task) for task in read_tasks(path, records.n_rows)]
    else:
        table = read_table(path)
        words = table.words(column or "label")
        rows = _rows(table, records, by, path.name)
        people, askers = _words_or_none(table, "annotator"), _words_or_none(table, "asked_by")
        found = [
            FoundLabel(row, word, who, _asker(written, path.name, row))
            for row, word, who, written in zip(rows, words, people, askers, strict=True)
            if word is not None
        ]
    for each in found:
        if not 0 <= each.row < records.n_rows:
            raise DataError(
                f"{path.name} labels row {each.row}, but the records are rows 0 to "
                f"{records.n_rows - 1}."
            )
    _refuse_two_at_once(found, path.name)
    return found


def event_id(hunt: str, row: int, label: str, annotator: str, turn: int) -> str:
    """Make the id of an imported label: the same label said in the same turn is the same event."""
    return str(uuid.uuid5(_NAMESPACE, "\x1f".join((hunt, str(row), label, annotator, str(turn)))))


def _refuse_two_at_once(found: list[FoundLabel], source: str) -> None:
    said: dict[tuple[int, str | None], str] = {}
    for row, label, who, _ in found:
        if said.setdefault((row, who), label) != label:
            raise DataError(
                f"{source} says both {said[row, who]!r} and {label!r} of row {row}. Leave one of "
                "them, or say in a column 'annotator' who said which."
            )


def _words_or_none(table: Table, column: str) -> list[str | None]:
    return list(table.words(column)) if column in table.columns else [None] * table.n_rows


def _asker(written: str | None, source: str, row: int) -> AskedBy | None:
    try:
        return None if written is None else AskedBy.read(written)
    except (ValueError, KeyError, TypeError):
        raise DataError(
            f"{source}: the column 'asked_by' must hold what an export wrote there. Got "
            f"{written!r} for row {row}; leave the column out to import labels as told unasked."
        ) from None


def _rows(table: Table, records: Table, by: str | None, source: str) -> list[int]:
    if by is not None:
        return list(_matched(table, records, by, source))
    if "row" in table.columns:
        column = table.columns["row"]
        whole = column.dtype.kind == "f" and bool(np.isfinite(column).all())
        if not whole or (column % 1 != 0).any():
            raise DataError(f"{source}: the column 'row' must hold whole numbers from 0.")
        return [int(row) for row in column]
    if table.n_rows != records.n_rows:
        raise DataError(
            f"{source} has {table.n_rows} rows for {records.n_rows} records and no column 'row'. "
            "Add one that counts records from 0."
        ).advising(Remedy("Or say with {by} which column both files share."))
    return list(range(table.n_rows))


def _matched(table: Table, records: Table, by: str, source: str) -> Iterator[int]:
    place: dict[str, int] = {}
    twice: set[str] = set()
    for row, word in enumerate(records.words(by)):
        if word is not None and place.setdefault(word, row) != row:
            twice.add(word)
    for line, word in enumerate(table.words(by)):
        if word not in place:
            raise DataError(
                f"{source}: row {line} of column {by!r} holds {word!r}, which no record has."
            )
        if word in twice:
            raise DataError(
                f"{records.source}: column {by!r} holds {word!r} more than once, so it does not "
                f"tell which record row {line} of {source} means."
            )
        yield place[word]
