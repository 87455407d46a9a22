"""The perceptron with a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records, count, take
from rarefind.core.errors import DataError, NotAvailableError, ParameterError
from rarefind.core.params import BOOLEAN, Constraint, Integer, check_params
from rarefind.core.random import generator
from rarefind.detection.kernel.learner import KERNEL, KernelLearner, plain, self_similarity
from rarefind.detection.kernel.perceptron_sums import PerceptronSums

Lookup: TypeAlias = Callable[..., FloatArray]

BLOCK = 2048
"""Records visited between two looks at the kernel."""


class KernelPerceptron(KernelLearner):
    """Go through the records, and add each one that is judged wrongly.

    The function is ``f(x) = w0 + Σ a_j k(x_j, x)``. A record with ``y f(x) <= 0`` is a mistake;
    then ``y`` is added to its ``a`` and to ``w0`` (``y`` is 1 or -1). Passes end when one has no
    mistake, or after ``epochs``. If the classes can be separated, there are at most
    ``(R / γ)²`` mistakes in all, whatever the order (Novikoff): ``R² = max k(x, x) + 1``, and
    ``γ`` is the least distance of a record from a separating plane through the origin, where the
    bias counts as one more coordinate of every record. Several classes: each against the rest.

    Parameters
    ----------
    kernel
        A kernel, the name of one, "precomputed", or None: a Gaussian whose width is the median
        distance of the training records.
    epochs
        Passes through the records at most.
    averaged
        Judge by the mean of the function over all steps, which is steadier when the classes
        overlap, instead of by the last one. Passes then go on until the mean separates, too.
    shuffle
        Visit the records in a new random order in every pass.
    random_state
        Seed of the orders.

    Attributes
    ----------
    classes_
        The classes.
    support_, support_records_
        Rows and records that were ever judged wrongly. Rows count on through ``partial_fit``.
    dual_coef_, intercept_
        The ``a`` of those records and ``w0``, one row per function.
    mistakes_
        Mistakes made in learning, one number per function.
    n_iter_
        Passes made.
    converged_
        Whether the function that judges separates the classes. Only ``fit`` gives it.
    novikoff_bound_
        Upper bound on the mistakes, for the separating plane that was found; infinite where none
        was. Only ``fit`` gives it. The least such bound is :func:`novikoff_bound`.

    Examples
    --------
    >>> from rarefind.kernels import Gaussian
    >>> X, y = [[0.0], [1.0], [2.0]], ["ordinary", "rare", "ordinary"]
    >>> model = KernelPerceptron(Gaussian(0.5), random_state=0).fit(X, y)
    >>> model.predict(X).tolist()
    ['ordinary', 'rare', 'ordinary']
    >>> bool(model.mistakes_[0] <= model.novikoff_bound_[0])
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "kernel": [KERNEL],
        "epochs": [Integer(1)],
        "averaged": [BOOLEAN],
        "shuffle": [BOOLEAN],
    }

    def __init__(
        self,
        kernel: Any = None,
        *,
        epochs: int = 50,
        averaged: bool = True,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.epochs = epochs
        self.averaged = averaged
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Records, y: Any) -> KernelPerceptron:
        """Learn from records and their labels, forgetting what was learnt before."""
        random = generator(self.random_state, type(self).__name__)
        X, numbers = self._read_training(X, y)
        self._fit_kernel(X)
        gram = self._lookup(X)
        signs = self._signs(numbers)
        n = len(numbers)
        state = PerceptronSums(n, signs.shape[1])
        self.converged_ = False
        for epoch in range(1, self.epochs + 1):
            self.n_iter_ = epoch
            order = random.permutation(n) if self.shuffle else np.arange(n)
            before = state.mistakes.sum()
            for start in range(0, n, BLOCK):
                self._visit(gram, order[start : start + BLOCK], signs, state)
            if state.mistakes.sum() == before:
                self._finish(gram, signs, state)
                break
        self._set(X, state)
        # A mean of functions may separate what none of them did.
        self.converged_ = self.converged_ or self._separates(gram, signs, state)
        self.novikoff_bound_ = self._bound(X, gram, signs, state)
        return self

    def partial_fit(self, X: Records, y: Any, classes: Any = None) -> KernelPerceptron:
        """Learn on from more records, in the order given; the first call names all classes."""
        if self._pairwise():
            raise NotAvailableError(
                "KernelPerceptron.partial_fit needs the records themselves, because later records "
                "are compared with earlier ones. With kernel='precomputed' use fit."
            )
        check_params(self, self._params)
        first = not hasattr(self, "_sums")
        X, labels = self._read_labelled(X, y, reset=first)
        if first:
            if classes is None:
                raise ParameterError(
                    "The 'classes' argument of KernelPerceptron.partial_fit must list all classes "
                    "in the first call. Got None instead."
                )
            self.classes_ = np.unique(classes)
            self._fit_kernel(X)
            self._keep(X, np.arange(0))
            self._sums = PerceptronSums(0, 1 if len(self.classes_) == 2 else len(self.classes_))
            self._seen = 0
        numbers = np.searchsorted(self.classes_, labels)
        numbers[numbers == len(self.classes_)] = 0
        strange = self.classes_[numbers] != labels
        if strange.any():
            raise DataError(
                f"KernelPerceptron was told of the classes {self.classes_.tolist()}. "
                f"Got label {plain(labels[strange.argmax()])!r}; start anew with fit."
            )
        kept, n_kept, n = self.support_records_, len(self.support_), len(labels)
        joined = _join(kept, X) if n_kept else X
        gram = self._lookup(joined)
        seen = self._seen
        state = self._sums.extended(n)
        signs = np.vstack([np.zeros((n_kept, state.last.shape[1])), self._signs(numbers)])
        rows = np.concatenate([self.support_, seen + np.arange(n)])
        for start in range(0, n, BLOCK):
            visited = n_kept + np.arange(start, min(start + BLOCK, n))
            self._visit(gram, visited, signs, state)
        self._set(joined, state)
        self.support_ = rows[self.support_]
        self._seen = seen + n
        self.n_iter_ = 1
        # What fit found out about its records does not hold for these.
        for name in ("converged_", "novikoff_bound_"):
            self.__dict__.pop(name, None)
        return self

    def _signs(self, numbers: IntArray) -> FloatArray:
        """1 for members and -1 for the others, one column per function."""
        wanted = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        return np.where(numbers[:, None] == np.array(wanted)[None, :], 1.0, -1.0)

    def _lookup(self, X: Records) -> Lookup:
        """Similarities of some training records with others: from memory if there are few."""
        n = count(X)
        if self._pairwise() or n > BLOCK:
            return lambda rows, columns=None: self._gram(X, rows, columns)
        whole = self._gram(X, np.arange(n))
        return lambda rows, columns=None: whole[np.ix_(rows, rows if columns is None else columns)]

    def _visit(
        self, gram: Lookup, rows: IntArray, signs: FloatArray, state: PerceptronSums
    ) -> None:
        """Go through some records once, updating the sums at every mistake."""
        used = np.flatnonzero(state.last.any(axis=1))
        within = gram(rows)
        scores = np.tile(state.bias, (len(rows), 1))
        if len(used):
            scores += gram(rows, used) @ state.last[used]
        for function in range(signs.shape[1]):
            sign, score = signs[rows, function], scores[:, function].copy()
            place = 0
            while place < len(rows):
                wrong = sign[place:] * score[place:] <= 0.0
                step = int(wrong.argmax())
                if not wrong[step]:
                    break
                place += step
                state.add(rows[place], function, sign[place], state.steps + place)
                score += sign[place] * (within[place] + 1.0)
                place += 1
        state.steps += len(rows)

    def _finish(self, gram: Lookup, signs: FloatArray, state: PerceptronSums) -> None:
        """After a pass without mistakes, make as many more as the mean needs to separate, too.

        None of them changes the last function, so they need not be made: the mean is
        ``last - late / steps``, and has the right sign where ``steps`` exceed ``late / last``.
        """
        wanted = 0.0
        n = len(signs)
        if self.averaged:
            for start in range(0, n, BLOCK):
                rows = np.arange(start, min(start + BLOCK, n))
                last, late = (
                    gram(rows, used := np.flatnonzero(sums.any(axis=1))) @ sums[used] + bias
                    for sums, bias in ((state.last, state.bias), (state.late, state.late_bias))
                )
                wanted = max(wanted, float((late / last).max()))
        more = max(0, math.floor((wanted - state.steps) / n) + 1) if wanted >= state.steps else 0
        made = min(more, self.epochs - self.n_iter_)
        state.steps += made * n
        self.n_iter_ += made
        self.converged_ = made == more

    def _separates(self, gram: Lookup, signs: FloatArray, state: PerceptronSums) -> bool:
        """Whether the function that judges puts every record on its side."""
        used = np.flatnonzero(state.last.any(axis=1) | state.late.any(axis=1))
        for start in range(0, len(signs), BLOCK):
            rows = np.arange(start, min(start + BLOCK, len(signs)))
            judged = gram(rows, used) @ self.dual_coef_.T + self.intercept_
            if not (judged * signs[rows] > 0.0).all():
                return False
        return True

    def _set(self, X: Records, state: PerceptronSums) -> None:
        used = np.flatnonzero(state.last.any(axis=1) | state.late.any(axis=1))
        share = 1.0 / max(state.steps, 1) if self.averaged else 0.0
        self.dual_coef_ = (state.last[used] - share * state.late[used]).T
        self.intercept_ = state.bias - share * state.late_bias
        self.mistakes_ = state.mistakes.copy()
        self._keep(X, used)
        if not self._pairwise():
            self._sums = state.taken(used)
            self._seen = count(X)

    def _bound(
        self, X: Records, gram: Lookup, signs: FloatArray, state: PerceptronSums
    ) -> FloatArray:
        """``(R / γ)²`` of the last functions, where they separate the classes."""
        used = np.flatnonzero(state.last.any(axis=1))
        weights = state.last[used]
        lengths = np.einsum("ij,ij->j", weights, gram(used) @ weights) + state.bias**2
        margins = np.full(signs.shape[1], np.inf)
        n = len(signs)
        for start in range(0, n, BLOCK):
            rows = np.arange(start, min(start + BLOCK, n))
            scores = gram(rows, used) @ weights + state.bias
            margins = np.minimum(margins, (signs[rows] * scores).min(axis=0))
        own = np.diag(X) if self.kernel_ is None else self_similarity(self.kernel_, X)
        separated = (margins > 0) & (lengths > 0)
        squared = np.where(separated, margins, 1.0) ** 2 / np.where(separated, lengths, 1.0)
        return np.where(separated, (own.max() + 1.0) / squared, np.inf)


def _join(first: Records, second: Records) -> Records:
    """Put two sequences of records of the same kind behind one another."""
    if sparse.issparse(first):
        return sparse.vstack([first, second], format="csr")
    if isinstance(first, np.ndarray):
        return np.concatenate([first, np.asarray(second)])
    return [*first, *take(second, np.arange(count(second)))]
