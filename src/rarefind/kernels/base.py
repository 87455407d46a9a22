"""The object every kernel is: a few parameters, callable on two lists of records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from scipy import sparse
from sklearn.base import BaseEstimator

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import NotAvailableError
from rarefind.core.params import Constraint, check_params


class Kernel(BaseEstimator):
    """A similarity that is an inner product in some feature space.

    A kernel holds its parameters and nothing else, so scikit-learn can copy it, search over its
    parameters, and call it: ``SVC(kernel=k)``. Subclasses say how records are read (``_read``),
    and what the similarities of two lists of read records are (``_gram``) and of each record with
    itself (``_diag``).
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {}

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Similarities of all records in ``A`` with all in ``B`` (with each other if None)."""
        check_params(self, self._params)
        left = self._read(A)
        return self._gram(left, None if B is None or B is A else self._read(B))

    def diag(self, A: Records) -> FloatArray:
        """Similarity of each record with itself, without the rest of the Gram matrix."""
        check_params(self, self._params)
        return self._diag(self._read(A))

    def features(self, A: Records) -> FloatArray | sparse.csr_array:
        """Explicit features whose inner products are the kernel, where such a list is finite."""
        raise NotAvailableError(
            f"{type(self).__name__} has no finite list of features. "
            "Call the kernel itself for similarities."
        )

    @abstractmethod
    def _read(self, A: Records) -> Any:
        """Check the records and bring them into the form the other methods work on."""

    @abstractmethod
    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        """Similarities of read records; ``right`` is None for a symmetric matrix."""

    @abstractmethod
    def _diag(self, left: Any) -> FloatArray:
        """Similarity of each read record with itself."""
