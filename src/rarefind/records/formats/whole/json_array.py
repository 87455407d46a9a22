"""A .json file: an array of records, an object of columns, or an object a line after all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.records.columns.titles import made_up_names
from rarefind.records.formats.json_lines import decoded, objects_of_lines, table_of_objects
from rarefind.records.formats.limits import OBJECT_BYTES, Watch
from rarefind.records.formats.streams import read_all
from rarefind.records.table import Table


def read_json(path: Path, watch: Watch) -> Table:
    """Read ``[{"a": 1}, ...]``, ``[[1, 2], ...]``, ``{"a": [1, ...], ...}`` or JSON lines."""
    try:
        text = read_all(path, watch).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise DataError(
            f"{watch.name}: byte {problem.start} is not UTF-8 text. Save the file as UTF-8."
        ) from None
    if _begins_with_a_record(text):
        return table_of_objects(objects_of_lines(text.splitlines(), watch), watch)
    watch.cells(text.count(",") + 1, OBJECT_BYTES)  # each value is an object before it is a cell
    value = decoded(text, "the file", watch)
    del text
    if isinstance(value, dict):
        turned = _turned(value, watch.name)
        if not isinstance(turned, list):
            return table_of_objects(turned, watch)
        value = turned
    if not isinstance(value, list) or not value:
        raise _unfit(watch.name)
    return table_of_objects(_objects(value, watch.name), watch)


def _begins_with_a_record(text: str) -> bool:
    """Whether the first line is an object by itself, and more follows."""
    first, _, rest = text.lstrip().partition("\n")
    return first[:1] == "{" and first.rstrip()[-1:] == "}" and bool(rest.strip())


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


def _turned(
    columns: dict[str, Any], source: str
) -> list[Any] | Iterator[tuple[str, dict[str, Any]]]:
    """Make records of columns, one at a time; of an object that wraps an array of them, take it."""
    wrapped = [cells for cells in columns.values() if _are_records(cells)]
    if len(wrapped) == 1 and not all(isinstance(cells, list) for cells in columns.values()):
        return wrapped[0]
    if len(wrapped) == len(columns) == 1:
        return wrapped[0]
    if {"columns", "data"} <= set(columns) <= {"columns", "data", "index"}:  # pandas' "split"
        return _named(columns["columns"], columns["data"], source)
    lengths = {len(cells) if isinstance(cells, list | dict) else -1 for cells in columns.values()}
    if len(lengths) != 1 or lengths <= {-1, 0}:
        raise _unfit(source)
    if _are_rows(columns):  # pandas' "index"
        return list(columns.values())
    values = [
        list(cells.values()) if isinstance(cells, dict) else cells for cells in columns.values()
    ]
    return _numbered(columns, zip(*values, strict=True))


def _numbered(
    names: Iterable[str], rows: Iterable[Iterable[Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, row in enumerate(rows):
        yield f"record {number}", dict(zip(names, row, strict=True))


def _are_rows(columns: dict[str, Any]) -> bool:
    """Whether an object names rows by their number, each an object of fields with other names."""
    inner = next(iter(columns.values()))
    counted = [str(number) for number in range(len(columns))]
    return isinstance(inner, dict) and list(columns) == counted != list(inner)


def _are_records(cells: Any) -> bool:
    return isinstance(cells, list) and bool(cells) and all(isinstance(row, dict) for row in cells)


def _named(names: Any, rows: Any, source: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Make records of rows whose names are said once for all."""
    fit = isinstance(names, list) and isinstance(rows, list)
    if not fit or any(not isinstance(row, list) or len(row) != len(names) for row in rows):
        raise _unfit(source)
    return _numbered([str(name) for name in names], rows)


def _unfit(source: str) -> DataError:
    return DataError(
        f'{source}: the file must be an array of records, as in [{{"amount": 3}}, ...], or an '
        'object of columns, as in {"amount": [3, ...]}.'
    )
