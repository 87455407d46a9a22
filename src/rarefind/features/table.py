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
from rarefind.features.encoders import Encoder, Numbers, Words

MAX_WORDS = 100
"""A column with more different words than this is left out."""

_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""


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
    encoders = {name: _encoder(name, column) for name, column in columns.items()}
    parts = [encode(columns[name]) for name, encode in encoders.items() if encode is not None]
    if not parts:
        raise DataError(
            f"{source}: no column holds numbers or repeating words, so there is nothing to "
            f"compare records by (columns: {', '.join(columns) or 'none'})."
        )
    return Vectors(
        np.hstack(parts),
        tuple(name for encode in encoders.values() if encode for name in encode.names),
        tuple(name for name, encode in encoders.items() if encode is None),
    )


def _encoder(name: str, column: NDArray[Any]) -> Encoder | None:
    if column.dtype.kind in "biuf":
        return Numbers.learnt(name, column.astype(np.float64))
    words = {str(word) for word in column if word is not None}
    hardly_repeat = len(column) >= _FEW and len(words) > len(column) / 2
    if len(words) > MAX_WORDS or hardly_repeat:
        return None
    return Words.learnt(name, column, MAX_WORDS)
