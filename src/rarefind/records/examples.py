"""Data to try things on: real pictures with rare classes, and the paper's synthetic set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray


@dataclass(frozen=True)
class Example:
    """Records with the labels a person would give, and what is ordinary among them."""

    title: str
    X: FloatArray
    labels: tuple[str, ...]
    background: tuple[str, ...]
    picture: tuple[int, int] | None = None

    def sizes(self) -> dict[str, int]:
        """Count the records of every class that is not ordinary, smallest first."""
        counts: dict[str, int] = {}
        for label in self.labels:
            if label not in self.background:
                counts[label] = counts.get(label, 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: pair[1]))


def rare_digits(seed: int = 0) -> Example:
    """Handwritten digits: five kinds are ordinary, of five others only 6 to 14 pictures are left.

    The pictures are the test part of UCI's optical recognition data, as scikit-learn ships them.
    """
    from sklearn.datasets import load_digits

    X, digits = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    kept = {5: 6, 6: 8, 7: 10, 8: 12, 9: 14}
    rows = np.concatenate(
        [rng.permutation(np.flatnonzero(digits == digit))[: kept.get(digit)] for digit in range(10)]
    )
    rows = rng.permutation(rows)
    labels = tuple(str(digit) for digit in digits[rows])
    return Example("handwritten digits", X[rows], labels, tuple("01234"), (8, 8))


def buried_disc(seed: int = 0) -> Example:
    """Set 1 of He and Carbonell (2008): 10 records in a small disc inside 1000 Gaussian ones."""
    rng = np.random.default_rng(seed)
    angle, radius = rng.uniform(0, 2 * np.pi, 10), 0.1 * np.sqrt(rng.uniform(size=10))
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    X = np.vstack([rng.normal(size=(1000, 2)), disc])
    order = rng.permutation(len(X))
    labels = tuple("rare" if row >= 1000 else "ordinary" for row in order)
    return Example("a disc of 10 inside 1000", X[order], labels, ("ordinary",))
