"""Which record should a person look at next?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

# Not lazy, and cheap: the registry bears the name of its module.
from rarefind.discovery.registry import make_strategy, registry

if TYPE_CHECKING:
    from rarefind.core.asked_by import AskedBy
    from rarefind.discovery.auto import Auto
    from rarefind.discovery.density_change import DensityChange
    from rarefind.discovery.event import Event
    from rarefind.discovery.farthest_first import FarthestFirst
    from rarefind.discovery.gap_ratio import GapRatio
    from rarefind.discovery.grade import Grade, GradeLI
    from rarefind.discovery.hunt import Hunt
    from rarefind.discovery.interleave import Interleave
    from rarefind.discovery.linkage import Linkage
    from rarefind.discovery.loop import discover
    from rarefind.discovery.malice import Alice, Malice
    from rarefind.discovery.new_class_probability import NewClassProbability
    from rarefind.discovery.outlook import Outlook
    from rarefind.discovery.question import Question
    from rarefind.discovery.random_sampling import RandomSampling
    from rarefind.discovery.seder import Seder
    from rarefind.discovery.strategy import Answer, Problem, Proposal, Search, Strategy

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Alice": "rarefind.discovery.malice",
        "Answer": "rarefind.discovery.strategy",
        "AskedBy": "rarefind.core.asked_by",
        "Auto": "rarefind.discovery.auto",
        "DensityChange": "rarefind.discovery.density_change",
        "Event": "rarefind.discovery.event",
        "FarthestFirst": "rarefind.discovery.farthest_first",
        "GapRatio": "rarefind.discovery.gap_ratio",
        "Grade": "rarefind.discovery.grade",
        "GradeLI": "rarefind.discovery.grade",
        "Hunt": "rarefind.discovery.hunt",
        "Interleave": "rarefind.discovery.interleave",
        "Linkage": "rarefind.discovery.linkage",
        "Malice": "rarefind.discovery.malice",
        "NewClassProbability": "rarefind.discovery.new_class_probability",
        "Outlook": "rarefind.discovery.outlook",
        "Problem": "rarefind.discovery.strategy",
        "Proposal": "rarefind.discovery.strategy",
        "Question": "rarefind.discovery.question",
        "RandomSampling": "rarefind.discovery.random_sampling",
        "Search": "rarefind.discovery.strategy",
        "Seder": "rarefind.discovery.seder",
        "Strategy": "rarefind.discovery.strategy",
        "discover": "rarefind.discovery.loop",
    },
)

__all__ = [
    "Alice",
    "Answer",
    "AskedBy",
    "Auto",
    "DensityChange",
    "Event",
    "FarthestFirst",
    "GapRatio",
    "Grade",
    "GradeLI",
    "Hunt",
    "Interleave",
    "Linkage",
    "Malice",
    "NewClassProbability",
    "Outlook",
    "Problem",
    "Proposal",
    "Question",
    "RandomSampling",
    "Search",
    "Seder",
    "Strategy",
    "discover",
    "make_strategy",
    "registry",
]
