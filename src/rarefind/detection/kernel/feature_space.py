"""Coordinates for records known only by a kernel.

With landmarks ``L`` and ``K_LL = U S U'``, the rows of ``K_xL U S^(-1/2)`` are vectors whose inner
products are the kernel: exactly, when all training records are landmarks, and as Nyström's
approximation otherwise. Any linear method in these coordinates is the kernel method.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import RarefindWarning
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Integer, OneOf
from rarefind.geometry.measures import row_blocks

LANDMARKS = (Integer(1), OneOf("auto", "all"))
"""What ``n_landmarks`` may be."""

EXACT_ROWS = 2000
"""Up to this many records 'auto' makes every record a landmark."""

AUTO_LANDMARKS = 500
"""Above that 'auto' draws this many, beside at most as many of the rarer classes."""


@dataclass(frozen=True)
class FeatureSpace:
    """``features = similarities with the landmarks @ matrix``."""

    matrix: FloatArray

    def features(self, similarities: FloatArray) -> FloatArray:
        """Coordinates of records from their similarities with the landmarks."""
        out = np.empty((similarities.shape[0], self.matrix.shape[1]))
        for part in row_blocks(similarities.shape[0], similarities.shape[1]):
            np.dot(similarities[part], self.matrix, out=out[part])
        return out


def feature_space(gram: FloatArray) -> FeatureSpace:
    """Make the coordinates from the similarities of the landmarks with each other."""
    values, vectors = linalg.eigh((gram + gram.T) / 2)
    largest = max(float(values[-1]), 0.0)
    if values[0] < -1e-8 * max(1.0, largest):
        warnings.warn(
            f"The kernel is not positive semidefinite: its smallest eigenvalue is {values[0]:.3g} "
            f"(the largest {values[-1]:.3g}). The negative part is left out.",
            RarefindWarning,
            stacklevel=4,
        )
    kept = values > 1e-12 * largest
    return FeatureSpace(vectors[:, kept] / np.sqrt(values[kept]))


def choose_landmarks(
    numbers: IntArray, n_landmarks: Any, random: np.random.Generator, owner: str
) -> IntArray:
    """Choose landmarks: every record of the rarer classes, then a draw from the others.

    The rarest classes come first and may fill half the landmarks (for "auto": 500), the last of
    them in part; "auto" draws 500 of the others.
    """
    n = len(numbers)
    everything = n_landmarks == "all" or (n_landmarks == "auto" and n <= EXACT_ROWS)
    room = AUTO_LANDMARKS if n_landmarks == "auto" else 0 if everything else n_landmarks // 2
    rare = np.zeros(n, dtype=np.bool_)
    sizes = np.bincount(numbers)
    for number in np.argsort(sizes, kind="stable")[:-1]:
        left = max(room - int(rare.sum()), 0)
        members = np.flatnonzero(numbers == number)
        if len(members) > left:
            rare[random.choice(members, size=left, replace=False)] = True
            break
        rare[members] = True
    if everything:
        wanted = n
    else:
        auto = int(rare.sum()) + AUTO_LANDMARKS
        wanted = min(auto if n_landmarks == "auto" else int(n_landmarks), n)
    ensure_fits(8 * n * wanted, f"The coordinates of {owner}", "Set n_landmarks to fewer.")
    if wanted == n:
        return np.arange(n)
    others = np.flatnonzero(~rare)
    drawn = random.choice(others, size=wanted - int(rare.sum()), replace=False)
    rare[drawn] = True
    return np.flatnonzero(rare)
