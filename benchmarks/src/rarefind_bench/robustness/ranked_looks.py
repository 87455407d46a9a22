"""Looking at the records ranked first for every class told, instead of further questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rarefind.detection import Lago
from rarefind.geometry import Space
from rarefind_bench.datasets.labelled_set import LabelledSet

_LOOKED_AT = 5
"""So many records ranked first for each class are looked at."""


def look_at_rankings(
    space: Space, drawn: LabelledSet, said: Sequence[str], rows: Sequence[int], budget: int
) -> float | None:
    """Rank for every class told, look at the first records of each, and rank again.

    Returns how many labels there were when the last class was seen; None beyond the budget.
    """
    vectors = np.asarray(space.vectors)[space.folded.point_of]
    told = list(rows)
    truth = np.asarray(drawn.labels)
    unseen = set(drawn.priors) - {truth[row] for row in told if said[row] == truth[row]}
    while len(told) < budget:
        before = len(told)
        for name in sorted({said[row] for row in told} - {drawn.background}):
            wanted = np.array([said[row] == name for row in told])
            scores = Lago(target=True).fit(vectors[told], wanted).decision_function(vectors)
            scores[told] = -np.inf
            for row in np.argsort(-scores, kind="stable")[:_LOOKED_AT]:
                told.append(int(row))
                if said[row] == truth[row]:
                    unseen.discard(truth[row])
                if not unseen:
                    return float(len(told)) if len(told) <= budget else None
        if len(told) == before:
            break
    return None
