"""Averaging the rankings of several models, and telling how good the average is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.core.params import BOOLEAN, NOTHING, Constraint, Integer, Is, Number, check_params
from rarefind.detection.auto.committee import Committee, MemberScore, fit_committee
from rarefind.detection.auto.members import members_for
from rarefind.detection.kernel.learner import is_vector_kernel
from rarefind.detection.labels import read_labels
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make, registry
from rarefind.detection.ranker import RareRanker
from rarefind.detection.targets import RanksTargets, choose_targets
from rarefind.features.reading import read_features
from rarefind.features.unit_spread import UnitSpread
from rarefind.kernels import Kernel


class AutoDetector(RanksTargets, BaseEstimator):
    """Average the rankings of models that err in different ways; choose none.

    Examples of a rare class are too few to find the best model by comparing, and an average needs
    no choice: it was measured to rank better than any of its members. On vectors these are
    extremely randomised trees, the same with principal components, the same telling all classes
    apart, boosting with small leaves (from five examples on), a support vector machine and logistic
    regression on normal scores, and CatBoost if it is installed. Every member is fitted five times,
    each time without a fifth of the labelled records, and scores are averaged as ``-log(share of
    other records that score higher)``.

    Parameters
    ----------
    candidates
        Names of models, or a mapping from names to estimators, to be averaged instead. None: the
        usual ones.
    kernel
        A kernel for records that are no vectors; then LAGO and a support vector machine with that
        kernel are averaged, and trees and logistic regression where it lists features. Another view
        of the same records counts as much: of strings of one length which letter stands where, of
        graphs circular fingerprints, of other strings and short texts pieces of several lengths, of
        topics the words. Circular fingerprints of molecules count twice as much as their spelling.
    target
        The class to rank for, or a list of classes; as in Lago.
    time_limit
        Seconds for fitting. How long a model will take is foreseen; those after the first that
        would exceed the limit are left out, which ``scores_`` says.
    random_state
        Seed of the parts.
    scale
        Whether numbers are scaled first. False for vectors that are comparable already. A table
        with words or gaps becomes such vectors: those that a hunt compares.

    Attributes
    ----------
    why_
        The models and what can be told about their average, a few sentences per target.
    quality_
        How good the ranking of other records will be, one ``Quality`` per target.
    average_precision_
        The figures told in ``quality_``; NaN where none can be.
    scores_
        One row per model and target: average precision of records it had not seen, seconds.
    chosen_
        Names of the models averaged, one tuple per target.
    classes_, targets_, background_class_
        As in Lago.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(200, 2)), rng.normal(2.5, 0.2, size=(12, 2))])
    >>> y = [0] * 200 + [1] * 12
    >>> model = AutoDetector(candidates=["lago", "logistic"]).fit(X, y)
    >>> sorted(score.model for score in model.scores_)
    ['lago', 'logistic']
    >>> bool(model.decision_function([[2.5, 2.5]])[0] > model.decision_function([[0, 0]])[0])
    True
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "candidates": [
            NOTHING,
            Is(
                "a list of model names or a mapping from names to estimators",
                lambda value: (
                    isinstance(value, Mapping | Sequence)
                    and not isinstance(value, str)
                    and len(value) > 0
                ),
            ),
        ],
        "kernel": [NOTHING, Is("a rarefind kernel", lambda value: isinstance(value, Kernel))],
        "time_limit": [Number(0, closed="neither")],
        "random_state": [NOTHING, Integer(0)],
        "scale": [BOOLEAN],
    }

    def __init__(
        self,
        candidates: Sequence[str] | Mapping[str, Any] | None = None,
        *,
        kernel: Kernel | None = None,
        target: Any = None,
        time_limit: float = 120.0,
        random_state: int | None = 0,
        scale: bool = True,
    ) -> None:
        self.candidates = candidates
        self.kernel = kernel
        self.target = target
        self.time_limit = time_limit
        self.random_state = random_state
        self.scale = scale

    def fit(self, X: Records, y: Any) -> AutoDetector:
        """Fit the models to these labelled records."""
        check_params(self, self._params)
        if y is not None and is_vector_kernel(self.kernel):
            X = read_features(self, X, reset=True, largest=None)
        labels = read_labels(self, X, y)
        targets = choose_targets(labels, self.target, np.ones(len(labels)), type(self).__name__)
        _check_variety(X)
        usual = self.kernel is None and self.candidates is None
        # Trees compute in single precision, which not every number fits into.
        self.scaling_ = UnitSpread().fit(X) if self._scales() and usual else None
        X = X if self.scaling_ is None else self.scaling_.transform(X)
        members = members_for(
            self.candidates, self.kernel, X, len(targets.classes), scale=self._scales()
        )
        with threadpool_limits(limits=1):  # small products are over before threads have met
            self.committees_: list[Committee] = [
                fit_committee(
                    members,
                    X,
                    labels,
                    name,
                    time_limit=self.time_limit / len(targets.wanted),
                    random_state=self.random_state,
                    by_kernel=self.kernel is not None,
                )
                for name in targets.wanted
            ]
        self._rank_for(targets)
        self.chosen_ = [tuple(one.name for one in each.members) for each in self.committees_]
        self.scores_: list[MemberScore] = [row for each in self.committees_ for row in each.scores]
        self.quality_ = [each.quality for each in self.committees_]
        told = [quality.average_precision for quality in self.quality_]
        self.average_precision_ = np.array(
            [np.nan if figure is None else figure for figure in told]
        )
        self.why_ = "\n".join(each.why for each in self.committees_)
        return self

    def vectors(self, X: Records) -> Records:
        """Return records as the members see them: numbers, scaled; of a kernel's the records."""
        check_is_fitted(self)
        if is_vector_kernel(self.kernel):
            X = read_features(self, X, reset=False, largest=None)
        return X if self.scaling_ is None else self.scaling_.transform(X)

    def decision_function(self, X: Records) -> FloatArray:
        """Score records as Lago does: higher is more like the target."""
        X = self.vectors(X)
        with threadpool_limits(limits=1):
            scores = np.column_stack([each.decide(X) for each in self.committees_])
        return self._decisions(scores)

    def _scales(self) -> bool:
        # The vectors of a table are comparable already.
        return self.scale and not hasattr(self, "table_features_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        vectors = is_vector_kernel(self.kernel)
        tags.input_tags.two_d_array = vectors
        tags.input_tags.sparse = vectors and _take_sparse(self.candidates)
        tags.input_tags.string = not vectors
        return tags


def _take_sparse(candidates: Sequence[str] | Mapping[str, Any] | None) -> bool:
    """Tell whether all models take sparse matrices, as they are ranked with; the usual ones do."""
    if isinstance(candidates, Mapping):
        models = [
            model if isinstance(model, Lago) else RareRanker(model) for model in candidates.values()
        ]
    else:
        models = [make(name) for name in set(candidates or ()) & set(registry.names())]
    return all(get_tags(model).input_tags.sparse for model in models)


def _check_variety(X: Records) -> None:
    """Refuse vectors that are all the same: no model could tell them apart."""
    if sparse.issparse(X):
        alike = (X.max(axis=0) - X.min(axis=0)).nnz == 0
    else:
        alike = isinstance(X, np.ndarray) and bool((X[:1] == X).all())
    if alike:
        raise DataError(
            f"AutoDetector cannot tell the records apart: all {count(X)} are equal in every "
            "feature. Check how the features were made."
        )
