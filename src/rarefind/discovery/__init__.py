"""Which record should a person look at next?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

# Not lazy, and cheap: the registry bears the name of its module.
from rarefind.discovery.registry import make_strategy, registry

if TYPE_CHECKING:
    from rarefind.core.asked_by import AskedBy
    from rarefind.discovery.auto.strategy import Auto, Auto1
    from rarefind.discovery.contract.event import Event
    from rarefind.discovery.contract.point_search import PointSearch
    from rarefind.discovery.hunt import Hunt
    from rarefind.discovery.oracle_hunt import discover
    from rarefind.discovery.outlook import Outlook
    from rarefind.discovery.strategies.farthest_first import FarthestFirst
    from rarefind.discovery.strategies.groups.gap_ratio import GapRatio
    from rarefind.discovery.strategies.groups.linkage import Linkage
    from rarefind.discovery.strategies.jumps.density_change import DensityChange
    from rarefind.discovery.strategies.jumps.grade import Grade, GradeLI
    from rarefind.discovery.strategies.jumps.malice import Alice, Malice
    from rarefind.discovery.strategies.mixtures.interleave import Interleave
    from rarefind.discovery.strategies.novelty.p_new import NewClassProbability
    from rarefind.discovery.strategies.random_sampling import RandomSampling
    from rarefind.discovery.strategies.slopes.seder import Seder
    from rarefind.discovery.theory.promise import Guarantee, guarantee

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Alice": "rarefind.discovery.strategies.jumps.malice",
        "Answer": "rarefind.discovery.contract.strategy",
        "AskedBy": "rarefind.core.asked_by",
        "Auto": "rarefind.discovery.auto.strategy",
        "Auto1": "rarefind.discovery.auto.strategy",
        "DensityChange": "rarefind.discovery.strategies.jumps.density_change",
        "Event": "rarefind.discovery.contract.event",
        "FarthestFirst": "rarefind.discovery.strategies.farthest_first",
        "GapRatio": "rarefind.discovery.strategies.groups.gap_ratio",
        "Grade": "rarefind.discovery.strategies.jumps.grade",
        "GradeLI": "rarefind.discovery.strategies.jumps.grade",
        "Guarantee": "rarefind.discovery.theory.promise",
        "Hunt": "rarefind.discovery.hunt",
        "Interleave": "rarefind.discovery.strategies.mixtures.interleave",
        "Linkage": "rarefind.discovery.strategies.groups.linkage",
        "Malice": "rarefind.discovery.strategies.jumps.malice",
        "NewClassProbability": "rarefind.discovery.strategies.novelty.p_new",
        "Outlook": "rarefind.discovery.outlook",
        "PointSearch": "rarefind.discovery.contract.point_search",
        "Problem": "rarefind.discovery.contract.strategy",
        "Proposal": "rarefind.discovery.contract.strategy",
        "Question": "rarefind.discovery.contract.question",
        "RandomSampling": "rarefind.discovery.strategies.random_sampling",
        "Search": "rarefind.discovery.contract.strategy",
        "Seder": "rarefind.discovery.strategies.slopes.seder",
        "Strategy": "rarefind.discovery.contract.strategy",
        "discover": "rarefind.discovery.oracle_hunt",
        "guarantee": "rarefind.discovery.theory.promise",
    },
)

__all__ = [
    "Alice",
    "Answer",
    "AskedBy",
    "Auto",
    "Auto1",
    "DensityChange",
    "Event",
    "FarthestFirst",
    "GapRatio",
    "Grade",
    "GradeLI",
    "Guarantee",
    "Hunt",
    "Interleave",
    "Linkage",
    "Malice",
    "NewClassProbability",
    "Outlook",
    "PointSearch",
    "Problem",
    "Proposal",
    "Question",
    "RandomSampling",
    "Search",
    "Seder",
    "Strategy",
    "discover",
    "guarantee",
    "make_strategy",
    "registry",
]
