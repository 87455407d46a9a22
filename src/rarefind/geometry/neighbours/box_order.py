"""Compiled: the least of many first, and measured ones in the order everybody agrees on.

Import this module only where it is needed.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.jit import jit
from rarefind.geometry.neighbours.tiles import SingleArray

PlaceArray: TypeAlias = NDArray[np.int32]


@jit
def select_least(keys: SingleArray, places: PlaceArray, row: int, size: int, rank: int) -> None:
    """Put the least of a row first, so that the one of this rank stands in its place."""
    first, last = 0, size - 1
    while first < last:
        pivot = keys[row, (first + last) // 2]
        i, j = first, last
        while i <= j:
            while keys[row, i] < pivot:
                i += 1
            while keys[row, j] > pivot:
                j -= 1
            if i <= j:
                keys[row, i], keys[row, j] = keys[row, j], keys[row, i]
                places[row, i], places[row, j] = places[row, j], places[row, i]
                i += 1
                j -= 1
        if rank <= j:
            last = j
        elif rank >= i:
            first = i
        else:
            break


@jit
def distance_between(vectors: FloatArray, one: int, other: int) -> float:
    """Measure a distance as SciPy's tree does, to the last digit: four sums, then the rest."""
    dimensions = vectors.shape[1]
    a = b = c = d = 0.0
    j = 0
    while j + 4 <= dimensions:
        a += (vectors[one, j] - vectors[other, j]) ** 2
        b += (vectors[one, j + 1] - vectors[other, j + 1]) ** 2
        c += (vectors[one, j + 2] - vectors[other, j + 2]) ** 2
        d += (vectors[one, j + 3] - vectors[other, j + 3]) ** 2
        j += 4
    total = a + b + c + d
    while j < dimensions:
        total += (vectors[one, j] - vectors[other, j]) ** 2
        j += 1
    return float(np.sqrt(total))


@jit
def measure_and_sort(
    vectors: FloatArray,
    numbers: IntArray,
    query: int,
    places: PlaceArray,
    row: int,
    size: int,
    distances: FloatArray,
    found: IntArray,
) -> None:
    """Measure the records in some places from a query, and sort them by distance and number."""
    kept = 0
    for i in range(size):
        place = places[row, i]
        if place == query:
            continue
        distance, number = distance_between(vectors, query, place), numbers[place]
        before = kept
        while before > 0 and (
            distances[before - 1] > distance
            or (distances[before - 1] == distance and found[before - 1] > number)
        ):
            distances[before], found[before] = distances[before - 1], found[before - 1]
            before -= 1
        distances[before], found[before] = distance, number
        kept += 1
