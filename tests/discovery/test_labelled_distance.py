from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery.auto.labelled_distance import LabelledDistance
from rarefind.geometry.any_records import make_space
from rarefind.kernels import Linear


def plain(vectors, points, weights):
    """Distance from the nearest of these points, by the definition."""
    apart = (vectors[:, None] - vectors[points]) ** 2 @ weights
    return np.sqrt(apart.min(axis=1))


def variance_inside(vectors, points, labels):
    """Pooled variance inside classes, and of how many repeated labels."""
    classes = [vectors[[p for p, y in zip(points, labels, strict=True) if y == c]] for c in "abc"]
    repeats = sum(max(0, len(rows) - 1) for rows in classes)
    squares = sum(((rows - rows.mean(0)) ** 2).sum(0) for rows in classes if len(rows))
    return squares / repeats, repeats


@given(st.integers(0, 1000), st.integers(2, 40))
def test_distances_are_those_of_the_definition_at_every_moment(seed, told):
    rng = np.random.default_rng(seed)
    space = make_space(rng.normal(size=(50, 3)), None, "none")
    distance = LabelledDistance(space)
    points, labels = rng.permutation(50)[:told].tolist(), rng.choice(list("abc"), told).tolist()
    learnt = 0
    for number, (point, label) in enumerate(zip(points, labels, strict=True), start=1):
        distance.tell(point, label)
        weights = np.ones(3) if distance.weights is None else distance.weights
        expected = plain(space.vectors, points[:number], weights)
        np.testing.assert_allclose(distance.away, expected, rtol=1e-12)
        assert (distance.bound * (1 + 1e-12) >= expected).all()
        some = rng.permutation(50)[:7]
        np.testing.assert_allclose(distance.measured(some), expected[some], rtol=1e-12)
        np.testing.assert_allclose(distance.bound[some], expected[some], rtol=1e-12)
        repeats = number - len(set(labels[:number]))
        if repeats >= max(1.0, 1.25 * learnt):
            within, learnt = variance_inside(space.vectors, points[:number], labels[:number])
            assert learnt == repeats
            wanted = 1 / (8 * within.mean() + repeats * within)
            np.testing.assert_allclose(weights, wanted / wanted.mean(), rtol=1e-9)


def test_a_feature_that_varies_inside_a_class_counts_less():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    X[:20, 1] *= 0.05
    distance = LabelledDistance(make_space(X, None, "none"))
    for row in range(20):
        distance.tell(row, "ordinary")
    assert distance.weights[0] < 0.5 * distance.weights[1]


def test_nothing_is_learnt_from_new_classes_or_from_a_kernel():
    X = np.random.default_rng(1).normal(size=(20, 2))
    for space in (make_space(X, None, "none"), make_space(X, Linear(), "none")):
        distance = LabelledDistance(space)
        assert np.isinf(distance.away).all()
        distance.tell(0, "a")
        distance.tell(1, "b")
        assert distance.weights is None
        expected = np.minimum(space.engine.distances(0), space.engine.distances(1))
        np.testing.assert_allclose(distance.away, expected, atol=1e-7)
    distance.tell(2, "a")
    assert distance.weights is None


def test_the_offset_of_features_does_not_blur_distances():
    X = np.random.default_rng(2).normal(size=(30, 2))
    answers = []
    for offset in (0.0, 1e7):
        distance = LabelledDistance(make_space(X + offset, None, "none"))
        for row, label in enumerate("aabbab"):
            distance.tell(row, label)
        answers.append(distance.away)
    assert answers[0][6:] == pytest.approx(answers[1][6:], rel=1e-6)


def test_answers_can_be_forgotten():
    X = np.random.default_rng(3).normal(size=(30, 2))
    distance = LabelledDistance(make_space(X, None, "none"))
    for _ in range(2):
        for row, label in enumerate("aabb"):
            distance.tell(row, label)
        last = distance.away
        distance.reset()
        assert distance.weights is None
    for row, label in enumerate("aabb"):
        distance.tell(row, label)
    np.testing.assert_array_equal(distance.away, last)
