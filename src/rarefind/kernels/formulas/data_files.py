"""Data that formulas name instead of carrying: tables of probabilities, graphs, weights."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.core.memory_guard import readable_size

LARGEST = 16 * 2**20
"""Bytes that such a file may have: a graph of some hundred thousand edges."""

_DEEPEST = 20
"""Lists within lists in a JSON file; tables need two."""


def read_parameters(path: str) -> dict[str, Any]:
    """Read the parameters of a kernel from a JSON file: one mapping of names to values."""
    found = _json(path)
    if not isinstance(found, dict):
        raise DataError(
            f"{path}: the parameters of a kernel are a JSON object of names and values. Got a "
            f"{_kind(found)} instead."
        )
    return found


def read_graph(path: str) -> Any:
    """Read the edges of a graph: two columns of a table (.csv, .tsv), or JSON.

    In JSON a graph is a list of pairs, rows of a matrix, or an object with nodes and edges. Nodes
    whose names are all whole numbers are known by these numbers.
    """
    if path.lower().endswith(".json"):
        found = _json(path)
        if not isinstance(found, list | dict) or not found:
            raise DataError(
                f"{path}: a graph is a list of pairs of nodes, rows of a matrix, or an object with "
                f"'nodes' and 'edges'. Got a {_kind(found)} instead."
            )
        return found
    text = _text(path)
    rows = list(csv.reader(text.splitlines(), delimiter="\t" if path.endswith(".tsv") else ","))
    named = [(number, row) for number, row in enumerate(rows, start=1) if any(map(str.strip, row))]
    for number, row in named:
        if len(row) != 2 or not all(map(str.strip, row)):
            raise DataError(
                f"{path}: line {number} must name the two nodes of an edge. Got {len(row)} cells; "
                "weights of edges go into a JSON file with the rows of a matrix."
            )
    edges = [[one.strip(), other.strip()] for _, (one, other) in named[1:]]
    if not edges:
        raise DataError(
            f"{path}: there are no edges. The file must have a line of titles, then two nodes a "
            "line."
        )
    if all(_whole(end) for edge in edges for end in edge):
        return [[int(one), int(other)] for one, other in edges]
    return edges


def _whole(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 16


def _json(path: str) -> Any:
    text = _text(path)
    depth = deepest = 0
    for sign in text:
        depth += (sign in "[{") - (sign in "]}")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise DataError(f"{path}: the file is nested more than {_DEEPEST} levels deep.")
    try:
        return json.loads(text, parse_constant=_no_number)
    except ValueError as problem:
        raise DataError(f"{path}: this is no JSON that can be read: {problem}.") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _text(path: str) -> str:
    if Path(path).exists() and not Path(path).is_file():
        raise DataError(f"{path}: this is no file.")
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as problem:
        raise DataError(
            f"{path}: the file cannot be read ({problem.strerror or problem}). A formula names "
            "files as seen from the current folder."
        ) from None
    if len(content) > LARGEST:
        raise DataError(
            f"{path}: the file holds more than {readable_size(LARGEST)}, which is more than a "
            "formula reads. Make the kernel in Python."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path}: the file is no text in UTF-8.") from None


def _kind(value: Any) -> str:
    names = {dict: "object", list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")
