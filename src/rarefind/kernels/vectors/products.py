"""Kernels that are functions of the inner product of two vectors."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import (
    cosine_similarity,
    linear_kernel,
    polynomial_kernel,
    sigmoid_kernel,
)
from sklearn.preprocessing import normalize

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import RarefindWarning
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer, Number
from rarefind.kernels.contract import Features
from rarefind.kernels.reference import dense
from rarefind.kernels.vectors.shared import VectorKernel, squared_norms


class Linear(VectorKernel):
    """The inner product ``<x, z>``.

    Examples
    --------
    >>> Linear()([[1.0, 2.0], [0.0, 1.0]])
    array([[5., 2.],
           [2., 1.]])
    """

    _fixed_columns = True

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        return linear_kernel(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return squared_norms(left)

    def _features(self, A: Records) -> Features:
        read: Features = self._read(A)
        return read


class Cosine(VectorKernel):
    """The cosine of the angle between two vectors; zero if one of them is zero.

    Examples
    --------
    >>> Cosine()([[2.0, 0.0], [3.0, 3.0]]).round(3)
    array([[1.   , 0.707],
           [0.707, 1.   ]])
    """

    _fixed_columns = True

    @property
    def gives_unit_length(self) -> bool:
        """Whether every record has length one, or zero if the kernel finds nothing in it."""
        return True

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        return cosine_similarity(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return (squared_norms(left) > 0).astype(np.float64)

    def _features(self, A: Records) -> Features:
        unit: Features = normalize(self._read(A))
        return unit


class Polynomial(VectorKernel):
    """``(scale <x, z> + offset) ** degree``: all products of up to ``degree`` coordinates.

    Parameters
    ----------
    degree
        How many coordinates are multiplied with each other; with zero all records are alike.
    offset
        How much products of fewer coordinates count; zero leaves them out.
    scale
        Factor of the inner product.

    Examples
    --------
    >>> Polynomial(degree=2)([[1.0, 2.0]], [[3.0, 0.5]])
    array([[25.]])
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "degree": [Integer(0)],
        "offset": [Number(0)],
        "scale": [Number(0, closed="neither")],
    }

    def __init__(self, degree: int = 2, *, offset: float = 1.0, scale: float = 1.0) -> None:
        self.degree = degree
        self.offset = offset
        self.scale = scale

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        if self.degree == 0:  # which scikit-learn refuses
            return np.ones((left.shape[0], right.shape[0]))
        return polynomial_kernel(
            left, right, degree=self.degree, gamma=self.scale, coef0=self.offset
        )

    def _diag(self, left: Any) -> FloatArray:
        return np.asarray((self.scale * squared_norms(left) + self.offset) ** self.degree)

    def _features(self, A: Records) -> Features:
        """Return every monomial once, times the root of how often it occurs in the product."""
        read = self._read(A)
        rows, width = read.shape
        columns = math.comb(width + self.degree - (self.offset == 0), self.degree)
        ensure_fits(
            8 * rows * columns,
            f"A matrix of {rows} x {columns} monomials",
            "Call the kernel itself for similarities.",
        )
        variables = dense(read) * math.sqrt(self.scale)
        if self.offset > 0:
            variables = np.column_stack([np.full(rows, math.sqrt(self.offset)), variables])
        choices = combinations_with_replacement(range(variables.shape[1]), self.degree)
        features = np.empty((rows, columns))
        for column, choice in enumerate(choices):
            repeats = math.prod(math.factorial(choice.count(one)) for one in set(choice))
            weight = math.sqrt(math.factorial(self.degree) / repeats)
            features[:, column] = weight * variables[:, list(choice)].prod(axis=1)
        return features


class Sigmoid(VectorKernel):
    """``tanh(scale <x, z> + offset)``, which is not an inner product in general.

    Learners that need one (support vector machines, kernel regression) may then find a wrong
    optimum, so a warning says so at the first use.

    Parameters
    ----------
    scale
        Factor of the inner product.
    offset
        Added to it.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     Sigmoid(scale=0.5)([[1.0]], [[2.0]]).round(3)
    array([[0.762]])
    """

    warned: ClassVar[bool] = False  # once in a process is enough
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "scale": [Number(0, closed="neither")],
        "offset": [Number()],
    }

    def __init__(self, *, scale: float = 1.0, offset: float = 0.0) -> None:
        self.scale = scale
        self.offset = offset

    def _read(self, A: Records) -> FloatArray | sparse.csr_array:
        if not Sigmoid.warned:
            Sigmoid.warned = True
            warnings.warn(
                "Sigmoid is not positive semidefinite in general: learners that rely on it may "
                "find a wrong optimum. Look at your records with check_mercer, or use Gaussian.",
                RarefindWarning,
                stacklevel=3,
            )
        read: FloatArray | sparse.csr_array = super()._read(A)
        return read

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        return sigmoid_kernel(left, right, gamma=self.scale, coef0=self.offset)

    def _diag(self, left: Any) -> FloatArray:
        return np.tanh(self.scale * squared_norms(left) + self.offset)
