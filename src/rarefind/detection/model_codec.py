"""Models as plain values: words and numbers for JSON, arrays beside them.

Anything but a JSON scalar or list is written as a mapping with the key ``"$"`` that says what it
is, so nothing a user stores can be taken for something else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree._tree import Tree

from rarefind.core.errors import DataError, NotAvailableError
from rarefind.detection.model_boosting import boosting_parts, restore_boosting
from rarefind.detection.model_checks import check_model, restore_tree
from rarefind.detection.model_classes import class_of, name_of

_DEPTH = 60
"""Objects may hold objects this deep; a model is far from that."""

_LEFT_OUT = frozenset({"_loss_function_", "loss_function_", "_tree", "_fit_X_tree"})
"""Helpers of scikit-learn's that it makes again when it needs them."""


class Encoder:
    """Turn a model into plain values, collecting its arrays."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []

    def encode(self, value: Any, where: str, depth: int = 0) -> Any:
        """Encode one value; ``where`` is named if it cannot be."""
        if depth > _DEPTH:
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
        name = name_of(type(value))
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


class Decoder:
    """Make a model from plain values and arrays, refusing anything unexpected."""

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        self.arrays = arrays

    def decode(self, value: Any, depth: int = 0) -> Any:
        """Decode one value."""
        if depth > _DEPTH:
            raise DataError("its objects are nested too deep")
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, list):
            return [self.decode(item, depth + 1) for item in value]
        kind = value.get("$")
        method = getattr(self, f"_decode_{kind}", None) if isinstance(kind, str) else None
        if method is None:
            raise DataError(f"it holds a value of unknown kind {str(kind)[:40]!r}")
        return method(value, depth)

    def _decode_float(self, value: Any, depth: int) -> float:
        if value["value"] not in ("nan", "inf", "-inf"):
            raise DataError("it holds a number that cannot be read")
        return float(value["value"])

    def _decode_dtype(self, value: Any, depth: int) -> Any:
        found = np.dtype(value["name"])
        return found.type if value["of"] == "type" else found

    def _decode_scalar(self, value: Any, depth: int) -> Any:
        array = self._take(value["array"])
        if array.shape != ():
            raise DataError("it holds an array where a single number belongs")
        return array[()]

    def _decode_array(self, value: Any, depth: int) -> Any:
        return self._take(value["array"])

    def _decode_objects(self, value: Any, depth: int) -> Any:
        shape = _shape(value["shape"])
        items = self._items(value, depth)
        if math.prod(shape) != len(items):
            raise DataError("the shape of an array does not fit its items")
        found = np.empty(len(items), dtype=object)
        found[:] = items
        return found.reshape(shape)

    def _decode_sparse(self, value: Any, depth: int) -> Any:
        make = sparse.csr_matrix if value["kind"] == "matrix" else sparse.csr_array
        parts = tuple(self._take(value[name]) for name in ("data", "indices", "indptr"))
        try:
            found = make(parts, shape=_shape(value["shape"]))
            found.check_format(full_check=True)
        except (ValueError, TypeError, IndexError) as problem:
            raise DataError(f"it holds a sparse matrix that is not one ({problem})") from None
        return found

    def _decode_tuple(self, value: Any, depth: int) -> Any:
        return tuple(self._items(value, depth))

    def _decode_set(self, value: Any, depth: int) -> Any:
        return set(self._items(value, depth))

    def _decode_frozenset(self, value: Any, depth: int) -> Any:
        return frozenset(self._items(value, depth))

    def _decode_mapping(self, value: Any, depth: int) -> Any:
        return {
            self.decode(key, depth + 1): self.decode(item, depth + 1)
            for key, item in value["items"]
        }

    def _decode_slice(self, value: Any, depth: int) -> Any:
        return slice(*self._items(value, depth))

    def _decode_tree(self, value: Any, depth: int) -> Any:
        return restore_tree(
            value["n_features"],
            self._take(value["n_classes"]),
            value["n_outputs"],
            value["max_depth"],
            self._take(value["nodes"]),
            self._take(value["values"]),
        )

    def _decode_neighbours(self, value: Any, depth: int) -> Any:
        found = KNeighborsClassifier(**self._members(KNeighborsClassifier, value["params"], depth))
        return found.fit(self.decode(value["records"], depth), self.decode(value["labels"], depth))

    def _decode_boosting(self, value: Any, depth: int) -> Any:
        cls = HistGradientBoostingClassifier
        parts = {key: self.decode(item, depth + 1) for key, item in value["parts"].items()}
        return restore_boosting(self._members(cls, value["params"], depth), parts)

    def _decode_object(self, value: Any, depth: int) -> Any:
        cls = class_of(value["class"])
        params = self._members(cls, value["params"], depth)
        state = self._members(cls, value["state"], depth)
        if issubclass(cls, BaseEstimator):
            made: Any = cls(**params)
        else:
            made = object.__new__(cls)
            state = {**params, **state}
        vars(made).update(state)
        check_model(made)
        return made

    def _members(self, cls: type, members: Any, depth: int) -> dict[str, Any]:
        for key in members:
            inherited = getattr(cls, key, None) if key.isidentifier() else None
            if not key.isidentifier() or key.startswith("__") or _is_behaviour(inherited):
                raise DataError(f"{cls.__name__} has no attribute {key[:60]!r} to be set")
        return {key: self.decode(item, depth + 1) for key, item in members.items()}

    def _items(self, value: Any, depth: int) -> list[Any]:
        return [self.decode(item, depth + 1) for item in value["items"]]

    def _take(self, number: Any) -> NDArray[Any]:
        if type(number) is not int or not 0 <= number < len(self.arrays):
            raise DataError("it refers to an array that is not there")
        return self.arrays[number]


def _shape(values: Any) -> tuple[int, ...]:
    shape = tuple(values)
    if not all(type(size) is int and size >= 0 for size in shape):
        raise DataError("it holds an array with an impossible shape")
    return shape


def _is_behaviour(attribute: Any) -> bool:
    """Whether a class attribute is code, which a file must not replace."""
    return callable(attribute) or isinstance(attribute, property)
