"""SEDER: ask where the density changes most (He and Carbonell, 2009).

The density is modelled as a product over features of a kernel estimate whose kernels are shrunk
towards the middle so that the data keep their variance (b below). The steepest slopes of this
model are where a small class meets the crowd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.params import Constraint, OneOf, check_params
from rarefind.core.progress import announce
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.slopes.bandwidths import cross_validated, silverman
from rarefind.discovery.strategies.varying_features import varying_vectors
from rarefind.geometry import Euclidean, row_blocks

CENTRES = 3000
"""Beyond this many records the model rests on a random sample of them."""


class Seder(Strategy):
    """Ask where the estimated density is steepest; needs no priors, but features.

    Records within three bandwidths of an answered one, in every feature, are left out.

    Parameters
    ----------
    bandwidth
        How wide the kernel of each feature is: by ``"silverman"``'s rule, or chosen by ``"cv"``,
        leave-one-out likelihood. The counts of labels react strongly to it.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> Hunt([[0.0], [0.1], [0.2], [0.4], [5.0]], "seder").ask().evidence["slope_rank"]
    1
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "bandwidth": [OneOf("silverman", "cv")]
    }

    def __init__(self, bandwidth: str = "silverman") -> None:
        self.bandwidth = bandwidth

    def prepare(self, problem: Problem) -> Search:
        """Fit the density and its slope at every record."""
        check_params(self, self._params)
        vectors = varying_vectors(problem.space, "seder")
        weights = problem.space.engine.weights
        vectors = vectors - np.average(vectors, axis=0, weights=weights)
        choose = silverman if self.bandwidth == "silverman" else cross_validated
        return _SlopeSearch(problem, vectors, choose(vectors, weights))


def shrinkage(values: FloatArray, times: IntArray, sigma: float) -> float:
    """Factor by which kernels of one centred feature move towards its middle."""
    smooth = np.empty(len(values))
    for part in row_blocks(len(values), len(values)):
        closeness = np.exp(-0.5 * ((values[part, None] - values[None, :]) / sigma) ** 2) * times
        smooth[part] = (closeness @ values**2) / closeness.sum(axis=1)
    a = float(np.average(smooth, weights=times))
    c = float(np.average(values**2, weights=times))
    b = sigma**2
    if a * c == 0.0:
        return 1.0  # a sample may know the middle value of a feature only
    return (-b + np.sqrt(b * b + 4.0 * a * c)) / (2.0 * a)


def log_slopes(
    vectors: FloatArray, sigma: FloatArray, shrink: FloatArray, centres: IntArray, times: IntArray
) -> FloatArray:
    """Logarithm of the length of the gradient of the density at every point, up to a constant.

    Every kernel's share is kept relative to the largest at that point, so that in many
    dimensions nothing vanishes.
    """
    width = sigma * np.sqrt(shrink)
    seen = vectors / width
    moved = vectors[centres] * shrink
    measure = Euclidean()
    found = np.empty(len(vectors))
    for part in row_blocks(len(vectors), len(centres)):
        exponent = -0.5 * measure(seen[part], moved / width) ** 2
        largest = exponent.max(axis=1)
        share = np.exp(exponent - largest[:, None]) * times
        pull = share.sum(axis=1)[:, None] * vectors[part] - share @ moved
        length = np.sqrt(((pull / width**2) ** 2).sum(axis=1))
        found[part] = largest + np.log(np.maximum(length, 1e-300))
        announce("measuring slopes", part.stop, len(vectors))
    return found


class _SlopeSearch(PointSearch):
    def __init__(self, problem: Problem, vectors: FloatArray, sigma: FloatArray) -> None:
        super().__init__(problem)
        self._vectors = vectors
        self._reach = 3.0 * sigma * (1.0 + 1e-9)
        weights = problem.space.engine.weights
        if problem.space.n_rows <= CENTRES:
            centres, times = np.arange(len(vectors)), weights
        else:
            rows = np.argsort(problem.priority, kind="stable")[:CENTRES]
            centres, times = np.unique(problem.space.folded.point_of[rows], return_counts=True)
        shrink = np.array(
            [
                shrinkage(vectors[centres, feature], times, float(width))
                for feature, width in enumerate(sigma)
            ]
        )
        self._scores = log_slopes(vectors, sigma, shrink, centres, times)
        self._ranks = np.empty(len(vectors), dtype=np.int64)
        self._ranks[np.argsort(-self._scores, kind="stable")] = np.arange(1, len(vectors) + 1)
        self.reset()

    def forget(self) -> None:
        self._shadow = np.zeros(len(self._vectors), dtype=bool)

    def choose(self, points: OpenPoints) -> Proposal:
        lit = points.allowed & ~self._shadow
        point = points.best(self._scores, lit if lit.any() else None)
        rank = int(self._ranks[point])
        return Proposal(
            int(points.row[point]),
            f"The density changes steeply here, more so than around all but {rank - 1} of the "
            f"{len(self._vectors)} different records.",
            {
                "log_slope": float(self._scores[point]),
                "slope_rank": rank,
                "neighbourhoods_lifted": int(not lit.any()),
            },
        )

    def learn(self, point: int, answer: Answer) -> None:
        near = np.abs(self._vectors - self._vectors[point]) <= self._reach
        self._shadow |= near.all(axis=1)
