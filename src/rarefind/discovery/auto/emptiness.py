"""How empty the surroundings of every record are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarefind.core.arrays import FloatArray, quantile


def log_room(distances: FloatArray, neighbours: Sequence[int]) -> FloatArray:
    """Return the mean logarithm of the distances to these neighbours.

    Parameters
    ----------
    distances
        Distances of the nearest neighbours of every record, nearest first.
    neighbours
        Which of them count, from 1; the last one instead where there are fewer.
    """
    room = np.zeros(len(distances))
    for neighbour in neighbours:
        away = distances[:, min(neighbour, distances.shape[1]) - 1]
        positive = away[away > 0]
        # Identical or nearly identical records are no denser than the densest in a fiftieth.
        floor = quantile(positive, 0.02) if positive.size else 1.0
        room += np.log(np.maximum(away, floor))
    return room / len(neighbours)
