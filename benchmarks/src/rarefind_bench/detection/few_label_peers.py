"""Single models, and other people's where they are installed, for every kind of record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from rarefind.core.arrays import Records
from rarefind.detection import make

Makers = dict[str, Callable[[], Any]]

_TREES = 300
"""Trees of a forest: three times scikit-learn's own choice, so that peers have what they need."""

_BITS = 2048
"""Bits of a folded fingerprint, as is usual."""


def peers_for(group: str) -> Makers:
    """List the models that ``auto`` is compared with on records of a kind."""
    if group == "tables":
        return _of_vectors()
    return {
        f"{views}, {name}": partial(_on, view, model)
        for views, view in _VIEWS[group].items()
        for name, model in _linear_and_trees().items()
    }


def _on(view: Callable[[], Any] | None, model: Callable[[], Any]) -> Any:
    return make_pipeline(*([] if view is None else [view()]), model())


def _linear_and_trees() -> Makers:
    return {
        "ExtraTrees": partial(
            ExtraTreesClassifier, _TREES, class_weight="balanced", random_state=0
        ),
        "RandomForest": partial(
            RandomForestClassifier, _TREES, class_weight="balanced", random_state=0
        ),
        "logistic": partial(LogisticRegression, C=10.0, class_weight="balanced", max_iter=1000),
        "linear SVM": partial(LinearSVC, class_weight="balanced"),
    }


def _of_vectors() -> Makers:
    found = {name: _linear_and_trees()[name] for name in ("ExtraTrees", "RandomForest")}
    found |= {
        name: partial(make, name, target=True) for name in ("svm", "logistic", "lago-density")
    }
    if find_spec("catboost"):
        from catboost import CatBoostClassifier

        quiet = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 0}
        found["CatBoost"] = partial(CatBoostClassifier, iterations=500, **quiet)
    if find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        found["LightGBM"] = partial(
            LGBMClassifier, min_child_samples=3, n_jobs=1, random_state=0, verbose=-1
        )
    if find_spec("xgboost"):
        from xgboost import XGBClassifier

        found["XGBoost"] = partial(XGBClassifier, n_jobs=1, random_state=0)
    return found


def _pieces() -> Any:
    return CountVectorizer(analyzer="char", ngram_range=(1, 3), lowercase=False)


def _words() -> Any:
    return TfidfVectorizer(sublinear_tf=True)


def _node_labels() -> Any:
    """Count the labels of nodes, and of pairs of neighbours."""
    return make_pipeline(FunctionTransformer(_labels_of_graphs), DictVectorizer(sparse=False))


def _labels_of_graphs(graphs: Records) -> list[dict[str, int]]:
    found = []
    for graph in graphs:
        counts: dict[str, int] = {}
        names = graph["nodes"]
        joined = [sorted((str(names[one]), str(names[other]))) for one, other in graph["edges"]]
        for name in [str(name) for name in names] + ["-".join(pair) for pair in joined]:
            counts[name] = counts.get(name, 0) + 1
        found.append(counts)
    return found


def _morgan() -> Any:
    return FunctionTransformer(_bits)


def _bits(molecules: Records) -> Any:
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdFingerprintGenerator

    generator = rdFingerprintGenerator.GetMorganGenerator(2, fpSize=_BITS)
    with rdBase.BlockLogs():
        read = [Chem.MolFromSmiles(each) or Chem.MolFromSmiles("") for each in molecules]
    return np.array([generator.GetFingerprintAsNumPy(each) for each in read], dtype=np.float64)


_VIEWS: dict[str, dict[str, Callable[[], Any]]] = {
    "strings": {"k-mers": _pieces},
    "texts": {"TF-IDF": _words},
    "graphs": {"labels": _node_labels},
    "molecules": {"Morgan": _morgan} if find_spec("rdkit") else {"k-mers": _pieces},
}
"""What peers see of records that are no vectors."""
