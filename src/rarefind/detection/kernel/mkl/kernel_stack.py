"""Several kernels on the same records: names, scales and matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.memory_guard import ensure_fits
from rarefind.detection.kernel.learner import (
    KernelFunction,
    self_similarity,
    similarities,
    symmetric,
)
from rarefind.detection.kernel.median_width import median_distance
from rarefind.kernels.contract import Kernel
from rarefind.kernels.vectors import Gaussian, Linear


def named_kernels(kernels: Any) -> dict[str, Any]:
    """Give every kernel a name: the one in a mapping or pair, or how it is written."""
    if isinstance(kernels, Kernel):
        kernels = kernels.terms()
    if isinstance(kernels, Mapping):
        pairs = [(str(name), kernel) for name, kernel in kernels.items()]
    else:
        pairs = [
            (str(item[0]), item[1]) if isinstance(item, tuple) else (_written(item), item)
            for item in kernels
        ]
    if not pairs:
        raise ParameterError(
            "The 'kernels' parameter of SimpleMKL must hold at least one kernel. Got none."
        )
    for _, kernel in pairs:
        if not (callable(kernel) or (isinstance(kernel, str) and kernel != "precomputed")):
            raise ParameterError(
                "The 'kernels' parameter of SimpleMKL must hold kernels, names of kernels or "
                f"pairs (name, kernel). Got {kernel!r} among them."
            )
    named: dict[str, Any] = {}
    for name, kernel in pairs:
        number, unique = 2, name
        while unique in named:
            unique, number = f"{name} ({number})", number + 1
        named[unique] = kernel
    return named


def _written(kernel: Any) -> str:
    if isinstance(kernel, str):
        return kernel
    return repr(kernel) if isinstance(kernel, Kernel) else getattr(kernel, "__name__", repr(kernel))


def default_kernels(X: Records) -> list[Kernel]:
    """Make the kernels used when none are given: Gaussians around the median width, linear."""
    width = median_distance(X)
    return [*(Gaussian(width=width * factor) for factor in (0.25, 0.5, 1.0, 2.0, 4.0)), Linear()]


def training_stack(kernels: Sequence[KernelFunction], X: Records) -> FloatArray:
    """Compute the matrices of all kernels on the training records, one above the other."""
    n = count(X)
    check_size(len(kernels), n)
    stack = np.empty((len(kernels), n, n))
    for matrix, kernel in zip(stack, kernels, strict=True):
        matrix[:] = similarities(kernel, X)
    return stack


def check_size(kernels: int, n: int) -> None:
    """Refuse more than fits."""
    ensure_fits(
        8 * kernels * n * n,
        f"SimpleMKL with {kernels} matrices of {n} x {n} numbers",
        "Train on fewer records or with fewer kernels.",
    )


def read_stack(X: Any, n_columns: int | None = None) -> FloatArray:
    """Check a stack of matrices; with ``n_columns`` one for new records against the old ones."""
    try:
        stack = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        stack = np.empty(0)
    if stack.ndim != 3 or stack.shape[0] == 0:
        raise DataError(
            "SimpleMKL with kernels='precomputed' needs a stack of matrices of shape "
            f"(kernels, records, training records). Got {type(X).__name__} of shape "
            f"{np.shape(X) if isinstance(X, np.ndarray) else 'unknown'}."
        )
    if n_columns is None:
        check_size(stack.shape[0], stack.shape[1])
        for matrix in stack:
            symmetric(matrix, "SimpleMKL")
    elif stack.shape[2] != n_columns:
        raise DataError(
            f"SimpleMKL was trained on {n_columns} records, so every matrix needs that many "
            f"columns. Got a stack of shape {stack.shape}."
        )
    if not np.isfinite(stack).all():
        number = int(np.argwhere(~np.isfinite(stack))[0][0])
        raise DataError(f"Matrix {number} of the stack holds NaN or infinity; mend the kernel.")
    return stack


def scales(stack: FloatArray, normalize: str | None) -> FloatArray:
    """Divisor of each kernel; a kernel that is zero everywhere stays as it is."""
    traces = np.einsum("mii->m", stack)
    if normalize == "trace":
        divisors = traces
    elif normalize == "average":
        divisors = traces / stack.shape[1]
    else:
        divisors = np.ones(len(stack))
    return np.where(divisors > 0, divisors, 1.0)


def unit_diagonal(gram: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """Divide by the lengths of both records; a record of length zero is similar to none."""
    lengths = np.sqrt(np.maximum(left, 0.0))[:, None] * np.sqrt(np.maximum(right, 0.0))[None, :]
    return np.divide(gram, lengths, out=np.zeros_like(gram), where=lengths > 0)


def new_similarities(
    kernel: KernelFunction, X: Records, support: Records, scale: float, normalize: str | None
) -> FloatArray:
    """Similarities of new records with support records, normalised as in training."""
    gram = similarities(kernel, X, support)
    if normalize == "diagonal":
        return unit_diagonal(gram, self_similarity(kernel, X), self_similarity(kernel, support))
    return gram / scale
