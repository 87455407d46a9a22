"""Sets and trees in the cells of a column: JSON arrays, nested ones, and bracketed strings.

A flat array of words or numbers is a set: neither order nor repetition counts. Arrays of numbers
that all have one length are vectors, not sets. A nested array ``["S", ["NP", "she"], "sleeps"]``
(a label, then the children), an object ``{"label": "S", "children": [...]}`` and a string
``(S (NP she) sleeps)`` are trees.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.table import Column, Table

_SAMPLE = 200
"""Cells looked at to tell what a column holds."""

_DEEPEST = 64
"""Levels of a tree that is written in JSON."""

NO_TREE = ("",)
"""Stands for a missing tree: a leaf, which has no subtree in common with any other."""


def collection_kind(column: Column) -> str | None:
    """Tell whether a column of words holds sets or trees; None if neither.

    >>> collection_kind(np.array(['["a", "b"]', '["b"]'], object))
    'set'
    >>> collection_kind(np.array(["(S (NP she) (VP sleeps))", None], object))
    'tree'
    >>> collection_kind(np.array(["[1, 2]", "[3, 4]"], object)) is None  # these are vectors
    True
    """
    cells = [cell for cell in column[: 10 * _SAMPLE] if cell is not None][:_SAMPLE]
    if not cells or not all(isinstance(cell, str) and cell[:1] in "[{(" for cell in cells):
        return None
    if all(_bracketed(cell) for cell in cells):
        # One pair of brackets alone may be a remark.
        return "tree" if any(cell.count("(") > 1 for cell in cells) else None
    values = [_json(cell) for cell in cells]
    if all(_is_flat(value) for value in values):
        return None if _are_vectors(values) else "set"
    trees = all(_is_tree(value) for value in values)
    return "tree" if trees and any(not _is_flat(value) for value in values) else None


def sets_of(table: Table, name: str) -> list[frozenset[Any]]:
    """Return a column as sets, missing ones empty."""
    found = []
    for row, cell in enumerate(table.column(name)):
        value = cell.tolist() if isinstance(cell, np.ndarray) else _json(cell)
        if cell is not None and not _is_flat(value):
            raise _refusal(table, name, row, cell, "set: a JSON array of words or numbers")
        found.append(frozenset(value or ()))
    return found


def trees_of(table: Table, name: str) -> list[Any]:
    """Return a column as trees, missing ones as a leaf that is like no other tree."""
    found: list[Any] = []
    for row, cell in enumerate(table.column(name)):
        if cell is None:
            found.append(NO_TREE)
            continue
        value = cell if isinstance(cell, str) and _bracketed(cell) else _json(cell)
        if not isinstance(value, str) and not _is_tree(value):
            raise _refusal(
                table, name, row, cell, "tree such as (S (NP she) sleeps) or a nested JSON array"
            )
        found.append(value if isinstance(value, str) else _as_tuples(value))
    return found


def _refusal(table: Table, name: str, row: int, cell: Any, kind: str) -> DataError:
    return DataError(
        f"{table.source}: row {row} of column {name!r} holds {str(cell)!r:.60}, which is no "
        f"{kind}. Choose another kind for the column, or correct the cell."
    )


def _json(cell: Any) -> Any:
    """Read JSON; None for what is none."""
    if not isinstance(cell, str) or cell[:1] not in "[{":
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return None


def _is_flat(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str | int | float) for one in value)


def _are_vectors(values: Iterable[list[Any]]) -> bool:
    """Whether all lists are of numbers and of one length, at least two."""
    lists = list(values)
    numbers = all(type(one) in (int, float) for value in lists for one in value)
    return numbers and len({len(value) for value in lists}) == 1 and len(lists[0]) > 1


def _is_tree(value: Any) -> bool:
    """Whether a value is a label with its children, at every level."""
    waiting = [(value, 1)]
    while waiting:
        node, depth = waiting.pop()
        label, children = _node(node)
        if not isinstance(label, str | int | float) or depth > _DEEPEST:
            return False
        waiting.extend((child, depth + 1) for child in children)
    return isinstance(value, list | dict)


def _node(node: Any) -> tuple[Any, list[Any]]:
    """Return the label and the children of a node; a label that is None says it is none."""
    if isinstance(node, list):
        return (node[0], node[1:]) if node else (None, [])
    if isinstance(node, dict):
        children = node.get("children", [])
        known = set(node) <= {"label", "children"} and isinstance(children, list)
        return (node.get("label"), children) if known else (None, [])
    return node, []


def _as_tuples(node: Any) -> Any:
    label, children = _node(node)
    return (label, *(_as_tuples(child) for child in children))


def _bracketed(cell: str) -> bool:
    """Whether a string is one pair of brackets with a label behind the first."""
    text = cell.strip()
    if not text.startswith("(") or not text.endswith(")") or text[1:2] in ("", "(", ")"):
        return False
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return False
    return depth == 0 and any(sign.isalnum() for sign in text)
