"""Reading records as sets, and sets as rows of a sparse matrix."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import NOTHING, Constraint, Is, Number

Sets = list[frozenset[Any]]


def _are_weights(value: Any) -> bool:
    return isinstance(value, Mapping) and all(Number(0).allows(one) for one in value.values())


WEIGHTS: Sequence[Constraint] = [
    Is("a mapping from elements to numbers in [0, inf)", _are_weights),
    NOTHING,
]
"""Negative weights would not give an inner product."""

UNIVERSE: Sequence[Constraint] = [
    Is(
        "the elements there are (a set, list or tuple)",
        lambda value: isinstance(value, set | frozenset | list | tuple),
    ),
    NOTHING,
]
"""A string is not taken for the set of its letters."""


def read_sets(A: Records, owner: str) -> Sets:
    """Turn each record, any collection of hashable elements, into a set."""
    if isinstance(A, str | bytes | Mapping) or not isinstance(A, Iterable):
        raise DataError(
            f"{owner} needs a list of sets, one per record. Got {type(A).__name__} instead."
        )
    sets = []
    for row, record in enumerate(A):
        if isinstance(record, str | bytes) or not isinstance(record, Iterable):
            raise DataError(
                f"{owner} needs a list of sets, one per record. Record {row} is "
                f"{record!r:.60}; write {{...}} around its elements, or split it first."
            )
        try:
            sets.append(frozenset(record))
        except TypeError as problem:
            raise DataError(
                f"{owner} needs sets of hashable elements, such as words or numbers. "
                f"Record {row} has others ({problem})."
            ) from None
    return sets


def numbering(elements: Iterable[Hashable]) -> dict[Any, int]:
    """Give each element a column, in an order that does not change from run to run."""
    distinct = set(elements)
    try:
        ordered = sorted(distinct)  # type: ignore[type-var]
    except TypeError:
        ordered = sorted(distinct, key=lambda one: (type(one).__name__, repr(one)))
    return {element: column for column, element in enumerate(ordered)}


def membership(sets: Sets, columns: Mapping[Any, int]) -> sparse.csr_array:
    """One row per set, a one in the column of each element that has a column."""
    found = [[columns[element] for element in one if element in columns] for one in sets]
    lengths = np.array([0, *map(len, found)], dtype=np.int64)
    indices = np.array([column for row in found for column in row], dtype=np.int64)
    matrix = sparse.csr_array(
        (np.ones(len(indices)), indices, np.cumsum(lengths)), shape=(len(sets), len(columns))
    )
    matrix.sort_indices()
    return matrix


def weights_of(columns: Mapping[Any, int], weights: Mapping[Any, float] | None) -> FloatArray:
    """Weight of the element in each column: one where no weights are given, zero if missing."""
    if weights is None:
        return np.ones(len(columns))
    return np.array([float(weights.get(element, 0.0)) for element in columns], dtype=np.float64)
