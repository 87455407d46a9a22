"""Discovery curves over several seeds: the middle, and the band that holds most of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import ParameterError
from rarefind.core.params import Integer, Number, OneOf, check_param
from rarefind.core.random import generator

if TYPE_CHECKING:
    from rarefind.evaluation.simulation import Simulation

_RESAMPLES = 2000
"""The ends of a 95 % band then rest on fifty means each; more would only cost time."""


@dataclass(frozen=True)
class Band:
    """Rare classes seen after 0, 1, 2, ... labels: mean over seeds, and a band around it.

    Attributes
    ----------
    mean
        The mean over the seeds.
    low, high
        The band that holds the given share of the seeds' curves, or the mean at that confidence.
    """

    mean: FloatArray
    low: FloatArray
    high: FloatArray


def discovery_band(
    played: Simulation,
    *,
    share: float = 0.8,
    labels: int | None = None,
    of: Literal["seeds", "mean"] = "seeds",
) -> Band:
    """Return the mean discovery curve of a simulation and a band around it.

    Parameters
    ----------
    played
        What a strategy needed.
    share
        Share of the seeds inside the band; the confidence, for a band of the mean.
    labels
        How long the curves are; None for as many labels as any seed asked for.
    of
        ``"seeds"`` for the band that holds so many of the curves: what one hunt may meet.
        ``"mean"`` for the confidence band of their mean, by resampling seeds: how sure the mean is.

    Examples
    --------
    >>> from rarefind.evaluation import simulate
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> played = simulate(X, ["even"] * 4 + ["odd"], "farthest-first", seeds=[0, 1])
    >>> discovery_band(played).mean.tolist()
    [0.0, 0.0, 1.0]
    """
    check_param("discovery_band", "share", share, Number(0.0, 1.0))
    check_param("discovery_band", "of", of, OneOf("seeds", "mean"))
    if labels is not None:
        check_param("discovery_band", "labels", labels, Integer(1))
    length = max(played.asked) if labels is None else labels
    curves = np.zeros((len(played.seen), length + 1))
    for curve, first in zip(curves, played.seen, strict=True):
        for name in played.rare:
            curve[first.get(name, length + 1) :] += 1
    tail = (1.0 - share) / 2.0
    around = curves if of == "seeds" else _resampled_means(curves)
    low, high = np.quantile(around, [tail, 1.0 - tail], axis=0)
    return Band(curves.mean(axis=0), low, high)


def _resampled_means(curves: FloatArray) -> FloatArray:
    seeds = len(curves)
    rng = generator(0, "discovery_band")
    counts = rng.multinomial(seeds, np.full(seeds, 1.0 / seeds), size=_RESAMPLES)
    return np.asarray(counts @ curves / seeds)


def labels_to_classes(
    played: Sequence[Simulation], *, middle: float = 0.5
) -> Mapping[str, tuple[float, ...]]:
    """Tell, for every strategy, the labels until the 1st, 2nd, ... rare class was seen.

    The median over seeds by default, another quantile by ``middle``; infinite where that many
    seeds did not see so many classes within their budget.

    >>> from rarefind.evaluation import simulate
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> labels_to_classes([simulate(X, ["even"] * 4 + ["odd"], "farthest-first", seeds=[0])])
    {'farthest-first': (2.0,)}
    """
    check_param("labels_to_classes", "middle", middle, Number(0.0, 1.0))
    names = [simulation.strategy for simulation in played]
    if len(set(names)) < len(names):
        raise ParameterError(
            "labels_to_classes takes one simulation for each strategy. "
            f"Got {', '.join(names)}: join the seeds of one strategy in one simulation."
        )
    table = {}
    for simulation in played:
        needed = np.array(
            [
                sorted(float(first.get(name, np.inf)) for name in simulation.rare)
                for first in simulation.seen
            ]
        )
        # Interpolating between a number and infinity has no meaning: the next seed up counts.
        quantiles = np.quantile(needed, middle, axis=0, method="higher")
        halves = np.quantile(needed, middle, axis=0, method="lower")
        table[simulation.strategy] = tuple(((quantiles + halves) / 2).tolist())
    return table
