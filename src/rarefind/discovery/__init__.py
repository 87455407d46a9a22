"""Which record should a person look at next?"""

from __future__ import annotations

from rarefind.discovery.auto import Auto
from rarefind.discovery.density_change import DensityChange
from rarefind.discovery.farthest_first import FarthestFirst
from rarefind.discovery.gap_ratio import GapRatio
from rarefind.discovery.grade import Grade, GradeLI
from rarefind.discovery.hunt import Event, Hunt
from rarefind.discovery.interleave import Interleave
from rarefind.discovery.linkage import Linkage
from rarefind.discovery.loop import discover
from rarefind.discovery.malice import Alice, Malice
from rarefind.discovery.new_class_probability import NewClassProbability
from rarefind.discovery.outlook import Outlook
from rarefind.discovery.question import Question
from rarefind.discovery.random_sampling import RandomSampling
from rarefind.discovery.registry import make_strategy, registry
from rarefind.discovery.seder import Seder
from rarefind.discovery.strategy import Answer, Problem, Proposal, Search, Strategy

__all__ = [
    "Alice",
    "Answer",
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
