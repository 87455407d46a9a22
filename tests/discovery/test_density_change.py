from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from rarefind.core.errors import ParameterError
from rarefind.discovery import DensityChange, Hunt
from rarefind.evaluation.simulation import simulate
from tests.discovery.problems import fresh, grids, priority_of, rows_asked

SLACK = 1 + 1e-9


def naive(X, labels, sizes, priority, budget):
    D = cdist(X, X)
    n = len(X)
    sizes = sorted({min(size, n - 1) for size in sizes})
    radii = []
    for size in sizes:
        kth = np.sort(D, axis=1)[:, size]
        radii.append(kth[kth > 0].min() if (kth > 0).any() else D[D > 0].min())
    counts = [(r * SLACK >= D).sum(axis=1) for r in radii]
    scales, turn, picks = [2] * len(sizes), 0, []
    while len(picks) < min(budget, n):
        r, t, count = radii[turn], scales[turn], counts[turn]
        score = [count[j] - count[D[j] <= t * r * SLACK].min() for j in range(n)]
        rows = fresh(D, picks)
        lit = [j for j in rows if not any(D[j, q] <= r * SLACK for q in picks)] or rows
        picks.append(min(lit, key=lambda j: (-score[j], priority[j])))
        if labels[picks[-1]] == "ordinary":
            scales[turn] = t + 1 if (t + 1) * r <= 2 * D[0].max() else 2
        turn = (turn + 1) % len(sizes)
    return picks


@given(grids(), st.integers(0, 3), st.data())
def test_picks_equal_the_obvious_loop_on_ties_and_copies(X, seed, data):
    n = len(X)
    kinds = st.sampled_from(["ordinary", "a", "b"])
    labels = data.draw(st.lists(kinds, min_size=n, max_size=n))
    sizes = data.draw(st.lists(st.integers(1, 25), min_size=1, max_size=3))
    expected = naive(X, labels, sizes, priority_of(n, seed), 10)
    assert rows_asked(X, labels, DensityChange(sizes), 10, seed=seed) == expected


def test_a_class_buried_in_the_crowd_is_found_without_priors():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(1000, 2)), rng.uniform(-0.05, 0.05, size=(10, 2))])
    labels = ["ordinary"] * 1000 + ["rare"] * 10
    played = simulate(X, labels, "density-change", range(3), budget=50)
    assert max(played.labels_needed()) <= 12  # random sampling needs 92 on average


@pytest.mark.parametrize("sizes", [[], [0], 5, [2.5]])
def test_sizes_that_are_none_are_refused(sizes):
    with pytest.raises(ParameterError, match="'sizes' parameter of DensityChange must be a list"):
        Hunt([[0.0], [1.0]], DensityChange(sizes))
