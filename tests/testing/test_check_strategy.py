"""Strategies that break one rule each."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rarefind.discovery import Proposal, Search, Strategy
from rarefind.testing import check_strategy
from rarefind.testing.strategies import RULES
from tests.testing.broken import assert_breaks, assert_every_rule_is_tried


class Sound(Strategy):
    """Asks in the order of the random ranks, and counts the answers."""

    def prepare(self, problem):
        return self.Work(problem)

    class Work(Search):
        def __init__(self, problem):
            self.rank = problem.priority
            self.n = problem.space.n_rows
            self.reset()

        def reset(self):
            self.told = []

        def observe(self, answer):
            self.told.append(answer)

        def order(self):
            return self.rank

        def propose(self, barred):
            row = int(np.argmin(np.where(barred, np.inf, self.order())))
            return self.proposal(row)

        def proposal(self, row):
            return Proposal(row, "It was drawn.", {"answers": len(self.told)})


class ReturnsNothing(Sound):
    def prepare(self, problem):
        return None


class ChangesItself(Sound):
    def __init__(self, size=0):
        self.size = size

    def prepare(self, problem):
        self.size = problem.space.n_rows
        return super().prepare(problem)


class NoSentence(Sound):
    class Work(Sound.Work):
        def proposal(self, row):
            return Proposal(row, "drawn")


class NotANumber(Sound):
    class Work(Sound.Work):
        def proposal(self, row):
            return Proposal(row, "It was drawn.", {"odds": float("nan")})


class BeyondTheEnd(Sound):
    class Work(Sound.Work):
        def proposal(self, row):
            return Proposal(row + 30, "It was drawn.")


class HeedsNoBars(Sound):
    class Work(Sound.Work):
        def propose(self, barred):
            return self.proposal(int(self.rank[len(self.told) % self.n]))


class WritesIntoTheBars(Sound):
    class Work(Sound.Work):
        def propose(self, barred):
            proposal = super().propose(barred)
            barred[proposal.row] = True
            return proposal


class Dice(Sound):
    class Work(Sound.Work):
        def order(self):
            self.dice = getattr(self, "dice", None) or random.random()
            return (self.rank * self.dice * 1e6) % self.n


class EveryOtherTime(Sound):
    class Work(Sound.Work):
        turn = 1

        def order(self):
            self.turn = -self.turn
            return self.turn * self.rank


class LearnsWhatItAsked(Sound):
    """Keeps the row it proposed last instead of the row that was answered."""

    class Work(Sound.Work):
        last = 0

        def propose(self, barred):
            proposal = super().propose(barred)
            self.last = proposal.row
            return proposal

        def observe(self, answer):
            self.told.append(self.last)

        def order(self):
            return (self.rank + 7 * sum(self.told)) % self.n


class NeverForgets(Sound):
    class Work(Sound.Work):
        def reset(self):
            self.told = getattr(self, "told", [])

        def observe(self, answer):
            if answer not in self.told:
                self.told.append(answer)

        def order(self):
            return (self.rank + 7 * len(self.told)) % self.n


class EightClasses(Sound):
    class Work(Sound.Work):
        def observe(self, answer):
            super().observe(answer)
            if len({one.label for one in self.told}) > 8:
                raise IndexError("more classes than foreseen")


class ManyNeighbours(Sound):
    class Work(Sound.Work):
        def __init__(self, problem):
            super().__init__(problem)
            np.partition(problem.space.engine.distances(0), 5)


class FirstInTheFile(Sound):
    class Work(Sound.Work):
        def order(self):
            return np.arange(self.n)


class NeedsVectors(Sound):
    class Work(Sound.Work):
        def __init__(self, problem):
            super().__init__(problem)
            self.middle = problem.space.vectors.mean(axis=0)


BROKEN = [
    (ReturnsNothing(), "A strategy holds parameters", "prepare returned NoneType."),
    (ChangesItself(), "A strategy holds parameters", "expected 'ChangesItself()', got"),
    (NoSentence(), "A proposal names a row", "the reason is 'drawn'."),
    (NotANumber(), "A proposal names a row", "the evidence 'odds' is nan."),
    (BeyondTheEnd(), "A proposal names a row", "The row proposed is "),
    (HeedsNoBars(), "A row that is barred", "was proposed when only [0] were open."),
    (WritesIntoTheBars(), "A row that is barred", "The rows barred, after propose"),
    (Dice(), "The same seed", "The rows asked in a second hunt like the first: expected ["),
    (EveryOtherTime(), "Asking changes nothing", "Asked again after 0 answers, the row: expected"),
    (LearnsWhatItAsked(), "What is asked follows", "Asked in a replay of "),
    (NeverForgets(), "An answer taken back", "was called 'something else' and that was taken back"),
    (EightClasses(), "Every record is asked", "It raised IndexError: more classes than foreseen"),
    (ManyNeighbours(), "Two records are enough", "It raised ValueError: kth(=5) out of bounds"),
    (FirstInTheFile(), "Among records that nothing tells apart", "row {0} is asked first"),
    (NeedsVectors(), "Records are all asked about through a kernel", "It raised AttributeError"),
]


@pytest.mark.parametrize(
    ("strategy", "rule", "example"), BROKEN, ids=[type(one).__name__ for one, _, _ in BROKEN]
)
def test_a_strategy_that_breaks_a_rule_is_told_which(strategy, rule, example):
    assert_breaks(lambda: check_strategy(strategy), rule, example)


def test_every_rule_is_broken_here_and_the_one_they_all_derive_from_breaks_none():
    assert_every_rule_is_tried(RULES, [rule for _, rule, _ in BROKEN])
    check_strategy(Sound())
