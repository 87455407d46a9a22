"""From whatever the user has to the space a hunt takes place in."""

from __future__ import annotations

from typing import Any

import numpy as np

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


def check_own_features(features: Any, kernel: Any, scale: str) -> None:
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
