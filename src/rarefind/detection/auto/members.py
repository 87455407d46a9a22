"""The models whose rankings are averaged, and how each is made.

They err in different ways, which is what an average lives on: trees cut the columns, trees with
principal components cut askew as well, boosting corrects itself, the support vector machine sees
smooth distances, and logistic regression one direction. None is chosen by comparing: with few
examples no comparison finds the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from rarefind.core.arrays import Records
from rarefind.detection.auto.member import Member, as_it_is, number_of_trees, trees
from rarefind.detection.auto.members_on_kernels import members_on_kernel
from rarefind.detection.auto.quick_trees import QuickTrees
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make
from rarefind.detection.ranker import RareRanker
from rarefind.features.normal_scores import ColumnsAndComponents, NormalScores
from rarefind.kernels import Kernel

_ENOUGH_TO_BOOST = 5
"""Examples that boosting takes: its leaves of two hardly ever hold one of fewer apart from others,
and it was measured to rank worse by itself than any other member."""


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
        return {name: as_it_is(_ranker(model)) for name, model in candidates.items()}
    if candidates is not None:
        return {name: as_it_is(make(name, target=True, scale=scale)) for name in candidates}
    if kernel is not None:
        return members_on_kernel(kernel, X)
    found = {"trees": Member(trees)}
    if n_classes > 2:
        found["class trees"] = Member(_class_trees, every_class=True)
    if sparse.issparse(X):
        return {
            **found,
            "logistic": as_it_is(make("logistic", target=True, C=10.0)),
            "svm": as_it_is(make("svm", target=True)),
        }
    found |= {
        "boosting": Member(_boosting, fewest=_ENOUGH_TO_BOOST),
        "component trees": Member(_component_trees),
        "svm": Member(_svm),
        "logistic": Member(_logistic),
    }
    if find_spec("catboost"):
        found["catboost"] = Member(_catboost, weight=2.0)
    return found


def _ranker(model: Any) -> Any:
    if isinstance(model, Lago):
        return clone(model).set_params(target=True)
    return RareRanker(model, target=True)


def _class_trees(fits: int, seed: int) -> Any:
    """Trees that tell all classes apart: what one class is not is half of what it is."""
    return QuickTrees(number_of_trees(fits), random_state=seed)


def _component_trees(fits: int, seed: int) -> Any:
    return make_pipeline(ColumnsAndComponents(), trees(fits, seed))


def _svm(fits: int, seed: int) -> Any:
    return make_pipeline(NormalScores(), SVC(C=10.0))


def _logistic(fits: int, seed: int) -> Any:
    linear = LogisticRegression(C=1.0, class_weight="balanced", max_iter=500)
    return make_pipeline(NormalScores(), linear)


def _boosting(fits: int, seed: int) -> Any:
    """Boosting whose leaves may hold two records: rare classes are small."""
    return HistGradientBoostingClassifier(
        min_samples_leaf=2, max_iter=40, max_leaf_nodes=8, max_features=0.3,
        class_weight="balanced", random_state=seed,
    )  # fmt: skip


def _catboost(fits: int, seed: int) -> Any:
    from rarefind.detection.auto.oblivious_trees import ObliviousTrees

    return ObliviousTrees(200, random_state=seed)
