from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from rarefind.core.errors import ParameterError
from rarefind.discovery import FarthestFirst, Hunt
from rarefind.discovery.strategies.centrality import eccentricity
from rarefind.kernels import Linear
from tests.discovery.problems import clouds, fresh, grids, priority_of, problem, rows_asked


def naive(X, priority, budget):
    D = cdist(X, X)
    picks = [int(np.argmin(priority))]
    while len(picks) < min(budget, len(X)):
        gap = D[picks].min(axis=0)
        picks.append(min(fresh(D, picks), key=lambda j: (-gap[j], priority[j])))
    return picks


@given(grids(), st.integers(0, 3))
def test_picks_equal_the_obvious_loop_on_ties_and_copies(X, seed):
    expected = naive(X, priority_of(len(X), seed), 12)
    strategy = FarthestFirst(start="random")
    assert rows_asked(X, ["ordinary"] * len(X), strategy, 12, seed=seed) == expected


@given(clouds())
def test_the_first_question_is_the_record_nearest_the_mean(X):
    row = rows_asked(X, ["ordinary"] * len(X), "farthest-first", 1)[0]
    away = ((X - X.mean(axis=0)) ** 2).sum(axis=1)
    assert away[row] == pytest.approx(away.min())


def test_the_middle_of_many_records_is_found_from_a_sample():
    X = np.random.default_rng(0).normal(size=(3000, 3))
    middle = int(np.argmin(eccentricity(problem(X))))
    assert np.linalg.norm(X[middle]) < 0.5


def test_the_linear_kernel_asks_what_the_vectors_ask():
    X = np.random.default_rng(1).normal(size=(40, 3))
    plain = Hunt(X, "farthest-first", scale="none")
    through = Hunt(X, "farthest-first", kernel=Linear())
    for _ in range(10):
        row = plain.ask().row
        assert through.ask().row == row
        plain.tell(row, "x")
        through.tell(row, "x")


def test_questions_for_several_people_keep_apart():
    X = np.array([[0.0], [0.1], [0.2], [10.0], [10.1], [-7.0]])
    hunt = Hunt(X, "farthest-first", scale="none")
    hunt.tell(1, "x")
    assert sorted(question.row for question in hunt.ask(2)) == [4, 5]


def test_the_reason_names_the_distance():
    hunt = Hunt([[0.0], [0.1], [0.2], [5.0]], "farthest-first", scale="none")
    assert "nearest the middle" in hunt.ask().why
    hunt.tell(0, "x")
    question = hunt.ask()
    assert question.why.startswith("It lies 5 from the nearest record looked at")
    assert question.evidence["distance_to_looked_at"] == 5.0


def test_an_unknown_start_is_refused():
    with pytest.raises(ParameterError, match="'start' parameter of FarthestFirst"):
        Hunt([[0.0], [1.0]], FarthestFirst(start="end"))
