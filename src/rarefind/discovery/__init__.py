"""Which record should a person look at next?"""

from __future__ import annotations

from rarefind.discovery.auto import Auto
from rarefind.discovery.hunt import Event, Hunt
from rarefind.discovery.loop import discover
from rarefind.discovery.malice import Alice, Malice
from rarefind.discovery.outlook import Outlook
from rarefind.discovery.question import Question
from rarefind.discovery.random_sampling import RandomSampling
from rarefind.discovery.registry import make_strategy, registry
from rarefind.discovery.strategy import Answer, Problem, Proposal, Search, Strategy

__all__ = [
    "Alice",
    "Answer",
    "Auto",
    "Event",
    "Hunt",
    "Malice",
    "Outlook",
    "Problem",
    "Proposal",
    "Question",
    "RandomSampling",
    "Search",
    "Strategy",
    "discover",
    "make_strategy",
    "registry",
]
