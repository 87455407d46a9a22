"""How much two sets share, and how much both lack."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Constraint
from rarefind.kernels.algebra.columns import rows_scaled
from rarefind.kernels.contract import Features, Kernel
from rarefind.kernels.reference import dense
from rarefind.kernels.sets.reading import (
    UNIVERSE,
    WEIGHTS,
    Sets,
    membership,
    numbering,
    read_sets,
    weights_of,
)


class Intersection(Kernel):
    """``m(A ∩ B)``: how many elements two sets share, or how much these weigh.

    Parameters
    ----------
    weights
        Weight of each element, at least zero; elements left out weigh nothing. All weigh one
        if None.
    universe
        The elements there are, each a column of the features. If None, these are the elements
        met in ``fit``, or in the call.

    Attributes
    ----------
    columns_
        The elements met in ``fit``, each with its column in the features.

    Examples
    --------
    >>> Intersection()([{"a", "b"}, {"b", "c", "d"}])
    array([[2., 1.],
           [1., 3.]])
    """

    _learns_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "weights": WEIGHTS,
        "universe": UNIVERSE,
    }

    def __init__(
        self,
        weights: Mapping[Any, float] | None = None,
        *,
        universe: Collection[Hashable] | None = None,
    ) -> None:
        self.weights = weights
        self.universe = universe

    def _columns_are_fixed(self) -> bool:
        return self.universe is not None or self._has_learnt()

    def _learn(self, A: Records) -> None:
        self.columns_ = self._columns(self._read(A))

    def _columns(self, sets: Sets) -> dict[Any, int]:
        if self.universe is not None:
            return numbering(self.universe)
        return numbering(element for one in sets for element in one)

    def _read(self, A: Records) -> Sets:
        sets = read_sets(A, type(self).__name__)
        if self.universe is not None:
            refuse_strangers(sets, self.universe, type(self).__name__)
        return sets

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        # Elements of one side only are never shared, so the smaller numbering is enough.
        columns = numbering(element for one in (right or left) for element in one)
        rows = self._rooted(left, columns)
        return dense(rows @ (rows if right is None else self._rooted(right, columns)).T)

    def _diag(self, left: Any) -> FloatArray:
        columns = numbering(element for one in left for element in one)
        return np.asarray(membership(left, columns) @ weights_of(columns, self.weights))

    def _features(self, A: Records) -> Features:
        sets = self._read(A)
        return self._rooted(sets, self.columns_ if self._has_learnt() else self._columns(sets))

    def _rooted(self, sets: Sets, columns: Mapping[Any, int]) -> sparse.csr_array:
        root = np.sqrt(weights_of(columns, self.weights))
        scaled: sparse.csr_array = rows_scaled(membership(sets, columns).T.tocsr(), root)
        return sparse.csr_array(scaled.T)


class _WithinUniverse(Kernel):
    """A kernel that needs to know which elements there are, from its parameter or records."""

    _learns = True
    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "weights": WEIGHTS,
        "universe": UNIVERSE,
    }

    def __init__(
        self,
        weights: Mapping[Any, float] | None = None,
        *,
        universe: Collection[Hashable] | None = None,
    ) -> None:
        self.weights = weights
        self.universe = universe

    def _learn(self, A: Records) -> None:
        if self.universe is None:
            sets = read_sets(A, type(self).__name__)
            self.columns_ = numbering(element for one in sets for element in one)
        else:
            self.columns_ = numbering(self.universe)

    def _read(self, A: Records) -> sparse.csr_array:
        sets = read_sets(A, type(self).__name__)
        if self.universe is not None:
            refuse_strangers(sets, self.universe, type(self).__name__)
        return membership(sets, self.columns_)

    def _root_weights(self) -> FloatArray:
        return np.sqrt(weights_of(self.columns_, self.weights))

    def _shared(self, left: Any, right: Any | None) -> FloatArray:
        return dense((left * self._root_weights() ** 2) @ (left if right is None else right).T)

    def _weight(self, read: Any) -> FloatArray:
        return np.asarray(read @ self._root_weights() ** 2)

    def _lacking(self, left: Any, right: Any | None) -> FloatArray:
        own, shared = self._weight(left), self._shared(left, right)
        other = own if right is None else self._weight(right)
        total = float((self._root_weights() ** 2).sum())
        return np.maximum(total - own[:, None] - other[None, :] + shared, 0.0)


class UnionComplement(_WithinUniverse):
    """``m(D - (A ∪ B))``: how many elements of the universe ``D`` both sets lack.

    Parameters
    ----------
    weights
        Weight of each element, at least zero; elements left out weigh nothing. All weigh one
        if None.
    universe
        The elements there are; learnt from records if None, and elements not seen there are
        passed over.

    Attributes
    ----------
    columns_
        The elements of the universe, each with its column in the features.

    Examples
    --------
    >>> UnionComplement(universe=list("abcd"))([{"a", "b"}, {"b", "c"}])
    array([[2., 1.],
           [1., 2.]])
    """

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self._lacking(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return float((self._root_weights() ** 2).sum()) - self._weight(left)

    def _features(self, A: Records) -> Features:
        # What a set lacks is most of the universe, so these are plain columns.
        return (1.0 - dense(self._read(A))) * self._root_weights()


class Agreement(_WithinUniverse):
    """``m(A ∩ B) + m(D - (A ∪ B))``: on how many elements two sets agree, in or out.

    Parameters
    ----------
    weights
        Weight of each element, at least zero; elements left out weigh nothing. All weigh one
        if None.
    universe
        The elements there are; learnt from records if None, and elements not seen there are
        passed over.

    Attributes
    ----------
    columns_
        The elements of the universe, each with its column in the features.

    Examples
    --------
    >>> Agreement(universe=list("abcd"))([{"a", "b"}, {"b", "c"}])
    array([[4., 2.],
           [2., 4.]])
    """

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self._shared(left, right) + self._lacking(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return np.full(left.shape[0], float((self._root_weights() ** 2).sum()))

    def _features(self, A: Records) -> Features:
        inside = dense(self._read(A))
        return np.hstack([inside, 1.0 - inside]) * np.tile(self._root_weights(), 2)


class Subsets(Kernel):
    """``2 ** |A ∩ B|``: how many subsets two sets share, the empty one included.

    Examples
    --------
    >>> Subsets()([{"a", "b"}, {"b", "c", "d"}])
    array([[4., 2.],
           [2., 8.]])
    """

    def _read(self, A: Records) -> Sets:
        return read_sets(A, type(self).__name__)

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return np.exp2(Intersection()._gram(left, right))

    def _diag(self, left: Any) -> FloatArray:
        return np.exp2(Intersection()._diag(left))


def refuse_strangers(sets: Sets, universe: Collection[Hashable], owner: str) -> None:
    """Raise DataError for the first element outside a declared universe."""
    known = frozenset(universe)
    for row, one in enumerate(sets):
        strangers = one - known
        if strangers:
            raise DataError(
                f"{owner} was told its universe, but record {row} holds "
                f"{min(strangers, key=repr)!r}, which is not in it. Add the element to 'universe' "
                "or leave it out of the record."
            )
