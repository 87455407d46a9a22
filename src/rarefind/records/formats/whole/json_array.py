"""A .json file that is one array of records, or one object of columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.records.columns.titles import made_up_names
from rarefind.records.formats.json_lines import decoded, table_of_objects
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.streams import read_all
from rarefind.records.table import Table


def read_json(path: Path, watch: Watch) -> Table:
    """Read ``[{"a": 1}, ...]``, ``[[1, 2], ...]`` or ``{"a": [1, ...], ...}``."""
    try:
        text = read_all(path, watch).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise DataError(
            f"{watch.name}: byte {problem.start} is not UTF-8 text. Save the file as UTF-8."
        ) from None
    value = decoded(text, "the file", watch)
    del text
    if isinstance(value, dict):
        value = _turned(value, watch.name)
    if not isinstance(value, list) or not value:
        raise _unfit(watch.name)
    return table_of_objects(_objects(value, watch.name), watch)


def _objects(rows: list[Any], source: str) -> Iterator[tuple[str, dict[str, Any]]]:
    lists = all(isinstance(row, list) and row for row in rows)
    names = made_up_names(len(rows[0])) if lists else []
    for number, row in enumerate(rows):
        place = f"record {number}"
        if lists:
            if len(row) != len(names):
                raise DataError(
                    f"{source}: {place} has {len(row)} cells where the first has {len(names)}."
                )
            yield place, dict(zip(names, row, strict=True))
        elif isinstance(row, dict):
            yield place, row
        else:
            raise _unfit(source)


def _turned(columns: dict[str, Any], source: str) -> list[Any]:
    """Make rows of columns; of an object that wraps one array, take that."""
    if len(columns) == 1 and all(isinstance(cells, list) for cells in columns.values()):
        (cells,) = columns.values()
        if cells and all(isinstance(cell, dict) for cell in cells):
            return list(cells)
    lengths = {len(cells) if isinstance(cells, list | dict) else -1 for cells in columns.values()}
    if len(lengths) != 1 or lengths <= {-1, 0}:
        raise _unfit(source)
    values = [
        list(cells.values()) if isinstance(cells, dict) else cells for cells in columns.values()
    ]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def _unfit(source: str) -> DataError:
    return DataError(
        f'{source}: the file must be an array of records, as in [{{"amount": 3}}, ...], or an '
        'object of columns, as in {"amount": [3, ...]}.'
    )
