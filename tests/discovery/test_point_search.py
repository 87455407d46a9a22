"""What a strategy built on PointSearch need not see to."""

from __future__ import annotations

import numpy as np

from rarefind.discovery import Hunt, PointSearch, Proposal, Strategy
from rarefind.testing import check_strategy


class Inward(Strategy):
    """Ask from the outermost record inwards, and count the answers."""

    def prepare(self, problem):
        return InwardSearch(problem)


class InwardSearch(PointSearch):
    def __init__(self, problem):
        super().__init__(problem)
        engine = problem.space.engine
        self._out = np.array([engine.distances(point).sum() for point in range(engine.n)])
        self.reset()

    def choose(self, points):
        point = points.best(self._out)
        return Proposal(int(points.row[point]), "It lies far out.", {"heard": len(self.heard)})

    def learn(self, point, answer):
        self.heard.append((point, answer.label))

    def forget(self):
        self.heard = []


def test_it_keeps_every_promise_of_a_strategy():
    check_strategy(Inward())


def test_copies_of_an_answered_record_wait_until_nothing_else_is_left():
    X = [[0.0], [9.0], [9.0], [1.0]]
    hunt = Hunt(X, Inward(), random_state=0)
    asked = []
    for _ in range(4):
        asked.append(hunt.ask().row)
        hunt.tell(asked[-1], "x")
    assert asked[0] in (1, 2)
    assert set(asked[1:3]) == {0, 3}
    assert asked[3] in (1, 2)


def test_an_answer_taken_back_is_forgotten():
    hunt = Hunt([[0.0], [9.0], [1.0]], Inward(), random_state=0)
    first = hunt.ask()
    hunt.tell(first.row, "x")
    assert hunt.ask().evidence == {"heard": 1}
    hunt.undo()
    assert hunt.ask() == first
