from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from rarefind.cluster import cluster_space, engine, points
from rarefind.discovery import Hunt
from rarefind.features.scaling import squashed
from rarefind.geometry import BlockEngine, TreeEngine
from rarefind.geometry.space import vector_space
from rarefind.testing import check_engine


def lattice(seed, rows=600, width=9):
    """Whole numbers, where distances tie and rows repeat."""
    return np.random.default_rng(seed).integers(0, width, size=(rows, 3)).astype(float)


def crowd(seed, rows=600):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 4))
    X[:12] = 0.5 + random.normal(0.0, 0.02, size=(12, 4))
    X[12:20] += 9.0
    return X[random.permutation(rows)]


def wide(seed, rows=300):
    return np.random.default_rng(seed).normal(size=(rows, 30))


@pytest.fixture(params=[1, 4], ids=["one part", "four parts"])
def small_parts(request, monkeypatch):
    """Cut points into parts of a few and ask about few at a time, as where there are many."""
    if request.param > 1:
        monkeypatch.setattr(points, "PART_POINTS", 150)
        monkeypatch.setattr(engine, "SLICE", 70)


@pytest.fixture(params=[lattice, crowd, wide], ids=["with ties and repeats", "without", "wide"])
def both(request, cluster, write, small_parts):
    """The same records on one machine and on a cluster."""
    X = request.param(0)
    one = vector_space(X, scale="none")
    many = cluster_space(cluster, write(X), scale="none")
    return one, many


def test_the_four_questions_have_the_answers_of_one_machine(both, monkeypatch):
    one, many = both
    for name in ("point_of", "weights", "first_row"):
        np.testing.assert_array_equal(getattr(many.folded, name), getattr(one.folded, name))
    np.testing.assert_array_equal(many.vectors, one.vectors)
    here, there = one.engine, many.engine
    random = np.random.default_rng(1)
    some = random.permutation(here.n)[:100]
    np.testing.assert_array_equal(there.distances(7), here.distances(7))
    assert there.distance(3, 8) == pytest.approx(here.distance(3, 8), rel=1e-12)
    np.testing.assert_array_equal(there.counts(1.5), here.counts(1.5))
    own = random.uniform(0.0, 3.0, size=len(some))
    np.testing.assert_array_equal(there.counts(own, some), here.counts(own, some))
    own = random.uniform(0.0, 3.0, size=here.n)
    np.testing.assert_array_equal(there.counts(own), here.counts(own))
    assert (there.counts_bound(1.5, some) >= here.counts(1.5, some)).all()
    for k, chosen in ((7, None), (here.n - 1, some), (9, some[:5])):
        for ours, theirs in zip(there.nearest(k, chosen), here.nearest(k, chosen), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    assert there.least_kth_distance(30) == pytest.approx(here.least_kth_distance(30), rel=1e-12)
    values = random.normal(size=here.n)
    assert there.smallest_within(values, 5, 2.0) == here.smallest_within(values, 5, 2.0)
    assert there.diameter_bound() == pytest.approx(here.diameter_bound(), rel=1e-12)
    monkeypatch.setattr(engine, "MAPPED_BYTES", 0)
    np.testing.assert_array_equal(there.distances(7), here.distances(7))


def test_the_workers_answer_as_the_matrix_of_all_distances_does(both):
    one, many = both
    check_engine(many.engine, cdist(one.vectors, one.vectors))


def test_a_part_of_the_records_is_answered_like_the_whole(both, monkeypatch):
    chosen = np.sort(np.random.default_rng(2).permutation(both[0].engine.n)[:200])
    for local in (True, False):
        monkeypatch.setattr(engine, "LOCAL_BYTES", 2**28 if local else 0)
        here, there = (space.engine.subset(chosen) for space in both)
        assert isinstance(there, TreeEngine | BlockEngine) == local
        np.testing.assert_array_equal(there.weights, here.weights)
        np.testing.assert_array_equal(there.counts(1.5), here.counts(1.5))
        for ours, theirs in zip(there.nearest(9), here.nearest(9), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_pairs_of_parts_that_are_far_apart_are_not_looked_at(cluster, write, monkeypatch):
    monkeypatch.setattr(points, "PART_POINTS", 100)
    X = np.sort(np.random.default_rng(0).normal(size=(1000, 1)), axis=0) * 100.0
    X = np.hstack([X, np.random.default_rng(1).normal(size=(1000, 2))])
    there = cluster_space(cluster, write(X), scale="none").engine
    here = TreeEngine(X)
    np.testing.assert_array_equal(there.counts(2.0), here.counts(2.0))
    assert there.pairs == 100
    assert there.looked < 35
    there.pairs = there.looked = 0
    np.testing.assert_array_equal(there.nearest(5)[1], here.nearest(5)[1])
    assert there.pairs == 100
    assert there.looked < 35


@pytest.mark.parametrize("scale", ["squash", "standard"])
def test_features_are_prepared_as_on_one_machine(cluster, write, scale):
    X = crowd(3, rows=300) * [1.0, 1e5, 1e-3, 7.0]
    X[0, 1] = 1e12
    there = cluster_space(cluster, write(X), scale=scale)
    here = vector_space(X, scale=scale)
    np.testing.assert_allclose(there.vectors, here.vectors, rtol=1e-12, atol=1e-12)
    if scale == "squash":
        alone = np.hstack([squashed(X[:, [feature]]) for feature in range(4)])
        np.testing.assert_array_equal(there.vectors, alone)


@pytest.mark.parametrize(
    ("strategy", "make"),
    [("auto", lattice), ("auto", crowd), ("malice", crowd), ("farthest-first", lattice)],
)
def test_a_hunt_on_the_cluster_asks_the_same_questions_in_the_same_order(
    cluster, write, strategy, make
):
    X = make(0)
    priors = [0.02] if strategy == "malice" else None
    asked = []
    spaces = (vector_space(X, scale="none"), cluster_space(cluster, write(X), scale="none"))
    for space in spaces:
        hunt = Hunt(space, strategy, background=0, priors=priors)
        rows = []
        for _ in range(12):
            question = hunt.ask()
            rows.append((question.row, question.neighbours))
            hunt.tell(question.row, question.row % 5)
        asked.append(rows)
    assert asked[0] == asked[1]
