"""Strategies by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.errors import ParameterError
from rarefind.core.names import Registry

if TYPE_CHECKING:
    from rarefind.discovery.contract.strategy import Strategy

DEFAULT_STRATEGY = "auto"
"""Needs no priors, and is meant to be no worse than the best of the others on any data."""

registry = Registry(
    "strategy",
    "rarefind.strategies",
    {
        "alice": "rarefind.discovery.strategies.jumps.malice:Alice",
        "auto": "rarefind.discovery.auto.strategy:Auto",
        "auto-1": "rarefind.discovery.auto.strategy:Auto1",
        "density-change": "rarefind.discovery.strategies.jumps.density_change:DensityChange",
        "farthest-first": "rarefind.discovery.strategies.farthest_first:FarthestFirst",
        "gap-ratio": "rarefind.discovery.strategies.groups.gap_ratio:GapRatio",
        "grade": "rarefind.discovery.strategies.jumps.grade:Grade",
        "grade-li": "rarefind.discovery.strategies.jumps.grade:GradeLI",
        "interleave": "rarefind.discovery.strategies.mixtures.interleave:Interleave",
        "linkage": "rarefind.discovery.strategies.groups.linkage:Linkage",
        "malice": "rarefind.discovery.strategies.jumps.malice:Malice",
        "p-new": "rarefind.discovery.strategies.novelty.p_new:NewClassProbability",
        "random": "rarefind.discovery.strategies.random_sampling:RandomSampling",
        "seder": "rarefind.discovery.strategies.slopes.seder:Seder",
    },
)


def make_strategy(strategy: str | Strategy) -> Strategy:
    """Return the strategy itself, or the one of that name with its default parameters."""
    from rarefind.discovery.contract.strategy import Strategy

    if isinstance(strategy, Strategy):
        return strategy
    if not isinstance(strategy, str):
        raise ParameterError(
            "The 'strategy' parameter must be a name or a rarefind.discovery.Strategy. "
            f"Got {strategy!r} instead."
        )
    made: Strategy = registry.get(strategy)()
    return made
