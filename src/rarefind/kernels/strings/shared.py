"""What all string kernels share: reading, guarding memory, and features that line up."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, RarefindWarning, StateError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import check_params
from rarefind.kernels.contract import Kernel
from rarefind.kernels.strings.letters import Strings, joined, read_strings
from rarefind.kernels.strings.pieces.words import Layout
from rarefind.kernels.strings.products import inner_products, squared_lengths


class StringKernel(Kernel):
    """A kernel on strings over any alphabet.

    Records are a list, array or column of strings, or of lists of words.
    """

    def _read(self, A: Records) -> Strings:
        return read_strings(A, type(self).__name__)

    def _gram(self, left: Strings, right: Strings | None) -> FloatArray:
        n, m = len(left), len(left) if right is None else len(right)
        ensure_fits(
            8 * n * m,
            f"A {n} x {m} matrix of similarities",
            f"Call {type(self).__name__} on blocks of the records, or use its features(A) "
            "where it has them.",
        )
        both = self._prepare(left, right)
        if self._is_zero_on(both):
            return np.zeros((n, m))
        return self._finite(self._products(both, n, None if right is None else m))

    def _diag(self, left: Strings) -> FloatArray:
        strings = self._prepare(left, None)
        if self._is_zero_on(strings):
            return np.zeros(len(strings))
        return self._finite(self._squares(strings))

    def _prepare(self, left: Strings, right: Strings | None) -> Strings:
        """Bring the strings of both lists over one alphabet, one list after the other."""
        return joined(left, right)

    @abstractmethod
    def _products(self, both: Strings, n: int, m: int | None) -> FloatArray:
        """Similarities of the first ``n`` strings with the ``m`` after them, or each other."""

    @abstractmethod
    def _squares(self, strings: Strings) -> FloatArray:
        """Similarity of every string with itself."""

    def _reach(self) -> int:
        """Least length of a string whose similarity with itself is not zero."""
        return 0

    def _is_zero_on(self, strings: Strings) -> bool:
        if len(strings) == 0 or strings.longest >= self._reach():
            return False
        warnings.warn(
            f"{self!r} looks for {self._reach()} letters, and the longest string has "
            f"{strings.longest}: all similarities are zero. Use a smaller length.",
            RarefindWarning,
            stacklevel=4,
        )
        return True

    def _finite(self, values: FloatArray) -> FloatArray:
        if not np.isfinite(values).all():
            row = int(np.argwhere(~np.isfinite(values))[0][0])
            raise DataError(
                f"{type(self).__name__} counts more common subsequences than a floating point "
                f"number can hold, first in row {row}. {self._when_too_many()}"
            )
        return values

    def _when_too_many(self) -> str:
        return "Use a smaller length or decay, or shorter strings."


class FeatureKernel(StringKernel):
    """A string kernel with an explicit list of features.

    ``fit`` learns which features get a column. A fitted kernel gives any records those columns:
    ``k.features(B) @ k.features(A).T`` equals ``k(B, A)`` for the records ``A`` it was fitted on
    and any others. Without ``fit`` the columns are those of the records at hand.
    """

    _learns_columns: ClassVar[bool] = True

    def fit(self, A: Records, y: object = None) -> Self:
        """Learn the alphabet and the columns of ``features``; similarities stay as they are."""
        check_params(self, self._params)
        strings = self._prepare(self._read(A), None)
        layout = Layout(strings.letters)
        self._expand_within_memory(strings, layout, learn=True)
        self.alphabet_ = layout.letters
        self._layout = layout
        self._fitted_as = self._column_params()
        return self

    def features(self, A: Records) -> FloatArray | sparse.csr_array:
        """Features of every record, one column for each that ``fit`` (or this call) has seen."""
        check_params(self, self._params)
        strings = self._prepare(self._read(A), None)
        layout: Layout | None = getattr(self, "_layout", None)
        if layout is None:
            return self._expand_within_memory(strings, Layout(strings.letters), learn=True)
        if self._fitted_as != self._column_params():
            raise StateError(
                f"The parameters of {type(self).__name__} have changed since it was fitted, and "
                "its columns with them. Call fit(records) again."
            )
        return self._expand_within_memory(strings.over(layout.letters), layout, learn=False)

    def _products(self, both: Strings, n: int, m: int | None) -> FloatArray:
        features = self._expand_within_memory(both, Layout(both.letters), learn=True)
        left, right = (features, None) if m is None else (features[:n], features[n:])
        if sparse.issparse(features):
            return inner_products(left, right)
        return np.asarray(left @ (left if right is None else right).T)

    def _squares(self, strings: Strings) -> FloatArray:
        features = self._expand_within_memory(strings, Layout(strings.letters), learn=True)
        if sparse.issparse(features):
            return squared_lengths(features)
        return np.einsum("ij,ij->i", features, features)

    def _column_params(self) -> str:
        """All parameters that say what a column means, in writing."""
        params = self.get_params(deep=False)
        params.pop("route", None)
        return str(params)

    def _expand_within_memory(self, strings: Strings, layout: Layout, learn: bool) -> Any:
        ensure_fits(
            self._feature_bytes(strings),
            f"The features of {len(strings)} strings under {self!r}",
            "Take fewer strings at once, a smaller length, or call the kernel itself.",
        )
        return self._expand(strings, layout, learn)

    @abstractmethod
    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> Any:
        """Features of strings over the layout's letters; ``learn`` fills its vocabularies."""

    @abstractmethod
    def _feature_bytes(self, strings: Strings) -> int:
        """Memory that the features take while they are made."""
