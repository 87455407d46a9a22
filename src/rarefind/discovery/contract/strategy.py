"""What a strategy is: it prepares a search, which proposes records and learns from answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from sklearn.base import BaseEstimator

from rarefind.core.arrays import BoolArray, IntArray
from rarefind.core.asked_by import AskedBy
from rarefind.core.params import Constraint
from rarefind.core.progress import announce
from rarefind.discovery.contract.event import Event
from rarefind.discovery.contract.priors import Priors
from rarefind.geometry import Space

Label = Hashable

WHOLE_STRATEGY: Final = AskedBy("strategy")
"""Who asks where a strategy does not tell members apart."""

_REPORT = 16
"""Answers from one report to the next: of a million records each takes some 50 ms to hear."""


@dataclass(frozen=True)
class Problem:
    """What a search is about.

    Attributes
    ----------
    space
        The records and their geometry.
    priors
        What is believed about the rare classes, or None.
    priority
        A random rank of every row: among equally good records the lowest rank is asked first, so
        that the order of the file gives nothing away and the same seed asks the same questions.
    """

    space: Space
    priors: Priors | None
    priority: IntArray


@dataclass(frozen=True)
class Answer:
    """What a person said of a row.

    Attributes
    ----------
    row, label
        The record, and what it was called.
    background
        Whether that is the ordinary class.
    asked_by
        What the proposal of this row said about who asks; None if nobody asked. It may stem from
        another strategy, or from this one when it knew fewer records, or be ``UNKNOWN``.
    """

    row: int
    label: Label
    background: bool
    asked_by: AskedBy | None = None

    @classmethod
    def to(cls, event: Event, ordinary: Collection[Label]) -> Answer:
        """Make the answer of what a person said, given the ordinary classes."""
        return cls(event.row, event.label, event.label in ordinary, event.asked_by)

    @property
    def asked(self) -> bool:
        """Whether the row was one of the questions."""
        return self.asked_by is not None


@dataclass(frozen=True)
class Proposal:
    """A record worth asking about, with the reason in words and in numbers.

    ``asked_by`` comes back with the answer, however long that takes and whatever is asked and
    answered in between, so that the member of the strategy that asked gets the credit.
    """

    row: int
    why: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    asked_by: AskedBy = WHOLE_STRATEGY


class Search(ABC):
    """A strategy at work on one problem. Its state follows from the answers alone."""

    def hold(self, held: Mapping[int, AskedBy]) -> None:  # noqa: B027  (may be left out)
        """Hear which questions are out, by row, and who asked them; said before every proposal.

        Nobody has answered them (some were skipped), and their rows are barred. Several people are
        asked well if a question differs from those that are out. By default nothing is made of it.
        """

    @abstractmethod
    def propose(self, barred: BoolArray) -> Proposal:
        """Name the best row to ask about next among those not barred (there is at least one)."""

    def several(self, count: int, barred: BoolArray, held: Mapping[int, AskedBy]) -> list[Proposal]:
        """Name up to so many rows, each chosen knowing that those before it will be out."""
        barred, held = barred.copy(), dict(held)
        proposals: list[Proposal] = []
        while len(proposals) < count and not barred.all():
            self.hold(held)
            proposal = self.propose(barred)
            proposals.append(proposal)
            barred[proposal.row], held[proposal.row] = True, proposal.asked_by
        return proposals

    @abstractmethod
    def observe(self, answer: Answer) -> None:
        """Learn from an answer."""

    @abstractmethod
    def reset(self) -> None:
        """Forget all answers, keeping what was prepared."""


def observe_all(search: Search, told: Sequence[Event], ordinary: Collection[Label]) -> None:
    """Let a search learn from labels, and say now and then how far that is.

    Whoever listens may stop it by raising an exception; the search is of no use then.
    """
    for place, event in enumerate(told):
        if place % _REPORT == _REPORT - 1:
            announce("hearing answers", place, len(told))
        search.observe(Answer.to(event, ordinary))


class Strategy(BaseEstimator, ABC):
    """Parameters of a way to search. ``prepare`` does the heavy work once."""

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {}

    scale: ClassVar[str] = "standard"
    """How features are scaled for this strategy unless the user says otherwise."""

    @abstractmethod
    def prepare(self, problem: Problem) -> Search:
        """Look at the data and return a search that can propose at once."""
