"""Which engine serves how many records and dimensions."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray, Records, count
from rarefind.geometry import thresholds
from rarefind.geometry.engines.blocks import BlockEngine
from rarefind.geometry.engines.contract import Engine
from rarefind.geometry.engines.tree import TreeEngine
from rarefind.geometry.kept_distances import KeptDistances, can_be_kept
from rarefind.geometry.measures import Euclidean, Measure


def choose_engine(vectors: FloatArray | sparse.csr_array, weights: IntArray) -> Engine:
    """Choose what answers fastest: a tree for few dimensions, blocks for many.

    Tables with categories have many columns but spread in few directions; there, too, a tree is
    faster.
    """
    if not sparse.issparse(vectors) and suits_tree(vectors):
        return TreeEngine(vectors, weights)
    if sparse.issparse(vectors):
        return slow_engine(Euclidean(), vectors, weights)
    return BlockEngine(Euclidean(), vectors, weights)


def slow_engine(measure: Measure, records: Records, weights: IntArray) -> Engine:
    """Serve records whose distances take their time: they are kept where they are few enough."""
    if not can_be_kept(records):
        return BlockEngine(measure, records, weights)
    return BlockEngine(KeptDistances(measure, records), np.arange(count(records)), weights)


def suits_tree(vectors: FloatArray) -> bool:
    """Tell whether a tree answers faster for these vectors than blocks of distances."""
    if vectors.shape[1] <= thresholds.ENGINE_TREE_DIMENSIONS:
        return True
    wide = vectors.shape[1] > thresholds.FLAT_COLUMNS or len(vectors) < thresholds.FLAT_ROWS
    return not wide and spread_dimension(vectors) <= thresholds.FLAT_DIMENSIONS


def spread_dimension(vectors: FloatArray) -> float:
    """Estimate in how many directions records spread around each other (Levina and Bickel).

    It looks at the 20 nearest of a few records, among at most 2000 drawn at random.

    >>> line = np.linspace(0.0, 1.0, 500)[:, None] * np.ones(30)
    >>> round(spread_dimension(line))
    1
    """
    drawn = np.random.default_rng(0).permutation(len(vectors))[:2000]
    near = np.sort(Euclidean()(vectors[drawn[:200]], vectors[drawn]), axis=1)[:, 1:21]
    near = near[near[:, 0] > 0]
    spread = np.log(near[:, -1:] / near[:, :-1]).mean(axis=1)
    spread = spread[spread > 0]
    return float(1.0 / np.median(spread)) if spread.size else 0.0
