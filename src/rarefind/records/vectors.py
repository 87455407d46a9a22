"""Mixed tables become vectors.

Numbers stay numbers, with missing ones set to the median of their column. Words become one column
per word, scaled so that two different words are as far apart as two standard deviations of a
number. Columns of words that hardly ever repeat (identifiers, free text) are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.records.tables import Column, Table

MAX_WORDS = 100
"""A column with more different words than this is left out."""


@dataclass(frozen=True)
class Vectors:
    """The vectors, the names of their columns, and the columns of the table left out."""

    X: FloatArray
    names: tuple[str, ...]
    left_out: tuple[str, ...]


def to_vectors(table: Table) -> Vectors:
    """Turn every usable column into standardised numbers.

    >>> table = Table({"size": np.array([1.0, 3.0]), "kind": np.array(["a", "b"], object)}, "x.csv")
    >>> to_vectors(table).names
    ('size', 'kind=a', 'kind=b')
    """
    parts: list[FloatArray] = []
    names: list[str] = []
    left_out: list[str] = []
    for name, column in table.columns.items():
        if column.dtype.kind == "f":
            parts.append(_standardized(_filled(column))[:, None])
            names.append(name)
            continue
        words = sorted({word for word in column if word is not None})
        if not words or len(words) > MAX_WORDS:
            left_out.append(name)
            continue
        parts.append(np.column_stack([column == word for word in words]) * np.sqrt(2.0))
        names += [f"{name}={word}" for word in words]
    if not parts:
        raise DataError(
            f"{table.source}: no column holds numbers or repeating words, so there is nothing to "
            f"compare records by (columns: {', '.join(table.columns) or 'none'})."
        )
    return Vectors(np.hstack(parts), tuple(names), tuple(left_out))


def _filled(column: Column) -> FloatArray:
    known = column[~np.isnan(column)]
    return np.where(np.isnan(column), np.median(known) if len(known) else 0.0, column)


def _standardized(column: FloatArray) -> FloatArray:
    spread = column.std()
    noise = 1e-12 * np.abs(column).max(initial=0.0)
    return (column - column.mean()) / (spread if spread > noise else np.inf)
