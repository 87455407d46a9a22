"""The Fisher kernel of a Markov model on strings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import NOTHING, Constraint, Integer, Number
from rarefind.kernels.contract import MOST_STEPS, Kernel
from rarefind.kernels.generative.joint import ALPHABET
from rarefind.kernels.generative.markov_model import MarkovModel, learn_model, windows_of
from rarefind.kernels.generative.symbols import as_sequences
from rarefind.kernels.sparse_features import with_small_indices

DENSE_COLUMNS = 4096
"""Up to so many different transitions tables are dense, whose products are faster. A rough
figure."""


class MarkovFisher(Kernel):
    """Compares strings by how they would change a Markov model.

    The features of a string are the derivatives of its log-probability: for each context u and
    symbol x, ``count(ux) / p(x | u) - count(u)`` (rare transitions weigh most). The similarity is
    their product; the first ``order`` symbols of a string are taken as given. Transitions to or
    from symbols outside the alphabet are left out.

    The probabilities are learnt by ``fit``. A kernel that has not been fitted learns from the
    second list of a call, the records compared with, or from the only one.

    Parameters
    ----------
    order
        Number of symbols that the next one depends on.
    smoothing
        Added to each count, so that no probability is zero.
    alphabet
        The symbols; those that occur when learning if not given.

    Attributes
    ----------
    model_
        What has been learnt.

    Examples
    --------
    >>> kernel = MarkovFisher().fit(["abab", "abba"])
    >>> kernel(["aba", "bbb"]).round(2)
    array([[ 2.51, -4.33],
           [-4.33, 13.  ]])
    """

    _learns: ClassVar[bool] = True
    _fixed_columns: ClassVar[bool] = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "order": [Integer(0, MOST_STEPS)],
        "smoothing": [Number(0, closed="neither")],
        "alphabet": [ALPHABET, NOTHING],
    }

    def __init__(
        self,
        order: int = 1,
        *,
        smoothing: float = 1.0,
        alphabet: Sequence[Any] | None = None,
    ) -> None:
        self.order = order
        self.smoothing = smoothing
        self.alphabet = alphabet

    def _features(self, A: Records) -> sparse.csr_array:
        sequences = self._read(A)
        rows, transitions, values = _scores(self.model_, sequences)
        shape = (len(sequences), len(self.model_.numbers) ** (self.model_.order + 1))
        return with_small_indices(_table(rows, transitions, values, shape))

    def _read(self, A: Records) -> list[Sequence[Hashable]]:
        return as_sequences(A, "MarkovFisher")

    def _gram(
        self, left: list[Sequence[Hashable]], right: list[Sequence[Hashable]] | None
    ) -> FloatArray:
        other = left if right is None else right
        sides = [
            _scores(self.model_, side) for side in ([left] if right is None else [left, other])
        ]
        # Of all possible columns only those that occur take part.
        columns = np.unique(np.concatenate([transitions for _, transitions, _ in sides]))
        tables = []
        for (rows, transitions, values), side in zip(sides, (left, other), strict=False):
            place = np.searchsorted(columns, transitions)
            table = _table(rows, place, values, (len(side), len(columns)))
            tables.append(table.toarray() if len(columns) <= DENSE_COLUMNS else table)
        product = tables[0] @ tables[-1].T
        return product.toarray() if sparse.issparse(product) else np.asarray(product)

    def _diag(self, left: list[Sequence[Hashable]]) -> FloatArray:
        rows, _, values = _scores(self.model_, left)
        return np.bincount(rows, weights=values**2, minlength=len(left)).astype(np.float64)

    def _learn(self, A: Records) -> None:
        self.model_ = learn_model(self._read(A), self.order, self.smoothing, self.alphabet)


def _scores(
    model: MarkovModel, sequences: list[Sequence[Hashable]]
) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the derivatives that are not zero: which string, which transition, and the value."""
    owners, windows = windows_of(sequences, model.numbers, model.order)
    size = max(1, len(model.numbers))
    names, codes = np.unique(windows, return_inverse=True)
    seen, times = np.unique(owners * len(names) + codes, return_counts=True)
    seen_rows, seen_windows = seen // max(1, len(names)), names[seen % max(1, len(names))]

    # Strings and contexts stand in the same order in both lists, so contexts are stretches.
    contexts = seen_windows // size
    new = (np.diff(seen_rows, prepend=-1) != 0) | (np.diff(contexts, prepend=-1) != 0)
    first, group = np.flatnonzero(new), np.cumsum(new) - 1
    ensure_fits(
        32 * len(first) * size,
        f"Derivatives for {len(first)} contexts and {size} symbols",
        "Choose a lower order, or fewer records at a time.",
    )
    visits = np.bincount(group, weights=times, minlength=len(first))
    values = np.repeat(-visits[:, None].astype(np.float64), size, axis=1)
    values[group, seen_windows % size] += times / model.probabilities(seen_windows)
    transitions = contexts[first][:, None] * size + np.arange(size)
    return np.repeat(seen_rows[first], size), transitions.ravel(), values.ravel()


def _table(
    rows: IntArray, columns: IntArray, values: FloatArray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Sparse matrix from entries that are sorted by row."""
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array((values, columns, ends), shape=shape)
