"""How much a word weighs beside numbers: ways to say it by the shares of the words of a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.features.encoders import ONE_APART, Words
from rarefind.features.table import TableFeatures

OURS = "one apart"
"""What :class:`rarefind.features.TableFeatures` does."""

WEIGHTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    OURS: lambda shares: np.full(len(shares), ONE_APART),
    "0 and 1": lambda shares: np.ones(len(shares)),
    "column like a number": lambda shares: np.full(len(shares), 1 / _deviation(shares)),
    "each to deviation 1": lambda shares: 1 / np.sqrt(np.maximum(shares * (1 - shares), 1e-12)),
    "1/√share": lambda shares: ONE_APART / np.sqrt(shares * len(shares)),
    "√(-log share)": lambda shares: ONE_APART * np.sqrt(-np.log2(shares)),
}
"""From the shares of the words of a column to what each of them weighs.

The fifth spreads a column over its records as ours does, evenly over its words; the last is ours
for a word that half the records have.
"""


def vectors_by_weights(columns: Mapping[str, Any]) -> dict[str, FloatArray]:
    """Turn a table into vectors that differ in what words weigh, and in nothing else."""
    words = [name for name, values in columns.items() if values.dtype == object]
    features = TableFeatures(kinds=dict.fromkeys(words, "category")).fit(columns)
    ours = features.transform(columns)
    found = {}
    for name, weights in WEIGHTS.items():
        vectors = ours.copy()
        place = 0
        for part in features.parts_:
            end = place + len(part.encoder.names)
            if isinstance(part.encoder, Words):
                marked = ours[:, place:end] > 0
                vectors[:, place:end] = marked * weights(marked.mean(axis=0))
            place = end
        found[name] = vectors
    return found


def _deviation(shares: FloatArray) -> float:
    """Return the deviation of a column of words, all its numbers together; 1 if it has none."""
    return float(np.sqrt((shares * (1 - shares)).sum())) or 1.0
