from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.detection.reports.smallest_ball import enclosing_ball
from rarefind.kernels import Gaussian, Linear


def ball_of(gram, **options):
    return enclosing_ball(np.diag(gram).copy(), lambda i: gram[i], **options)


def slow_radius(points):
    """Smallest of all circles through two or three points that hold the others."""
    best = np.inf
    for size in (2, 3):
        for chosen in combinations(points, size):
            a = np.array(chosen)
            # The centre is as far from the first as from each other, in their own plane.
            steps = a[1:] - a[0]
            solution = np.linalg.lstsq(steps @ steps.T, (steps**2).sum(axis=1) / 2, rcond=None)[0]
            centre = a[0] + solution @ steps
            radius = np.linalg.norm(a[0] - centre)
            if np.linalg.norm(points - centre, axis=1).max() <= radius * (1 + 1e-9):
                best = min(best, radius)
    return best


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 9))
def test_the_ball_in_the_plane_is_the_smallest_circle(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    ball = ball_of(Linear()(points), tol=1e-9)
    assert ball.radius == pytest.approx(slow_radius(points), rel=1e-6)
    centre = ball.shares @ points
    assert np.linalg.norm(points - centre, axis=1).max() <= ball.radius * (1 + 1e-9)
    assert ball.shares.sum() == pytest.approx(1.0)
    assert ball.shares.min() >= 0


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_radius_and_gap_enclose_the_truth_in_a_kernels_space(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    K = Gaussian(1.0)(X)
    rough, fine = ball_of(K, tol=0.01), ball_of(K, tol=1e-8)
    assert rough.squared_radius - rough.gap <= fine.squared_radius * (1 + 1e-9)
    assert fine.squared_radius <= rough.squared_radius * (1 + 1e-9)
    dual = fine.shares @ np.diag(K) - fine.shares @ K @ fine.shares
    assert dual == pytest.approx(fine.squared_radius, rel=1e-7)


def test_points_far_apart_for_a_narrow_kernel_lie_on_a_simplex():
    # All similarities are zero: the ball around n unit vectors has squared radius 1 - 1/n.
    ball = ball_of(np.eye(10), tol=1e-10)
    assert ball.squared_radius == pytest.approx(0.9)


def test_one_point_or_the_same_point_has_radius_zero():
    assert ball_of(np.array([[2.0]])).radius == 0.0
    assert ball_of(np.full((4, 4), 3.0)).radius == 0.0
    assert ball_of(np.zeros((3, 3))).radius == 0.0
