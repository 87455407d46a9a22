"""From whatever the user has to the space a hunt takes place in."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import Records, count
from rarefind.core.errors import ParameterError
from rarefind.geometry import Precomputed, Space, distance_space, kernel_space, vector_space
from rarefind.kernels import GivenGram, make_kernel
from rarefind.kernels.contract import Kernel


def make_space(X: Records, kernel: str | Kernel | None, scale: str, features: Any = None) -> Space:
    """Make the space of vectors, of a table, of given distances or similarities, or of a kernel."""
    if isinstance(X, Space):
        return X
    if isinstance(X, Precomputed):
        return distance_space(X)
    if isinstance(kernel, str) and kernel == "precomputed":
        return kernel_space(np.arange(count(X))[:, None], GivenGram(X))
    if kernel is not None:
        return kernel_space(X, make_kernel(kernel))
    return vector_space(X, scale=scale, features=features)


def check_choices(X: Records, kernel: Any, scale: str, features: Any) -> None:
    """Refuse a scale or a transformer that would be left out."""
    _check_features(features, kernel, scale)
    _check_scale(scale, X, kernel)


def _check_scale(scale: str, X: Records, kernel: Any) -> None:
    """Refuse to scale what has no columns of numbers, rather than leave it as it is in silence."""
    if scale in ("auto", "none"):
        return
    given = {
        "a kernel compares records": kernel is not None,
        "given distances are taken": isinstance(X, Precomputed),
        "the rows of a sparse matrix are taken": sparse.issparse(X),
    }
    for what, so in given.items():
        if so:
            raise ParameterError(
                f"The 'scale' parameter of Hunt cannot be {scale!r} here: {what} as they are. "
                "Leave it out, and scale the numbers first if they need it."
            )


def _check_features(features: Any, kernel: Any, scale: str) -> None:
    """Refuse what is no transformer, and what a transformer makes pointless."""
    if features is None:
        return
    if not hasattr(features, "fit") or not hasattr(features, "transform"):
        raise ParameterError(
            "The 'features' parameter of Hunt must be a transformer with fit and transform, as "
            f"TableFeatures and those of scikit-learn. Got {type(features).__name__} instead."
        )
    if kernel is not None or scale != "auto":
        other = "kernel" if kernel is not None else "scale"
        raise ParameterError(
            f"The 'features' and '{other}' parameters of Hunt exclude each other: the transformer "
            "alone decides what is compared. Leave one of them out."
        )
