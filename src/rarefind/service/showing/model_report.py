"""What a model goes by, as people read it: sections of facts with their notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rarefind.detection.reports.facts import ModelReport


@dataclass(frozen=True)
class FactView:
    """One line: a value in words, and what has to be known about it."""

    name: str
    value: str
    note: str


@dataclass(frozen=True)
class SectionView:
    """Facts that belong together."""

    name: str
    facts: tuple[FactView, ...]


@dataclass(frozen=True)
class ReportView:
    """What can be said about a model that was fitted to all labels."""

    model: str
    title: str
    sections: tuple[SectionView, ...]


def report_view(model: str, made: ModelReport) -> ReportView:
    """Put a report into words."""
    return ReportView(
        model,
        made.title,
        tuple(
            SectionView(name, tuple(FactView(one.name, one.shown, one.note) for one in facts))
            for name, facts in made.sections.items()
        ),
    )
