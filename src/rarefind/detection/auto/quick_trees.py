"""Extremely randomised trees for few records, where a forest's checks take longer than its trees.

scikit-learn's forest copies, names and checks every tree as if it stood alone, which for a few
hundred records is two thirds of the work. Here records are checked once, and the trees are grown
one after the other. They are trees of regression on 0 and 1: the spread of such numbers is half of
Gini's impurity, so they ask the same questions as trees of classification.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import ExtraTreeRegressor
from sklearn.utils import check_array, check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records

_SEEDS = np.iinfo(np.int32).max
"""Seeds of trees are drawn below this number, as scikit-learn's forests draw them."""


class QuickTrees(ClassifierMixin, BaseEstimator):
    """Average the classes in the leaves of extremely randomised trees, as ExtraTreesClassifier.

    The same seed gives the same trees as there; where classes are balanced, but for which of two
    equally good questions rounding prefers.

    Parameters
    ----------
    trees
        How many trees.
    balanced
        Whether all classes weigh the same, however few records they have.
    random_state
        Seed.

    Attributes
    ----------
    trees_
        The trees: of two classes they give the chance of the second, of more one chance each.
    classes_
        The classes.
    n_features_in_
        How many columns the records have.

    Examples
    --------
    >>> model = QuickTrees(5, balanced=True, random_state=0)
    >>> model.fit([[0.0], [0.1], [0.2], [1.0]], [False, False, False, True]).predict_proba([[1.0]])
    array([[0., 1.]])
    """

    def __init__(
        self, trees: int = 24, *, balanced: bool = False, random_state: int | None = 0
    ) -> None:
        self.trees = trees
        self.balanced = balanced
        self.random_state = random_state

    def fit(self, X: Records, y: NDArray[Any]) -> QuickTrees:
        """Grow the trees until no leaf holds two classes."""
        records = _in_single_precision(X, "csc")
        self.n_features_in_ = records.shape[1]
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = compute_sample_weight("balanced", codes) if self.balanced else None
        shares = np.eye(len(self.classes_))[codes]
        if len(self.classes_) == 2:
            shares = np.ascontiguousarray(shares[:, 1])
        seeds = check_random_state(self.random_state)
        with config_context(skip_parameter_validation=True):
            self.trees_ = [
                ExtraTreeRegressor(max_features="sqrt", random_state=seeds.randint(_SEEDS)).fit(
                    records, shares, weights, check_input=sparse.issparse(records)
                )
                for _ in range(self.trees)
            ]
        return self

    def predict_proba(self, X: Records) -> FloatArray:
        """Return the mean share of each class in the leaves that records fall into."""
        check_is_fitted(self)
        records = _in_single_precision(X, "csr")
        if records.shape[1] != self.n_features_in_:
            raise ValueError(
                f"The trees were grown on {self.n_features_in_} columns, and these records have "
                f"{records.shape[1]}."
            )
        total = sum(tree.tree_.predict(records) for tree in self.trees_) / len(self.trees_)
        if len(self.classes_) == 2:
            return np.hstack([1.0 - total, total])
        shares: FloatArray = total.reshape(records.shape[0], len(self.classes_))
        return shares


def _in_single_precision(X: Records, accepted: str) -> Any:
    """Check records once for all trees, which compute in single precision."""
    with np.errstate(over="ignore", invalid="ignore"):  # the check itself says what is too large
        return check_array(X, dtype=np.float32, order="C", accept_sparse=accepted)
