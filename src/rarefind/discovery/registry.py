"""Strategies by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.errors import ParameterError
from rarefind.core.names import Registry

if TYPE_CHECKING:
    from rarefind.discovery.strategy import Strategy

DEFAULT_STRATEGY = "auto"

registry = Registry(
    "strategy",
    "rarefind.strategies",
    {
        "alice": "rarefind.discovery.malice:Alice",
        "auto": "rarefind.discovery.auto:Auto",
        "density-change": "rarefind.discovery.density_change:DensityChange",
        "farthest-first": "rarefind.discovery.farthest_first:FarthestFirst",
        "gap-ratio": "rarefind.discovery.gap_ratio:GapRatio",
        "grade": "rarefind.discovery.grade:Grade",
        "grade-li": "rarefind.discovery.grade:GradeLI",
        "interleave": "rarefind.discovery.interleave:Interleave",
        "linkage": "rarefind.discovery.linkage:Linkage",
        "malice": "rarefind.discovery.malice:Malice",
        "p-new": "rarefind.discovery.new_class_probability:NewClassProbability",
        "random": "rarefind.discovery.random_sampling:RandomSampling",
        "seder": "rarefind.discovery.seder:Seder",
    },
)


def make_strategy(strategy: str | Strategy) -> Strategy:
    """Return the strategy itself, or the one of that name with its default parameters."""
    from rarefind.discovery.strategy import Strategy

    if isinstance(strategy, Strategy):
        return strategy
    if not isinstance(strategy, str):
        raise ParameterError(
            "The 'strategy' parameter must be a name or a rarefind.discovery.Strategy. "
            f"Got {strategy!r} instead."
        )
    made: Strategy = registry.get(strategy)()
    return made
