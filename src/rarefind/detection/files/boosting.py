"""Gradient boosting on disk: its trees are tables of numbers, and so they are kept.

A loaded model judges to the bit like the saved one. Before compiled code walks through the trees,
every one is checked to stay inside itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor

from rarefind.core.errors import DataError, NotAvailableError

_NO_WORDS = np.zeros((0, 8), dtype=np.uint32)
"""The bit sets of categories that scikit-learn's trees expect: none, in its shape of eight
words."""


def boosting_parts(model: HistGradientBoostingClassifier, where: str) -> dict[str, Any]:
    """Take a fitted model apart into plain numbers."""
    if model.is_categorical_ is not None:
        raise NotAvailableError(
            f"{where} cannot be saved: boosting with categorical features is not plain numbers. "
            "Turn them into numbers first, or keep the training records and fit it again."
        )
    trees = [tree.nodes for step in model._predictors for tree in step]
    parts = {
        "classes": model.classes_,
        "features": int(model.n_features_in_),
        "trees_a_step": int(model.n_trees_per_iteration_),
        "start": np.asarray(model._baseline_prediction),
        "sizes": np.array([len(nodes) for nodes in trees], dtype=np.int64),
        "nodes": np.concatenate(trees) if trees else np.zeros(0, dtype=PREDICTOR_RECORD_DTYPE),
    }
    if hasattr(model, "feature_names_in_"):
        parts["names"] = model.feature_names_in_
    return parts


def restore_boosting(params: dict[str, Any], parts: dict[str, Any]) -> Any:
    """Put a model together again, if all its numbers fit."""
    features, step = parts["features"], parts["trees_a_step"]
    trees = _trees(parts)
    model = HistGradientBoostingClassifier(**params)
    model.classes_ = parts["classes"]
    model.n_features_in_ = model._n_features = features
    model.n_trees_per_iteration_, model._baseline_prediction = step, parts["start"]
    if parts.get("names") is not None:
        model.feature_names_in_ = parts["names"]
    predictors = [TreePredictor(tree.copy(), _NO_WORDS, _NO_WORDS) for tree in trees]
    model._predictors = [predictors[at : at + step] for at in range(0, len(predictors), step)]
    model.is_categorical_ = model._preprocessor = model._is_categorical_remapped = None
    model._bin_mapper = _BinMapper()
    model._bin_mapper.is_categorical_ = np.zeros(features, dtype=np.uint8)
    model._bin_mapper.bin_thresholds_ = [np.zeros(0)] * features
    model._loss = model._get_loss(sample_weight=None)
    model.do_early_stopping_, model._use_validation_data, model._scorer = False, False, None
    model.train_score_ = model.validation_score_ = np.zeros(0)
    return model


def _trees(parts: dict[str, Any]) -> list[NDArray[Any]]:
    """Cut the nodes into trees; refuse what does not fit together, for a file may say anything."""
    features, step, start = parts["features"], parts["trees_a_step"], parts["start"]
    classes, sizes, nodes = parts["classes"], parts["sizes"], parts["nodes"]
    if not (
        type(features) is int
        and 0 < features < 2**31
        and isinstance(classes, np.ndarray)
        and classes.ndim == 1
        and len(classes) >= 2
        and step == (1 if len(classes) == 2 else len(classes))
        and _is_array(start, np.float64, (1, step))
        and isinstance(sizes, np.ndarray)
        and sizes.ndim == 1
        and _is_array(sizes, np.int64, sizes.shape)
        and len(sizes) % step == 0
        and (len(sizes) == 0 or int(sizes.min()) > 0)
        and _is_array(nodes, PREDICTOR_RECORD_DTYPE, (int(sizes.sum()),))
    ):
        raise DataError("the numbers of its boosted trees do not fit together")
    trees = np.split(nodes, np.cumsum(sizes)[:-1]) if len(sizes) else []
    for tree in trees:
        _check_tree(tree, features)
    return trees


def _is_array(value: Any, dtype: Any, shape: tuple[int, ...]) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == dtype and value.shape == shape


def _check_tree(nodes: NDArray[Any], features: int) -> None:
    """Refuse a tree in which a path leaves the tree or runs in a circle."""
    number = np.arange(len(nodes))
    inner = nodes["is_leaf"] == 0
    left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
    inside = (left > number) & (right > number) & (left < len(nodes)) & (right < len(nodes))
    known = (nodes["feature_idx"] >= 0) & (nodes["feature_idx"] < features)
    if not (inside[inner].all() and known[inner].all() and not nodes["is_categorical"].any()):
        raise DataError("a boosted tree points outside itself")
