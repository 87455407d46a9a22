"""The Fisher kernel of a Markov model on strings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.params import NOTHING, Constraint, Integer, Number
from rarefind.kernels.base import Kernel
from rarefind.kernels.generative.joint import ALPHABET
from rarefind.kernels.generative.symbols import as_sequences
from rarefind.kernels.indices import with_small_indices

_DENSE_COLUMNS = 4096


@dataclass(frozen=True)
class MarkovModel:
    """Probability of each symbol after each context of ``order`` symbols.

    A transition, a context and the symbol after it, is known by a number: its symbols are the
    digits, in base ``len(numbers)``. Only transitions that were seen are listed.
    """

    order: int
    smoothing: float
    numbers: dict[Hashable, int]
    transitions: IntArray
    times: FloatArray
    contexts: IntArray
    context_times: FloatArray

    def probabilities(self, transitions: IntArray) -> FloatArray:
        """Smoothed probabilities of the last symbols of these transitions."""
        seen = _look_up(self.transitions, self.times, transitions)
        visits = _look_up(self.contexts, self.context_times, transitions // len(self.numbers))
        shares: FloatArray = (seen + self.smoothing) / (visits + self.smoothing * len(self.numbers))
        return shares


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
        "order": [Integer(0)],
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
        model = self._model(sequences)
        rows, transitions, values = _scores(model, sequences)
        shape = (len(sequences), len(model.numbers) ** (self.order + 1))
        return with_small_indices(sparse.csr_array((values, (rows, transitions)), shape=shape))

    def _read(self, A: Records) -> list[Sequence[Hashable]]:
        return as_sequences(A, "MarkovFisher")

    def _gram(
        self, left: list[Sequence[Hashable]], right: list[Sequence[Hashable]] | None
    ) -> FloatArray:
        other = left if right is None else right
        model = self._model(other)
        sides = [_scores(model, side) for side in ([left] if right is None else [left, other])]
        # Of all possible columns only those that occur take part.
        columns = np.unique(np.concatenate([transitions for _, transitions, _ in sides]))
        tables = []
        for (rows, transitions, values), side in zip(sides, (left, other), strict=False):
            place = np.searchsorted(columns, transitions)
            table = sparse.csr_array((values, (rows, place)), shape=(len(side), len(columns)))
            tables.append(table.toarray() if len(columns) <= _DENSE_COLUMNS else table)
        product = tables[0] @ tables[-1].T
        return product.toarray() if sparse.issparse(product) else np.asarray(product)

    def _diag(self, left: list[Sequence[Hashable]]) -> FloatArray:
        rows, _, values = _scores(self._model(left), left)
        return np.bincount(rows, weights=values**2, minlength=len(left)).astype(np.float64)

    def _learn(self, A: Records) -> None:
        self.model_ = _estimate(self, self._read(A))

    def _model(self, reference: list[Sequence[Hashable]]) -> MarkovModel:
        """Return the model learnt, or learn one from the records compared with."""
        known: MarkovModel | None = getattr(self, "model_", None)
        if known is not None and (known.order, known.smoothing) == (self.order, self.smoothing):
            return known
        return _estimate(self, reference)


def _estimate(kernel: MarkovFisher, sequences: list[Sequence[Hashable]]) -> MarkovModel:
    symbols = (symbol for sequence in sequences for symbol in sequence)
    try:
        found = dict.fromkeys(symbols if kernel.alphabet is None else kernel.alphabet)
    except TypeError as problem:
        raise _no_symbols(problem) from None
    numbers = {symbol: i for i, symbol in enumerate(found)}
    if len(numbers) ** (kernel.order + 1) >= 2**62:
        raise ParameterError(
            f"The 'order' parameter of MarkovFisher must be lower for {len(numbers)} symbols: "
            f"there are {len(numbers)}**{kernel.order + 1} transitions. Got {kernel.order} instead."
        )
    _, windows = _windows(sequences, numbers, kernel.order)
    transitions, times = np.unique(windows, return_counts=True)
    contexts, visits = np.unique(windows // max(1, len(numbers)), return_counts=True)
    return MarkovModel(
        kernel.order,
        float(kernel.smoothing),
        numbers,
        transitions,
        times.astype(np.float64),
        contexts,
        visits.astype(np.float64),
    )


def _no_symbols(problem: TypeError) -> DataError:
    return DataError(
        f"MarkovFisher needs strings, or lists of symbols such as words or numbers ({problem})."
    )


def _windows(
    sequences: list[Sequence[Hashable]], numbers: Mapping[Hashable, int], order: int
) -> tuple[IntArray, IntArray]:
    """Transitions in all strings: which string, and which transition."""
    try:
        symbols = [numbers.get(symbol, -1) for sequence in sequences for symbol in sequence]
    except TypeError as problem:
        raise _no_symbols(problem) from None
    flat = np.array(symbols, dtype=np.int64)
    owners = np.repeat(np.arange(len(sequences)), [len(sequence) for sequence in sequences])
    count = max(0, len(flat) - order)
    codes = np.zeros(count, dtype=np.int64)
    whole = owners[:count] == owners[order : order + count]
    for place in range(order + 1):
        part = flat[place : place + count]
        codes = codes * len(numbers) + part
        whole &= part >= 0
    return owners[:count][whole], codes[whole]


def _scores(
    model: MarkovModel, sequences: list[Sequence[Hashable]]
) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the derivatives that are not zero: which string, which transition, and the value."""
    owners, windows = _windows(sequences, model.numbers, model.order)
    size = max(1, len(model.numbers))
    seen, times = np.unique(np.column_stack([owners, windows]), axis=0, return_counts=True)
    visited, visits = np.unique(
        np.column_stack([owners, windows // size]), axis=0, return_counts=True
    )
    rows = np.concatenate([seen[:, 0], np.repeat(visited[:, 0], size)])
    after = (visited[:, 1, None] * size + np.arange(size)).ravel()
    transitions = np.concatenate([seen[:, 1], after])
    values = np.concatenate(
        [times / model.probabilities(seen[:, 1]), -np.repeat(visits, size).astype(np.float64)]
    )
    joined = np.lexsort((transitions, rows))
    rows, transitions, values = rows[joined], transitions[joined], values[joined]
    new = np.concatenate([[True], (np.diff(rows) != 0) | (np.diff(transitions) != 0)])[: len(rows)]
    first = np.flatnonzero(new)
    sums = np.add.reduceat(values, first) if len(first) else values
    return rows[first], transitions[first], sums


def _look_up(keys: IntArray, values: FloatArray, wanted: IntArray) -> FloatArray:
    """Values of sorted keys, zero for keys that are not there."""
    place = np.searchsorted(keys, wanted)
    found = place < len(keys)
    found[found] = keys[place[found]] == wanted[found]
    result = np.zeros(len(wanted))
    result[found] = values[place[found]]
    return result
