"""The object every kernel is: a few parameters, callable on two lists of records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import DataError, NotAvailableError, StateError
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Is, check_params
from rarefind.kernels.operators import Operators

Features: TypeAlias = FloatArray | sparse.csr_array

MOST_STEPS = 1000
"""Letters of a piece, or steps through a graph: no kernel is asked for more in earnest, and a
formula that a stranger sends would keep a processor for hours."""


class Kernel(Operators, BaseEstimator):
    """A similarity that is an inner product in some feature space.

    A kernel holds its parameters, so scikit-learn can copy it, search over them, and call it:
    ``SVC(kernel=k)``. Subclasses say how records are read (``_read``), and what the similarities
    of two lists of read records are (``_gram``) and of each record with itself (``_diag``); they
    may list explicit features (``_features``).

    A kernel that learns something from records, such as word weights, sets ``_learns`` and
    does so in ``_learn``, in attributes that end in ``_``. One that has not been fitted learns
    from the second list of a call, the records compared with (from the first if it is alone), so
    that a support vector machine gets the same kernel when it is trained and when it predicts.
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {}
    _learns: ClassVar[bool] = False
    """Whether similarities depend on something that is learnt."""

    _learns_columns: ClassVar[bool] = False
    """Whether ``fit`` fixes the columns of ``features``, and similarities do not depend on it."""

    _fixed_columns: ClassVar[bool] = False
    """Whether the columns of ``features`` mean the same in every call, without ``fit`` as well."""

    _adds_distances: ClassVar[bool] = False
    """Whether squared distances are sums of those of the kernels inside."""

    def __call__(self, A: Records, B: Records | None = None) -> FloatArray:
        """Similarities of all records in ``A`` with all in ``B`` (with each other if None)."""
        self._check()
        kernel = self._learnt_from(A if B is None else B)
        # What overflows is found and said below, in words.
        with np.errstate(over="ignore", invalid="ignore"):
            left = kernel._read(A)
            right = None if B is None or B is A else kernel._read(B)
            self._ensure_gram_fits(A, A if B is None else B)
            gram = kernel._gram(left, right)
        return self._finite(gram)

    def diag(self, A: Records) -> FloatArray:
        """Similarity of each record with itself, without the rest of the Gram matrix."""
        self._check()
        kernel = self._learnt_from(A)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(kernel._diag(kernel._read(A)))

    def features(self, A: Records) -> Features:
        """Explicit features whose inner products are the kernel, where such a list is finite.

        Columns may be those that the records learnt from have. What other records have beyond
        them is then left out, which changes nothing in products with the records learnt from.
        """
        self._check()
        return self._learnt_from(A)._features(A)

    def pair(self, x: Any, z: Any) -> float:
        """Similarity of two single records, for learners that ask for one pair at a time."""
        if self._unlearnt():
            raise StateError(
                f"{type(self).__name__} learns from records, and two single ones are too few. "
                "Call fit(records) before pair(x, z)."
            )
        return float(self([x], [z])[0, 0])

    def fit(self, A: Records, y: Any = None) -> Self:
        """Learn from the records what the kernel needs to know of them (most need nothing)."""
        self._check()
        if self._learning():
            # In a copy first, so that records it cannot learn from leave the kernel as it was.
            ready = copy(self)
            ready._absorb(A, lambda part, records: clone(part).fit(records))
            self.__dict__.update(ready.__dict__)
        return self

    @property
    def is_ready(self) -> bool:
        """Whether similarities depend on no records that are still to be learnt from."""
        return not self._unlearnt()

    @property
    def gives_unit_length(self) -> bool:
        """Whether every record has length one, or zero if the kernel finds nothing in it."""
        return False

    def for_distances(self) -> Kernel:
        """Return the kernel by which distances are measured: itself, as a rule.

        Records of length zero among others of length one, such as texts without words, would lie
        nearer to every other than records that have nothing in common. They get a place apart.
        """
        if self.gives_unit_length:
            from rarefind.kernels.algebra.nothing_found import NothingFound

            return NothingFound(self)
        if not self._adds_distances:
            return self
        placed = copy(self)
        parts = {name: self._part(name).for_distances() for name in self._inner()}
        placed.__dict__.update(parts, **({"parts_": parts} if hasattr(self, "parts_") else {}))
        return placed

    def terms(self) -> list[Kernel]:
        """Kernels that add up to this one, as multiple kernel learning wants them."""
        return [self]

    @abstractmethod
    def _read(self, A: Records) -> Any:
        """Check the records and bring them into the form the other methods work on."""

    @abstractmethod
    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        """Similarities of read records; ``right`` is None for a symmetric matrix."""

    @abstractmethod
    def _diag(self, left: Any) -> FloatArray:
        """Similarity of each read record with itself."""

    def _features(self, A: Records) -> Features:
        """Explicit features of records, once parameters are checked and all is learnt."""
        raise NotAvailableError(
            f"{type(self).__name__} has no finite list of features. "
            "Call the kernel itself for similarities."
        )

    def _learn(self, A: Records) -> None:
        """Store what is learnt from the records; the kernels inside have already learnt."""

    def _refuse_none(self, A: Records) -> None:
        """Raise DataError if there are no records to learn from, for kernels that need some."""
        if count(A) == 0:
            raise DataError(f"{type(self).__name__} cannot learn from an empty list of records.")

    # ---- kernels inside this one -----------------------------------------------------------

    def _inner(self) -> dict[str, Kernel]:
        """Kernels given as parameters, by name."""
        return {
            name: value
            for name, value in vars(self).items()
            if isinstance(value, Kernel) and not name.endswith("_")
        }

    def _part(self, name: str) -> Kernel:
        """Return the kernel given as that parameter, in its fitted form if there is one."""
        parts: dict[str, Kernel] = getattr(self, "parts_", {})
        part: Kernel = parts[name] if name in parts else getattr(self, name)
        return part

    def _for_parts(self, A: Records) -> Records:
        """Return what the kernels inside are given of the records."""
        return A

    @property
    def takes_vectors(self) -> bool:
        """Whether the records are rows of numbers, not strings, sets or graphs."""
        inner = self._inner()
        return bool(inner) and all(part.takes_vectors for part in inner.values())

    def _columns_are_fixed(self) -> bool:
        """Whether features of separate calls can be compared: here, and in all kernels inside."""
        to_learn = self._learns or self._learns_columns
        own = (self._fixed_columns or self._learns_columns) and (self._has_learnt() or not to_learn)
        return own and all(self._part(name)._columns_are_fixed() for name in self._inner())

    def _check(self) -> None:
        check_params(self, self._params)
        for part in self._inner().values():
            part._check()

    def _learning(self) -> bool:
        own = self._learns or self._learns_columns
        return own or any(part._learning() for part in self._inner().values())

    def _has_learnt(self) -> bool:
        return any(name.endswith("_") for name in vars(self))

    def _unlearnt(self) -> bool:
        """Whether something is still to be learnt, here or in a kernel inside."""
        if self._learns:
            return not self._has_learnt()
        if hasattr(self, "parts_"):
            return False
        return any(part._unlearnt() for part in self._inner().values())

    def _learnt_from(self, reference: Records) -> Kernel:
        """Return the kernel itself, or a copy that has learnt from these records what it lacks."""
        if not self._unlearnt():
            return self
        ready = copy(self)
        ready._absorb(reference, lambda part, records: part._learnt_from(records))
        return ready

    def _absorb(self, A: Records, prepare: Callable[[Kernel, Records], Kernel]) -> None:
        count(A)  # refuses what is no list of records, such as a stream that could be read once
        inner = self._inner()
        if inner and (self._learns or any(part._learning() for part in inner.values())):
            records = self._for_parts(A)
            self.parts_ = {name: prepare(part, records) for name, part in inner.items()}
        self._learn(A)

    def _ensure_gram_fits(self, A: Records, B: Records) -> None:
        rows, columns = count(A), count(B)
        ensure_fits(
            8 * rows * columns,
            f"A matrix of {rows} x {columns} similarities",
            "Use features(), a Nystroem kernel, or fewer records at a time.",
        )

    def _finite(self, values: FloatArray) -> FloatArray:
        # A finite sum needs finite numbers; only if it is not is every number looked at.
        with np.errstate(over="ignore", invalid="ignore"):
            suspect = not np.isfinite(values.sum())
        if suspect and not np.isfinite(values).all():
            raise DataError(
                f"{type(self).__name__} gives similarities too large for floating-point numbers "
                "on these records. Scale the records down, or choose smaller parameters."
            )
        return values


A_KERNEL = Is("a kernel (an object of rarefind.kernels)", lambda value: isinstance(value, Kernel))
"""What a parameter that takes a kernel must be."""
