"""From plain values and arrays back to models, refusing anything unexpected."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils._param_validation import InvalidParameterError

from rarefind.core.errors import DataError, ParameterError
from rarefind.core.params import check_params
from rarefind.detection.files.boosting import restore_boosting
from rarefind.detection.files.checks import check_model, restore_tree
from rarefind.detection.files.encoding import DEPTH
from rarefind.kernels.formulas.reading import parse_kernel


class ModelDecoder:
    """Make a model; ``class_of`` finds the class of a name in a file, or refuses it."""

    def __init__(self, arrays: Sequence[NDArray[Any]], class_of: Callable[[Any], type]) -> None:
        self.arrays = arrays
        self._class_of = class_of
        self._classes: dict[str, type] = {}

    def decode(self, value: Any, depth: int = 0) -> Any:
        """Decode one value."""
        if depth > DEPTH:
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
        cls = self._class(value["class"])
        params = self._members(cls, value["params"], depth)
        state = self._members(cls, value["state"], depth)
        if issubclass(cls, BaseEstimator):
            made: Any = cls(**params)
            _check_range(made)
        else:
            made = object.__new__(cls)
            state = {**_later_fields(cls), **params, **state}
        vars(made).update(state)
        check_model(made)
        return made

    def _class(self, name: Any) -> type:
        """Look a class up once: a model may hold hundreds of the same."""
        known = str(name)
        if known not in self._classes:
            self._classes[known] = self._class_of(name)
        return self._classes[known]

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


def _check_range(made: Any) -> None:
    """Refuse parameters that fitting would have refused; nobody asks again before they are used."""
    ours: Mapping[str, Any] = getattr(made, "_params", {})
    try:
        check_params(made, ours)
        kernel = getattr(made, "kernel", None)
        if "kernel" in ours and isinstance(kernel, str) and kernel != "precomputed":
            parse_kernel(kernel, files=False)  # a stranger's file names no others to be read
        if not ours and hasattr(made, "_parameter_constraints"):  # as scikit-learn checks
            made._validate_params()
    except (ParameterError, InvalidParameterError) as problem:
        raise DataError(" ".join(str(problem).split()).rstrip(".")) from None


def _later_fields(cls: type) -> dict[str, Any]:
    """Give what a file written before a class had these fields does not say."""
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {
        field.name: field.default_factory()
        for field in fields
        if field.default_factory is not dataclasses.MISSING
    }


def _shape(values: Any) -> tuple[int, ...]:
    shape = tuple(values)
    if not all(type(size) is int and size >= 0 for size in shape):
        raise DataError("it holds an array with an impossible shape")
    return shape


def _is_behaviour(attribute: Any) -> bool:
    """Whether a class attribute is code, which a file must not replace."""
    return callable(attribute) or isinstance(attribute, property)
