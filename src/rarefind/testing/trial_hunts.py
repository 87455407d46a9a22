"""The hunts that a strategy is tried in, and what is required of every question."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.asked_by import UNKNOWN
from rarefind.discovery import Hunt, Question, Search, Strategy
from rarefind.discovery.contract.priors import read_priors
from rarefind.discovery.contract.strategy import Answer, Problem, Proposal
from rarefind.geometry import vector_space
from rarefind.testing.rules import require, require_equal, shown

ROWS = 30
"""Records of the hunts, enough for every size of group that strategies use by default."""

_FEW_SHARES = [0.4]
"""Priors for a handful of records, where a share of a few in a hundred is less than one."""


@dataclass
class TrialHunts:
    """One strategy on one set of records, some of which are there twice.

    Attributes
    ----------
    strategy
        The strategy tried.
    priors
        What it is told of the classes, or None.
    """

    strategy: Strategy
    priors: Mapping[Hashable, float] | Sequence[float] | None

    def __post_init__(self) -> None:
        random = np.random.default_rng(0)
        self.X: FloatArray = random.normal(size=(ROWS, 3))
        self.X[-6:] = self.X[:6]

    def label(self, row: int) -> str:
        """Tell the class of a row: most are common."""
        return "odd" if row % 11 == 4 else "common" if row % 7 else "rare"

    def shares(self, X: Records | None) -> Any:
        """Return the priors for these records (None: for the suite's own)."""
        return self.priors if X is None or self.priors is None else _FEW_SHARES

    def hunt(self, X: Records | None = None, seed: int = 0, kernel: Any = None) -> Hunt:
        """Begin a hunt in these records."""
        records = self.X if X is None else X
        return Hunt(records, self.strategy, kernel, self.shares(X), None, seed)

    def search(self, X: FloatArray | None = None, rank: IntArray | None = None) -> Search:
        """Prepare a search in these records, whose random ranks may be given."""
        records = self.X if X is None else X
        if rank is None:
            rank = np.random.default_rng(1).permutation(len(records))
        priors = read_priors(self.shares(X), len(records))
        return self.strategy.prepare(Problem(vector_space(records, scale="none"), priors, rank))

    def answer(self, row: int) -> Answer:
        """Say what a row is, as a hunt says it to its search."""
        return Answer(row, self.label(row), self.label(row) == "common", UNKNOWN)


def require_all_asked(hunt: Hunt, label: Callable[[int], str], what: str) -> None:
    """Answer every question until none is left; each row must come once."""
    rows = rows_asked(hunt, label)
    require_equal(sorted(rows), list(range(hunt.n_records)), f"Rows asked about of {what}")


def rows_asked(hunt: Hunt, label: Callable[[int], str]) -> list[int]:
    """Answer every question until none is left; return the rows in the order they came."""
    rows: list[int] = []
    for _ in range(hunt.n_records):
        question = hunt.ask()
        require_reason(question)
        require(question.row not in rows, f"Row {question.row} was asked twice.")
        rows.append(question.row)
        hunt.tell(question.row, label(question.row))
    return rows


def require_reason(asked: Proposal | Question) -> None:
    """Ask for a reason in words, and for numbers that are numbers."""
    why = asked.why
    sentence = (
        isinstance(why, str)
        and (why[:1].isupper() or why[:1].isdigit())
        and why.rstrip().endswith((".", "?", "!"))
    )
    require(sentence, f"For row {asked.row} the reason is {shown(why)}.")
    for name, value in asked.evidence.items():
        require(isfinite(value), f"For row {asked.row} the evidence {name!r} is {value}.")


def require_same(found: Proposal | Question, expected: Proposal | Question, what: str) -> None:
    """Compare two questions: row, reason and evidence."""
    require_equal(found.row, expected.row, f"{what}, the row")
    require_equal(found.why, expected.why, f"{what}, the reason for row {found.row}")
    require_equal(dict(found.evidence), dict(expected.evidence), f"{what}, the evidence")
