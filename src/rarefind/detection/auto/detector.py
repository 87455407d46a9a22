"""Choosing a model by what it achieves on the labels at hand, and saying why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.core.params import NOTHING, Constraint, Integer, Is, Number, check_params
from rarefind.detection.auto.choice import Choice, Score, choose
from rarefind.detection.labels import read_labels
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make
from rarefind.detection.ranker import RareRanker, arrange_decisions, predict_from
from rarefind.detection.targets import choose_targets
from rarefind.features.vectors import read_vectors
from rarefind.kernels import Kernel
from rarefind.kernels.vectors import VectorKernel

CANDIDATES = (
    "lago-density",
    "lago",
    "logistic",
    "forest",
    "svm",
    "lda",
    "neighbours",
    "boosting",
)
"""Models compared on vectors, quick ones first."""


class AutoDetector(ClassifierMixin, BaseEstimator):
    """Compare models by cross-validated average precision, and use the best or an average.

    Models within reach of the best are averaged by rank where that does not score lower: an
    average of good rankings is seldom worse than the luckiest of them on new records.
    With fewer than ``min_positives`` known examples no comparison is possible; LAGO is used then.

    Parameters
    ----------
    candidates
        Names of models, or a mapping from names to estimators. None: the usual ones.
    kernel
        A kernel for records that are no vectors; then LAGO by distance and by angle and a
        support vector machine with that kernel are compared.
    target
        The class to rank for, or a list of classes; as in Lago.
    time_limit
        Seconds for comparing and fitting. How long a model will take is foreseen from fits to
        parts of the records; those that would exceed the limit are left out, which ``scores_``
        says. If there is no time for any comparison, LAGO is used without.
    min_positives
        How many examples of a class it takes to compare models.
    random_state
        Seed of the folds.

    Attributes
    ----------
    why_
        The choice in words, one sentence or two per target.
    scores_
        One row per model and target: mean average precision, its spread over folds, seconds.
    chosen_
        Names of the models used, one tuple per target.
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
        "min_positives": [Integer(2)],
        "random_state": [NOTHING, Integer(0)],
    }

    def __init__(
        self,
        candidates: Sequence[str] | Mapping[str, Any] | None = None,
        *,
        kernel: Kernel | None = None,
        target: Any = None,
        time_limit: float = 120.0,
        min_positives: int = 5,
        random_state: int | None = 0,
    ) -> None:
        self.candidates = candidates
        self.kernel = kernel
        self.target = target
        self.time_limit = time_limit
        self.min_positives = min_positives
        self.random_state = random_state

    def fit(self, X: Records, y: Any) -> AutoDetector:
        """Compare the models on these labelled records and fit those chosen."""
        check_params(self, self._params)
        if y is not None and self._takes_vectors():
            X = read_vectors(self, X, reset=True, largest=None)
        labels = read_labels(self, X, y)
        weight = np.ones(len(labels))
        targets = choose_targets(labels, self.target, weight, type(self).__name__)
        candidates = self._candidates()
        _check_variety(X)
        with threadpool_limits(limits=1):  # folds run side by side instead
            choices: list[Choice] = [
                choose(
                    candidates,
                    X,
                    labels == name,
                    str(name),
                    time_limit=self.time_limit / len(targets.wanted),
                    min_positives=self.min_positives,
                    random_state=self.random_state,
                )
                for name in targets.wanted
            ]
        self.classes_, self.targets_ = targets.classes, targets.wanted
        self.background_class_ = targets.background
        self.choices_ = choices
        self.chosen_ = [choice.names for choice in choices]
        self.scores_: list[Score] = [score for choice in choices for score in choice.scores]
        self.why_ = "\n".join(choice.why for choice in choices)
        return self

    def decision_function(self, X: Records) -> FloatArray:
        """Score records as Lago does: higher is more like the target."""
        check_is_fitted(self)
        if self._takes_vectors():
            X = read_vectors(self, X, reset=False, largest=None)
        scores = np.column_stack([choice.decide(X) for choice in self.choices_])
        return arrange_decisions(self, scores)

    def predict(self, X: Records) -> NDArray[Any]:
        """Name the class of every record; the background's largest where no target is likely."""
        return predict_from(self, self.decision_function(X))

    def _takes_vectors(self) -> bool:
        return self.kernel is None or isinstance(self.kernel, VectorKernel)

    def _candidates(self) -> dict[str, Any]:
        """List the models to compare; their labels are False and True, whichever is rarer."""
        if isinstance(self.candidates, Mapping):
            return {
                name: clone(model).set_params(target=True)
                if isinstance(model, Lago)
                else RareRanker(model, target=True)
                for name, model in self.candidates.items()
            }
        if self.candidates is not None:
            return {name: make(name, target=True) for name in self.candidates}
        if self.kernel is None:
            return {name: make(name, target=True) for name in CANDIDATES}
        from sklearn.svm import SVC

        return {
            "lago": Lago(kernel=self.kernel, target=True),
            "sphere-lago": Lago("sphere", profile="cosine", kernel=self.kernel, target=True),
            "svm": RareRanker(SVC(C=10.0, kernel=self.kernel), target=True),
        }

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if not self._takes_vectors():
            tags.input_tags.two_d_array = False
            tags.input_tags.string = True
        return tags


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
