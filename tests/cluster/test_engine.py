from __future__ import annotations

import numpy as np
import pytest

from rarefind.cluster import cluster_space, engine
from rarefind.discovery import Hunt
from rarefind.geometry import TreeEngine
from rarefind.geometry.scaling import squashed
from rarefind.geometry.space import vector_space


def lattice(seed, rows=600, width=9):
    """Whole numbers, where distances tie and rows repeat."""
    return np.random.default_rng(seed).integers(0, width, size=(rows, 3)).astype(float)


def crowd(seed, rows=600):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 4))
    X[:12] = 0.5 + random.normal(0.0, 0.02, size=(12, 4))
    X[12:20] += 9.0
    return X[random.permutation(rows)]


@pytest.fixture(params=[lattice, crowd], ids=["with ties and repeats", "without"])
def both(request, cluster, write):
    """The same records on one machine and on a cluster."""
    X = request.param(0)
    one = vector_space(X, scale="none")
    many = cluster_space(cluster, write(X), scale="none")
    return one, many


def test_the_four_questions_have_the_answers_of_one_machine(both, monkeypatch):
    one, many = both
    for name in ("point_of", "weights", "first_row"):
        np.testing.assert_array_equal(getattr(many.folded, name), getattr(one.folded, name))
    here, there = one.engine, many.engine
    assert isinstance(here, TreeEngine)
    random = np.random.default_rng(1)
    some = random.permutation(here.n)[:100]
    np.testing.assert_array_equal(there.coordinates(some), here.vectors[some])
    np.testing.assert_array_equal(there.distances(7), here.distances(7))
    assert there.distance(3, 8) == pytest.approx(here.distance(3, 8), rel=1e-12)
    np.testing.assert_array_equal(there.counts(1.5), here.counts(1.5))
    own = random.uniform(0.0, 3.0, size=len(some))
    np.testing.assert_array_equal(there.counts(own, some), here.counts(own, some))
    assert (there.counts_bound(1.5, some) >= here.counts(1.5, some)).all()
    for k, points in ((7, None), (here.n - 1, some[:5])):
        for ours, theirs in zip(there.nearest(k, points), here.nearest(k, points), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    assert there.least_kth_distance(30) == pytest.approx(here.least_kth_distance(30), rel=1e-12)
    values = random.normal(size=here.n)
    assert there.smallest_within(values, 5, 2.0) == here.smallest_within(values, 5, 2.0)
    assert there.diameter_bound() == pytest.approx(here.diameter_bound(), rel=1e-12)
    monkeypatch.setattr(engine, "_MAPPED_BYTES", 0)
    np.testing.assert_array_equal(there.distances(7), here.distances(7))


@pytest.mark.parametrize("local", [True, False])
def test_a_part_of_the_records_is_answered_like_the_whole(both, monkeypatch, local):
    monkeypatch.setattr(engine, "_LOCAL_BYTES", 2**28 if local else 0)
    chosen = np.sort(np.random.default_rng(2).permutation(both[0].engine.n)[:200])
    here, there = (space.engine.subset(chosen) for space in both)
    assert isinstance(there, TreeEngine) == local
    np.testing.assert_array_equal(there.weights, here.weights)
    np.testing.assert_array_equal(there.counts(1.5), here.counts(1.5))
    for ours, theirs in zip(there.nearest(9), here.nearest(9), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    if not local:
        fewer = there.subset(np.arange(0, 200, 3))
        np.testing.assert_array_equal(
            fewer.counts(1.5), here.subset(np.arange(0, 200, 3)).counts(1.5)
        )


@pytest.mark.parametrize("scale", ["squash", "standard"])
def test_features_are_prepared_as_on_one_machine(cluster, write, scale):
    X = crowd(3, rows=300) * [1.0, 1e5, 1e-3, 7.0]
    X[0, 1] = 1e12
    there = cluster_space(cluster, write(X), scale=scale)
    here = vector_space(X, scale=scale)
    vectors = there.engine.coordinates(np.arange(300))
    np.testing.assert_allclose(vectors, here.vectors, rtol=1e-12, atol=1e-12)
    if scale == "squash":
        alone = np.hstack([squashed(X[:, [feature]]) for feature in range(4)])
        np.testing.assert_array_equal(vectors, alone)


@pytest.mark.parametrize("strategy", ["auto", "malice"])
def test_a_hunt_on_the_cluster_asks_the_same_questions_in_the_same_order(both, strategy):
    priors = [0.02] if strategy == "malice" else None
    asked = []
    for space in both:
        hunt = Hunt(space, strategy, background=0, priors=priors)
        rows = []
        for _ in range(6):
            question = hunt.ask()
            rows.append((question.row, question.neighbours))
            hunt.tell(question.row, question.row % 5)
        asked.append(rows)
    assert asked[0] == asked[1]
