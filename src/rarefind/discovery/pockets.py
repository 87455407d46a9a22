"""Pockets: knots of records that are denser than the records just around them, at every scale.

Where the density is smooth, the logarithm of the distance to the k-th neighbour scatters by
``1 / (d √k)`` in d dimensions. A knot of k records whose k-th distance falls short of that of its
surroundings by several such deviations is no accident: something sits there. Larger knots are
found the same way among a random half, quarter, eighth, ... of the records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import report
from rarefind.geometry import Engine

SIZES = (6, 9, 13, 18)
"""Knot sizes tried at each thinning, about a factor √2 apart; halving continues the ladder.
Fewer than seven records cannot be told from chance."""

RING = 2
"""A knot of k records is compared with its neighbours number k+1 to 2k: those just outside."""

NEIGHBOURS = RING * SIZES[-1]
"""How many neighbours of each record the search for pockets looks at."""

_LEAST_SIGNIFICANCE = 2.0
"""Knots below two deviations are chance; leaving them out keeps memory small."""

_LARGEST_SHARE = 0.1
"""A knot of more than a tenth of all records is not a rare class."""

_FEWEST = 150
"""Thinning stops here: among fewer records, 36 neighbours are no longer near."""


@dataclass(frozen=True)
class Pockets:
    """Centre, radius, number of records and significance (in deviations) of every knot found."""

    point: IntArray
    radius: FloatArray
    size: IntArray
    significance: FloatArray


def find_pockets(engine: Engine, near: tuple[FloatArray, IntArray], order: IntArray) -> Pockets:
    """Find the knots at every scale.

    Parameters
    ----------
    engine
        Knows the records.
    near
        Distances and numbers of the nearest neighbours of every record.
    order
        A random order of all records; the first half of it is the first thinning, and so on.
    """
    levels = [_knots(np.arange(engine.n), 1, *near, engine.n)]
    thinning = 2
    while engine.n // thinning >= _FEWEST and SIZES[0] * thinning <= _LARGEST_SHARE * engine.n:
        report("looking for pockets", 1 - 1 / thinning, 1)
        rows = np.sort(order[: engine.n // thinning])
        distances, numbers = engine.subset(rows).nearest(NEIGHBOURS)
        levels.append(_knots(rows, thinning, distances, numbers, engine.n))
        thinning *= 2
    parts = [knots for level in levels for knots in level]
    if not parts:
        nothing = np.empty(0)
        return Pockets(np.empty(0, dtype=np.int64), nothing, np.empty(0, dtype=np.int64), nothing)
    point, radius, size, significance = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return Pockets(point, radius, size, significance)


def intrinsic_dimension(distances: FloatArray) -> float:
    """Estimate in how many directions records spread, from neighbour distances (Levina, Bickel)."""
    if distances.shape[1] < 3:
        return 1.0
    spread = np.log(distances[:, -1:] / distances[:, :-1]).mean(axis=1)
    spread = spread[spread > 0]
    return float(1.0 / np.median(spread)) if len(spread) else 1.0


def _knots(
    rows: IntArray, thinning: int, distances: FloatArray, numbers: IntArray, n: int
) -> list[tuple[IntArray, FloatArray, IntArray, FloatArray]]:
    width = distances.shape[1]
    positive = distances[:, min(2, width - 1)]
    positive = positive[positive > 0]
    if not len(positive):
        return []
    # Distances below the smallest per cent are rounding, not density; a floor keeps their
    # logarithm honest.
    distances = np.maximum(distances, np.quantile(positive, 0.01))
    dimension = intrinsic_dimension(distances[:, :20])
    found = []
    for k in SIZES:
        if RING * k > width or k * thinning > max(_LARGEST_SHARE * n, SIZES[0]):
            break
        radius = distances[:, k - 1]
        around = np.median(radius[numbers[:, k : RING * k]], axis=1)
        significance = dimension * np.sqrt(k) * np.log(around / radius)
        kept = np.flatnonzero(significance >= _LEAST_SIGNIFICANCE)
        sizes = np.full(len(kept), k * thinning)
        found.append((rows[kept], radius[kept], sizes, significance[kept]))
    return found
