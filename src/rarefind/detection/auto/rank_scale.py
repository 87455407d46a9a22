"""One scale for scores that have nothing in common but their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray

_KNOTS = 400
"""Points the map is kept by: with so many, straight lines between them hardly differ from it."""
_STEEPEST = 10.0
"""Beyond its knots the map rises at most so many times its own height over all scores seen."""
_SAME = 1e-9
"""Scores that differ by less than this part of the greatest differ by rounding alone."""


@dataclass(frozen=True)
class RankScale:
    """Maps a model's scores to how rare such a high score is: ``-log(share that scores higher)``.

    The map is learnt from scores of held-out records, runs straight between its knots, and goes
    on with the last slopes beyond them, so that it never ties records that the model orders.
    """

    scores: FloatArray
    levels: FloatArray
    slopes: tuple[float, float]

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Map scores; higher stays higher."""
        levels = np.interp(scores, self.scores, self.levels)
        below = np.minimum(scores - self.scores[0], 0.0) * self.slopes[0]
        above = np.maximum(scores - self.scores[-1], 0.0) * self.slopes[1]
        return levels + below + above


def rank_scale(scores: FloatArray, seen: FloatArray | None = None) -> RankScale:
    """Learn the map from held-out scores of others.

    ``seen`` has the scores of all labelled records, examples too (None: there are no more). Others
    that score nearly alike would make the map so steep beyond them that one member outweighs all.
    """
    values, counts = np.unique(scores, return_counts=True)
    at_least = np.cumsum(counts[::-1])[::-1]
    levels = -np.log((at_least - 0.5 * counts + 0.5) / (len(scores) + 1.0))
    if len(values) > _KNOTS:
        # Knots at equal steps of level keep the top, where a few records matter, in full.
        wanted = np.linspace(levels[0], levels[-1], _KNOTS)
        kept = np.unique(np.searchsorted(levels, wanted).clip(max=len(levels) - 1))
        values, levels = values[kept], levels[kept]
    if len(values) == 1:
        return RankScale(values, levels, (1.0, 1.0))
    overall = (levels[-1] - levels[0]) / (values[-1] - values[0])
    near = max(0, len(values) - 1 - max(1, len(values) // 10))
    top = (levels[-1] - levels[near]) / (values[-1] - values[near])
    every = scores if seen is None else seen
    apart = max(np.ptp(every), _SAME * np.abs(every).max())
    steepest = _STEEPEST * (levels[-1] - levels[0]) / apart
    return RankScale(values, levels, (float(min(overall, steepest)), float(min(top, steepest))))
