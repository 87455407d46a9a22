from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rarefind.geometry import Euclidean, thresholds
from rarefind.geometry.engines import blocks as block_engine
from rarefind.geometry.engines.blocks import BlockEngine
from rarefind.geometry.neighbours import projected as projected_search
from rarefind.geometry.neighbours.projected import ProjectedSearch


def plain(X, rows, k):
    """Neighbours by the definition: all distances, sorted, of equals the lower number."""
    distances = cdist(X[rows], X)
    distances[np.arange(len(rows)), rows] = np.inf
    numbers = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, numbers, axis=1), numbers


def flat(n, directions, columns, seed=0, noise=0.01):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, directions)) @ rng.normal(size=(directions, columns))
    return X + rng.normal(0.0, noise, size=X.shape) if noise else X


CASES = {
    "few directions": flat(1500, 4, 30),
    "no noise at all": flat(1500, 3, 25, noise=0.0),
    "far from the origin": flat(1500, 4, 30) + 1e6,
    "huge": flat(1500, 4, 30) * 1e100,
    "tiny": flat(1500, 4, 30) * 1e-100,
    "one record far out": np.vstack([flat(500, 4, 30), np.full((1, 30), 1e7)]),
    "close pairs": np.vstack([flat(750, 4, 30), flat(750, 4, 30) + 1e-7]),
    "a grid with many ties": np.hstack(
        [np.random.default_rng(1).integers(0, 9, size=(1500, 3)) * 1.0, np.zeros((1500, 20))]
    )
    + np.arange(23) * 0.0,
}


@pytest.mark.parametrize("case", CASES)
def test_neighbours_are_those_of_the_definition(case, monkeypatch):
    monkeypatch.setattr(projected_search, "BESIDE", 100)
    monkeypatch.setattr(projected_search, "WIDTH", 300)
    X = np.unique(CASES[case], axis=0)
    rng = np.random.default_rng(0)
    search = ProjectedSearch(X)
    for rows in (np.arange(len(X)), rng.permutation(len(X))[:40]):
        distances, numbers = search.nearest(rows, 7)
        expected, others = plain(X, rows, 7)
        np.testing.assert_allclose(distances, expected, rtol=1e-9)
        # Rounding may tell equally near ones apart: their distances are the same.
        different = numbers != others
        mine = np.sqrt(((X[numbers] - X[rows][:, None]) ** 2).sum(axis=2))
        np.testing.assert_allclose(mine[different], expected[different], rtol=1e-9)


def test_it_pays_where_few_directions_hold_the_spread_only(monkeypatch):
    monkeypatch.setattr(projected_search, "BESIDE", 100)
    assert ProjectedSearch(flat(3000, 3, 40)).pays(5)
    assert not ProjectedSearch(np.random.default_rng(0).normal(size=(3000, 40))).pays(5)
    assert not ProjectedSearch(flat(3000, 3, 40)).pays(100)


def test_the_engine_answers_the_same_with_and_without_it(monkeypatch):
    monkeypatch.setattr(projected_search, "BESIDE", 100)
    monkeypatch.setattr(block_engine, "CHUNK", 500)
    X = flat(2000, 4, 36)
    expected = BlockEngine(Euclidean(), X).nearest(9)
    monkeypatch.setattr(thresholds, "PROJECTED_ROWS", 1000)
    used = []
    nearest = ProjectedSearch.nearest
    monkeypatch.setattr(
        ProjectedSearch, "nearest", lambda *given: used.append(1) or nearest(*given)
    )
    found = BlockEngine(Euclidean(), X).nearest(9)
    assert used
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
