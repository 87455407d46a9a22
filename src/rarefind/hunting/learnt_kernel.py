"""A kernel that has seen all records and stays as it is."""

from __future__ import annotations

from typing import Any

from rarefind.core.arrays import FloatArray, Records
from rarefind.kernels.contract import Kernel


class Learnt(Kernel):
    """What a kernel learnt from all records (weights of words, say) serves every model.

    Models copy their kernels before they fit them; this one hands out itself, so that a model
    fitted to a few labelled records compares them by what all records taught.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Similarities of all records in ``A`` with all in ``B``."""
        return self.kernel(A, B)

    def diag(self, A: Records) -> FloatArray:
        """Similarity of each record with itself."""
        return self.kernel.diag(A)

    def features(self, A: Records) -> Any:
        """Features of the kernel, where it has some."""
        return self.kernel.features(A)

    def terms(self) -> list[Kernel]:
        """Return what is added up in the kernel, each having seen all records."""
        return [Learnt(term) for term in self.kernel.terms()]

    def for_distances(self) -> Learnt:
        """Return the kernel by which distances are measured."""
        return Learnt(self.kernel.for_distances())

    def fit(self, records: Records, y: Any = None) -> Learnt:
        """Stay as it is."""
        return self

    def _read(self, A: Records) -> Any:
        return A

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return self.kernel(left, right)

    def _diag(self, left: Any) -> FloatArray:
        return self.kernel.diag(left)

    def __sklearn_clone__(self) -> Learnt:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True
