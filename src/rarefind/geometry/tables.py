"""Mixed tables become vectors.

Numbers are brought to a robust scale with their far tails pulled in; missing ones are set to the
median of their column, and a column that misses some also tells which. Words become one column per
word, so that two different words are one standard deviation of a number apart. Columns of words
that hardly ever repeat (identifiers, free text) are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.geometry.scaling import squashed

MAX_WORDS = 100
"""A column with more different words than this is left out."""

_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""

_ONE_APART = np.sqrt(0.5)


@dataclass(frozen=True)
class Vectors:
    """The vectors, the names of their columns, and the columns of the table left out."""

    X: FloatArray
    names: tuple[str, ...]
    left_out: tuple[str, ...]


def table_vectors(columns: Mapping[str, NDArray[Any]], source: str = "The table") -> Vectors:
    """Turn every usable column into numbers that can be compared.

    Columns are arrays of numbers (missing is NaN) or of words (missing is None).

    >>> columns = {"size": np.array([1.0, 3.0]), "kind": np.array(["a", "b"], object)}
    >>> table_vectors(columns).names
    ('size', 'kind=a', 'kind=b')
    """
    parts: list[FloatArray] = []
    names: list[str] = []
    left_out: list[str] = []
    for name, column in columns.items():
        if column.dtype.kind in "biuf":
            numbers, titles = _numbers(name, column.astype(np.float64))
        else:
            numbers, titles = _words(name, column)
        if numbers is None:
            left_out.append(name)
            continue
        parts.append(numbers)
        names += titles
    if not parts:
        raise DataError(
            f"{source}: no column holds numbers or repeating words, so there is nothing to "
            f"compare records by (columns: {', '.join(columns) or 'none'})."
        )
    return Vectors(np.hstack(parts), tuple(names), tuple(left_out))


def _numbers(name: str, column: FloatArray) -> tuple[FloatArray | None, list[str]]:
    missing = ~np.isfinite(column)
    if missing.all():
        return None, []
    filled = np.where(missing, np.median(column[~missing]), column)
    numbers = squashed(filled[:, None])
    if not missing.any():
        return numbers, [name]
    gaps = missing[:, None] * 1.0
    return np.hstack([numbers, gaps]), [name, f"{name} is missing"]


def _words(name: str, column: NDArray[Any]) -> tuple[FloatArray | None, list[str]]:
    words = sorted({str(word) for word in column if word is not None})
    hardly_repeat = len(column) >= _FEW and len(words) > len(column) / 2
    if not words or len(words) > MAX_WORDS or hardly_repeat:
        return None, []
    number_of = {word: number for number, word in enumerate(words)}
    numbers = np.zeros((len(column), len(words)))
    for row, word in enumerate(column):
        if word is not None:
            numbers[row, number_of[str(word)]] = _ONE_APART
    return numbers, [f"{name}={word}" for word in words]
