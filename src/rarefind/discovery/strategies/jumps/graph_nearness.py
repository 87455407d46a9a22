"""Nearness along a graph of similarities, in the words of an engine.

Nearness is the matrix ``A = (I - a W)^-1``: W is the similarity of pairs, scaled by the square
roots of both degrees, and ``A`` adds up all walks between two records, each step worth a < 1 of
the one before. What is near is what many short walks reach. One over nearness serves as a
distance (a record is near, not at zero, to itself).

Identical records are one point: the matrices below are those of all rows, looked at through the
mean over the copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import TooLargeError
from rarefind.core.progress import announce
from rarefind.geometry import Engine, reach, row_blocks

_TERMS = 30
"""Walks end after this many steps even where they still matter."""


class GraphEngine(Engine):
    """Answers questions with ``1 / A`` for a distance, from a nearness matrix dense or sparse."""

    nearness: Any

    def __init__(self, nearness: FloatArray | sparse.csr_array, weights: IntArray) -> None:
        super().__init__(nearness.shape[0], weights)
        self.nearness = nearness

    def distances(self, point: int) -> FloatArray:
        """One over nearness; infinite where no walk leads."""
        with np.errstate(divide="ignore", over="ignore"):
            inverse: FloatArray = 1.0 / self._rows(slice(point, point + 1))[0]
        return inverse

    def counts(self, radius: float | FloatArray, points: IntArray | None = None) -> IntArray:
        """Tell how many records are nearer than ``1 / radius`` to each of these (of all)."""
        chosen = self.nearness if points is None else self.nearness[points]
        least = np.broadcast_to(1.0 / reach(radius), chosen.shape[0])
        if sparse.issparse(chosen):
            sizes = np.diff(chosen.indptr)
            chosen = sparse.csr_array(
                (chosen.data >= np.repeat(least, sizes), chosen.indices, chosen.indptr),
                shape=chosen.shape,
            )
            return np.asarray(chosen @ self.weights, dtype=np.int64)
        found = np.empty(len(chosen), dtype=np.int64)
        for part in row_blocks(len(chosen), self.n):
            found[part] = (chosen[part] >= least[part, None]) @ self.weights
        return found

    def nearest(self, k: int, points: IntArray | None = None) -> tuple[FloatArray, IntArray]:
        """Distances and numbers of the ``k`` nearest others of each of these records (of all)."""
        k = min(k, self.n - 1)
        rows = np.arange(self.n) if points is None else points
        distances, numbers = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)
        for place, row in enumerate(rows):
            away = self.distances(int(row))
            away[row] = -1.0
            numbers[place] = np.argsort(away, kind="stable")[1 : k + 1]
            distances[place] = away[numbers[place]]
        return distances, numbers

    def smallest_within(self, values: FloatArray, point: int, radius: float) -> tuple[float, int]:
        """Find the least of ``values`` within ``radius`` of one record or its own, and whose."""
        # With many copies, each is far from most of the others: that is no reason to leave it out.
        inside = np.union1d(np.flatnonzero(self.distances(point) <= reach(radius)), point)
        best = int(inside[np.argmin(values[inside])])
        return float(values[best]), best

    def subset(self, points: IntArray) -> GraphEngine:
        """Return an engine that knows only these records; walks still pass through the others."""
        return GraphEngine(self.nearness[points][:, points], self.weights[points])

    def least_kth_distance(self, k: int) -> float:
        """One over the largest, among all records, of their k-th largest nearness, own counted."""
        if sparse.issparse(self.nearness):
            best = _largest_kth_sparse(self.nearness, self.weights, k)
        else:
            best = max(
                _largest_kth(self.nearness[part], self.weights, k)
                for part in row_blocks(self.n, self.n)
            )
        # Where no record has k others in reach of a walk, whatever is linked at all is near.
        return 1.0 / best if best > 0 else self.diameter_bound()

    def diameter_bound(self) -> float:
        """Return the largest finite distance: neighbourhoods grow no more beyond it."""
        values = self.nearness.data if sparse.issparse(self.nearness) else self.nearness
        return 1.0 / float(values[values > 0].min())

    def _rows(self, rows: IntArray | slice) -> FloatArray:
        block = self.nearness[rows]
        dense: FloatArray = block.toarray() if sparse.issparse(block) else block
        return dense


def _largest_kth(block: FloatArray, weights: IntArray, k: int) -> float:
    columns = block.shape[1]
    if int(weights.max()) == 1:
        return float(np.partition(block, columns - k, axis=1)[:, columns - k].max())
    order = np.argsort(-block, axis=1, kind="stable")
    reached = np.argmax(np.cumsum(weights[order], axis=1) >= k, axis=1)
    rows = np.arange(len(block))
    return float(block[rows, order[rows, reached]].max())


def _largest_kth_sparse(nearness: sparse.csr_array, weights: IntArray, k: int) -> float:
    """As above, row by row in one pass: entries in falling order, their weights added up."""
    row = np.repeat(np.arange(nearness.shape[0]), np.diff(nearness.indptr))
    order = np.lexsort((-nearness.data, row))
    reached = np.cumsum(weights[nearness.indices[order]])
    before = np.r_[0, reached][nearness.indptr[:-1]]
    enough = reached - np.repeat(before, np.diff(nearness.indptr)) >= k
    return float(nearness.data[order][enough].max(initial=0.0))


def walks(links: FloatArray, weights: IntArray, decay: float) -> FloatArray:
    """Nearness from a dense matrix of similarities between rows of distinct points.

    ``links[p, q]`` is the similarity of one row of p and one of q; on the diagonal, of two copies.
    """
    scaled = _scaled(links, weights, decay)
    scaled *= -1.0
    scaled[np.diag_indices_from(scaled)] += 1.0
    # The eigenvalues of W are at most one, so this is positive definite.
    factor, _ = linalg.lapack.dpotrf(scaled, lower=1, overwrite_a=1)
    inverse, _ = linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)
    inverse = np.tril(inverse)
    inverse += np.tril(inverse, -1).T
    root = np.sqrt(weights)
    inverse /= root[:, None] * root[None, :]
    return np.maximum(inverse, 0.0, out=inverse)


def sparse_walks(
    links: sparse.csr_array, weights: IntArray, decay: float, cutoff: float, limit: float
) -> sparse.csr_array:
    """Nearness from a sparse graph, walk by walk, without what is below the cutoff.

    Raises
    ------
    TooLargeError
        If the sum grows beyond ``limit`` bytes.
    """
    step = _scaled_sparse(links, weights, decay)
    total = sparse.eye_array(step.shape[0], format="csr")
    term = total
    for done in range(_TERMS):
        announce("adding up walks", done, _TERMS)
        term = (term @ step).tocsr()
        term.data[term.data < cutoff] = 0.0
        term.eliminate_zeros()
        if term.nnz == 0:
            break
        total = total + term
        # Indices take four bytes or eight, and term and total live side by side.
        if 3.0 * (total.nnz + term.nnz) * 12.0 > limit:
            raise too_large(step.shape[0], limit)
    root = sparse.diags_array(1.0 / np.sqrt(weights))
    return sparse.csr_array(root @ total @ root)


def too_large(points: int, limit: float) -> TooLargeError:
    """Say that the graph does not fit."""
    return TooLargeError(
        f"The graph of {points} different records needs more than the {limit / 2**30:.3g} GiB "
        "that the 'gigabytes' parameter allows. Allow more, give a sparser graph or a higher "
        "'cutoff', or use 'malice', whose memory grows with the number of records only."
    )


def _scaled(links: FloatArray, weights: IntArray, decay: float) -> FloatArray:
    degrees = links @ weights - np.diag(links)
    share = _root_share(degrees, weights)
    scaled: FloatArray = decay * links * share[:, None] * share[None, :]
    # A copy walks to the others, not to itself.
    diagonal = np.diag_indices_from(scaled)
    scaled[diagonal] *= (weights - 1) / weights
    return scaled


def _scaled_sparse(links: sparse.csr_array, weights: IntArray, decay: float) -> sparse.csr_array:
    own = links.diagonal()
    degrees = links @ weights.astype(np.float64) - own
    share = sparse.diags_array(_root_share(degrees, weights))
    between = links - sparse.diags_array(own / weights)
    return sparse.csr_array(decay * (share @ between @ share))


def _root_share(degrees: FloatArray, weights: IntArray) -> FloatArray:
    inverse = np.divide(weights, degrees, out=np.zeros(len(degrees)), where=degrees > 1e-300)
    return np.sqrt(inverse)
