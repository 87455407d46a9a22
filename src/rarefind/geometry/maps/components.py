"""The map of a kernel: the two components of largest spread in its feature space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from rarefind.core.arrays import FloatArray, Records, count, take
from rarefind.core.progress import announce
from rarefind.geometry.maps.linear import signed

if TYPE_CHECKING:
    from rarefind.kernels.contract import Kernel

_LANDMARKS = 300
"""Records that span the components of a kernel: two are wanted, and 300 make a Gram matrix of
90,000."""


def kernel_components(records: Records, kernel: Kernel) -> tuple[FloatArray, str]:
    """Place records along the components that a sample of them spans, and say how much shows."""
    n = count(records)
    drawn = np.sort(np.random.default_rng(0).permutation(n)[:_LANDMARKS])
    sample = take(records, drawn)
    gram = kernel(sample)
    means = gram.mean(axis=0)
    centred = gram - means - means[:, None] + means.mean()
    first = max(0, len(centred) - 2)
    values, directions = linalg.eigh(centred, subset_by_index=[first, len(centred) - 1])
    values, directions = values[::-1], signed(directions[:, ::-1])
    weights = directions / np.sqrt(np.maximum(values, 1e-12 * max(values[0], 1e-300)))
    points = np.zeros((n, 2))
    block = max(1, 4_000_000 // len(drawn))
    for start in range(0, n, block):
        rows = take(records, slice(start, start + block))
        similar = kernel(rows, sample)
        similar = similar - means - similar.mean(axis=1, keepdims=True) + means.mean()
        points[start : start + block, : weights.shape[1]] = similar @ weights
        announce("drawing the map", min(start + block, n), n)
    share = float(values.sum() / max(np.trace(centred), 1e-300))
    return points, (
        f"Kernel principal components from {len(drawn)} records: the plane shows {share:.0%} of "
        "their spread."
    )
