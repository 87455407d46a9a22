"""A question to a person, with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rarefind.core.asked_by import AskedBy
from rarefind.core.html_card import html_card
from rarefind.discovery.contract.meanings import told

if TYPE_CHECKING:  # what keeps and shows questions does without numpy's relatives
    from rarefind.discovery.contract.strategy import Proposal
    from rarefind.geometry import Space

NEIGHBOURS = 5
"""Records shown beside a question: as many as one compares at a glance. A choice."""


@dataclass(frozen=True)
class Question:
    """A record that rarefind wants a person to look at.

    Attributes
    ----------
    row
        Which record, counted from 0.
    why
        Why it is worth asking about, in a sentence.
    evidence
        The numbers behind the reason.
    neighbours
        Rows of the records most like it, nearest first.
    asked_by
        The member of the strategy that asks; it is credited with the answer.
    """

    row: int
    why: str
    evidence: Mapping[str, float]
    neighbours: tuple[int, ...]
    asked_by: AskedBy

    def _repr_html_(self) -> str:
        like = ", ".join(str(row) for row in self.neighbours) or "none"
        numbers = (line.partition(": ")[::2] for line in told(self.evidence))
        facts = {"Rows most like it": like, **dict(numbers)}
        return html_card(f"What is row {self.row}?", self.why, facts)


def question_of(proposal: Proposal, space: Space) -> Question:
    """Make the question to a person of what a strategy proposes."""
    near = space.neighbours(proposal.row, NEIGHBOURS)
    unusual = " and ".join(space.most_unusual(proposal.row, 2))
    why = f"{proposal.why} It differs most in {unusual}." if unusual else proposal.why
    neighbours = tuple(int(row) for row in near)
    return Question(proposal.row, why, dict(proposal.evidence), neighbours, proposal.asked_by)
