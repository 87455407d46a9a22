"""A short name for what values hold: the same for equal ones, in every process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

_OURS = "rarefind."
"""Of other packages' objects nobody knows whether their code is still the same."""


class NoFingerprintError(TypeError):
    """The value cannot be told from others like it in another process."""


def fingerprint(*values: Any) -> str:
    """Return the digest of plain values, arrays, collections of them, and objects of rarefind.

    Kernels and other estimators count by their parameters and by what they have learnt.

    >>> fingerprint({"b": 1, "a": [2.0]}) == fingerprint({"a": [2.0], "b": 1})
    True
    >>> fingerprint("12", "3") == fingerprint("1", "23")
    False
    """
    digest = blake2b(digest_size=20)
    for value in values:
        for piece in _pieces(value):
            digest.update(piece)
    return digest.hexdigest()


def _pieces(value: Any) -> list[Any]:
    """List the bytes that tell a value, each begun by its kind and length."""
    if value is None or isinstance(value, bool | int | float | np.generic):
        return _marked(type(value).__name__, repr(value).encode())
    if isinstance(value, str | bytes):
        return _marked(
            type(value).__name__,
            value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"),
        )
    if isinstance(value, np.ndarray) and value.dtype != object:
        return [f"{value.dtype.str}{value.shape};".encode(), np.ascontiguousarray(value).data]
    if sparse.issparse(value):
        rows = sparse.csr_array(value)
        return _several("sparse", [rows.shape, rows.indptr, rows.indices, rows.data])
    if isinstance(value, list | tuple | np.ndarray):
        return _several("list", value)
    if isinstance(value, set | frozenset):
        return _several("set", sorted(fingerprint(part) for part in value))
    if isinstance(value, Mapping):
        return _several("map", sorted(fingerprint(*item) for item in value.items()))
    return _object(value)


def _object(value: Any) -> list[Any]:
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if name.startswith(_OURS) and is_dataclass(value):
        return _several(name, [getattr(value, part.name) for part in fields(value)])
    if name.startswith(_OURS) and isinstance(value, BaseEstimator):
        learnt = {key: each for key, each in vars(value).items() if key.endswith("_")}
        return _several(name, [value.get_params(deep=False), learnt])
    raise NoFingerprintError(f"{name} has no fingerprint.")


def _marked(kind: str, content: bytes) -> list[Any]:
    return [f"{kind}{len(content)};".encode(), content]


def _several(kind: str, parts: Any) -> list[Any]:
    pieces = [_pieces(part) for part in parts]
    return [f"{kind}{len(pieces)};".encode(), *(piece for part in pieces for piece in part)]
