"""Other ways to look at the same records.

What is far apart depends on how columns count, and nobody knows beforehand how they should. So
``auto`` measures in several ways and takes the mean of the logarithms: a record must lie far out in
all of them, and no single scale decides.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import norm, rankdata
from sklearn.decomposition import PCA

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.geometry import Space, choose_engine

MOST_POINTS = 50_000
"""Among more records only the first view is used: each further one costs a search of its own."""

NEAREST = 5
"""Neighbours whose differences tell along which directions like records vary."""

_SHRINK = 0.1
"""So much of the differences is taken to be the same in all directions."""

_MOST_DIRECTIONS = 100
"""Of more columns than this, only so many principal directions are whitened."""


def other_views(space: Space, nearest: IntArray) -> list[Space]:
    """Return the same points, measured otherwise; none where a kernel alone knows them.

    Parameters
    ----------
    space
        Where the records are.
    nearest
        The nearest neighbours of every point there.
    """
    vectors = space.vectors
    if vectors is None or len(vectors) > MOST_POINTS:
        return []
    weights = space.engine.weights
    views = (whitened_by_neighbours(vectors, nearest[:, :NEAREST]), normal_scores(vectors))
    return [Space(space.folded, choose_engine(view, weights), view) for view in views]


def whitened_by_neighbours(vectors: FloatArray, nearest: IntArray) -> FloatArray:
    """Turn and scale so that neighbours differ about as much in every direction.

    Neighbours are mostly of one class, so this is what a discriminant analysis does with the
    scatter inside classes, before there is any label.
    """
    if vectors.shape[1] > _MOST_DIRECTIONS:
        directions = min(_MOST_DIRECTIONS, len(vectors))
        vectors = PCA(directions, random_state=0).fit_transform(vectors)
    scatter = np.zeros((vectors.shape[1],) * 2)
    for neighbour in nearest.T:
        steps = vectors - vectors[neighbour]
        scatter += steps.T @ steps
    mean = np.trace(scatter) / len(scatter)
    if mean <= 0.0:
        return vectors
    spread, axes = np.linalg.eigh((1.0 - _SHRINK) * scatter / mean + _SHRINK * np.eye(len(scatter)))
    return np.asarray(vectors @ (axes / np.sqrt(spread)))


def normal_scores(vectors: FloatArray) -> FloatArray:
    """Replace each number by the normal quantile of its rank in the column."""
    ranks = rankdata(vectors, axis=0)
    return np.asarray(norm.ppf((ranks - 0.5) / len(vectors)))
