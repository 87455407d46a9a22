"""The spaces of one draw, made once for all who play on it."""

from __future__ import annotations

import numpy as np

from rarefind.evaluation.simulation import remembering
from rarefind.geometry import BlockEngine, Precomputed, Space
from rarefind_bench.datasets.labelled_set import LabelledSet

_KNOWN_POINTS = 3000
"""Up to this many points all distances are computed once and kept."""


class Spaces:
    """The spaces of one draw by scale, made once and remembering what they were asked."""

    def __init__(self, drawn: LabelledSet) -> None:
        self._drawn = drawn
        self._made: dict[str, Space] = {}

    def scaled(self, scale: str) -> Space:
        """Return the space with features scaled like this."""
        # Where a kernel or the table decides, all scales are the same.
        key = scale if self._drawn.kernel is None and self._drawn.scale == "auto" else "own"
        if key not in self._made:
            self._made[key] = remembering(known_distances(self._drawn.space(scale)))
        return self._made[key]


def known_distances(space: Space) -> Space:
    """Return the same space with all distances computed beforehand, if they are not too many.

    Many strategies ask for the same distances again, and a kernel takes its time to answer.
    """
    engine = space.engine
    if not isinstance(engine, BlockEngine) or engine.n > _KNOWN_POINTS:
        return space
    distances = engine.measure(engine.records)
    np.fill_diagonal(distances, 0.0)
    points = np.arange(engine.n)
    given = Precomputed(np.minimum(distances, distances.T))
    return Space(
        space.folded, BlockEngine(given, points, engine.weights), space.vectors, space.names
    )
