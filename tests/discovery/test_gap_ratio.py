from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from rarefind.core.errors import ParameterError
from rarefind.discovery import GapRatio, Hunt
from rarefind.evaluation.simulation import simulate
from tests.discovery.problems import clouds, fresh, grids, priority_of, published, rows_asked


def naive(X, k, priority, budget):
    D = cdist(X, X)
    n = len(X)
    ordered = np.sort(D, axis=1)
    score = [row[min(k, n - 1)] / (row[:k].mean() + 0.01) for row in ordered]
    picks, gone = [], set()
    while len(picks) < min(budget, n):
        rows = fresh(D, picks)
        rows = [j for j in rows if j not in gone] or rows
        picks.append(min(rows, key=lambda j: (-round(score[j], 9), priority[j])))
        # All copies of a record in the group leave with it.
        border = ordered[picks[-1]][min(k, n) - 1]
        gone |= set(np.flatnonzero(D[picks[-1]] <= border))
    return picks


@given(clouds(), st.integers(1, 8), st.integers(0, 3))
def test_picks_equal_the_obvious_loop(X, k, seed):
    expected = naive(X, k, priority_of(len(X), seed), 10)
    assert rows_asked(X, ["ordinary"] * len(X), GapRatio(k), 10, seed=seed) == expected


@given(grids(), st.integers(1, 30))
def test_any_group_size_asks_every_record_once(X, k):
    rows = rows_asked(X, ["ordinary"] * len(X), GapRatio(k), len(X))
    assert sorted(rows) == list(range(len(X)))


def test_the_reason_names_the_gap():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [9.0], [9.1]])
    question = Hunt(X, GapRatio(2), scale="none").ask()
    assert (
        "a group of 2 records that lie 0.05 away on average, itself included; the next one lies 6"
        in question.why
    )
    assert question.evidence["gap_ratio"] > 90


def test_ecoli_and_glass_need_what_was_measured_before():
    for name, most in [("ecoli", 16), ("glass", 20)]:
        X, labels = published(name)
        assert simulate(X, labels, "gap-ratio", [0]).labels_needed(background=True)[0] <= most


@pytest.mark.parametrize("arguments", [{"group": 0}, {"floor": 0.0}])
def test_wrong_parameters_are_refused(arguments):
    with pytest.raises(ParameterError, match="of GapRatio must be"):
        Hunt([[0.0], [1.0]], GapRatio(**arguments))


def test_a_group_is_never_larger_than_the_data():
    question = Hunt([[0.0], [1.0], [3.0]], "gap-ratio").ask()
    assert "The 3 records there are make one group" in question.why
    assert question.evidence["group"] == 3
