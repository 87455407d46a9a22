"""From models to plain values: words and numbers for JSON, arrays beside them.

Anything but a JSON scalar or list is written as a mapping with the key ``"$"`` that says what it
is, so nothing a user stores can be taken for something else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree._tree import Tree

from rarefind.core.errors import NotAvailableError
from rarefind.detection.files.boosting import boosting_parts
from rarefind.detection.files.class_names import name_of

DEPTH = 60
"""Objects may hold objects this deep; a model is far from that."""

_LEFT_OUT = frozenset({"_loss_function_", "loss_function_", "_tree", "_fit_X_tree"})
"""Helpers of scikit-learn's that it makes again when it needs them."""


class ModelEncoder:
    """Turn a model into plain values, collecting its arrays."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []
        self._names: dict[type, str] = {}

    def encode(self, value: Any, where: str, depth: int = 0) -> Any:
        """Encode one value; ``where`` is named if it cannot be."""
        if depth > DEPTH:
            raise NotAvailableError(f"{where} cannot be saved: it holds itself or is too deep.")
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"$": "float", "value": repr(value)}
        if isinstance(value, np.generic):
            return {"$": "scalar", "array": self._array(np.asarray(value), where)}
        if isinstance(value, np.ndarray):
            return self._encode_array(value, where, depth)
        if sparse.issparse(value):
            return self._encode_sparse(value, where)
        if type(value) in (list, tuple, set, frozenset):
            return self._encode_items(value, where, depth)
        if isinstance(value, dict):
            pairs = [
                [self.encode(part, f"{where}[{key!r}]", depth + 1) for part in (key, item)]
                for key, item in value.items()
            ]
            return {"$": "mapping", "items": pairs}
        if isinstance(value, np.dtype) or (
            isinstance(value, type) and issubclass(value, np.generic)
        ):
            kind = "type" if isinstance(value, type) else "dtype"
            return {"$": "dtype", "of": kind, "name": np.dtype(value).str}
        if isinstance(value, slice):
            parts = [value.start, value.stop, value.step]
            return {"$": "slice", "items": [self.encode(part, where, depth + 1) for part in parts]}
        if isinstance(value, Tree):
            return self._encode_tree(value, where, depth)
        return self._encode_object(value, where, depth)

    def _array(self, array: NDArray[Any], where: str) -> int:
        if array.dtype.hasobject:
            raise NotAvailableError(f"{where} cannot be saved: it is an array of objects.")
        # A part of a larger array keeps the order of its axes, so that products with it round the
        # same way after loading.
        whole = array.flags.c_contiguous or array.flags.f_contiguous
        self.arrays.append(array if whole else array.copy(order="K"))
        return len(self.arrays) - 1

    def _encode_array(self, value: NDArray[Any], where: str, depth: int) -> Any:
        if value.dtype != object:
            return {"$": "array", "array": self._array(np.asarray(value), where)}
        items = [self.encode(item, where, depth + 1) for item in value.ravel()]
        return {"$": "objects", "shape": list(value.shape), "items": items}

    def _encode_sparse(self, value: Any, where: str) -> Any:
        rows = value.tocsr()
        parts = {
            name: self._array(getattr(rows, name), where) for name in ("data", "indices", "indptr")
        }
        kind = "matrix" if isinstance(value, sparse.spmatrix) else "array"
        return {"$": "sparse", "kind": kind, "shape": list(rows.shape), **parts}

    def _encode_items(self, value: Any, where: str, depth: int) -> Any:
        ordered = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
        items = [self.encode(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(ordered)]
        return items if type(value) is list else {"$": type(value).__name__, "items": items}

    def _encode_tree(self, tree: Tree, where: str, depth: int) -> Any:
        state = tree.__getstate__()
        return {
            "$": "tree",
            "n_features": int(tree.n_features),
            "n_outputs": int(tree.n_outputs),
            "max_depth": int(state["max_depth"]),
            "n_classes": self._array(np.asarray(tree.n_classes), where),
            "nodes": self._array(state["nodes"], where),
            "values": self._array(state["values"], where),
        }

    def _encode_object(self, value: Any, where: str, depth: int) -> Any:
        if isinstance(value, type) or not hasattr(value, "__dict__"):
            raise NotAvailableError(
                f"{where} cannot be saved: it is a {type(value).__name__}. Only numbers, words, "
                "lists of them, kernels and models can."
            )
        name = self._name(type(value))
        if type(value) is KNeighborsClassifier and hasattr(value, "_fit_X"):
            return self._encode_neighbours(value, name, where, depth)
        if type(value) is HistGradientBoostingClassifier and hasattr(value, "_predictors"):
            return {
                "$": "boosting",
                "class": name,
                "params": self._encode_members(value.get_params(deep=False), where, depth),
                "parts": self._encode_members(boosting_parts(value, where), where, depth),
            }
        settings = value.get_params(deep=False) if isinstance(value, BaseEstimator) else {}
        state = {
            key: item
            for key, item in vars(value).items()
            if key not in settings and key not in _LEFT_OUT
        }
        return {
            "$": "object",
            "class": name,
            "params": self._encode_members(settings, where, depth),
            "state": self._encode_members(state, where, depth),
        }

    def _name(self, cls: type) -> str:
        """Look a name up once: a forest holds hundreds of trees."""
        if cls not in self._names:
            self._names[cls] = name_of(cls)
        return self._names[cls]

    def _encode_neighbours(self, value: Any, name: str, where: str, depth: int) -> Any:
        """Encode by the training records: the search tree is built again from them."""
        labels = value.classes_[value._y]
        return {
            "$": "neighbours",
            "class": name,
            "params": self._encode_members(value.get_params(deep=False), where, depth),
            "records": self.encode(value._fit_X, where, depth + 1),
            "labels": self.encode(np.asarray(labels), where, depth + 1),
        }

    def _encode_members(self, members: dict[str, Any], where: str, depth: int) -> Any:
        return {
            key: self.encode(item, f"{where}.{key}", depth + 1) for key, item in members.items()
        }
