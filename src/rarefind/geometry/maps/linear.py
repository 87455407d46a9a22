"""Linear maps of vectors: the directions of largest spread, or those that tell classes apart."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from scipy import linalg, sparse

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.geometry import thresholds

_BLOCK = 50_000
"""Records projected between two steps of the progress bar."""


def principal_components(X: Any) -> tuple[FloatArray, str]:
    """Place vectors along the two directions in which they spread most, and say how much."""
    if X.shape[1] == 1:
        column = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
        return np.hstack([column, np.zeros_like(column)]), "Left to right: the only feature."
    if X.shape[1] > thresholds.SKETCHED_COLUMNS:
        return _sketched_components(X)
    mean, covariance = _moments(X)
    values, directions = linalg.eigh(covariance, subset_by_index=[X.shape[1] - 2, X.shape[1] - 1])
    directions = signed(directions[:, ::-1])
    share = float(values.sum() / max(np.trace(covariance), 1e-300))
    return _projected(X, mean, directions), (
        f"Principal components: the plane shows {min(share, 1.0):.0%} of all spread."
    )


def _moments(X: Any) -> tuple[FloatArray, FloatArray]:
    n, d = X.shape
    total, products = np.zeros(d), np.zeros((d, d))
    for start in range(0, n, _BLOCK):
        block = X[start : start + _BLOCK]
        total += np.asarray(block.sum(axis=0)).ravel()
        product = block.T @ block
        products += product.toarray() if sparse.issparse(product) else product
        announce("drawing the map", min(start + _BLOCK, n) / 2, n)
    mean = total / n
    return mean, products / n - np.outer(mean, mean)


def _projected(X: Any, mean: FloatArray, directions: FloatArray) -> FloatArray:
    points = np.empty((X.shape[0], 2))
    shift = mean @ directions
    for start in range(0, len(points), _BLOCK):
        points[start : start + _BLOCK] = X[start : start + _BLOCK] @ directions - shift
        done = len(points) / 2 + min(start + _BLOCK, len(points)) / 2
        announce("drawing the map", done, len(points))
    return points


def _sketched_components(X: Any) -> tuple[FloatArray, str]:
    """Find the components of very many columns from a random sketch of them."""
    rng = np.random.default_rng(0)
    basis = rng.normal(size=(X.shape[1], 12))
    for _ in range(4):
        basis, _ = linalg.qr(X.T @ (X @ basis), mode="economic")
    sketch = X @ basis
    mean = sketch.mean(axis=0)
    _, _, turned = linalg.svd(sketch - mean, full_matrices=False)
    points = (sketch - mean) @ signed(turned[:2].T)
    return points, "Principal components of the features, from a sketch of them."


def discriminants(X: Any, labels: Mapping[int, Hashable]) -> tuple[FloatArray, str]:
    """Place vectors along the two directions that tell the labelled classes apart best."""
    classes = sorted(set(labels.values()), key=str)
    if len(classes) < 2:
        raise DataError(
            f"The discriminants need two labelled classes. There {'is' if classes else 'are'} "
            f"{len(classes)} so far: take the map 'pca'."
        )
    rows = np.fromiter(labels, dtype=np.int64)
    numbers = np.array([classes.index(label) for label in labels.values()])
    if X.shape[1] > thresholds.SKETCHED_COLUMNS:
        raise DataError(
            f"The discriminants take up to {thresholds.SKETCHED_COLUMNS} features. There are "
            f"{X.shape[1]}: take the map 'pca'."
        )
    told = np.asarray(X[rows].toarray() if sparse.issparse(X) else X[rows], dtype=np.float64)
    means = np.stack([told[numbers == c].mean(axis=0) for c in range(len(classes))])
    sizes = np.bincount(numbers)
    mean, spread = _moments(X)
    between = (means - mean).T * sizes @ (means - mean) / len(rows)
    within = (told - means[numbers]).T @ (told - means[numbers]) / len(rows)
    # Few labels say little about the spread inside a class; the spread of all records fills in.
    trust = len(rows) / (len(rows) + X.shape[1] + 10.0)
    noise = trust * within + (1.0 - trust) * spread
    noise += np.eye(len(noise)) * max(1e-9, 1e-6 * np.trace(noise) / len(noise))
    d = X.shape[1]
    if d == 1:
        return principal_components(X)
    _, directions = linalg.eigh(between, noise, subset_by_index=[d - 2, d - 1])
    directions = directions[:, ::-1]
    if len(classes) == 2:
        directions[:, 1] = _spread_across(spread, directions[:, 0])
    note = f"Discriminants: the plane that tells the {len(classes)} classes told so far apart."
    return _projected(X, mean, signed(directions)), note


def _spread_across(covariance: FloatArray, first: FloatArray) -> FloatArray:
    """Return the direction of largest spread at a right angle to the first."""
    along = first / max(float(np.linalg.norm(first)), 1e-300)
    across = np.eye(len(along)) - np.outer(along, along)
    _, directions = linalg.eigh(across @ covariance @ across)
    return directions[:, -1]


def signed(directions: FloatArray) -> FloatArray:
    """Fix the sign of each direction, so that the same data give the same map."""
    largest = np.abs(directions).argmax(axis=0)
    signs = np.sign(directions[largest, np.arange(directions.shape[1])])
    return directions * np.where(signs == 0, 1.0, signs)
