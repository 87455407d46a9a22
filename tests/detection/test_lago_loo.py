from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.detection.lago.leave_one_out import LeaveOneOut, choose_background
from rarefind.detection.lago.radii import find_nearest
from rarefind.detection.lago.tuning import threshold, tune
from rarefind.geometry import Angle, Euclidean
from tests.detection.reference_lago import distance, slow_leave_one_out


def problem_of(X1, X0, profile="gaussian", measure=None, **options):
    weights = (np.ones(len(X1)), np.ones(len(X0)))
    measure = measure or Euclidean()
    nearest = find_nearest(X1, X0, weights[1], measure, 11)
    return LeaveOneOut(X1, X0, weights, nearest, measure, profile, **options)


@pytest.mark.parametrize("profile", ["gaussian", "triangular", "cosine"])
@given(seed=st.integers(0, 1000), k=st.integers(1, 10))
@settings(max_examples=10, deadline=None)
def test_every_record_is_scored_as_if_it_were_unknown(profile, seed, k):
    rng = np.random.default_rng(seed)
    X1, X0 = rng.normal(1.0, 0.5, size=(5, 2)), rng.normal(size=(25, 2))
    own, others = slow_leave_one_out(X1, X0, k=k, alpha=1.5, profile=profile)
    problem = problem_of(X1, X0, profile)
    found = problem.scores(problem.reach(k), 1.5)
    voted = np.r_[own, others] > 1e-200
    expected = np.log(np.r_[own, others][voted])
    np.testing.assert_allclose(found[voted], expected, atol=1e-8)
    assert (found[~voted] < -700).all()


@pytest.mark.parametrize("features", [2, 12])
@pytest.mark.parametrize("measure", [Euclidean(), Angle()])
def test_the_nearest_background_is_found_whichever_way(features, measure):
    rng = np.random.default_rng(0)
    X1, X0 = rng.normal(size=(9, features)), rng.normal(size=(500, features))
    X0[100:120] = X1[0]
    nearest = find_nearest(X1, X0, np.ones(500), measure, 7)
    expected = np.sort(measure(X1, X0), axis=1)[:, : nearest.distances.shape[1]]
    np.testing.assert_allclose(nearest.distances, expected, atol=1e-7)
    for row, rows in enumerate(nearest.rows):
        np.testing.assert_allclose(
            measure(X1[row : row + 1], X0[rows])[0], nearest.distances[row], atol=1e-7
        )


def test_far_outliers_do_not_spoil_the_search_for_neighbours():
    rng = np.random.default_rng(1)
    X1, X0 = rng.normal(size=(4, 12)), rng.normal(size=(400, 12))
    X0[7] = 1e7
    nearest = find_nearest(X1, X0, np.ones(400), Euclidean(), 5)
    expected = np.sort([[distance(x, w) for w in X0] for x in X1], axis=1)[:, :5]
    np.testing.assert_allclose(nearest.distances[:, :5], expected, rtol=1e-9)


def test_a_sample_stands_for_the_whole_background():
    rng = np.random.default_rng(2)
    nearest_rows = rng.integers(0, 9000, size=(20, 31))
    weights = rng.random(9000) + 0.5
    rows, shares = choose_background(nearest_rows, weights, 2000, rng)
    assert len(set(rows)) == len(rows) == 2000
    assert shares.sum() == pytest.approx(weights.sum())
    assert set(nearest_rows.ravel()) <= set(rows)


def test_a_sampled_estimate_is_near_the_full_one():
    rng = np.random.default_rng(3)
    X1, X0 = rng.normal(1.5, 0.4, size=(60, 4)), rng.normal(size=(20_000, 4))
    sampled = problem_of(X1, X0)
    assert len(sampled.rows) < 20_000
    full = problem_of(X1, X0)
    full.rows = np.arange(20_000)
    full.weights = np.ones(20_060)
    full.wanted = np.arange(20_060) < 60
    full.dtype = np.float64
    full.squares = full.measured_squares()
    for alpha in (0.5, 1.0):
        few = sampled.average_precisions(sampled.reach(5), alpha)[0]
        all_ = full.average_precisions(full.reach(5), alpha)[0]
        assert few == pytest.approx(all_, abs=0.05)


def test_the_search_takes_the_best_of_all_it_tried():
    rng = np.random.default_rng(4)
    problem = problem_of(rng.normal(1.0, 0.3, size=(20, 2)), rng.normal(size=(300, 2)))
    best, trials = tune(problem, [1, 5, 10], [0.25, 0.5, 1.0, 2.0, 4.0])
    assert best.average_precision == max(trial.average_precision for trial in trials)
    again = problem.average_precisions(problem.reach(best.n_neighbors), best.alpha)[0]
    assert again == pytest.approx(best.average_precision, abs=1e-9)
    assert {trial.n_neighbors for trial in trials} == {1, 5, 10}


def test_the_cut_is_where_f1_is_largest():
    wanted = np.array([True, True, False, True, False, False])
    scores = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
    assert threshold(wanted, scores, np.ones(6)) == 1.5
    assert threshold(np.array([True, True]), np.array([2.0, 1.0]), np.ones(2)) == 0.0
