"""A Gaussian mixture, one variance per feature, in which labelled records stay where they are."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce

_TOLERANCE = 1e-3
"""Fitting ends when a record gains less than this in log likelihood on average."""


class Mixture:
    """Components with means, variances and mixing weights, fitted by expectation-maximisation.

    A component belongs to a class or to nobody. A labelled record belongs wholly to the component
    of its class, which explains unlabelled records as well.

    Parameters
    ----------
    vectors, weights
        The points, and how many records each stands for.
    components
        How many components to begin with.
    floor
        Least variance, as a share of each feature's own.
    rng
        Draws the first means, far apart (k-means++).
    """

    def __init__(
        self,
        vectors: FloatArray,
        weights: IntArray,
        components: int,
        floor: float,
        rng: np.random.Generator,
    ) -> None:
        # Around their middle, so that squares less squared means lose no digits.
        vectors = vectors - np.average(vectors, axis=0, weights=weights)
        self._vectors = vectors
        self._weights = weights.astype(np.float64)
        spread = np.average(vectors**2, axis=0, weights=weights)
        self._spread = np.where(spread > 0, spread, 1.0)
        self._floor = floor * self._spread
        chosen = _spread_out(vectors, self._weights, components, rng)
        self.means = vectors[chosen].copy()
        self.shares = np.full(len(chosen), 1.0 / len(chosen))
        # The data shared out among the components: each begins with a part of the variance.
        self.variances = np.tile(self._spread / len(chosen), (len(chosen), 1))
        np.maximum(self.variances, self._floor, out=self.variances)

    def add(self, point: int) -> int:
        """Add a component around one point, as wide as the others are on average."""
        wide = self.shares @ self.variances
        self.means = np.vstack([self.means, self._vectors[point]])
        self.variances = np.vstack([self.variances, wide])
        fresh = 1.0 / (self._weights.sum() + 1.0)
        self.shares = np.append(self.shares * (1.0 - fresh), fresh)
        return len(self.means) - 1

    def log_likelihoods(self) -> FloatArray:
        """Log density of every point under every component alone: points by components."""
        found = np.empty((len(self._vectors), len(self.means)))
        for k, (mean, variance) in enumerate(zip(self.means, self.variances, strict=True)):
            difference = self._vectors - mean
            exponent = np.einsum("ij,ij,j->i", difference, difference, 1.0 / variance)
            found[:, k] = -0.5 * (exponent + np.log(2.0 * np.pi * variance).sum())
        return found

    def fit(self, points: IntArray, owners: IntArray, steps: int) -> None:
        """Improve by at most so many steps, with these points owned by these components."""
        last = -np.inf
        for done in range(steps):
            announce("fitting the mixture", done, steps)
            joint = self.log_likelihoods() + np.log(self.shares)
            largest = joint.max(axis=1, keepdims=True)
            share = np.exp(joint - largest)
            total = share.sum(axis=1, keepdims=True)
            share /= total
            share[points] = 0.0
            share[points, owners] = 1.0
            fit = float(np.average(largest[:, 0] + np.log(total[:, 0]), weights=self._weights))
            self._maximise(share * self._weights[:, None])
            if abs(fit - last) < _TOLERANCE:
                break
            last = fit

    def _maximise(self, share: FloatArray) -> None:
        sizes = share.sum(axis=0)
        # A component that explains nothing keeps its place and a crumb of the whole.
        alive = sizes > 1e-9
        held = share[:, alive] / sizes[alive]
        means = held.T @ self._vectors
        squares = held.T @ self._vectors**2 - means**2
        self.means[alive] = means
        self.variances[alive] = np.maximum(squares, self._floor)
        crumbs = np.maximum(sizes, 1e-9)
        self.shares = crumbs / crumbs.sum()


def _spread_out(
    vectors: FloatArray, weights: FloatArray, count: int, rng: np.random.Generator
) -> IntArray:
    """Draw points far from each other: each with the square of its distance from those drawn."""
    chosen = [int(rng.choice(len(vectors), p=weights / weights.sum()))]
    nearest = np.full(len(vectors), np.inf)
    while len(chosen) < min(count, len(vectors)):
        difference = vectors - vectors[chosen[-1]]
        np.minimum(nearest, np.einsum("ij,ij->i", difference, difference), out=nearest)
        # Squares of tiny distances may vanish where the points still differ.
        chance = nearest * weights
        if not chance.any():
            break
        chosen.append(int(rng.choice(len(vectors), p=chance / chance.sum())))
    return np.array(chosen, dtype=np.int64)
