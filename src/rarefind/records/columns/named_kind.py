"""The kind of a column, with the reason for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.records.table import Column, as_word, is_graph

KINDS = (
    "number",
    "category",
    "date",
    "boolean",
    "text",
    "sequence",
    "molecule",
    "graph",
    "set",
    "tree",
    "picture",
    "vector",
    "id",
)
"""Kinds of columns. Those of kind "id" are left out when records are compared."""

SAMPLE = 1000
"""Cells looked at where looking at all of a long column would take too long."""

_LONGEST_EXAMPLE = 60
"""Characters of a cell shown as an example: it stands in a line of a table."""


_LONGEST_NUMBER = 12
"""Characters of a number shown as it is; a longer one has more digits than anybody compares."""


@dataclass(frozen=True)
class ColumnKind:
    """The kind of a column, or of a group of columns that form a picture.

    Attributes
    ----------
    name
        Name of the column, or "first-last" of a group.
    kind
        One of :data:`KINDS`.
    why
        What in the cells says so.
    missing
        How many cells are missing.
    examples
        Up to three cells, as words.
    columns
        The columns it is about: itself, or all of a group.
    shape
        Rows and columns of a picture.
    """

    name: str
    kind: str
    why: str
    missing: int = 0
    examples: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    shape: tuple[int, int] | None = None


def facts(column: Column) -> tuple[int, tuple[str, ...]]:
    """Count the missing cells, and give up to three others as examples."""
    if column.dtype.kind == "f":
        gaps = np.isnan(column)
    else:
        gaps = np.fromiter((cell is None for cell in column), dtype=bool, count=len(column))
    shown: dict[str, None] = {}
    for cell in column[np.flatnonzero(~gaps)[:50]].tolist():
        shown.setdefault(_short(_example(cell)))
        if len(shown) == 3:
            break
    return int(gaps.sum()), tuple(shown)


def _example(cell: object) -> str:
    """Write a cell as an example: digits that only single precision has left over say nothing.

    >>> _example(2.1534557342529297), _example(17.6), _example(3.0)
    ('2.15346', '17.6', '3')
    """
    word = as_word(cell) or ""
    return f"{cell:.6g}" if isinstance(cell, float) and len(word) > _LONGEST_NUMBER else word


def _short(word: str) -> str:
    word = " ".join(word.split())
    return word if len(word) <= _LONGEST_EXAMPLE else f"{word[: _LONGEST_EXAMPLE - 1]}…"


def holds_graphs(column: Column) -> bool:
    """Tell whether cells of a column are graphs."""
    return column.dtype == object and any(is_graph(cell) for cell in column[:SAMPLE])
