"""Any scikit-learn classifier as a ranker for rare classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.base import BaseEstimator, clone
from sklearn.compose import ColumnTransformer
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from rarefind.core.arrays import BoolArray, FloatArray, Records, take
from rarefind.core.errors import DataError, RarefindError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Is, check_params
from rarefind.detection.labels import read_labels
from rarefind.detection.linear.learner import LinearLearner
from rarefind.detection.targets import RanksTargets, choose_targets
from rarefind.detection.training import read_weights
from rarefind.features.columns import table_columns
from rarefind.features.reading import is_mixed, read_features
from rarefind.features.table import TableFeatures
from rarefind.features.unit_spread import UnitSpread
from rarefind.features.vectors import LARGEST, check_features
from rarefind.kernels.contract import Kernel

_CERTAIN = 1e-12
"""Probabilities nearer to 0 or 1 count as this: nearer to 1, 1 - p has four digits left at most."""


def _gives_probabilities(ranker: RareRanker) -> bool:
    return hasattr(ranker.estimator, "predict_proba")


class RareRanker(RanksTargets, BaseEstimator):
    """Rank records for rare classes with any classifier.

    Classifiers differ in what their scores mean and for which class they are. Here a higher
    ``decision_function`` always means more like the rare class, and above zero it is predicted;
    with several rare classes each gets its own classifier against all the rest.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, or a pipeline that ends with one.
    target
        The class to rank for, or a list of classes. None: the smaller of two classes; of more,
        all but the largest.

    Attributes
    ----------
    classes_, targets_, background_class_
        As in Lago.
    estimators_
        The fitted classifiers, one per target; their labels are False and True.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> ranker = RareRanker(LogisticRegression())
    >>> ranker.fit([[0.0], [1.0], [2.0], [9.0]], ["b", "b", "b", "a"]).classes_.tolist()
    ['b', 'a']
    >>> ranker.predict([[8.0], [1.0]]).tolist()
    ['a', 'b']
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "estimator": [
            Is("a classifier with a fit method", lambda value: hasattr(value, "fit")),
        ],
    }

    def __init__(self, estimator: Any, *, target: Any = None) -> None:
        self.estimator = estimator
        self.target = target

    def fit(self, X: Records, y: Any, sample_weight: Any = None) -> RareRanker:
        """Fit one classifier per rare class; unequal weights need a classifier that takes them."""
        check_params(self, self._params)
        X = X if y is None else self._read(X, reset=True)
        labels = read_labels(self, X, y)
        weight = read_weights(sample_weight, len(labels), type(self).__name__)
        kept = np.flatnonzero(weight > 0)
        if len(kept) < len(weight):
            X, labels, weight = take(X, kept), labels[kept], weight[kept]
        targets = choose_targets(labels, self.target, weight, type(self).__name__)
        options = {} if sample_weight is None else _weight_options(self.estimator, weight)
        self.estimators_ = [self._fitted(X, labels == name, options) for name in targets.wanted]
        self._rank_for(targets)
        return self

    def decision_function(self, X: Records) -> FloatArray:
        """Score records as Lago does: higher is more like the target.

        One number per record for one target, a column per target for a list of targets, a column
        per class (the background's is zero) with more than two classes and no target named.
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        with np.errstate(all="ignore"):
            scores = np.column_stack([_scores(estimator, X) for estimator in self.estimators_])
        if not np.isfinite(scores).all():
            row = int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])
            raise DataError(
                f"{type(_last_step(self.estimator)).__name__} gives record {row} no finite score. "
                "Its features may all be constant or far too large; scale them, or use another "
                "model."
            )
        return self._decisions(scores)

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Records) -> FloatArray:
        """Give the probability of every class in ``classes_``.

        With several targets, each classifier's odds are taken as odds against the background.
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        odds = np.column_stack(
            [_log_odds(estimator.predict_proba(X)) for estimator in self.estimators_]
        )
        if len(self.classes_) == 2:
            odds = np.column_stack([np.zeros(len(odds)), odds])
        else:
            known = np.full((len(odds), len(self.classes_)), -np.inf)
            known[:, np.searchsorted(self.classes_, self.targets_)] = odds
            known[:, np.searchsorted(self.classes_, [self.background_class_])] = 0.0
            odds = known
        return softmax(odds, axis=1)

    def _read(self, X: Records, *, reset: bool) -> Records:
        """Check rows of numbers; records of other kinds are the classifier's business."""
        if not self._reads_vectors():
            return X
        first = _first_step(self.estimator)
        table = table_columns(X)
        if table is not None and self._first_reads_tables(X, reset=reset):
            check_features(self, X, len(table), type(self).__name__, reset=reset)
            return X  # words and gaps are read as a hunt does
        if sparse.issparse(X) and not get_tags(self.estimator).input_tags.sparse:
            X = _with_zeros(X)
        return read_features(
            self,
            X,
            reset=reset,
            allow_missing=get_tags(first).input_tags.allow_nan,
            largest=None if isinstance(first, UnitSpread | LinearLearner) else LARGEST,
        )

    def _reads_vectors(self) -> bool:
        """Whether records are rows of numbers, and not the classifier's business alone."""
        first = _first_step(self.estimator)
        taken = get_tags(first).input_tags  # of which a pipeline passes on only some
        pairwise = get_tags(self.estimator).input_tags.pairwise
        if not taken.two_d_array or taken.string or taken.categorical or pairwise:
            return False
        kernel = getattr(_last_step(self.estimator), "kernel", None)
        if isinstance(kernel, Kernel) and not kernel.takes_vectors:
            return False  # scikit-learn's SVC cannot say that its kernel takes strings
        return not isinstance(first, ColumnTransformer)

    def _first_reads_tables(self, X: Records, *, reset: bool) -> bool:
        """Whether the first step makes vectors of a table, and not only scales its numbers."""
        first = _first_step(self.estimator if reset else self.estimators_[0])
        if not isinstance(first, UnitSpread):
            return isinstance(first, TableFeatures)
        if reset:
            return is_mixed(X, allow_missing=first.allow_missing)
        return hasattr(first, "table_features_")

    def _fitted(self, X: Records, wanted: BoolArray, options: Mapping[str, Any]) -> Any:
        try:
            # Whatever overflows or has no value on the way shows in the scores, which are checked.
            with np.errstate(all="ignore"):
                return clone(self.estimator).fit(X, wanted, **options)
        except RarefindError:
            raise
        except (ValueError, ArithmeticError) as problem:
            reason = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
            name = type(_last_step(self.estimator)).__name__
            raise DataError(
                f"{name} cannot be fitted to these {len(wanted)} records: {reason}. "
                "Use another model, or label more records."
            ) from problem

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        # A pipeline does not say that its first step lets gaps through.
        tags.input_tags.allow_nan = get_tags(_first_step(self.estimator)).input_tags.allow_nan
        tags.input_tags.sparse |= self._reads_vectors()
        return tags


def _with_zeros(X: Any) -> Any:
    """Write out a sparse matrix for a classifier that needs every zero."""
    instead = "Use a model that takes sparse records, such as 'logistic'."
    ensure_fits(8 * X.shape[0] * X.shape[1], "The sparse matrix with all its zeros", instead)
    return X.toarray()


def _first_step(estimator: Any) -> Any:
    """Find what a pipeline, or a pipeline in it, gives the records to."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[0][1]
    return estimator


def _last_step(estimator: Any) -> Any:
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


def _scores(estimator: Any, X: Records) -> FloatArray:
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X), dtype=np.float64).ravel()
    return _log_odds(estimator.predict_proba(X))


def _log_odds(probabilities: Any) -> FloatArray:
    # Clipped, so that certainty has a finite logarithm; the order stays.
    wanted = np.clip(np.asarray(probabilities, dtype=np.float64)[:, 1], _CERTAIN, 1.0 - _CERTAIN)
    return np.log(wanted) - np.log1p(-wanted)


def _weight_options(estimator: Any, weight: FloatArray) -> dict[str, Any]:
    last = estimator.steps[-1] if hasattr(estimator, "steps") else ("", estimator)
    if not has_fit_parameter(last[1], "sample_weight"):
        if (weight == weight[0]).all():
            return {}  # who all count the same need no weights
        raise DataError(
            f"{type(last[1]).__name__} takes no sample_weight. Leave it out, or use another model."
        )
    return {f"{last[0]}__sample_weight" if last[0] else "sample_weight": weight}
