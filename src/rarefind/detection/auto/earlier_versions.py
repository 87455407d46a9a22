"""What model files of earlier versions hold for ``auto``: models chosen by a comparison.

Nothing here is fitted any more. The classes stay so that the files can be read and judge records
as they did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rarefind.core.arrays import FloatArray, Records
from rarefind.detection.auto.rank_scale import RankScale
from rarefind.detection.targets import RanksTargets
from rarefind.features.vectors import read_vectors
from rarefind.kernels import Kernel
from rarefind.kernels.vectors import VectorKernel


@dataclass(frozen=True)
class Score:
    """What a candidate achieved: mean average precision over folds, its spread, seconds."""

    target: str
    model: str
    average_precision: float
    spread: float
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Choice:
    """The models used for one class, and why."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    models: tuple[Any, ...]
    scales: tuple[RankScale, ...]
    offset: float
    scores: list[Score]
    why: str

    def decide(self, X: Records) -> FloatArray:
        """Score records by the mean of the models used."""
        if not self.scales:
            alone: FloatArray = self.models[0].decision_function(X)
            return alone
        levels = [
            scale(np.asarray(model.decision_function(X), dtype=np.float64))
            for model, scale in zip(self.models, self.scales, strict=True)
        ]
        return np.average(levels, axis=0, weights=self.weights) - self.offset


class FormerAutoDetector(RanksTargets, BaseEstimator):
    """An ``AutoDetector`` out of an earlier file; to learn from new labels, fit an AutoDetector."""

    def __init__(
        self,
        candidates: Sequence[str] | Mapping[str, Any] | None = None,
        *,
        kernel: Kernel | None = None,
        target: Any = None,
        time_limit: float = 120.0,
        min_positives: int = 5,
        random_state: int | None = 0,
    ) -> None:
        self.candidates = candidates
        self.kernel = kernel
        self.target = target
        self.time_limit = time_limit
        self.min_positives = min_positives
        self.random_state = random_state

    def decision_function(self, X: Records) -> FloatArray:
        """Score records as Lago does: higher is more like the target."""
        if self.kernel is None or isinstance(self.kernel, VectorKernel):
            X = read_vectors(self, X, reset=False, owner="AutoDetector", largest=None)
        scores = np.column_stack([choice.decide(X) for choice in self.choices_])
        return self._decisions(scores)
