"""What speaks for and against a record in any model on vectors: features made ordinary in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray


@dataclass(frozen=True)
class Occlusion:
    """A fitted model, and what an ordinary record looks like to it.

    A feature adds to a score what the score loses when the feature has its ordinary value instead,
    all others left as they are. What is below zero speaks against the record.
    """

    model: Any
    ordinary: FloatArray

    def parts(self, record: Any, names: Sequence[str], most: int) -> tuple[Mapping[str, Any], ...]:
        """Take the score of one record apart; the largest changes first."""
        values = np.asarray(record, dtype=np.float64).ravel()
        rows = np.repeat(values[None, :], len(values) + 1, axis=0)
        places = np.arange(len(values))
        rows[places + 1, places] = self.ordinary
        scores = np.asarray(self.model.decision_function(rows), dtype=np.float64)
        adds = scores[0] - scores[1:]
        order = np.argsort(-np.abs(adds), kind="stable")[:most]
        return tuple(
            {
                "feature": names[i] if i < len(names) else f"feature {i}",
                "value": float(values[i]),
                "adds": float(adds[i]),
            }
            for i in order
            if adds[i] != 0
        )
