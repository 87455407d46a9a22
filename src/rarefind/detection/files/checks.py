"""Models whose numbers are read by compiled code are checked before they are used.

A forest or a support vector machine with indices that point outside its arrays would read foreign
memory, so a file that holds such numbers is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.ensemble._forest import BaseForest
from sklearn.svm import SVC
from sklearn.tree._tree import Tree

from rarefind.core.errors import DataError
from rarefind.detection.auto.quick_trees import QuickTrees


def check_model(model: Any) -> None:
    """Refuse numbers that do not fit together, for models that would not notice themselves."""
    if isinstance(model, SVC) and hasattr(model, "support_"):
        _check_machine(model)
    if hasattr(model, "tree_"):
        _same(model.tree_.n_features, model.n_features_in_)
    if isinstance(model, BaseForest) and hasattr(model, "estimators_"):
        for tree in model.estimators_:
            _same(tree.n_features_in_, model.n_features_in_)
            _same(tree.tree_.n_outputs, model.n_outputs_)
            _same(int(tree.tree_.n_classes[0]), model.n_classes_)
    if isinstance(model, QuickTrees) and hasattr(model, "trees_"):
        classes = len(model.classes_)
        for tree in model.trees_:
            _same(tree.n_features_in_, model.n_features_in_)
            _same(tree.tree_.n_outputs, 1 if classes == 2 else classes)
            _same(int(tree.tree_.max_n_classes), 1)


def _same(found: Any, expected: Any) -> None:
    if found != expected:
        raise DataError("the numbers of a decision tree do not fit together")


def _check_machine(model: Any) -> None:
    try:
        classes, support = len(model.classes_), len(model.support_)
        pairs = classes * (classes - 1) // 2
        vectors = model.support_vectors_.shape[0]
        fits = (
            model._n_support.shape == (classes,)
            and int(model._n_support.min()) >= 0
            and int(model._n_support.sum()) == support
            and model._dual_coef_.shape == model.dual_coef_.shape == (classes - 1, support)
            and model._intercept_.shape == (pairs,)
            and len(model._probA) == len(model._probB)
            and len(model._probA) in (0, pairs)
            and _complete(model._dual_coef_)
            and _complete(model.dual_coef_)
            and vectors in ((0, support) if _on_similarities(model) else (support,))
            and len(model.shape_fit_) in (1, 2)
            and (support == 0 or model.support_.min() >= 0)
            and (support == 0 or model.support_.max() < int(model.shape_fit_[0]))
            and (vectors == 0 or model.support_vectors_.shape[1] == _columns(model))
        )
    except (AttributeError, TypeError, ValueError, IndexError):
        fits = False
    if not fits:
        raise DataError("the numbers of its support vector machine do not fit together")


def _complete(matrix: Any) -> bool:
    """Whether a sparse matrix stores all its entries, as libsvm expects."""
    return not sparse.issparse(matrix) or matrix.nnz == matrix.shape[0] * matrix.shape[1]


def _on_similarities(model: Any) -> bool:
    """Whether the machine was given similarities, so that it need not keep the records."""
    return not isinstance(model.kernel, str) or model.kernel == "precomputed"


def _columns(model: Any) -> int:
    """How wide support vectors are: as the records, or as is for similarities."""
    given = _on_similarities(model)
    return int(model.support_vectors_.shape[1]) if given else int(model.n_features_in_)


def restore_tree(
    n_features: Any,
    n_classes: NDArray[Any],
    n_outputs: Any,
    max_depth: Any,
    nodes: NDArray[Any],
    values: NDArray[Any],
) -> Tree:
    """Make a decision tree, if every path through it stays inside."""
    expected = Tree(1, np.array([1], dtype=np.intp), 1).__getstate__()["nodes"].dtype
    sizes = (n_features, n_outputs, max_depth)
    if not (
        all(type(size) is int and 0 <= size < 2**31 for size in sizes)
        and nodes.ndim == 1
        and len(nodes) > 0
        and nodes.dtype == expected
        and n_classes.dtype == np.intp
        and n_classes.shape == (n_outputs,)
        and int(n_classes.min()) > 0
        and values.dtype == np.float64
        and values.shape == (len(nodes), n_outputs, int(n_classes.max()))
    ):
        raise DataError("the numbers of a decision tree do not fit together")
    number = np.arange(len(nodes))
    left, right = nodes["left_child"], nodes["right_child"]
    leaf = left == -1
    inner = ~leaf
    # Children come after their parent, so that no path runs in a circle.
    ordered = (left > number) & (right > number) & (left < len(nodes)) & (right < len(nodes))
    known = (nodes["feature"] >= 0) & (nodes["feature"] < n_features)
    if not (ordered[inner].all() and known[inner].all() and (right[leaf] == -1).all()):
        raise DataError("a decision tree points outside itself")
    tree = Tree(n_features, n_classes, n_outputs)
    tree.__setstate__(
        {"max_depth": max_depth, "node_count": len(nodes), "nodes": nodes, "values": values}
    )
    return tree
