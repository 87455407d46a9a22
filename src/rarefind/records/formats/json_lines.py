"""JSON lines: one object per line, of plain fields or a graph."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.columns.nested_fields import flat_fields
from rarefind.records.columns.titles import check_names
from rarefind.records.columns.vectors import lists_column
from rarefind.records.columns.words_read import read_words
from rarefind.records.formats.graph_fields import read_graphs
from rarefind.records.formats.limits import OBJECT_BYTES, Watch
from rarefind.records.formats.streams import open_bytes, text_lines
from rarefind.records.table import Column, Table, as_word, is_graph, word_array

GRAPH = "graph"
"""The column of a graph that is the whole line."""

_PARTS = ("nodes", "edges", "links", "edge_labels", "directed", "multigraph")
"""Fields that make a graph, ours and networkx's; the others are columns beside it."""

_LARGEST_WHOLE = 2**53
"""Whole numbers below are exact as doubles; larger ones are ids and stay words."""

_UNWEIGHED = 2**16
"""So few cells are never too many: after so many more they are weighed again."""

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
"""Text in quotes, whose brackets nest nothing."""

_BRACKETS = re.compile(r"[\[{]+|[\]}]+")
"""Runs of brackets, to see how deep a line nests before it is parsed."""


# JSON has no NaN or infinity, yet many programs write them for a missing number.
_DECODER = json.JSONDecoder(parse_constant=lambda word: math.nan)


class _Absent:
    """Stands where a line lacks a field that others have."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()
"""One of it, told apart from null, which stands for a missing value."""


def read_jsonl(path: Path, watch: Watch) -> Table:
    """Read a .jsonl or .ndjson file; a line with 'nodes' and 'edges' is a graph."""
    with open_bytes(path, watch) as stream:
        return table_of_objects(objects_of_lines(text_lines(stream, watch), watch), watch)


def table_of_objects(objects: Iterable[tuple[str, dict[str, Any]]], watch: Watch) -> Table:
    """Make a table of JSON objects, each with the place it stands at."""
    cells: dict[str, list[Any]] = {}
    count = weighed = 0
    for place, value in objects:
        fields = flat_fields(_spread(value))
        for name, cell in fields.items():
            values = cells.get(name)
            if values is None:
                watch.columns(len(cells) + 1)
                values = cells[name] = []
            if isinstance(cell, str):
                watch.cell(len(cell), f"{place}, column {name!r:.60}")
            if len(values) < count:  # objects before this one have no such field
                values.extend([ABSENT] * (count - len(values)))
            values.append(cell)
        count += 1
        watch.rows(count)
        if count * len(cells) > weighed + _UNWEIGHED:
            weighed = count * len(cells)
            watch.cells(weighed, OBJECT_BYTES)
    for values in cells.values():
        values.extend([ABSENT] * (count - len(values)))
    if not count:
        raise DataError(f"{watch.name}: the file has no rows. Expected one JSON object per line.")
    if not cells:
        raise DataError(f"{watch.name}: the objects have no fields.")
    for name in [name for name, values in cells.items() if _stands_for_fields(name, values, cells)]:
        del cells[name]
    names = check_names(list(cells), watch.name)
    original = dict(zip(names, cells.values(), strict=True))
    columns = {name: values_column(values, name, watch.name) for name, values in original.items()}
    return read_words(Table(columns, watch.name, original, "json"))


def _stands_for_fields(name: str, values: list[Any], cells: Mapping[str, Any]) -> bool:
    """Whether a field is null wherever it is no object, whose own fields are columns."""
    if any(value is not None and value is not ABSENT for value in values):
        return False
    return any(other.startswith(f"{name}.") for other in cells)


def write_jsonl(table: Table, path: Path) -> None:
    """Write a table as JSON lines; fields that a line lacked stay away."""
    cells = {
        name: table.as_it_came(name)
        or _to_write(table.columns[name], table.original.get(name), table.form)
        for name in table.columns
    }
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in range(table.n_rows):
            fields = {name: values[row] for name, values in cells.items()}
            kept = {name: value for name, value in fields.items() if value is not ABSENT}
            file.write(json.dumps(kept, ensure_ascii=False, allow_nan=False, default=str) + "\n")


def values_column(values: list[Any], name: str, source: str) -> Column:
    """Make a column of Python values: numbers if all are, graphs if all are, else words."""
    kinds = {type(value) for value in values} - {type(None), _Absent}
    if kinds <= {bool, int, float} and all(
        kind is not int or abs(value) < _LARGEST_WHOLE
        for value in values
        if (kind := type(value)) is int
    ):
        numbers = [value if isinstance(value, int | float) else math.nan for value in values]
        column = np.array(numbers, dtype=np.float64)
        column[~np.isfinite(column)] = np.nan
        return column
    if kinds == {dict} and any(is_graph(value) for value in values):
        return word_array(read_graphs(values, name, source))
    if kinds == {list}:
        lists = lists_column([None if value is ABSENT else value for value in values])
        if lists is not None:
            return lists
    return word_array(None if value is ABSENT else _word(value) for value in values)


def _word(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return as_word(value) or None


def decoded(text: str, place: str, watch: Watch, expected: str = "") -> Any:
    """Read JSON that nests no deeper than allowed; what is wrong is said with its place."""
    if len(text) > watch.limits.nesting:
        brackets = text.count("[") + text.count("{")
        if brackets > watch.limits.nesting:
            watch.nesting(_depth(text), place)
    try:
        return _DECODER.decode(text)
    except RecursionError:
        watch.nesting(watch.limits.nesting + 1, place)
    except json.JSONDecodeError as problem:
        row = f"line {problem.lineno}, " if problem.lineno > 1 else ""
        raise DataError(
            f"{watch.name}: {place}, {row}character {problem.colno} is not valid JSON: "
            f"{problem.msg}.{expected}"
        ) from None
    except ValueError as problem:
        raise DataError(f"{watch.name}: {place} cannot be read: {problem}.") from None


def objects_of_lines(lines: Iterable[str], watch: Watch) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the object of each line, with its place."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        value = decoded(line, place, watch, " Expected one object per line.")
        if not isinstance(value, dict):
            raise DataError(
                f"{watch.name}: {place} is {type(value).__name__} where an object is expected, as "
                'in {"amount": 3, "country": "se"}.'
            )
        if "\\u" in line and _LONE.search(line) is not None:
            _refuse_lone_surrogates(value, place, watch.name)
        yield place, value


_LONE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a surrogate pair, written as an escape."""


def _refuse_lone_surrogates(value: dict[str, Any], place: str, source: str) -> None:
    for name, cell in value.items():
        try:
            json.dumps([name, cell], ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise DataError(
                f"{source}: {place}, column {name!r:.40} holds half of a character (a lone "
                "surrogate). Write the whole character."
            ) from None


def _spread(value: dict[str, Any]) -> dict[str, Any]:
    """Gather a graph that is the whole line into one field, other fields beside it."""
    ends = "edges" if "edges" in value else "links"
    if not isinstance(value.get("nodes"), list | int) or not isinstance(value.get(ends), list):
        return value
    graph = {name: cell for name, cell in value.items() if name in _PARTS}
    graph["edges"] = graph.pop(ends)
    rest = {name: cell for name, cell in value.items() if name not in _PARTS}
    about = rest.pop(GRAPH, {})
    if not isinstance(about, Mapping):
        about = {f"{GRAPH} name": about}
    return {GRAPH: graph, **{name: about[name] for name in about if name != GRAPH}, **rest}


def _depth(line: str) -> int:
    deepest = depth = 0
    for run in _BRACKETS.findall(_STRINGS.sub("", line)):
        depth += len(run) if run[0] in "[{" else -len(run)
        deepest = max(deepest, depth)
    return deepest


def _to_write(column: Column, original: Any, form: str) -> list[Any]:
    if form == "json" and original is not None:
        return [_finite(value) for value in original]
    if form == "arrow" and original is not None:
        return [_finite(value) for value in original.to_pylist()]
    if column.dtype.kind == "f":
        return [_number(value) for value in column.tolist()]
    return [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in column.tolist()]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < _LARGEST_WHOLE else value
