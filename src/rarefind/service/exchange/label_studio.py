"""Labels as Label Studio keeps them: a JSON list of tasks with annotations, in and out."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.records.formats.json_lines import decoded
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.streams import read_all
from rarefind.records.table import Table, as_word
from rarefind.store.rules.projection import Statement

_CHOICES = ("choices", "labels", "taxonomy", "textarea")
"""The fields in which Label Studio puts what somebody chose, by the kind of question."""

ROW = "rarefind_row"
"""The field of a task that says which row it is."""


def write_tasks(path: Path, table: Table, statements: Iterable[Statement]) -> int:
    """Write one task for each labelled row, with an annotation from everybody who labelled it."""
    tasks: dict[int, dict[str, Any]] = {}
    for word in statements:
        if word.label is None:
            continue
        task = tasks.setdefault(word.row, _task(table, word.row))
        task["annotations"].append(_annotation(word))
    text = json.dumps(list(tasks.values()), ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return len(tasks)


def read_tasks(path: Path, n_records: int) -> list[tuple[int, str, str | None]]:
    """Read (row, label, annotator) from tasks; annotations that were cancelled do not count.

    The row of a task is its field "rarefind_row" or "row"; where no task has one, tasks are taken
    to be the records in order, which must then be as many.
    """
    tasks = _tasks(path)
    rows = [task_row(task) for task in tasks]
    if all(row is None for row in rows):
        if len(tasks) != n_records:
            raise DataError(
                f"{path.name}: no task says which row it is (a field {ROW!r} in its data), and "
                f"there are {len(tasks)} tasks for {n_records} records."
            )
        rows = list(range(n_records))
    found = []
    for number, (task, row) in enumerate(zip(tasks, rows, strict=True)):
        if row is None:
            raise DataError(f"{path.name}: task {number} does not say which row it is.")
        for annotation in task.get("annotations") or task.get("completions") or []:
            label = task_label(annotation, number, path.name)
            if label is not None:
                found.append((row, label, task_who(annotation)))
    return found


def _task(table: Table, row: int) -> dict[str, Any]:
    data = {name: _cell(table, name, row) for name in table.columns}
    return {"id": row + 1, "data": {**data, ROW: row}, "annotations": []}


def _cell(table: Table, name: str, row: int) -> str | None:
    """Write a cell as the file has it, where that is a text."""
    if table.form == "text" and name in table.original:
        return str(table.original[name][row]).strip() or None
    return as_word(table.columns[name][row])


def _annotation(word: Statement) -> dict[str, Any]:
    at = dt.datetime.fromtimestamp(word.at, dt.UTC).isoformat()
    return {
        "id": word.seq,
        "unique_id": word.event_id,
        "completed_by": {"email": word.annotator},
        "was_cancelled": False,
        "created_at": at,
        "result": [
            {
                "id": word.event_id,
                "from_name": "label",
                "to_name": "record",
                "type": "choices",
                "value": {"choices": [word.label]},
            }
        ],
    }


def _tasks(path: Path) -> Sequence[Mapping[str, Any]]:
    if not path.is_file():
        raise DataError(f"{path} is not a file.")
    watch = Watch(path.name, file_bytes=path.stat().st_size)
    try:
        text = read_all(path, watch).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise DataError(f"{path.name} is not readable JSON: {problem}.") from None
    tasks = decoded(text, "the file", watch)
    if not isinstance(tasks, list) or not all(isinstance(task, Mapping) for task in tasks):
        raise DataError(f"{path.name}: Label Studio's export is a list of tasks. Got another form.")
    return tasks


def task_row(task: Mapping[str, Any]) -> int | None:
    """Tell which row a task is; None if it does not say."""
    data = task.get("data")
    for name in (ROW, "row"):
        value = data.get(name) if isinstance(data, Mapping) else None
        if isinstance(value, str) and value.isdecimal():
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def task_label(annotation: Any, task: int, source: str) -> str | None:
    """Tell what somebody chose; None for nothing, or if the annotation was cancelled."""
    if not isinstance(annotation, Mapping) or annotation.get("was_cancelled"):
        return None
    results = annotation.get("result")
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, Mapping) else None
        if not isinstance(value, Mapping):
            continue
        for name in _CHOICES:
            chosen = value.get(name)
            if isinstance(chosen, list) and chosen and isinstance(chosen[0], str):
                if len(chosen) > 1:
                    raise DataError(
                        f"{source}: task {task} has {len(chosen)} labels at once, and a record "
                        "here has one. Leave one of them."
                    )
                return chosen[0]
    return None


def task_who(annotation: Mapping[str, Any]) -> str | None:
    """Tell who made an annotation; None if it does not say."""
    by = annotation.get("completed_by")
    if isinstance(by, Mapping):
        by = by.get("email") or by.get("username") or by.get("id")
    return None if by is None else str(by)
