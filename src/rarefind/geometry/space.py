"""The records of a hunt as a space: who is where, how many stand there, who is near."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from rarefind.core.arrays import FloatArray, IntArray, Records, count, finite_matrix, take
from rarefind.core.errors import DataError, NotAvailableError, Remedy, TooLargeError
from rarefind.features.columns import table_columns
from rarefind.features.table import TableFeatures
from rarefind.geometry.engines.blocks import BlockEngine
from rarefind.geometry.engines.choice import choose_engine, slow_engine
from rarefind.geometry.engines.contract import Engine
from rarefind.geometry.folding import Folded, fold
from rarefind.geometry.measures import KernelDistance
from rarefind.geometry.precomputed import Precomputed
from rarefind.kernels.contract import Features, Kernel

_FEW = (1, 8)
"""So many records are looked at first, and then, to see whether a kernel finds anything: a choice.
As a rule the first one tells, and the others need not be read once more."""

_LARGEST = 1e150
"""Squares of larger numbers are infinite."""


class Space:
    """Rows folded into weighted points, and the engine that answers questions about them.

    Attributes
    ----------
    folded
        Which rows are identical.
    engine
        Answers questions about distances among the points.
    vectors
        The points as prepared vectors, or None where only a kernel knows them.
    names
        The names of the columns of ``vectors``; none for arrays, whose columns have no names.
    features
        The fitted transformer that made the vectors, or None where nothing was transformed.
    """

    def __init__(
        self,
        folded: Folded,
        engine: Engine,
        vectors: FloatArray | None = None,
        names: Sequence[str] = (),
        features: Any = None,
    ) -> None:
        self.folded = folded
        self.engine = engine
        self.vectors = vectors
        self.names = list(names)
        self.features = features

    @property
    def n_rows(self) -> int:
        """How many rows there are, identical ones included."""
        return len(self.folded.point_of)

    def most_unusual(self, row: int, count: int) -> list[str]:
        """Name the features in which a row differs most from the middle, by over two deviations."""
        if self.vectors is None or not self.names:
            return []
        point = self.vectors[self.folded.point_of[row]]
        away = np.abs(point - self._middle)
        order = np.argsort(-away, kind="stable")[:count]
        return [self.names[feature] for feature in order if away[feature] > 2.0]

    @cached_property
    def _middle(self) -> FloatArray:
        assert self.vectors is not None
        return np.median(self.vectors, axis=0)

    def neighbours(self, row: int, k: int) -> IntArray:
        """List the rows of the ``k`` nearest other points, nearest first, one row each."""
        _, near = self.engine.nearest(k, np.array([self.folded.point_of[row]]))
        return self.folded.first_row[near[0]]


def vector_space(X: Records, *, scale: str = "standard", features: Any = None) -> Space:
    """Make the space of vectors, with features scaled as asked for.

    Parameters
    ----------
    X
        Rows of numbers, dense or sparse, or a table. Sparse features are taken as they are.
    scale
        ``"standard"``: mean 0 and deviation 1. ``"squash"``: also with far tails pulled in.
        ``"none"``: as they are.
    features
        A transformer that makes the vectors instead.
    """
    if sparse.issparse(X) and features is None:
        return _sparse_space(X)
    if isinstance(X, np.ndarray) and X.ndim in (3, 4):
        X = {"p": X.reshape(len(X), -1)}  # pictures, grey or in colours: one scale for all dots
    table = table_columns(X) is not None
    if features is None:
        features = TableFeatures(scale)  # type: ignore[arg-type]
        X = X if table else _rows_of_numbers(X)
    features = clone(features)
    made = features.fit_transform(X)
    if sparse.issparse(made):
        space = _sparse_space(made)
        space.features = features
        return space
    vectors = finite_matrix(made, "A hunt")
    if not (vectors != vectors[:1]).any():
        raise _all_the_same(len(vectors))
    if np.abs(vectors).max() > _LARGEST:
        raise DataError(
            f"A hunt needs numbers below {_LARGEST:g} so that distances can be computed. Scale the "
            "features, or leave scale='auto'."
        )
    named = table and hasattr(features, "get_feature_names_out")
    names = [str(name) for name in features.get_feature_names_out()] if named else []
    folded = fold(vectors)
    engine = choose_engine(folded.records, folded.weights)
    return Space(folded, engine, folded.records, names, features)


def _rows_of_numbers(X: Records) -> FloatArray:
    try:
        return finite_matrix(X, "A hunt")
    except DataError as problem:
        if np.asarray(X).dtype.kind == "f" and np.isnan(X).any():
            problem.advising(Remedy("In a table, as pandas.DataFrame(X), gaps are fine."))
        raise


def kernel_space(records: Records, kernel: Kernel) -> Space:
    """Make the space in which a kernel places the records."""
    folded = fold(records)
    _require_two(folded)
    # A copy is fitted, so that a kernel that learns knows the same in every question.
    kernel = clone(kernel)
    if not kernel.is_ready:  # columns of features alone are not worth a second reading
        kernel.fit(folded.records)
    placed = kernel.for_distances()
    try:
        features = placed.features(folded.records)
    except (NotAvailableError, TooLargeError):
        features = None
    if not _finds_something(kernel, folded.records, features if placed is kernel else None):
        raise DataError(
            f"{type(kernel).__name__} finds nothing in any of the records: every similarity is "
            "zero. Choose another kernel or other parameters."
        )
    if features is None:
        return Space(folded, slow_engine(KernelDistance(placed), folded.records, folded.weights))
    return Space(folded, choose_engine(features, folded.weights))


def _finds_something(kernel: Kernel, records: Records, features: Features | None) -> bool:
    if features is not None:
        return bool(np.any(features.data if sparse.issparse(features) else features))
    return any(kernel.diag(take(records, slice(few))).any() for few in (*_FEW, None))


def distance_space(given: Precomputed) -> Space:
    """Make the space of records whose distances are given; those at distance zero are the same."""
    same_as = np.argmax(given.distances == 0.0, axis=1)
    folded = fold(same_as.tolist())
    _require_two(folded)
    points = folded.first_row
    return Space(folded, BlockEngine(given, points, folded.weights))


def _sparse_space(X: Records) -> Space:
    folded = fold(sparse.csr_array(X, dtype=np.float64))
    _require_two(folded)
    return Space(folded, choose_engine(folded.records, folded.weights))


def _require_two(folded: Folded) -> None:
    if count(folded.records) < 2:
        raise _all_the_same(len(folded.point_of))


def _all_the_same(rows: int) -> DataError:
    return DataError(
        f"A hunt needs at least two different records. Got {rows} row(s) that are all the same."
    )
