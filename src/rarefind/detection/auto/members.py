"""The models whose rankings are averaged, and how each is made.

They err in different ways, which is what an average lives on: trees cut the columns, trees with
principal components cut askew as well, boosting corrects itself, and the support vector machine
sees smooth distances. None is chosen by comparing: with few examples no comparison finds the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC

from rarefind.core.arrays import Records, take
from rarefind.core.errors import RarefindError
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make
from rarefind.detection.ranker import RareRanker
from rarefind.features.normal_scores import ColumnsAndComponents, NormalScores
from rarefind.kernels import FeatureTransformer, Kernel, Normalized, WeightedDegree
from rarefind.kernels.strings.shared import StringKernel

_TREES = 120
"""Trees in all fits of a member together."""
_FEWEST_TREES = 24
_PLACED = 3
"""Letters of the longest piece that positional members look at, as was measured to help."""


@dataclass(frozen=True)
class Member:
    """A model of the average: how to make it for one of so many fits, and what it counts.

    With ``every_class`` it learns the names of all classes, not only which record is wanted.
    """

    make: Callable[[int, int], Any]
    weight: float = 1.0
    every_class: bool = False


def members_for(
    candidates: Sequence[str] | Mapping[str, Any] | None,
    kernel: Kernel | None,
    X: Records,
    n_classes: int,
    *,
    scale: bool = True,
) -> dict[str, Member]:
    """List the members: those asked for, or the usual ones for these records.

    ``scale`` says whether models by name scale numbers first.
    """
    if isinstance(candidates, Mapping):
        return {name: _as_it_is(_ranker(model)) for name, model in candidates.items()}
    if candidates is not None:
        return {name: _as_it_is(make(name, target=True, scale=scale)) for name in candidates}
    if kernel is not None:
        return _on_kernel(kernel, X)
    found = {"trees": Member(_trees)}
    if n_classes > 2:
        found["class trees"] = Member(_class_trees, every_class=True)
    if sparse.issparse(X):
        return {
            **found,
            "logistic": _as_it_is(make("logistic", target=True, C=10.0)),
            "svm": _as_it_is(make("svm", target=True)),
        }
    found |= {
        "boosting": Member(_boosting),
        "component trees": Member(_component_trees),
        "svm": Member(_svm),
    }
    if find_spec("catboost"):
        found["catboost"] = Member(_catboost, weight=2.0)
    return found


def _on_kernel(kernel: Kernel, X: Records) -> dict[str, Member]:
    """Members for records that a kernel compares; some need its features, where it lists them."""
    found = {
        "svm": _as_it_is(RareRanker(SVC(C=10.0, kernel=kernel), target=True)),
        "lago": _as_it_is(Lago(kernel=kernel, target=True)),
    }
    try:
        FeatureTransformer(kernel).fit(take(X, slice(0, 2)))
    except RarefindError:
        return found
    linear = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
    found["logistic"] = _as_it_is(make_pipeline(FeatureTransformer(kernel), Normalizer(), linear))
    found["trees"] = _trees_on(kernel)
    if _in_places(kernel, X):
        # What stands where is another view of such strings, and often the better one.
        place = WeightedDegree(_PLACED)
        found["positional svm"] = _as_it_is(
            RareRanker(SVC(C=10.0, kernel=Normalized(place)), target=True)
        )
        found["positional trees"] = _trees_on(place)
    return found


def _trees_on(kernel: Kernel) -> Member:
    features = FeatureTransformer(kernel)
    return Member(lambda fits, seed: make_pipeline(clone(features), _trees(fits, seed)))


def _in_places(kernel: Kernel, X: Records) -> bool:
    """Whether records are strings of one length, compared by a kernel for strings."""
    while not isinstance(kernel, StringKernel):
        inner = getattr(kernel, "kernel", None)
        if not isinstance(inner, Kernel):
            return False
        kernel = inner
    strings = isinstance(X, list | np.ndarray) and all(isinstance(each, str) for each in X)
    return strings and len({len(each) for each in X}) == 1


def _ranker(model: Any) -> Any:
    if isinstance(model, Lago):
        return clone(model).set_params(target=True)
    return RareRanker(model, target=True)


def _as_it_is(model: Any) -> Member:
    return Member(lambda fits, seed: clone(model))


def _number(fits: int) -> int:
    return max(_TREES // fits, _FEWEST_TREES)


def _trees(fits: int, seed: int) -> Any:
    return ExtraTreesClassifier(_number(fits), class_weight="balanced", random_state=seed)


def _class_trees(fits: int, seed: int) -> Any:
    """Trees that tell all classes apart: what one class is not is half of what it is."""
    return ExtraTreesClassifier(_number(fits), random_state=seed)


def _component_trees(fits: int, seed: int) -> Any:
    return make_pipeline(ColumnsAndComponents(), _trees(fits, seed))


def _svm(fits: int, seed: int) -> Any:
    return make_pipeline(NormalScores(), SVC(C=10.0))


def _boosting(fits: int, seed: int) -> Any:
    """Boosting whose leaves may hold two records: rare classes are small."""
    return HistGradientBoostingClassifier(
        min_samples_leaf=2, max_iter=40, max_leaf_nodes=8, max_features=0.3,
        class_weight="balanced", random_state=seed,
    )  # fmt: skip


def _catboost(fits: int, seed: int) -> Any:
    from rarefind.detection.auto.oblivious_trees import ObliviousTrees

    return ObliviousTrees(200, random_state=seed)
