from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import NotAvailableError, ParameterError
from rarefind.discovery import Hunt, Seder
from rarefind.discovery.strategies.slopes.bandwidths import (
    cross_validated,
    silverman,
    smallest_steps,
)
from rarefind.evaluation.simulation import simulate
from rarefind.kernels import Gaussian
from tests.discovery.problems import clouds, fresh, priority_of, published, rows_asked


def naive_scores(X):
    """The printed formulas, one loop for each sum."""
    X = X - X.mean(axis=0)
    n, d = X.shape
    sigma = 1.06 * X.std(axis=0) * n**-0.2
    b = []
    for j in range(d):
        x = X[:, j]
        means = []
        for k in range(n):
            e = [math.exp(-((x[k] - x[i]) ** 2) / (2 * sigma[j] ** 2)) for i in range(n)]
            means.append(sum(e[i] * x[i] ** 2 for i in range(n)) / sum(e))
        A, B, C = np.mean(means), sigma[j] ** 2, np.mean(x**2)
        b.append((-B + math.sqrt(B**2 + 4 * A * C)) / (2 * A))
    scores = []
    for k in range(n):
        weight = [
            math.prod(
                math.exp(-((X[k, j] - b[j] * X[i, j]) ** 2) / (2 * sigma[j] ** 2 * b[j]))
                for j in range(d)
            )
            for i in range(n)
        ]
        slopes = [
            sum(weight[i] * (X[k, j] - b[j] * X[i, j]) for i in range(n)) / (sigma[j] ** 2 * b[j])
            for j in range(d)
        ]
        scores.append(math.sqrt(sum(slope**2 for slope in slopes)))
    return np.array(scores), 3 * sigma


@settings(max_examples=20)
@given(clouds(high=12), st.integers(0, 3))
def test_picks_equal_the_printed_formulas(X, seed):
    scores, wide = naive_scores(X)
    scores = np.round(np.log(scores), 6)
    D = np.abs(X[:, None] - X[None, :])
    priority, picks = priority_of(len(X), seed), []
    while len(picks) < 8:
        rows = fresh(D.max(axis=2), picks)
        lit = [j for j in rows if not any((D[j, q] <= wide).all() for q in picks)] or rows
        picks.append(min(lit, key=lambda j: (-scores[j], priority[j])))
    assert rows_asked(X, ["ordinary"] * len(X), "seder", 8, seed=seed) == picks


@given(clouds(), st.data())
def test_bandwidths_count_copies_as_often_as_they_are_there(X, data):
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(X), max_size=len(X))))
    rows = np.repeat(X, times, axis=0)
    once = np.ones(len(rows), dtype=int)
    np.testing.assert_allclose(silverman(X, times), silverman(rows, once))
    np.testing.assert_allclose(cross_validated(X, times), cross_validated(rows, once))


def test_cross_validation_finds_a_finer_structure_and_stops_at_the_steps():
    rng = np.random.default_rng(0)
    lumps = np.r_[rng.normal(0, 0.1, 100), rng.normal(9, 0.1, 100)]
    dice = rng.integers(1, 7, 200)
    X = np.c_[lumps, dice]
    once = np.ones(200, dtype=int)
    assert cross_validated(X, once)[0] < silverman(X, once)[0] / 4
    assert cross_validated(X, once)[1] == smallest_steps(X)[1] == 1.0


def test_many_dimensions_and_constant_features_give_finite_scores():
    X = np.c_[np.random.default_rng(0).normal(size=(60, 80)), np.ones(60)]
    question = Hunt(X, "seder").ask()
    assert np.isfinite(question.evidence["log_slope"])
    assert "more so than around all but 0 of the 60 different records" in question.why


def test_many_records_are_judged_through_a_sample(monkeypatch):
    monkeypatch.setattr("rarefind.discovery.strategies.slopes.seder.CENTRES", 200)
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(600, 2)), [[0.0, 0.0]] * 5])
    assert np.isfinite(Hunt(X, Seder("cv")).ask().evidence["log_slope"])


def test_ecoli_and_glass_need_what_was_measured_before():
    for name, expected in [("ecoli", 17), ("glass", 30)]:
        X, labels = published(name)
        needed = simulate(X, labels, "seder", [0]).labels_needed(background=True)
        assert needed == (expected,)


def test_a_kernel_has_no_features_to_work_on():
    with pytest.raises(NotAvailableError, match="'seder' needs a dense table of numbers"):
        Hunt([[0.0], [1.0]], "seder", kernel=Gaussian())


def test_an_unknown_bandwidth_is_refused():
    with pytest.raises(ParameterError, match="'bandwidth' parameter of Seder"):
        Hunt([[0.0], [1.0]], Seder("wide"))
